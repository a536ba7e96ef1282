# files=small.png prints=\(8, 8\)
import numpy as np
from PIL import Image, ImageOps
image = Image.fromarray((np.arange(1024).reshape(32, 32) % 256).astype(np.uint8))
small = ImageOps.invert(image.resize((8, 8)))
small.save("small.png")
print(Image.open("small.png").size, np.asarray(Image.open("small.png")).mean() > 0)

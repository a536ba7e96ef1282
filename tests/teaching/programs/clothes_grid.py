# notice=FashionMNIST pictures=2 files=grid.png prints=Sneaker
import torch
import matplotlib.pyplot as plt
from torchvision import datasets, utils
from torchvision.transforms import ToTensor
clothes = datasets.FashionMNIST("data", train=False, download=True, transform=ToTensor())
print(clothes)
print(clothes.classes)
batch = torch.stack([clothes[i][0] for i in range(16)])
grid = utils.make_grid(batch, nrow=4)
utils.save_image(batch, "grid.png")
plt.imshow(grid.permute(1, 2, 0))
plt.axis("off")
plt.show()

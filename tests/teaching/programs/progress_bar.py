# prints=written
import time
from tqdm import tqdm, trange
total = 0
for n in tqdm(range(100), desc="adding"):
    total += n
with tqdm(total=3) as bar:
    for _ in range(3):
        bar.update(1)
        bar.set_postfix(total=total)
for _ in trange(2):
    pass
tqdm.write("written")

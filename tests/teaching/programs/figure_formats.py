# pictures=3 files=a.svg,b.pdf,c.jpg
import matplotlib.pyplot as plt
plt.hist([1, 1, 2, 3, 3, 3], bins=3)
for name in ("a.svg", "b.pdf", "c.jpg"):
    plt.savefig(name)

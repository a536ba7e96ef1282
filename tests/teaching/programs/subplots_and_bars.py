# pictures=1
import matplotlib.pyplot as plt
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
left.bar(["a", "b", "c"], [3, 1, 2])
right.pie([3, 1, 2], labels=["a", "b", "c"])
fig.suptitle("two charts")
fig.tight_layout()
plt.show()

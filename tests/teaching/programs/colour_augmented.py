# notice=CIFAR10 pictures=1 prints=torch.Size.*3,.24,.24
import torch
import matplotlib.pyplot as plt
from torchvision import transforms
from torchvision.datasets import CIFAR10
torch.manual_seed(1)
change = transforms.Compose([
    transforms.Resize(36), transforms.RandomCrop(28), transforms.RandomHorizontalFlip(), transforms.RandomRotation(10),
    transforms.ColorJitter(0.2, 0.2, 0.2), transforms.CenterCrop(24), transforms.ToTensor(), transforms.Lambda(lambda t: t * 2 - 1),
])
print(change)
data = CIFAR10(root="data", train=True, download=True, transform=change)
images, labels = next(iter(torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)))
print(images.shape, float(images.min()) >= -1)
fig, axes = plt.subplots(2, 4)
for ax, image, label in zip(axes.ravel(), images, labels):
    ax.imshow((image.permute(1, 2, 0) + 1) / 2)
    ax.set_title(data.classes[label])
plt.show()

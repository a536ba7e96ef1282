# pictures=1 prints=minimum
import torch
import matplotlib.pyplot as plt
xs = torch.linspace(-2, 2, 41)
a, b = torch.meshgrid(xs, xs, indexing="ij")
z = (1 - a) ** 2 + 10 * (b - a ** 2) ** 2
point = torch.tensor([-1.0, 1.5], requires_grad=True)
path = [point.detach().clone()]
opt = torch.optim.SGD([point], lr=0.01)
for _ in range(40):
    loss = (1 - point[0]) ** 2 + 10 * (point[1] - point[0] ** 2) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    path.append(point.detach().clone())
path = torch.stack(path)
plt.contour(a, b, z, levels=30)
plt.plot(path[:, 0], path[:, 1], "ro-", ms=3)
plt.show()
print("minimum nearer", loss.item() < 5)

# pictures=1 prints=moons.True
import numpy as np
import torch
import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
torch.manual_seed(0)
X, y = make_moons(200, noise=0.1, random_state=0)
X = StandardScaler().fit_transform(X)
train, test, a, b = train_test_split(X, y, test_size=0.25, random_state=0)
train, test, a, b = (torch.tensor(v, dtype=torch.float32) for v in (train, test, a, b))
net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for _ in range(80):
    loss = torch.nn.functional.binary_cross_entropy_with_logits(net(train).squeeze(), a)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("moons", ((net(test).squeeze() > 0).float() == b).float().mean().item() > 0.85)
grid = np.stack(np.meshgrid(np.linspace(-2, 2, 40), np.linspace(-2, 2, 40)), -1).reshape(-1, 2)
score = net(torch.tensor(grid, dtype=torch.float32)).detach().numpy().reshape(40, 40)
plt.contourf(np.linspace(-2, 2, 40), np.linspace(-2, 2, 40), score, levels=10)
plt.scatter(X[:, 0], X[:, 1], c=y)
plt.show()

import torch

x = torch.tensor([[1.0, 2.0], [3.0, 1.0], [0.5, 0.5]])
y = torch.tensor([[0.4], [1.5], [0.5]])
W = torch.tensor([[0.6], [-0.4]])

diff = torch.relu(x @ W + 0.5) - y
loss = (diff ** 2).mean()
mae = diff.abs().mean()
for step in range(3):
    print(step, loss.item(), mae.item())

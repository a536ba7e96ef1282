import torch

x = torch.tensor([[1.0, 2.0], [3.0, 1.0], [0.5, 0.5]])
y = torch.tensor([[0.4], [1.5], [0.5]])
W = torch.tensor([[0.6], [-0.4]])
half = torch.tensor(1.0) / 2.0

for step in range(3):
    pred = torch.relu(x @ W + half)
    loss = ((pred - y) ** 2).mean()
    mae = (pred - y).abs().mean()
    print(step, loss.item(), mae.item())

import torch

x = torch.tensor([[1.0, 2.0], [3.0, 1.0], [0.5, 0.5]])
y = torch.tensor([[0.4], [1.5], [0.5]])
W = torch.tensor([[0.6], [-0.4]])

for step in range(3):
    half = torch.tensor(1.0) / 2.0
    pred = torch.relu(x @ W + half)
    loss = ((pred - y) ** 2).mean()
    mae = (pred - y).abs().mean()
    peak = pred.max()
    print(step, loss.item(), mae.item())

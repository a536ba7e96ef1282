import torch

W = torch.full((8, 8), 0.1, requires_grad=True)
batch = torch.ones(8, 8)
for step in range(40):
    loss = ((torch.tanh(batch @ W) - 1.0) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        W -= 0.1 * W.grad
    W.grad = None
print("done")

import torch

W = torch.full((256, 256), 0.1, requires_grad=True)
batch = torch.ones(256, 256)
for step in range(12):
    loss = ((torch.tanh(batch @ W) - 1.0) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        W -= 0.1 * W.grad
    W.grad = None
print("done")

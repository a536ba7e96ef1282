import torch

W1 = torch.full((8, 16), 0.1, requires_grad=True)
W2 = torch.full((16, 1), 0.1, requires_grad=True)
batch = torch.ones(4, 8)

for step in range(30):
    h = torch.tanh(batch @ W1)
    y = h @ W2
    loss = ((y - 1.0) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for W in (W1, W2):
            W -= 0.05 * W.grad
            W.grad = None
print("%.4f" % loss.item())

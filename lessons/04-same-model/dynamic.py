import torch

X = torch.tensor([[1.0, 2.0], [2.0, 1.0], [3.0, 0.0], [0.0, 1.0]])
Y = torch.tensor([[1.0], [2.0], [3.0], [0.0]])

W = torch.tensor([[0.5], [0.5]], requires_grad=True)
b = torch.tensor([0.0], requires_grad=True)

for step in range(8):
    pred = X @ W + b
    loss = ((pred - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        W -= 0.1 * W.grad
        b -= 0.1 * b.grad
    W.grad = None
    b.grad = None
    print(step, "%.4f" % loss.item())

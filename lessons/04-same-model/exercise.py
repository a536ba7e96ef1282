import torch

X = torch.tensor([[1.0, 2.0], [2.0, 1.0], [3.0, 0.0], [0.0, 1.0]])
Y = torch.tensor([[1.0], [2.0], [3.0], [0.0]])

W1 = torch.tensor([[0.5, -0.5, 1.0], [0.5, 1.0, -1.0]], requires_grad=True)
W2 = torch.tensor([[1.0], [1.0], [1.0]], requires_grad=True)

for step in range(2):
    pred = X @ W1 @ W2
    loss = ((pred - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for W in (W1, W2):
            W -= 0.02 * W.grad
            W.grad = None
    print(step, "%.4f" % loss.item())

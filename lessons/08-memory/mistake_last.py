import torch

torch.manual_seed(0)
w = torch.tensor([1.0, 1.0], requires_grad=True)
history = []

for step in range(6):
    x = torch.randn(2)
    loss = ((w * x).sum() - 1.0) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    history = [loss]

mean = sum(history) / len(history)
print("mean loss", float(mean))

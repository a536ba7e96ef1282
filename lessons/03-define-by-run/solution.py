import torch

w = torch.tensor(2.0, requires_grad=True)

def power(n):
    """w to the power of n, with multiplications."""
    y = w
    for _ in range(n - 1):
        y = y * w
    return y

y = power(5)
y.backward()
print(y.item(), w.grad.item())

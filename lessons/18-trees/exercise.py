# ends: error RuntimeError
import torch

a = torch.tensor(1.5, requires_grad=True)
b = torch.tensor(-2.0, requires_grad=True)
leaves = {"a": a, "b": b}

def value(tree):
    """A tree is a name, or (op, left, right) with the op "+" or "*"."""
    if isinstance(tree, str):
        return leaves[tree]
    op, left, right = tree
    return torch.tensor(0.0)

y = value(("*", ("+", "a", "b"), ("*", "a", "a")))
print(y.item())
y.backward()
print(a.grad.item(), b.grad.item())

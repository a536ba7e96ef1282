# ends: error UnsupportedNodeError
import torch

@torch.jit.script
def f(x):
    names = {"a": x}
    try:
        return names["a"] * 2.0
    except KeyError:
        return x

print(f(torch.ones(2)))

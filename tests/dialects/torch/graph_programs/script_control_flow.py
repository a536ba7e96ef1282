# torch.jit.script keeps if and while; trace does not
import torch
import torch.nn as nn
from typing import List, Tuple


@torch.jit.script
def clipped_power(x: torch.Tensor, n: int) -> torch.Tensor:
    result = torch.ones_like(x)
    for i in range(n):
        result = result * x
        if bool(result.max() > 100.0):
            result = result / 10.0
    return result


print(clipped_power.code)
print(clipped_power(torch.tensor([1.0, 3.0, 5.0]), 4))


@torch.jit.script
def collatz(n: int) -> List[int]:
    seen: List[int] = []
    while n != 1:
        seen.append(n)
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
    return seen


print(collatz(6))
print(collatz.code)


def kinds(block, depth=0):
    for node in block.nodes():
        if node.kind() in ("prim::If", "prim::Loop"):
            print("  " * depth + node.kind())
        for inner in node.blocks():
            kinds(inner, depth + 1)


kinds(clipped_power.graph)
kinds(collatz.graph)


class Gate(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            return x
        else:
            return -x


class Cell(nn.Module):
    def __init__(self, gate):
        super().__init__()
        self.gate = gate
        self.linear = nn.Linear(4, 4)

    def forward(self, x, h):
        new_h = torch.tanh(self.gate(self.linear(x)) + h)
        return new_h, new_h


torch.manual_seed(0)
cell = torch.jit.script(Cell(Gate()))
print(cell.code)
print(cell.gate.code)
x, h = torch.rand(3, 4), torch.rand(3, 4)
print(cell(x, h)[0])
cell.save("cell.pt")
loaded = torch.jit.load("cell.pt")
print(torch.equal(loaded(x, h)[0], cell(x, h)[0]), loaded.gate.code == cell.gate.code)


class Loop(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, xs) -> Tuple[torch.Tensor, torch.Tensor]:
        h, y = torch.zeros(3, 4), torch.zeros(3, 4)
        for i in range(xs.size(0)):
            y, h = self.cell(xs[i], h)
        return y, h


rnn = torch.jit.script(Loop(cell))
print(rnn.code)
print(rnn(torch.rand(5, 3, 4))[1].shape)
try:
    torch.jit.script(lambda x: x)
except Exception as e:
    print(type(e).__name__)


def uses_try(x):
    try:
        return x
    except Exception:
        return x


try:
    torch.jit.script(uses_try)
except Exception as e:
    print(type(e).__name__, str(e).splitlines()[0])
try:
    clipped_power(torch.ones(2), 2.5)
except Exception as e:
    print(type(e).__name__, str(e).splitlines()[0])
x = torch.tensor([2.0], requires_grad=True)
clipped_power(x, 3).backward()
print(x.grad)

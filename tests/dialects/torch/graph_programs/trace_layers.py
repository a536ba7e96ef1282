# Layers whose inside is many ops: a trace of them holds for other inputs
from typing import Optional

import torch
import torch.nn as nn

torch.manual_seed(0)
for layer, example, other in (
    (nn.LSTM(6, 3, batch_first=True), torch.rand(2, 4, 6), torch.rand(2, 4, 6)),
    (nn.GRU(6, 3, 2, bidirectional=True), torch.rand(4, 2, 6), torch.rand(4, 2, 6)),
    (nn.GRUCell(4, 3), torch.rand(2, 4), torch.rand(2, 4)),
    (nn.BatchNorm1d(4).eval(), torch.rand(3, 4), torch.rand(3, 4)),
    (nn.Embedding(5, 2), torch.tensor([1, 2]), torch.tensor([3, 0])),
):
    traced = torch.jit.trace(layer, example)
    found, wanted = traced(other), layer(other)
    if isinstance(found, tuple):
        found, wanted = found[0], wanted[0]
    print(type(layer).__name__, torch.allclose(found, wanted, atol=1e-6))
print(torch.jit.trace(nn.BatchNorm1d(2).eval(), torch.ones(1, 2)).code)


@torch.jit.script
def start(x: torch.Tensor, state: Optional[torch.Tensor] = None) -> torch.Tensor:
    if state is None:
        state = torch.zeros_like(x)
    return x + state


print(start.code, start(torch.ones(2)), start(torch.ones(2), torch.ones(2)))

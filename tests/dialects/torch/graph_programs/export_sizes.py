# Exported programs: sizes left open, slices, and what does not fit
import torch
from torch.export import Dim, export


class Cut(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)

    def forward(self, x, y):
        return torch.relu(self.linear(x[:, :3])) + y[0, None, 1:3], x[1:, ::2], y[-1]


torch.manual_seed(0)
batch = Dim("batch", min=3, max=8)
program = export(Cut(), (torch.ones(4, 5), torch.ones(2, 4)), dynamic_shapes={"x": {0: batch}, "y": None})
print(program.module()(torch.ones(4, 5), torch.ones(2, 4)))
for size in (3, 8, 9, 2):
    try:
        print(program.module()(torch.ones(size, 5), torch.ones(2, 4))[0].shape)
    except AssertionError as error:
        print(error)
fixed = export(Cut(), (torch.ones(4, 5), torch.ones(2, 4)))
print(fixed.graph_module.code)
try:
    fixed.module()(torch.ones(5, 5), torch.ones(2, 4))
except AssertionError as error:
    print(error)

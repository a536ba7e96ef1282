# torch.export: one graph of aten calls, and where its inputs come from
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.register_buffer("b", torch.ones(2))

    def forward(self, x, y):
        return torch.relu(self.fc(x)) + self.b * y, x.sum()


torch.manual_seed(0)
program = torch.export.export(Net(), (torch.ones(1, 3), torch.ones(2)))
print(program.graph_signature)
print(program.graph)
print([n.name for n in program.graph.nodes], type(program).__name__)
print(program.module()(torch.ones(1, 3), torch.ones(2)))
print(list(program.state_dict))
print(program.graph_signature.user_inputs, program.graph_signature.parameters, program.graph_signature.user_outputs)


class Branch(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


try:
    torch.export.export(Branch(), (torch.ones(2),))
except Exception as e:
    print(type(e).__name__)
try:
    program.module()(torch.ones(2, 3), torch.ones(2))
except Exception as e:
    print(type(e).__name__, str(e).splitlines()[0])

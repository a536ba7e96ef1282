# torch.export.save and load: the program runs without the class that it was made of
import io

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
        self.inner = nn.Sequential(nn.Linear(1, 2), nn.ReLU())
        self.register_buffer("shift", torch.ones(1))

    def forward(self, x):
        a, b = self.inner(self.layer(x)).chunk(2, dim=1)
        return (a * 2 + b).sum(dim=1) + self.shift, a


torch.manual_seed(0)
net, x = Net(), torch.ones(3, 2)
before = net(x)
program = torch.export.export(net, (x,))
try:
    torch.export.save(net, "net.pt2")
except TypeError as e:
    print(e)
torch.export.save(program, "net.pt2", extra_files={"note.txt": "kept"})
del net, Net

again = torch.export.load("net.pt2")
print(type(again).__name__, [n.name for n in again.graph.nodes] == [n.name for n in program.graph.nodes])
print([str(n.target) for n in again.graph.nodes if n.op == "call_function"])
print(again.graph_signature)
print(list(again.state_dict), [type(p).__name__ for p in again.parameters()])
print(list(again.module().state_dict()))
after = again.module()(x)
print([torch.equal(a, b) for a, b in zip(before, after)])
for bad in (torch.ones(2, 2), torch.ones(3, 3)):
    try:
        again.module()(bad)
    except AssertionError as e:
        print(str(e).splitlines()[0])

found = {"note.txt": ""}
torch.export.load("net.pt2", extra_files=found)
print(len(found["note.txt"]))
buffer = io.BytesIO()
torch.export.save(program, buffer)
buffer.seek(0)
print(torch.equal(torch.export.load(buffer).module()(x)[0], before[0]))

with open("text.pt2", "w") as file:
    file.write("no archive")
for name in ("nowhere.pt2", "text.pt2"):
    try:
        torch.export.load(name)
    except Exception as e:
        print(type(e).__name__, e)

"""What a recording shows of a gradient written by hand."""

from __future__ import annotations

from engine.recording import record
from engine.trace.reading import table

PROGRAM = """
import torch

class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inp):
        ctx.save_for_backward(inp)
        return inp.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (inp,) = ctx.saved_tensors
        gi = g.clone()
        gi[inp < 0] = 0
        return gi

x = torch.tensor([-1.0, 2.0], requires_grad=True)
y = MyReLU.apply(x)
print(str(y.grad_fn).split(" object")[0])
y.sum().backward()
print(x.grad)
"""


def test_forward_is_joined_and_backward_belongs_to_its_node() -> None:
    trace = record(PROGRAM)
    assert trace["stdout"] == "<torch.autograd.function.MyReLUBackward\ntensor([0., 1.])\n"
    nodes = table(trace, "nodes")
    labels = [trace["definitions"][node["definition"]]["label"] for node in nodes]
    edges = {(labels[edge["source"]], labels[edge["target"]]) for edge in table(trace, "edges")}
    assert {("tensor", "clamp"), ("clamp", "MyReLU"), ("MyReLUBackward", "clone")} <= edges
    assert ("tensor", "MyReLU") not in edges
    own = labels.index("MyReLUBackward")
    served = [labels[i] for i, node in enumerate(nodes) if node["serves"] == own]
    assert served == ["clone", "lt", "tensor", "index_put_"]
    assert nodes[own]["variable"] == -1


def test_ops_of_a_hand_written_backward_are_backward() -> None:
    trace = record(PROGRAM)
    names = [trace["strings"][phase["name"]] for phase in table(trace, "phases")]
    assert names == ["init", "forward", "backward"]

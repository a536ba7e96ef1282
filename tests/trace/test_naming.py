"""What nodes are called: the program's own names, paths in modules, and what a loop's variable may not do."""

from __future__ import annotations

import textwrap
from typing import Any

from engine.recording import record
from engine.trace.reading import table

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 3)
        self.seq = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        w = nn.Parameter(torch.ones(3))
        self.gain = w
        self.shift = nn.Parameter(torch.zeros(3))
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 1, bias=False)})

    def forward(self, x):
        return self.heads["a"](self.seq(torch.relu(self.fc1(x))) * self.gain + self.shift)

net = Net()
loss = net(torch.ones(1, 2)).sum()
loss.backward()
for name, p in net.named_parameters():
    print(name, p.shape)
q = net.fc1.weight
"""


def called(source: str, role: str = "variable") -> list[str]:
    """The names of the nodes of a role, in order."""
    trace: dict[str, Any] = record(source)
    assert trace["end"]["kind"] == "ok", trace["end"]
    roles = {row["node"]: row["definition"] for row in table(trace, "events.role")}
    names = []
    for number, node in enumerate(table(trace, "nodes")):
        if trace["definitions"][roles.get(number, node["definition"])]["role"] == role:
            index = node["variable"]
            names.append(trace["strings"][index] if index >= 0 else "")
    return names


def test_parameters_are_called_by_their_path_and_keep_it() -> None:
    assert called(NET) == [
        "fc1.weight", "fc1.bias", "seq.0.weight", "seq.0.bias", "w", "shift", "heads.a.weight",
    ]  # fmt: skip


def test_a_variable_bound_before_the_use_comes_first() -> None:
    early = "import torch\nnet = torch.nn.Linear(1, 1)\nw = net.weight\nnet(torch.ones(1))\nlate = net.bias\n"
    assert called(early) == ["w", "bias"]


def test_shared_weights_keep_their_first_path() -> None:
    source = """
    import torch
    from torch import nn
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = nn.Linear(2, 2, bias=False)
            self.decoder = nn.Linear(2, 2, bias=False)
            self.decoder.weight = self.encoder.weight
        def forward(self, x):
            return self.decoder(self.encoder(x))
    Tied()(torch.ones(2))
    """
    assert called(textwrap.dedent(source)) == ["encoder.weight", "decoder.weight"]


def test_a_loop_variable_names_only_what_has_no_other_name() -> None:
    source = "import torch\na = torch.ones(1)\nfor t in [a, torch.zeros(2)]:\n    u = t\n    print(t)\n"
    assert called(source, "input") == ["a", "u"]
    assert called(source.replace("    u = t\n", ""), "input") == ["a", "t"]
    assert called("import torch\nfor (i, t) in enumerate([torch.ones(1)]):\n    print(i)\n", "input") == ["t"]

"""Passes that differ in a fraction among an op's attributes are passes of one kind."""

from __future__ import annotations

import pytest

from engine.recording import record
from engine.recording.config import Limits

PROGRAM = """
import torch
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh(), torch.nn.Linear(3, 3))
optimizer = {optimizer}
for step in range(300):
    loss = (net(torch.ones(2, 3)) * 2.0 ** -step).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("done")
"""


@pytest.mark.parametrize("name", ["SGD", "Adam", "NAdam"])
def test_a_step_size_that_changes_is_no_other_way(name: str) -> None:
    source = PROGRAM.format(optimizer=f"torch.optim.{name}(net.parameters(), lr=0.01)")
    trace = record(source, limits=Limits(seconds=60, events=20_000))
    assert trace["end"]["kind"] == "ok"
    assert trace["stdout"] == "done\n"
    assert any("were folded while it ran" in note for note in trace["program"]["notes"])

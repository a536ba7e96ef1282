"""Documents of earlier days are read; documents of later ones are refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine.recording import record
from engine.trace.migrate import migrate
from engine.trace.reading import table
from engine.trace.validate import TraceError, validate

SOURCE = """
import torch
w = torch.ones(2, requires_grad=True)
for i in range(40):
    (w * 2).sum().backward()
    w.grad = None
"""


def old() -> tuple[dict[str, Any], dict[str, Any]]:
    trace = record(SOURCE)
    before = copy.deepcopy(trace)
    del before["events"]["cleared"]["how"], before["events"]["cleared"]["value"]
    return trace, before


def test_cleared_without_how_and_value_was_none() -> None:
    trace, before = old()
    with pytest.raises(TraceError):
        validate(before)
    migrate(before)
    validate(before)
    assert table(before, "events.cleared") == table(trace, "events.cleared")
    migrate(trace)
    assert table(before, "events.cleared") == table(trace, "events.cleared")


@pytest.mark.parametrize("broken", [None, 7, [], {}, {"events": {"cleared": []}}, {"events": {"cleared": {"node": 3}}}])
def test_what_is_no_trace_is_left_alone(broken: Any) -> None:
    before = copy.deepcopy(broken)
    migrate(broken)
    assert broken == before


def test_a_gradient_that_the_program_sets_is_an_event() -> None:
    trace = record(
        "import torch\nw = torch.ones(2, requires_grad=True)\nw.grad = torch.full((2,), 5.0)\n"
        "(w * 2).sum().backward()\nprint(w.grad)\n"
    )
    strings, nodes = trace["strings"], table(trace, "nodes")
    roles = [definition["role"] for definition in trace["definitions"]]
    written = [row for row in table(trace, "events.written") if roles[nodes[row["node"]]["definition"]] == "accumulate"]
    assert [strings[row["how"]] for row in written] == ["assign"]
    assert trace["values"][written[0]["value"]]["data"] == [5.0, 5.0]
    [accumulated] = table(trace, "events.accumulated")
    assert (accumulated["node"], accumulated["existed"]) == (written[0]["node"], 1)
    assert trace["values"][accumulated["value"]]["data"] == [7.0, 7.0]

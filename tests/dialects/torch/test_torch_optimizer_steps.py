"""A recorded optimizer tells each op of a step, under the parameter's update, and computes what it does unrecorded."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dialects import importer
from engine.recording import record
from engine.trace.reading import table

TRAINING = """
import torch
torch.manual_seed(0)
w = torch.randn(3, 2, requires_grad=True)
opt = torch.optim.{make}
for i in range({passes}):
    opt.zero_grad()
    (w * w).sum().backward()
    opt.step()
print(w.tolist(), w._version)
"""

MOMENTS = ["lerp_", "mul_", "addcmul_"]
STEPS = {
    "SGD([w], lr=0.1)": [],
    "SGD([w], lr=0.1, weight_decay=0.1)": ["add", "add_"],
    "SGD([w], lr=0.1, momentum=0.9)": ["mul_", "add_", "add_"],
    "SGD([w], lr=0.1, momentum=0.9, nesterov=True, maximize=True)": ["neg", "mul_", "add_", "add", "add_"],
    "Adam([w], lr=0.1)": [*MOMENTS, "sqrt", "div", "add", "addcdiv_"],
    "Adam([w], lr=0.1, amsgrad=True)": [*MOMENTS, "maximum_", "sqrt", "div", "add", "addcdiv_"],
    "AdamW([w], lr=0.1)": ["mul_", *MOMENTS, "sqrt", "div", "add", "addcdiv_"],
    "Adamax([w], lr=0.1)": ["lerp_", "mul", "abs", "add", "maximum_", "addcdiv_"],
    "NAdam([w], lr=0.1)": [*MOMENTS, "div", "sqrt", "add", "addcdiv_", "addcdiv_"],
    "RMSprop([w], lr=0.1)": ["mul_", "addcmul_", "sqrt", "add", "addcdiv_"],
    "Adagrad([w], lr=0.1)": ["mul", "add_", "sqrt", "add", "addcdiv_"],
    "Adadelta([w])": ["mul_", "addcmul_", "add", "sqrt", "add", "sqrt", "div", "mul", "mul_", "addcmul_", "add_"],
}


def recorded(make: str, passes: int = 2) -> dict[str, Any]:
    return record(TRAINING.format(make=make, passes=passes))


def of_last_step(trace: dict[str, Any]) -> list[str]:
    """Labels of the ops that serve the last update, in order."""
    nodes = table(trace, "nodes")
    definitions = [trace["definitions"][row["definition"]] for row in nodes]
    last = max(n for n, row in enumerate(nodes) if definitions[n]["role"] == "update" and row["serves"] < 0)
    return [
        definition["label"]
        for row, definition in zip(nodes, definitions, strict=True)
        if row["serves"] == last and definition["role"] in ("op", "update")
    ]


@pytest.mark.parametrize(("make", "ops"), STEPS.items())
def test_each_op_of_a_step_is_told(make: str, ops: list[str]) -> None:
    trace = recorded(make)
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert of_last_step(trace) == ops


@pytest.mark.parametrize("make", [*STEPS, "Rprop([w])", "ASGD([w])", "RAdam([w])"])
def test_a_recorded_step_computes_the_same(make: str, capsys: pytest.CaptureFixture[str]) -> None:
    importer.install("torch")
    try:
        exec(TRAINING.format(make=make, passes=7), {})
    finally:
        importer.uninstall({"torch"})
    assert recorded(make, 7)["stdout"] == capsys.readouterr().out


def test_passes_that_go_on_with_the_state_are_one_layout() -> None:
    trace = recorded("Adam([w], lr=0.1)", 30)
    assert len(table(trace, "episodes")) == 30
    assert len(table(trace, "slots")) < 40

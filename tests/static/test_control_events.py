"""What a listener hears of decisions and loops: regions, the branch taken, and every op of every iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import events
from engine.recording import record
from engine.static import Graph, Session
from engine.trace.columns import decode
from engine.trace.validate import validate

PROGRAM = """\
import engine
g = engine.Graph()
n = g.placeholder((), "int32", name="n")
x = g.placeholder((2,), name="x")
def body(i, a):
    odd = engine.equal(engine.mod(i, 2), 1)
    return i + 1, g.cond(odd, lambda: a * x, lambda: a + x)
_, y = g.while_loop(lambda i, a: engine.less(i, n), body, (0, x))
session = engine.Session(g)
print(session.run(y, {n: 3, x: [2.0, 3.0]}))
"""


def column(table: dict[str, Any], name: str) -> list[int]:
    return [int(value) for value in decode(table[name])]


@pytest.fixture(scope="module")
def trace() -> dict[str, Any]:
    return record(PROGRAM)


def test_the_recording_is_a_valid_trace(trace: dict[str, Any]) -> None:
    validate(trace)
    assert trace["end"]["kind"] == "ok"
    assert trace["stdout"] == "[10. 21.]\n"


def test_nodes_know_their_region_and_regions_their_owner(trace: dict[str, Any]) -> None:
    strings, nodes, regions = trace["strings"], trace["nodes"], trace["regions"]
    names = [strings[i] for i in column(nodes, "name")]
    words = [strings[i] for i in column(regions, "name")]
    owners = [names[i] for i in column(regions, "node")]
    assert list(zip(words, owners, strict=True)) == [
        ("condition", "while"), ("body", "while"), ("true", "while/body/cond"), ("false", "while/body/cond")
    ]  # fmt: skip
    assert column(regions, "parent") == [-1, -1, 1, 1]
    inside = dict(zip(names, column(nodes, "region"), strict=True))
    assert inside["x"] == inside["while"] == -1
    assert inside["while/condition/less"] == 0
    assert inside["while/body/cond"] == inside["while/body/mod"] == 1
    assert inside["while/body/cond/true/mul"] == 2
    assert inside["while/body/cond/false/add"] == 3


def test_every_op_runs_once_for_each_iteration(trace: dict[str, Any]) -> None:
    strings, nodes, ran = trace["strings"], trace["nodes"], trace["events"]["ran"]
    names = [strings[i] for i in column(nodes, "name")]
    found: dict[str, list[int]] = {}
    for node, iteration in zip(column(ran, "node"), column(ran, "iteration"), strict=True):
        found.setdefault(names[node], []).append(iteration)
    assert found["while/condition/less"] == [0, 1, 2, 3]
    assert found["while/body/mod"] == found["while/body/add"] == [0, 1, 2]
    assert found["while/body/cond/true/mul"] == [1]
    assert found["while/body/cond/false/add"] == [0, 2]
    assert found["while/body/cond"] == found["while/body/cond/output"] == [0, 1, 2]
    assert found["while"] == found["while/output_1"] == [-1]
    # The variables of the loop show their value in each iteration.
    assert found["while/body/variable"] == [0, 1, 2]


def test_the_branch_taken_and_each_iteration_are_entered(trace: dict[str, Any]) -> None:
    strings, entered = trace["strings"], trace["events"]["entered"]
    words = [strings[i] for i in column(trace["regions"], "name")]
    found = [(words[r], i) for r, i in zip(column(entered, "region"), column(entered, "iteration"), strict=True)]
    assert found == [
        *(("condition", 0), ("body", 0), ("false", 0)),
        *(("condition", 1), ("body", 1), ("true", 1)),
        *(("condition", 2), ("body", 2), ("false", 2)),
        ("condition", 3),
    ]


def test_values_of_iterations_are_what_they_were(trace: dict[str, Any]) -> None:
    strings, nodes, ran, values = trace["strings"], trace["nodes"], trace["events"]["ran"], trace["values"]
    names = [strings[i] for i in column(nodes, "name")]
    got = [
        values[value]["data"]
        for node, value in zip(column(ran, "node"), column(ran, "value"), strict=True)
        if names[node] == "while/body/cond/output"
    ]
    assert got == [[4, 6], [8, 18], [10, 21]]


def test_an_endless_loop_is_cut_by_the_limits() -> None:
    from engine.recording.config import Limits

    program = PROGRAM.replace("engine.less(i, n)", "engine.less(i, n * 0 + 1000000)")
    cut = record(program, limits=Limits(seconds=0.6))
    validate(cut)
    assert (cut["end"]["kind"], cut["end"]["limit"]) == ("limit", "time")
    assert len(column(cut["events"]["entered"], "iteration")) > 3


def test_a_failure_in_an_iteration_is_told_with_its_node() -> None:
    program = """\
import engine
g = engine.Graph()
x = g.placeholder((None,), name="x")
n = g.while_loop(lambda i: engine.less(i, 100),
                 lambda i: i + engine.cast(engine.take(x, i), "int32"), [0])[0]
engine.Session(g).run(n, {x: [1.0, 1.0]})
"""
    trace = record(program)
    names = [trace["strings"][i] for i in column(trace["nodes"], "name")]
    error = trace["end"]["error"]
    assert names[error["node"]] == "while/body/take"
    assert error["line"] == 6
    assert "at main.py, line 5" in error["message"] or "main.py, line 5" in error["message"]


def test_listening_changes_no_number() -> None:
    class Nobody:
        def __getattr__(self, name: str) -> Any:
            return lambda *_args, **_more: 0

    found = []
    for listener in (None, Nobody()):
        events.listener = listener  # type: ignore[assignment]
        try:
            g = Graph()
            x = g.placeholder((3,), name="x")
            _, y = g.while_loop(
                lambda i, a, g=g: g.apply("less", i, 5), lambda i, a, g=g, x=x: (i + 1, g.apply("sin", a + x)), (0, x)
            )
            found.append(Session(g, compile_at_once=True).run(y, {x: [0.1, 0.2, 0.3]}))
        finally:
            events.listener = None
    np.testing.assert_array_equal(*found)

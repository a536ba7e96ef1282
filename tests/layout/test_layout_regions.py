"""Branches and loops of static graphs: what they hold stands together, in the order in which it runs."""

from __future__ import annotations

from typing import Any

import pytest

from app.layout import layout

Program = tuple[dict[str, Any], dict[str, int]]


@pytest.fixture
def regions(builder: type[Any]) -> Program:
    """A decision with two branches, a loop with condition and body, and a long chain beside them."""
    b = builder("static")
    n: dict[str, int] = {}
    region: dict[str, int] = {}
    parts: list[tuple[str, str]] = [("true", "cond"), ("false", "cond"), ("condition", "while"), ("body", "while")]

    def node(name: str, *inputs: str, within: int = -1, **more: Any) -> None:
        n[name] = b.node(name, [n[i] for i in inputs], name=name, **more)
        region[name] = within

    node("x", role="input")
    node("test", "x")
    node("tanh", "x", within=0)
    node("double", "tanh", within=0)
    node("minus", "x", within=1)
    node("cond", "test", "x", role="control", category="control")
    node("merge", within=2, role="control", category="control")
    node("less", "merge", within=2)
    node("first", within=3, role="control", category="control")
    node("second", within=3, role="control", category="control")
    node("grow", "first", within=3)
    node("shrink", "second", within=3)
    node("while", "x", role="control", category="control")
    chain = "cond"
    for i in range(9):
        node(f"after_{i}", chain, *(["while"] if i == 4 else []))
        chain = f"after_{i}"
    trace = b.trace()
    trace["nodes"]["region"] = [region[name] for name in n]
    strings = trace["strings"]
    for name, _ in parts:
        if name not in strings:
            strings.append(name)
    trace["regions"] = {
        "graph": [0] * 4,
        "name": [strings.index(name) for name, _ in parts],
        "parent": [-1] * 4,
        "node": [n[runner] for _, runner in parts],
    }
    return trace, n


def _boxes(trace: dict[str, Any]) -> dict[int, tuple[float, float, float, float]]:
    s = layout(trace)["graphs"][0]["slots"]
    columns = (s["slot"], s["x"], s["y"], s["width"], s["height"])
    return {slot: (x, y, x + w, y + h) for slot, x, y, w, h in zip(*columns, strict=True)}


def test_nothing_foreign_stands_in_a_branch_or_a_loop(regions: Program) -> None:
    trace, n = regions
    boxes = _boxes(trace)
    loop = ["merge", "less", "first", "second", "grow", "shrink", "while"]
    for held in (["tanh", "double"], ["minus"], loop):
        own = [boxes[n[name]] for name in held]
        left, top = min(b[0] for b in own), min(b[1] for b in own)
        right, bottom = max(b[2] for b in own), max(b[3] for b in own)
        for name, slot in n.items():
            x0, y0, x1, y1 = boxes[slot]
            inside = x0 < right and x1 > left and y0 < bottom and y1 > top
            assert not inside or name in held, (name, held)


def test_what_runs_a_region_stands_before_it(regions: Program) -> None:
    trace, n = regions
    left = {name: _boxes(trace)[slot][0] for name, slot in n.items()}
    assert left["cond"] < left["tanh"] < left["double"]
    assert left["cond"] < left["minus"]
    assert left["while"] < left["merge"] < left["less"] < left["first"] < left["grow"]


def test_ways_into_regions_are_edges_of_their_own(regions: Program) -> None:
    trace, n = regions
    edges = layout(trace)["graphs"][0]["edges"]
    found = {(s, t) for s, t, k in zip(edges["source"], edges["target"], edges["kind"], strict=True) if k == "enters"}
    ways = [("cond", "tanh"), ("cond", "minus"), ("while", "merge"), ("less", "first"), ("less", "second")]
    assert found == {(n[s], n[t]) for s, t in ways}


def test_a_parameter_of_a_module_has_room_for_its_path(builder: type[Any]) -> None:
    b = builder()
    short = b.node("Parameter", role="variable", name="Linear.weight", shape=(1,))
    user = b.node("mm", [short])
    trace = b.trace()
    trace["strings"].append("Net/encoder/layers/first")
    plain = _boxes(trace)[short]
    trace["nodes"]["scope"] = [-1, len(trace["strings"]) - 1]
    wide = _boxes(trace)[short]
    assert user == 1
    assert wide[2] - wide[0] > plain[2] - plain[0]

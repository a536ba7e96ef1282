"""Any trace whatever keeps boxes apart and edges out of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.layout import layout
from app.layout.curves import points

ROLES = (
    "op",
    "op",
    "op",
    "op",
    "input",
    "variable",
    "constant",
    "gradient",
    "gradient",
    "accumulate",
    "update",
    "control",
)
NODE = st.tuples(
    st.sampled_from(ROLES),
    st.lists(st.integers(0, 400), max_size=3),  # what it reads, counted back from itself
    st.sampled_from(["data", "data", "data", "control", "saved"]),
    st.integers(-1, 400),  # what it mirrors, counted back
    st.integers(0, 12),  # 0: it serves something; 1: only a plan owns it
    st.integers(1, 18),  # length of its label
)


def trace_of(
    builder: Any, static: bool, nodes: list[tuple[Any, ...]], rewrites: list[tuple[int, int]]
) -> dict[str, Any]:
    b = builder("static" if static else "dynamic")
    for number, (role, reads, kind, mirrors, special, length) in enumerate(nodes):
        sources = [number - 1 - back % number for back in reads] if number else []
        b.node(
            "m" * length,
            sources if kind == "data" else (),
            role=role,
            control=sources if kind == "control" else (),
            saved=sources if kind == "saved" else (),
            mirrors=mirrors % number if number and mirrors >= 0 and role in ("gradient", "accumulate") else -1,
            serves=reads[0] % number if special == 0 and number and reads else -1,
            plan=0 if special == 1 and role in ("op", "constant") else -1,
            shape=() if length % 3 == 0 else (length, length),
        )
    for old, new in rewrites:
        if nodes:
            b.event(
                "rewrite",
                plan=0,
                action=-1,
                old=b.listed([old % len(nodes)]),
                new=b.listed([new % len(nodes)]),
                reason=-1,
            )
    b.event("run", plan=0, run=0, fetches=b.listed(range(0, len(nodes), 3)), feeds=b.listed([]))
    return b.trace()


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    static=st.booleans(),
    nodes=st.lists(NODE, max_size=24),
    rewrites=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=3),
)
def test_any_trace_keeps_boxes_apart_and_edges_out_of_them(
    builder: Any, geometry: Any, static: bool, nodes: list[Any], rewrites: list[tuple[int, int]]
) -> None:
    trace = trace_of(builder, static, nodes, rewrites)
    (graph,) = layout(trace)["graphs"]
    shown = {slot for slot, serves in zip(trace["nodes"]["slot"], trace["nodes"]["serves"], strict=True) if serves < 0}
    boxes = geometry.boxes(graph)
    assert set(boxes) == shown
    for a, b in combinations(boxes.values(), 2):
        assert not geometry.overlap(a, b, 18, 16)
    e = graph["edges"]
    for source, target, sides, via in zip(e["source"], e["target"], e["sides"], e["via"], strict=True):
        line = points(boxes[source], boxes[target], sides, via)
        for slot, box in boxes.items():
            assert slot in (source, target) or not geometry.passes(line, box), (source, target, slot)
    if graph["wall"]:
        wall = tuple(graph["wall"][key] for key in ("x", "y", "width", "height"))
        for slot, form in zip(graph["slots"]["slot"], graph["slots"]["form"], strict=True):
            assert geometry.overlap(boxes[slot], wall) != (form in ("variable", "input")), (slot, form)

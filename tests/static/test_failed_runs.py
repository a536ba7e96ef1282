"""A run that fails changes no variable, whatever it had written before, in every way in which a graph is run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import StepgraphError
from engine.static import Graph, Node, Session

HOW = ("assign", "assign_add", "assign_sub")
WAYS = ("first run", "plan", "workers")

writes = st.lists(
    st.tuples(st.sampled_from(HOW), st.integers(0, 2), st.integers(0, 2), st.booleans()), min_size=1, max_size=6
)


def _chain(g: Graph, variables: list[Node], wanted: list[tuple[str, int, int, bool]], before: list[Node]) -> list[Node]:
    """Writes of one variable each, computed from another; each waits for the last if it says so."""
    made = list(before)
    for how, target, source, waits in wanted:
        with g.control_dependencies(made[-1:] if waits else []):
            value = variables[source] * 2.0 + 1.0
            made.append(g.add(how, [variables[target], value]))
    return made


@settings(deadline=None, max_examples=60)
@given(writes, writes, st.sampled_from(("alone", "decision", "loop")), st.sampled_from(WAYS))
def test_nothing_is_half_applied(
    early: list[tuple[str, int, int, bool]], late: list[tuple[str, int, int, bool]], place: str, way: str
) -> None:
    g = Graph()
    variables = [g.variable(np.arange(4, dtype=np.float32) + i, name=f"v{i}") for i in range(3)]
    rows = g.constant(np.zeros((3, 2), np.float32))
    index, turns = g.placeholder((1,), "int64", name="index"), g.placeholder((), "int32", name="turns")
    wanted: list[Any]
    if place == "alone":
        first = _chain(g, variables, early, [])
        with g.control_dependencies(first):
            fails = g.apply("take", rows, index)
        wanted = [*_chain(g, variables, late, [fails]), fails]
    elif place == "decision":

        def branch() -> Node:
            first = _chain(g, variables, early, [])
            with g.control_dependencies(first):
                return g.apply("sum", g.apply("take", rows, index))

        decided = g.cond(g.apply("greater", turns, 0), branch, lambda: g.constant(0.0), effects=True)
        wanted = [decided, *_chain(g, variables, late, [])]
    else:

        def body(i: Node, s: Node) -> tuple[Node, Node]:
            first = _chain(g, variables, early, [])
            with g.control_dependencies(first):  # fails in the third pass: row 0, 1, 2, then 3 of 3
                row = g.apply("take", rows, index + g.apply("cast", i, dtype=np.dtype("int64")))
            return i + 1, s + g.apply("sum", row)

        wanted = [
            *g.while_loop(lambda i, s: g.apply("less", i, turns), body, (0, 0.0), effects=True),
            *_chain(g, variables, late, []),
        ]
    session, other = (Session(g, parallel=way == "workers", compile_at_once=way != "first run") for _ in range(2))
    for one in (session, other):
        one.run(g.initializer())
    before = session.run(variables)
    with pytest.raises(StepgraphError):
        session.run(wanted, {index: [1] if place == "loop" else [7], turns: 5})
    for old, now in zip(before, session.run(variables), strict=True):
        np.testing.assert_array_equal(now, old)
    # And it goes on as if nothing had been.
    for one in (session, other):
        one.run(wanted, {index: [1], turns: 1})
    for here, there in zip(session.run(variables), other.run(variables), strict=True):
        np.testing.assert_array_equal(here, there)

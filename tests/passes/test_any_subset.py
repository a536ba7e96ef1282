"""Random graphs give the same results with any subset of the passes, in any order, compiled or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import passes
from engine.static import Graph, Node, Session, gradients

ALL = (
    passes.DeadCode(),
    passes.Redundant(),
    passes.Arithmetic(),
    passes.CommonSubexpressions(),
    passes.ConstantFolding(),
    passes.Fusion(),
)
UNARY = ("neg", "square", "tanh", "sigmoid", "relu", "identity", "abs", "transposed", "copy")
BINARY = ("add", "sub", "mul", "maximum")


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[str, int, int]]:
    """(op, operand, operand) triples; operands are counted from the newest value back."""
    step = st.tuples(
        st.sampled_from((*UNARY, *BINARY, "matmul", "sum", "constant", "write", "read", "plain", "shaped", "product")),
        st.integers(0, 6),
        st.integers(0, 6),
    )
    return draw(st.lists(step, min_size=1, max_size=14))


def build(program: list[tuple[str, int, int]]) -> tuple[Graph, Node, Node, list[Node]]:
    g = Graph()
    x = g.placeholder((None, 3), "float64", name="x")
    w = g.variable(np.full((3, 3), 0.5), name="w")
    values: list[Node] = [x, g.apply("identity", w)]
    for op, i, j in program:
        a, b = values[-1 - i % len(values)], values[-1 - j % len(values)]
        if op == "transposed":
            values.append(g.apply("transpose", g.apply("transpose", a)))
        elif op == "plain":
            number = (1.0, -1.0, 0.0, -0.0, 2.0, 0.25)[i % 6]
            values.append(g.apply(("mul", "div", "add", "sub")[j % 4], a, number or (0.0 if j % 4 != 1 else 1.0)))
        elif op == "shaped":
            values.append(g.apply("reshape", g.apply("reshape", g.apply("expand_dims", a, 0), (-1,)), (-1, 3)))
        elif op == "product":
            turned = g.apply("transpose", a if i % 2 else g.apply("neg", g.apply("neg", a)))
            values.append(g.apply("tanh", g.apply("matmul", b, g.apply("matmul", turned, a))))
        elif op == "constant":
            values.append(g.constant(np.full((1, 3), float(i) - 2.0)))
        elif op == "sum":
            values.append(g.apply("sum", a, axis=0, keepdims=True))
        elif op == "write":
            scaled = g.apply("tanh", g.apply("broadcast_to", g.apply("sum", a, axis=0, keepdims=True), (3, 3)))
            values.append(g.add("assign" if j % 2 else "assign_add", [w, scaled]))
        elif op == "read":
            values.append(g.apply("identity", w))
        elif op == "matmul":
            values.append(g.apply("tanh", a @ w))
        elif op in BINARY:
            values.append(
                g.apply(op, a, b) if a.shape == b.shape or 1 in (a.shape or ())[:1] or 1 in (b.shape or ())[:1] else a
            )
        else:
            values.append(g.apply(op, a))
    return g, x, w, values


@settings(max_examples=120, deadline=None)
@given(
    programs(),
    st.lists(st.sampled_from(ALL), max_size=6),
    st.lists(st.integers(0, 13), min_size=1, max_size=3),
    st.booleans(),
)
def test_results_do_not_depend_on_the_passes(program: Any, chosen: Any, picks: Any, with_gradient: bool) -> None:
    g, x, w, values = build(program)
    fetches = [values[p % len(values)] for p in picks]
    if with_gradient and not any(op == "write" for op, _, _ in program):
        fetches += [d for d in gradients(g.apply("sum", g.apply("tanh", values[-1])), [x, w]) if d is not None]
    fetches.append(w)
    data = np.linspace(-1, 1, 9).reshape(3, 3)
    results = []
    for session in (
        Session(g, ()), Session(g, (), compile_at_once=True), Session(g, chosen, compile_at_once=True), Session(g)
    ):  # fmt: skip
        session.run(g.initializer())
        results.append([session.run(fetches, {x: data}) for _ in range(3)])
    for other in results[1:]:
        for mine, theirs in zip(results[0], other, strict=True):
            for a, b in zip(mine, theirs, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def test_a_copy_of_a_variable_has_a_name_of_its_own() -> None:
    """The copy is made at line 5 of the plan; a fetched step with the key 5 keeps its value."""
    g, x, w, values = build([("neg", 0, 0), ("neg", 0, 0), ("write", 0, 0), ("write", 0, 0)])
    session = Session(g, compile_at_once=True)
    session.run(g.initializer())
    assert values[2].index == 5
    found = session.run([values[4], values[5], values[2], w], {x: np.zeros((3, 3))})
    np.testing.assert_allclose([value[0, 0] for value in found], [1.40514825, 2.40471229, -0.5, 2.40471229])

"""Gradients through decisions and loops, of first and second order, against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.static import Graph, Node, Session, gradients

Values = list[np.ndarray]


def less(g: Graph, a: Any, b: Any) -> Node:
    return g.apply("less", a, b)


def numeric(function: Callable[[Values], float], values: Values, place: int, step: float = 1e-6) -> np.ndarray:
    """The derivative of ``function`` by ``values[place]``, element by element."""
    out = np.zeros_like(values[place])
    for at in np.ndindex(out.shape):
        moved = []
        for sign in (1, -1):
            changed = [value.copy() for value in values]
            changed[place][at] += sign * step
            moved.append(function(changed))
        out[at] = (moved[0] - moved[1]) / (2 * step)
    return out


def check(g: Graph, y: Node, xs: list[Node], values: Values, more: dict[Node, Any], order: int = 2) -> None:
    """First derivatives of ``y`` against differences of ``y``, second ones against differences of the first."""
    sessions = [Session(g, compile_at_once=True), Session(g, ())]
    total = g.apply("sum", y)
    first = gradients(total, xs)
    assert all(d is not None for d in first)
    levels: list[tuple[Node, list[Node | None]]] = [(total, list(first))]
    if order > 1:
        # A sum with fixed weights of all first derivatives: its derivative has all second ones in it.
        weighted = total * 0.0
        for place, d in enumerate(first):
            assert d is not None
            shape = values[place].shape
            weights = g.constant(np.cos(np.arange(np.prod(shape, dtype=int), dtype=float) + place).reshape(shape))
            weighted = weighted + g.apply("sum", d * weights)
        levels.append((weighted, gradients(weighted, xs)))
    for session in sessions:
        session.run(g.initializer())
        for target, found in levels:

            def value(given: Values, target: Node = target, session: Session = session) -> float:
                return float(session.run(target, {**dict(zip(xs, given, strict=True)), **more}))

            for place, d in enumerate(found):
                if d is None:
                    continue
                got = session.run(d, {**dict(zip(xs, values, strict=True)), **more})
                np.testing.assert_allclose(got, numeric(value, values, place), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("start", [0.8, -0.8])
def test_a_decision(start: float) -> None:
    g = Graph()
    x, w = g.placeholder((2,), "float64", name="x"), g.placeholder((2,), "float64", name="w")
    positive = g.apply("greater", g.apply("sum", x), 0.0)
    y = g.cond(positive, lambda: g.apply("sin", x * w) * w, lambda: x * x * x)
    check(g, y, [x, w], [np.array([start, 0.1]), np.array([1.2, 0.7])], {})


def test_a_decision_within_a_decision() -> None:
    g = Graph()
    x = g.placeholder((), "float64", name="x")

    def positive() -> Node:
        square = x * x
        found = g.cond(less(g, square, 1.0), lambda: square * x, lambda: g.apply("exp", square))
        assert isinstance(found, Node)
        return found * x

    y = g.cond(g.apply("greater", x, 0.0), positive, lambda: -x)
    for start in (0.5, 1.5, -1.0):
        check(g, y, [x], [np.array(start)], {})


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_loop(count: int) -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")
    x, w = g.placeholder((2, 2), "float64", name="x"), g.placeholder((2, 2), "float64", name="w")
    _, y = g.while_loop(lambda i, a: less(g, i, n), lambda i, a: (i + 1, g.apply("tanh", a @ w) * x), (0, x))
    rng = np.random.default_rng(1)
    # With no iteration nothing depends on w: its gradient is zero.
    check(g, y, [x, w], [rng.normal(size=(2, 2)), rng.normal(size=(2, 2))], {n: count})


def test_a_loop_whose_length_depends_on_the_values() -> None:
    g = Graph()
    x = g.placeholder((), "float64", name="x")
    y = g.while_loop(lambda a: less(g, a, 100.0), lambda a: a * x + 1.0, [x])[0]
    check(g, y, [x], [np.array(1.7)], {})


def test_nested_loops_with_a_decision_inside() -> None:
    g = Graph()
    n = g.placeholder((), "int32", name="n")
    x, w = g.placeholder((), "float64", name="x"), g.placeholder((), "float64", name="w")

    def inner(i: Node, a: Node) -> Node:
        _, found = g.while_loop(lambda j, b: less(g, j, i), lambda j, b: (j + 1, g.apply("sin", b * w) + a), (0, a))
        assert isinstance(found, Node)
        return found

    def body(i: Node, a: Node) -> tuple[Node, Node]:
        even = g.apply("equal", g.apply("mod", i, 2), 0)
        return i + 1, g.cond(even, lambda: inner(i, a), lambda: a * a * x)

    _, y = g.while_loop(lambda i, a: less(g, i, n), body, (0, x))
    check(g, y, [x, w], [np.array(0.6), np.array(0.9)], {n: 5})


def test_third_order() -> None:
    g = Graph()
    x = g.placeholder((), "float64", name="x")
    _, y = g.while_loop(lambda i, a: less(g, i, 3), lambda i, a: (i + 1, a * x), (0, g.constant(1.0, "float64")))
    d: Node | None = y
    found = []
    for _ in range(4):
        assert d is not None
        (d,) = gradients(d, [x])
        found.append(d)
    got = Session(g).run(found, {x: 2.0})
    np.testing.assert_allclose(got, [3 * 4.0, 6 * 2.0, 6.0, 0.0])


def test_a_recurrent_network_written_as_a_scan() -> None:
    g = Graph()
    rows = g.placeholder((None, 3), "float64", name="rows")
    w = g.placeholder((3, 3), "float64", name="w")

    def cell(h: Node, row: Node) -> Node:
        return g.apply("tanh", g.apply("reshape", g.apply("reshape", h, (1, 3)) @ w, (3,)) + row)

    y = g.scan(cell, rows, g.constant(np.zeros(3)))
    rng = np.random.default_rng(2)
    check(g, y * y, [rows, w], [rng.normal(size=(3, 3)), rng.normal(size=(3, 3))], {})


def test_map_and_folds() -> None:
    g = Graph()
    x = g.placeholder((None, 2), "float64", name="x")
    w = g.placeholder((2,), "float64", name="w")
    mapped = g.map_fn(lambda row: g.apply("sum", g.apply("exp", row * w)), x)
    y = g.apply("sum", mapped * mapped) + g.apply("sum", g.foldr(lambda a, row: a * row + w, x))
    rng = np.random.default_rng(3)
    check(g, y, [x, w], [rng.normal(size=(3, 2)), rng.normal(size=2)], {})


def test_through_a_growing_loop() -> None:
    """What the iterations save has a shape of its own in each."""
    g = Graph()
    x = g.placeholder((None,), "float64", name="x")
    _, y = g.while_loop(
        lambda i, a: less(g, i, 2),
        lambda i, a: (i + 1, g.apply("concat", a * a, x, axis=0)),
        (0, x),
        shape_invariants=(..., (None,)),
    )
    check(g, y * y, [x], [np.array([0.5, -0.7])], {}, order=1)


def test_a_variable_in_a_loop_can_be_trained() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    w = g.variable(0.5, name="w")
    _, y = g.while_loop(lambda i, a: less(g, i, 3), lambda i, a: (i + 1, a * w), (0, x))
    (dw,) = gradients(y, [w])
    assert dw is not None
    up = g.add("assign_sub", [w, dw * 0.1])
    for session in (Session(g), Session(g, ())):
        session.run(g.initializer())
        want = 0.5
        for _ in range(3):
            want -= 0.1 * 3 * want**2 * 2.0
            assert session.run(up, {x: 2.0}) == pytest.approx(want, rel=1e-5)


def test_forward_runs_save_nothing() -> None:
    g = Graph()
    x = g.placeholder((), name="x")
    _, y = g.while_loop(lambda i, a: less(g, i, 3), lambda i, a: (i + 1, g.apply("sin", a * x)), (0, x))
    assert gradients(y, [x])[0] is not None
    assert "append" not in Session(g).plan(y, {x: 1.0}).source


def test_what_does_not_matter_has_no_gradient() -> None:
    g = Graph()
    x, z = g.placeholder((), name="x"), g.placeholder((), name="z")
    i, y = g.while_loop(lambda i, a: less(g, i, z), lambda i, a: (i + 1.0, a * x), (0.0, x))
    assert gradients(y, [z]) == [None]
    assert gradients(i, [x]) == [None]
    (dx,) = gradients(y, [x])
    assert dx is not None
    assert Session(g).run(dx, {x: 2.0, z: 2.0}) == 12.0

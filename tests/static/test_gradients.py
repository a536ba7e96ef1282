"""Gradients as nodes: against finite differences, through unknown shapes, twice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.errors import DtypeError, GraphError
from engine.static import Graph, Node, Session, gradients

Build = Callable[[Graph, Node, Node], Node]

PROGRAMS: dict[str, Build] = {
    "broadcast": lambda g, x, w: g.apply("mul", g.apply("sum", x, axis=0), w) * 3.0,
    "matmul": lambda g, x, w: g.apply("tanh", x @ g.apply("reshape", w, (3, 1))),
    "softmax": lambda g, x, w: g.apply("softmax", x * w) * x,
    "mean of squares": lambda g, x, w: g.apply("mean", g.apply("square", x - w)),
    "meeting branches": lambda g, x, w: g.apply("exp", x * 0.1) * x + x / (w * w + 1.0),
    "concat": lambda g, x, w: g.apply("square", g.apply("concat", x, x * 2.0, axis=1)),
    "slices": lambda g, x, w: g.apply("square", g.apply("getitem", x, (slice_all(), 1))) * g.apply("getitem", w, (0,)),
    "norm": lambda g, x, w: g.apply("sqrt", g.apply("sum", g.apply("square", x), axis=1, keepdims=True) + 1.0) * w,
}


def slice_all() -> object:
    from engine.ops.indexing import Slice

    return Slice()


# Without a rank these ops cannot say what they give.
NEED_RANK = {"concat", "slices", "matmul"}
BUILDS = [
    (program, shape)
    for program in PROGRAMS
    for shape in ((4, 3), (None, 3), None)
    if shape is not None or program not in NEED_RANK
]


@pytest.mark.parametrize(("program", "shape"), BUILDS)
def test_gradients_agree_with_finite_differences(program: str, shape: tuple[int | None, ...] | None) -> None:
    g = Graph()
    x, w = g.placeholder(shape, "float64", name="x"), g.placeholder((3,), "float64", name="w")
    y = g.apply("sum", PROGRAMS[program](g, x, w))
    dx, dw = gradients(y, [x, w])
    assert dx is not None
    random = np.random.default_rng(3)
    values = [random.normal(size=(4, 3)), random.normal(size=3)]
    s = Session(g)
    fetch = [dx] if dw is None else [dx, dw]
    for _ in range(2):
        found = s.run(fetch, {x: values[0], w: values[1]})
        for place, gradient in enumerate(found):
            for index in np.ndindex(*values[place].shape):
                ends = []
                for step in (1e-6, -1e-6):
                    moved = [v.copy() for v in values]
                    moved[place][index] += step
                    ends.append(s.run(y, {x: moved[0], w: moved[1]}))
                assert gradient[index] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-7)


def test_a_gradient_can_be_differentiated_again() -> None:
    g = Graph()
    x = g.placeholder((), "float64", name="x")
    y = x * x * x
    for expected in (12.0, 12.0, 6.0):
        (y,) = [n for n in gradients(y, [x]) if n is not None]
        assert Session(g).run(y, {x: 2.0}) == pytest.approx(expected)


def test_one_gradient_graph_serves_every_batch_size() -> None:
    g = Graph()
    x, w = g.placeholder((None, 2), name="x"), g.variable([[1.0], [2.0]], name="w")
    (dw,) = gradients(g.apply("mean", x @ w), [w])
    size = g.version
    s = Session(g)
    s.run(g.initializer())
    for rows in (1, 5, 3):
        data = np.arange(rows * 2, dtype=np.float32).reshape(rows, 2)
        assert np.allclose(s.run(dw, {x: data}).ravel(), data.mean(0))
    assert g.version == size + 1


def test_no_path_no_gradient() -> None:
    g = Graph()
    x, y = g.placeholder((2,)), g.placeholder((2,))
    assert gradients(x * 2.0, [y]) == [None]
    assert gradients(g.apply("stop_gradient", x) * 2.0, [x]) == [None]
    assert gradients(g.apply("cast", g.apply("argmax", x), np.dtype("float32")), [x]) == [None]


def test_several_targets_and_seeds() -> None:
    g = Graph()
    x = g.placeholder((3,))
    both, seeded = gradients([x * 2.0, x * 3.0], [x]), gradients(x * x, [x], [g.constant([1.0, 10.0, 100.0])])
    s = Session(g)
    assert s.run(both, {x: [1, 1, 1]})[0].tolist() == [5, 5, 5]
    assert s.run(seeded, {x: [1, 2, 3]})[0].tolist() == [2, 40, 600]


def test_every_gradient_node_knows_its_forward_node() -> None:
    g = Graph()
    x = g.placeholder((None,), name="x")
    y = g.apply("sum", g.apply("square", x, name="sq"), name="total")
    before = g.version
    gradients(y, [x])
    made = g.nodes[before:]
    assert {n.mirrors.name for n in made if n.mirrors is not None} == {"total", "sq"}
    assert all(n.mirrors is not None for n in made)
    assert {n.role for n in made} == {"gradient", "constant"}
    assert all(n.serves is not None for n in made if n.role == "constant")


def test_what_cannot_be_differentiated_says_so() -> None:
    g, other = Graph(), Graph()
    n = g.placeholder((2,), "int64", name="n")
    with pytest.raises(DtypeError, match=r"cannot differentiate 'n'.*int64"):
        gradients(n, [n])
    with pytest.raises(GraphError, match="another graph"):
        gradients(g.placeholder((2,)), [other.placeholder((2,))])

"""Arithmetic simplification: what becomes shorter, what must stay, and that every bit is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.passes import Arithmetic, DeadCode, optimise, without
from engine.static import Graph, Node, Session
from engine.static.specialise import draft_for
from engine.tensor_type import TensorType

SPECIAL = np.array([0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, np.nan, 1e-45, 3e38, -7.1, 1e-30, -3e38], np.float32)
WHOLE = np.array([0, 1, -1, 5, -7, 2**31 - 1, -(2**31), 12, 3, 4, 6, 8], np.int32)
Expression = Callable[[Graph, Node], Node]


def op(name: str, *more: Any, **attributes: Any) -> Expression:
    return lambda g, x: g.apply(name, x, *more, **attributes)


def twice(name: str) -> Expression:
    return lambda g, x: g.apply(name, g.apply(name, x))


SHORTER: dict[str, tuple[Expression, list[str]]] = {
    "times one": (op("mul", 1.0), []),
    "one times": (lambda g, x: g.apply("mul", 1.0, x), []),
    "times ones": (lambda g, x: g.apply("mul", x, np.ones((3, 4), np.float32)), []),
    "over one": (op("div", 1.0), []),
    "to the power one": (op("pow", 1.0), []),
    "plus minus zero": (op("add", np.float32(-0.0)), []),
    "minus zero": (op("sub", 0.0), []),
    "maximum of one": (lambda g, x: g.apply("maximum", x, x), []),
    "minimum of one": (lambda g, x: g.apply("minimum", x, x), []),
    "double negation": (twice("neg"), []),
    "triple negation": (lambda g, x: g.apply("neg", twice("neg")(g, x)), ["neg"]),
    "plus a negation": (lambda g, x: g.apply("add", x, g.apply("neg", x * 3.0)), ["mul", "sub"]),
    "a negation plus": (lambda g, x: g.apply("add", g.apply("neg", x * 3.0), x), ["mul", "sub"]),
    "minus a negation": (lambda g, x: g.apply("sub", x, g.apply("neg", x * 3.0)), ["mul", "add"]),
    "signs cancel in a product": (lambda g, x: g.apply("mul", -x, -(x * 3.0)), ["mul", "mul"]),
    "signs cancel in a quotient": (lambda g, x: g.apply("div", -x, -(x * 3.0)), ["mul", "div"]),
    "times minus one": (op("mul", -1.0), ["neg"]),
    "over a power of two": (op("div", 8.0), ["mul"]),
    "over minus a quarter": (op("div", -0.25), ["mul"]),
    "absolute twice": (twice("abs"), ["abs"]),
    "absolute of a negation": (lambda g, x: g.apply("abs", -x), ["abs"]),
    "square of a negation": (lambda g, x: g.apply("square", -x), ["square"]),
    "relu twice": (twice("relu"), ["relu"]),
    "floor twice": (twice("floor"), ["floor"]),
    "wider and back": (lambda g, x: g.apply("cast", g.apply("cast", x, np.dtype("f8")), np.dtype("f4")), []),
    "transposed twice": (twice("transpose"), []),
    "two transpositions": (
        lambda g, x: g.apply("transpose", g.apply("transpose", g.apply("reshape", x, (2, 3, 2)), (1, 2, 0)), (0, 2, 1)),
        ["reshape", "transpose"],
    ),
    "transpose into a product": (lambda g, x: g.apply("matmul", g.apply("transpose", x), x), ["matmul"]),
    "transposes into a product": (
        lambda g, x: g.apply("matmul", g.apply("transpose", x), g.apply("transpose", g.apply("transpose", x))),
        ["matmul"],
    ),
    "transpose into a batch of products": (
        lambda g, x: g.apply(
            "matmul", y := g.apply("reshape", x, (2, 3, 2)), g.apply("transpose", y, (0, 2, 1))
        ),
        ["reshape", "matmul"],
    ),
    "two reshapes": (lambda g, x: g.apply("reshape", g.apply("reshape", x, (12,)), (2, 6)), ["reshape"]),
    "there and back": (lambda g, x: g.apply("reshape", g.apply("reshape", x, (12,)), (3, 4)), []),
    "expand and squeeze": (lambda g, x: g.apply("squeeze", g.apply("expand_dims", x, 1), 1), []),
}  # fmt: skip

LEFT: dict[str, Expression] = {
    "plus zero makes 0 of -0": op("add", 0.0),
    "0 - x is not -x": lambda g, x: g.apply("sub", 0.0, x),
    "minus minus zero": op("sub", np.float32(-0.0)),
    "x - x is not 0 for infinity": lambda g, x: g.apply("sub", x, x),
    "x / x": lambda g, x: g.apply("div", x, x),
    "times zero": op("mul", 0.0),
    "over three": op("div", 3.0),
    "over a number whose inverse is no normal one": op("div", 2.0**127),
    "one that broadcasts": lambda g, x: g.apply("mul", x, np.ones((2, 3, 4), np.float32)),
    "narrower and back": lambda g, x: g.apply("cast", g.apply("cast", x, np.dtype("f2")), np.dtype("f4")),
    "log of exp": lambda g, x: g.apply("log", g.apply("exp", x)),
}


def simplified(expression: Expression, data: np.ndarray) -> tuple[list[str], list[Any], np.ndarray, np.ndarray]:
    """Ops after the pass, what it said, and the results with and without it."""
    g = Graph()
    x = g.placeholder((None, 4), data.dtype, name="x")
    out = g.apply("identity", expression(g, x), name="out")
    draft = draft_for(g, [out], {x: TensorType(data.dtype, (3, 4))}, whole=False)
    assert optimise(draft, [DeadCode(), Arithmetic(), DeadCode()]) == []
    ops = [s.op for s in draft.steps if s.op not in ("placeholder", "constant", "identity")]
    fed = {x: data.reshape(3, 4)}
    with_it = Session(g, [Arithmetic()], compile_at_once=True).run(out, fed)
    return ops, [s for s in draft.steps if s.key < 0], with_it, Session(g, (), compile_at_once=True).run(out, fed)


def same_bits(a: np.ndarray, b: np.ndarray) -> None:
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    np.testing.assert_array_equal(a, b)
    numbers = ~np.isnan(a)
    assert (np.signbit(a) == np.signbit(b))[numbers].all()


@pytest.mark.parametrize("name", SHORTER)
def test_shorter_and_equal_to_the_bit(name: str) -> None:
    expression, wanted = SHORTER[name]
    ops, _, mine, theirs = simplified(expression, SPECIAL)
    assert ops == wanted
    same_bits(mine, theirs)


@pytest.mark.parametrize("name", LEFT)
def test_what_would_change_values_is_left(name: str) -> None:
    ops, fresh, mine, theirs = simplified(LEFT[name], SPECIAL)
    assert ops
    assert fresh == []
    same_bits(mine, theirs)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        (op("add", 0), []),
        (op("sub", 0), []),
        (lambda g, x: g.apply("sub", x, x), []),
        (op("mul", 1), []),
        (twice("neg"), []),
        (lambda g, x: g.apply("add", x, -x), []),
        (lambda g, x: g.apply("add", x, -(x * 3)), ["mul", "sub"]),
        (lambda g, x: g.apply("div", -x, -x), ["neg", "neg", "div"]),
        (lambda g, x: g.apply("cast", g.apply("cast", x, np.dtype("f8")), np.dtype("i4")), []),
        (lambda g, x: g.apply("cast", g.apply("cast", x, np.dtype("f4")), np.dtype("i4")), ["cast", "cast"]),
    ],
)
def test_integers(expression: Expression, wanted: list[str]) -> None:
    ops, _, mine, theirs = simplified(expression, WHOLE)
    assert [one for one in ops if one != "cast" or "cast" in wanted] == wanted
    np.testing.assert_array_equal(mine, theirs)


def test_fetched_steps_and_steps_that_others_wait_for_stay() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    kept = g.apply("mul", x, 1.0, name="kept")
    waited = g.apply("mul", x, 1.0, name="waited")
    with g.control_dependencies([waited]):
        waits = g.apply("mul", x, 1.0, name="waits")
    out = g.apply("add", waits, kept, name="out")
    draft = draft_for(g, [kept, out], {x: TensorType(np.dtype("float32"), (2,))}, whole=False)
    optimise(draft, [Arithmetic()])
    assert {"kept", "waited", "waits"} <= {s.name for s in draft.steps}


def test_a_variable_is_not_read_later_than_the_graph_says() -> None:
    g = Graph()
    w = g.variable([1.0, 2.0], name="w")
    first = g.apply("neg", w)
    with g.control_dependencies([first]):
        up = g.add("assign_add", [w, g.constant([10.0, 10.0])])
    with g.control_dependencies([up]):
        out = g.apply("neg", first, name="out")
    again = g.apply("neg", first, name="again")
    s = Session(g, [Arithmetic()], compile_at_once=True)
    s.run(g.initializer())
    assert [v.tolist() for v in s.run([g.apply("identity", out), g.apply("identity", again)])] == [[1, 2], [1, 2]]


def test_a_pass_can_be_left_out_by_name() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    out = g.apply("neg", g.apply("mul", x, 1.0))
    plans = [Session(g, passes).plan(out, {x: [1, 2]}) for passes in (without(), without("arithmetic simplification"))]
    assert ["multiply(" in plan.source for plan in plans] == [False, True]
    with pytest.raises(ValueError, match="there is no pass 'fusio'; the passes are"):
        without("fusio")

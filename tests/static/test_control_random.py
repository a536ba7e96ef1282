"""Random bodies: the same results in Python, with any subset of the passes, compiled or not, recorded or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine import events, passes
from engine.static import Graph, Node, Session, gradients

ALL = (
    passes.DeadCode(),
    passes.Redundant(),
    passes.CommonSubexpressions(),
    passes.ConstantFolding(),
    passes.LoopInvariants(),
    *(one for one in passes.DEFAULT if one.name in ("fusion", "arithmetic simplification")),
)
UNARY = {"neg": np.negative, "tanh": np.tanh, "sin": np.sin, "identity": np.array, "square": np.square}
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "matmul": np.matmul}


def bodies(depth: int) -> Any:
    """Programs: steps (op, operand, operand), and decisions and loops with programs inside."""
    step = st.tuples(st.sampled_from((*UNARY, *BINARY, "constant")), st.integers(0, 4), st.integers(0, 4))
    if depth:
        inner = bodies(depth - 1)
        step = st.one_of(step, st.tuples(st.just("cond"), st.integers(0, 4), inner, inner),
                         st.tuples(st.just("loop"), st.integers(0, 3), inner, inner),
                         st.tuples(st.just("for"), st.integers(0, 3), inner, inner))  # fmt: skip
    return st.lists(step, min_size=1, max_size=4)


def pick(values: list[Any], place: int) -> Any:
    return values[-1 - place % len(values)]


def calm(ops: Any, value: Any) -> Any:
    return ops("tanh", value)


def interpret(program: Any, values: list[Any], ops: Any) -> Any:
    """Run ``program`` on ``values`` with ``ops``: a graph's, or NumPy's. All values are 2 x 2."""
    values = list(values)
    for step in program:
        if step[0] == "constant":
            values.append(ops("constant", step[1] / 4 - step[2] / 3))
        elif step[0] in UNARY:
            values.append(calm(ops, ops(step[0], pick(values, step[1]))))
        elif step[0] in BINARY:
            values.append(calm(ops, ops(step[0], pick(values, step[1]), pick(values, step[2]))))
        elif step[0] == "cond":
            values.append(ops.cond(pick(values, step[1]), lambda s=step: interpret(s[2], values, ops),
                                   lambda s=step: interpret(s[3], values, ops)))  # fmt: skip
        elif step[0] == "loop":
            values.append(ops.loop(step[1], pick(values, 0), pick(values, 1), lambda a, b, s=step: (
                interpret(s[2], [*values, a, b], ops), interpret(s[3], [*values, b, a], ops))))  # fmt: skip
        else:
            values.append(ops.rows(step[1], pick(values, 0), lambda a, s=step: (
                interpret(s[2], [*values, a], ops), interpret(s[3], [a, *values], ops))))  # fmt: skip
    return values[-1]


class Plain:
    """NumPy."""

    def __call__(self, op: str, *given: Any) -> Any:
        return np.full((2, 2), given[0]) if op == "constant" else {**UNARY, **BINARY}[op](*given)

    def cond(self, value: Any, yes: Any, no: Any) -> Any:
        return yes() if np.sum(value) > 0 else no()

    def loop(self, count: int, a: Any, b: Any, body: Any) -> Any:
        for _ in range(count):
            a, b = body(a, b)
        return a + b

    def rows(self, count: int, a: Any, body: Any) -> Any:
        made = []
        for _ in range(count):
            a, out = body(a)
            made.append(out)
        return a + sum(made) if made else a


class Static:
    """Nodes of a graph."""

    def __init__(self, g: Graph) -> None:
        self.g = g

    def __call__(self, op: str, *given: Any) -> Node:
        return self.g.constant(np.full((2, 2), given[0])) if op == "constant" else self.g.apply(op, *given)

    def cond(self, value: Any, yes: Any, no: Any) -> Any:
        return self.g.cond(self.g.apply("greater", self.g.apply("sum", value), 0.0), yes, no)

    def loop(self, count: int, a: Any, b: Any, body: Any) -> Any:
        less = lambda i, a, b: self.g.apply("less", i, count)
        any_rows = (..., (None, 2), (None, 2))
        _, a, b = self.g.while_loop(less, lambda i, a, b: (i + 1, *body(a, b)), (0, a, b), shape_invariants=any_rows)
        return a + b

    def rows(self, count: int, a: Any, body: Any) -> Any:
        last, made = self.g.for_loop(lambda a, _: body(a), a, count=count, shape_invariants=(None, 2))
        return last + self.g.apply("sum", made, axis=0)


class Nobody:
    """A listener that only answers."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_args, **_more: 0


@settings(max_examples=10, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(bodies(2), st.lists(st.sampled_from(ALL), max_size=5), st.booleans())
def test_any_program(program: Any, chosen: Any, listen: bool) -> None:
    g = Graph()
    x, w = g.placeholder((2, 2), "float64", name="x"), g.placeholder((None, 2), "float64", name="w")
    a = np.array([[0.3, -0.4], [0.7, 0.1]])
    b = np.array([[-0.6, 0.2], [0.5, 0.9]])
    y = interpret(program, [x, w], Static(g))
    want = interpret(program, [a, b], Plain())
    first = [d for d in gradients(g.apply("sum", y), [x, w]) if d is not None]
    fetches = [y, *first]
    if first and len(program) < 4:
        fetches += [d for d in gradients(g.apply("sum", first[0]), [x, w]) if d is not None]
    results = []
    for session in (Session(g, ()), Session(g), Session(g, chosen, compile_at_once=True)):
        events.listener = Nobody() if listen and session.compile_at_once else None  # type: ignore[assignment]
        try:
            results += [session.run(fetches, {x: a, w: b}) for _ in range(2)]
        finally:
            events.listener = None
    np.testing.assert_allclose(results[0][0], want, rtol=1e-9, atol=1e-12)
    for other in results[1:]:
        for mine, theirs in zip(results[0], other, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-11)
    for place, (value, d) in enumerate(zip((a, b), gradients(g.apply("sum", y), [x, w]), strict=True)):
        if d is not None and not _near_a_kink(program):
            moved = []
            direction = np.array([[0.5, -1.0], [0.25, 0.75]])
            for sign in (1, -1):
                given_now = [a, b]
                given_now[place] = value + sign * 1e-6 * direction
                moved.append(np.sum(interpret(program, given_now, Plain())))
            got = np.sum(results[0][fetches.index(first[0])] * 0) + np.sum(Session(g).run(d, {x: a, w: b}) * direction)
            np.testing.assert_allclose(got, (moved[0] - moved[1]) / 2e-6, rtol=1e-4, atol=1e-6)


def _near_a_kink(program: Any) -> bool:
    """Whether a maximum or a decision may be at its edge, where differences say nothing."""
    return any(
        step[0] in ("maximum", "cond") or any(isinstance(p, list) and _near_a_kink(p) for p in step) for step in program
    )

"""How plans call NumPy: every short cut gives what the op's kernel gives, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.ops import TABLE
from engine.passes import without
from engine.static import Graph, Session
from engine.static.inline import INLINE

RANDOM = np.random.default_rng(5)
MATRIX = RANDOM.normal(size=(4, 6)).astype(np.float32)
SQUARE = RANDOM.normal(size=(5, 5)).astype(np.float32)
ROW = RANDOM.normal(size=(1, 6)).astype(np.float32)
SCALAR = np.float32(2.5).reshape(())

CASES: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "sum": [
        ((MATRIX,), {}), ((MATRIX,), {"axis": 0}),
        ((MATRIX,), {"axis": (0, 1), "keepdims": True}), ((MATRIX > 0,), {}),
    ],
    "mean": [((MATRIX,), {}), ((MATRIX,), {"axis": 1}), ((MATRIX,), {"axis": (0,), "keepdims": True, "ddof": 1})],
    "max": [((MATRIX,), {}), ((MATRIX,), {"axis": -1, "keepdims": True})],
    "min": [((MATRIX,), {}), ((MATRIX,), {"axis": 0})],
    "matmul": [
        ((MATRIX, MATRIX), {"transpose_b": True}), ((MATRIX, MATRIX), {"transpose_a": True}), ((SQUARE, SQUARE), {}),
        ((SQUARE, SQUARE), {"transpose_a": True, "transpose_b": True}), ((MATRIX, ROW), {"transpose_b": True}),
        ((np.stack([SQUARE] * 2), SQUARE), {}), ((SQUARE.astype(np.int64), SQUARE.astype(np.int64)), {}),
    ],
    "relu": [
        ((MATRIX,), {}), ((np.array([-0.0, np.nan, np.inf], np.float32),), {}),
        ((np.tile(MATRIX, (20, 20)),), {}), ((np.tile(MATRIX, (20, 20)).astype(np.float64),), {}),
    ],
    "relu_grad": [
        ((MATRIX, np.maximum(MATRIX, 0)), {}),
        ((np.ones(3, np.float32), np.array([0.0, np.nan, np.inf], np.float32)), {}),
    ],
    "mse_loss_grad": [
        ((SCALAR, MATRIX, MATRIX[::-1]), {}), ((SCALAR, MATRIX, ROW), {"reduction": "sum"}),
        ((SCALAR.astype(np.float64), MATRIX.astype(np.float64), MATRIX.astype(np.float64)), {}),
    ],
    "mse_loss": [
        ((MATRIX, MATRIX[::-1]), {}), ((MATRIX, ROW), {}), ((MATRIX, MATRIX), {"reduction": "sum"}),
        ((np.tile(MATRIX, (30, 30)), np.zeros((120, 180), np.float32)), {}), ((SCALAR, SCALAR), {}),
    ],
    "reshape": [((MATRIX,), {"shape": (3, 8)}), ((MATRIX,), {"shape": (-1,)})],
    "transpose": [((MATRIX,), {}), ((np.stack([MATRIX] * 2),), {"axes": (2, 0, 1)})],
    "sum_to": [
        ((MATRIX,), {"shape": (6,)}), ((MATRIX,), {"shape": (4, 6)}),
        ((MATRIX,), {"shape": (1, 6)}), ((MATRIX,), {"shape": ()}),
    ],
    "spread": [((SCALAR,), {"shape": (2, 3)}), ((ROW,), {"shape": (4, 6), "axis": 0, "keepdims": True})],
    "broadcast_to": [((SCALAR,), {"shape": (2, 3)}), ((ROW,), {"shape": (4, 6)})],
    "identity": [((MATRIX,), {})],
    "stop_gradient": [((MATRIX,), {})],
}  # fmt: skip


def test_every_short_cut_has_cases() -> None:
    assert set(CASES) == {*INLINE, "mse_loss"}


@pytest.mark.parametrize("op", CASES)
@pytest.mark.parametrize("fetched", [True, False])
@pytest.mark.parametrize("given", ["fed", "computed", "constant"])
def test_short_cuts_are_the_kernels(op: str, fetched: bool, given: str) -> None:
    """Fetched (a new array each time) and read by another op (into a buffer of the plan); operands from outside,
    from a buffer, and known when the plan is made."""
    for operands, attributes in CASES[op]:
        g = Graph()
        places = [g.placeholder(a.shape, a.dtype) for a in operands]
        values = [g.constant(a) for a in operands] if given == "constant" else places
        if given == "computed":
            values = [g.apply("copy", place) for place in places]
        node = g.apply(op, *values, **attributes)
        out = node if fetched else g.apply("reshape", g.apply("copy", node), (-1,))
        expected = np.asarray(TABLE[op].kernel(*operands, **TABLE[op].bind(operands, attributes)[1]))
        session = Session(g, (), compile_at_once=True)
        for _ in range(2):
            fed = {} if given == "constant" else dict(zip(places, operands, strict=True))
            found = np.asarray(session.run(out, fed))
            assert found.dtype == expected.dtype
            assert found.tobytes() == expected.tobytes(), (op, attributes)


def test_each_line_of_a_plan_knows_its_nodes() -> None:
    g = Graph()
    x = g.placeholder((2,), name="x")
    a, b = g.apply("exp", x, name="a"), g.apply("exp", x, name="b")
    folded = g.apply("neg", g.constant(1.0), name="c")
    out = g.apply("mul", g.apply("add", a, b, name="sum"), folded, name="out")
    plan = Session(g, without("fusion")).plan(out, {x: [1, 2]})
    origins = {step.name: [g.nodes[key].name for key in step.origins] for step in plan.steps}
    assert origins == {"a": ["a", "b"], "sum": ["sum"], "out": ["out"]}
    constant = next(step for step in plan.draft.steps if step.op == "constant")
    assert [g.nodes[key].name for key in constant.origins] == ["c"]
    for number, line in enumerate(plan.source.splitlines(), 1):
        step = plan.step_at(number)
        assert (step is None) == ("#" not in line)
        if step is not None:
            assert line.endswith(f"# {step.name}")

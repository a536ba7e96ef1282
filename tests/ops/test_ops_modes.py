"""Every op in both modes: results, first and second derivatives agree with the reference tape to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.dynamic import Facade, Number, Tensor, apply, grad
from engine.ops import TABLE
from engine.static import Graph, Session
from engine.static import gradients as static_gradients
from tests.ops import samples_elementwise, samples_layers, samples_more, samples_reductions, samples_shapes  # noqa: F401
from tests.ops.reference import R, Var, gradients
from tests.ops.samples import SAMPLES, Sample

every = pytest.mark.parametrize("s", SAMPLES, ids=str)
smooth = pytest.mark.parametrize("s", [s for s in SAMPLES if TABLE[s.op].gradients], ids=str)
native = Facade("native", Tensor)


def is_real(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def weights(like: Any) -> Any:
    return np.random.default_rng(1).uniform(0.5, 1.5, np.shape(like)).astype(np.asarray(like).dtype)


def reference(s: Sample) -> tuple[Any, list[Any], list[Any]]:
    """Result, first and second derivatives (of the sum of the first) by the tape; no derivative: ``None``."""
    leaves = [Var(x) if isinstance(x, np.ndarray) else x for x in s.operands]
    with np.errstate(all="ignore"):
        out = getattr(R, s.op)(*leaves, **s.attributes)
        real = [x for x in leaves if isinstance(x, Var) and is_real(x.value)]
        if out.value.dtype.kind != "f" or not TABLE[s.op].gradients:
            return out.value, [], []
        first = gradients(out, Var(weights(out.value)), real)
        total = add_up(R, first)
        second = gradients(total, np.ones((), total.value.dtype), real)
    plain = [[None if g is None else np.asarray(getattr(g, "value", g)) for g in gs] for gs in (first, second)]
    return out.value, plain[0], plain[1]


def add_up(F: Any, values: list[Any]) -> Any:
    total = None
    for value in values:
        if value is not None:
            part = F.sum(F.square(value))
            total = part if total is None else F.add(total, part)
    return total


def check(got: Any, expected: Any) -> None:
    if expected is None:
        assert got is None or not np.any(got)
    elif got is None:
        assert not np.any(expected)
    else:
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13)


def dynamic_operands(s: Sample) -> list[Any]:
    operands: list[Any] = [Tensor(x) if isinstance(x, np.ndarray) else Number(x) for x in s.operands]
    for x in operands:
        if isinstance(x, Tensor) and is_real(x._array):
            x._requires_grad = True
    return operands


@every
def test_dynamic(s: Sample) -> None:
    expected, first, second = reference(s)
    operands = dynamic_operands(s)
    _, attributes = TABLE[s.op].bind(s.operands, s.attributes)
    with np.errstate(all="ignore"):
        out = apply(native.primitive(s.op), operands, attributes)
        np.testing.assert_array_equal(out._array, expected)
        assert out._array.dtype == expected.dtype
        real = [x for x in operands if isinstance(x, Tensor) and x._requires_grad]
        if not first or not out._requires_grad:
            return
        once = grad(native, [out], real, [Tensor(weights(expected))], retain_graph=True)
        for got, wanted in zip(once, first, strict=True):
            check(None if got is None else got._array, wanted)
        again = grad(native, [out], real, [Tensor(weights(expected))], create_graph=True)
        total = add_up(native.tape, list(again))
        if not total._requires_grad:
            assert all(g is None or not np.any(g) for g in second)
            return
        twice = grad(native, [total], real, [Tensor(np.ones((), total._array.dtype))])
        for got, wanted in zip(twice, second, strict=True):
            check(None if got is None else got._array, wanted)


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@every
def test_static(s: Sample, known: bool) -> None:
    """Once with all dimensions known while building, once with none."""
    expected, first, second = reference(s)
    g = Graph()
    feeds: dict[Any, Any] = {}
    nodes: list[Any] = []
    for x in s.operands:
        if isinstance(x, np.ndarray):
            node = g.placeholder(x.shape if known else (None,) * x.ndim, x.dtype)
            feeds[node] = x
            nodes.append(node)
        else:
            nodes.append(x)
    out = g.apply(s.op, *nodes, **s.attributes)
    fetches: list[Any] = [out]
    real = [n for n in nodes if n in feeds and is_real(feeds[n])]
    sought: list[Any] = []
    if first:
        once = static_gradients(out, real, [g.constant(weights(expected))])
        sought = [(n, w) for n, w in zip(once, first, strict=True)]
        from engine.static import Interpreter

        total = add_up(Interpreter(g), once)
        twice = static_gradients(total, real) if total is not None else [None] * len(real)
        sought += list(zip(twice, second, strict=True))
    fetches += [n for n, _ in sought if n is not None]
    with np.errstate(all="ignore"):
        results = Session(g).run(fetches, feeds)
    np.testing.assert_array_equal(results[0], expected)
    assert results[0].dtype == expected.dtype
    rest = iter(results[1:])
    for node, wanted in sought:
        check(None if node is None else np.asarray(next(rest)), wanted)

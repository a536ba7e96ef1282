"""The short ways (ops on plain tensors, backward without counting) do to the bit what the general ways do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from engine.dynamic import apply, nodes
from engine.dynamic.direct import direct
from engine.native.tensors import FACADE


@pytest.fixture(autouse=True)
def _unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "watched", False)


def leaves(count: int, shape: tuple[int, ...] = (3, 4), dtype: Any = np.float32) -> list[Any]:
    rng = np.random.default_rng(count)
    return [engine.tensor(rng.standard_normal(shape).astype(dtype), requires_grad=True) for _ in range(count)]


def both_ways(build: Callable[[list[Any]], Any], make: Callable[[], list[Any]], times: int = 1) -> list[np.ndarray]:
    """The gradients of the leaves, after checking that both ways agree in every bit."""
    found = []
    for counted in (False, True):
        given = make()
        for _ in range(times):
            root = build(given)
            nodes.watched = counted
            root.backward()
            nodes.watched = False
        found.append([x.grad for x in given])
    for swept, counted in zip(*found, strict=True):
        assert (swept is None) == (counted is None)
        if swept is not None:
            assert swept.dtype == counted.dtype
            assert swept.version == counted.version
            np.testing.assert_array_equal(swept.numpy(), counted.numpy(), strict=True)
    return [None if x is None else x.numpy() for x in found[0]]


def tangle(seed: int) -> Callable[[list[Any]], Any]:
    """A random graph in which values are used any number of times, views and broadcasts among them."""

    def build(given: list[Any]) -> Any:
        draw = random.Random(seed)
        values = [*given, engine.tensor(np.ones((3, 4), np.float32))]
        for _ in range(draw.randrange(3, 25)):
            a, b = draw.choice(values), draw.choice(values)
            kind = draw.randrange(8)
            if kind == 0:
                new = a + b
            elif kind == 1:
                new = a * b
            elif kind == 2:
                new = a - engine.mean(b, axis=0)
            elif kind == 3:
                new = engine.tanh(a)
            elif kind == 4:
                new = a + engine.sum(b)
            elif kind == 5:
                new = engine.reshape(engine.transpose(a), (3, 4)) * 0.5
            elif kind == 6:
                copy = a * 1.0
                copy[draw.randrange(3)] = engine.sum(b, axis=0)
                new = copy + b
            else:
                new = engine.relu(a) * b
            values.append(engine.tanh(new))
        root = engine.sum(values[-1] * values[-2])
        return root + 0.0 * engine.sum(given[0])

    return build


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed: int) -> None:
    both_ways(tangle(seed), lambda: leaves(3), times=1 + seed % 3)


@pytest.mark.parametrize("shape", [(), (3, 1), (4,), (2, 3, 4)])
def test_broadcasting_and_casting(shape: tuple[int, ...]) -> None:
    def make() -> list[Any]:
        return [*leaves(2), *leaves(1, shape, np.float64), *leaves(1, shape)]

    found = both_ways(lambda x: engine.sum((x[0] + x[2]) * x[1] - x[3]), make)
    assert [g.dtype for g in found] == [np.float32, np.float32, np.float64, np.float32]
    spread = 12 // int(np.prod(shape)) if len(shape) < 3 else 1
    np.testing.assert_array_equal(found[3], np.full(shape, -spread, np.float32))


def test_a_gradient_is_nobody_elses() -> None:
    x, y = leaves(2, (200, 200))
    engine.sum(x + y).backward()
    x.grad.add_(1.0)
    np.testing.assert_array_equal(y.grad.numpy(), np.ones((200, 200), np.float32))
    w, v = leaves(2, (200, 200))
    seed = engine.tensor(np.ones((200, 200), np.float32))
    (w + v).backward(seed)
    w.grad.add_(1.0)
    np.testing.assert_array_equal(seed.numpy(), 1)
    np.testing.assert_array_equal(v.grad.numpy(), 1)


def test_a_kept_value_is_no_gradient() -> None:
    """d(x y)/dx for a seed of ones is y times one; d(x + y) passes the seed on; neither may share memory with y."""
    x, y = leaves(2)
    product = x * y
    product.backward(engine.tensor(np.ones((3, 4), np.float32)), retain_graph=True)
    assert not np.may_share_memory(x.grad._array, y._array)
    x.grad.mul_(0.0)
    assert y._array.any()


def test_a_long_chain() -> None:
    (x,) = leaves(1, ())
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward()
    assert float(x.grad.item()) == 1.0


def test_leaves_that_were_done_before_a_failure() -> None:
    """As in the counting way: those keep their gradient, the others have none."""
    for counted in (False, True):
        a, b, c = leaves(3)
        inner = engine.tanh(a)
        broken = inner * b
        root = engine.sum(broken * c)
        with engine.no_grad():
            inner.mul_(2.0)  # tanh saved its result, and the product saved it for b
        nodes.watched = counted
        with pytest.raises(engine.StateError, match="modified"):
            root.backward()
        nodes.watched = False
        assert c.grad is not None
        assert a.grad is None
        assert b.grad is None


def test_hooks_take_the_counting_way() -> None:
    x, y = leaves(2)
    seen = []
    middle = x * y
    later = middle + y
    middle.register_hook(lambda g: seen.append((x.grad is None, y.grad is None)))
    assert nodes.watched
    engine.sum(later).backward()
    assert seen == [(True, True)]


def test_freed_once() -> None:
    (x,) = leaves(1)
    y = engine.sum(engine.tanh(x))
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(engine.StateError, match="freed"):
        y.backward()


@pytest.mark.parametrize("name", ["add", "div", "matmul", "relu", "mse_loss", "transpose", "floor_div", "equal", "sum"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_direct_is_apply(name: str, dtype: Any) -> None:
    primitive = FACADE.default(name)
    count = len(primitive.op.inputs)
    for mask in range(1 << count if dtype is not np.int64 else 1):
        values = np.arange(1, 10).reshape(3, 3).astype(dtype)
        given = [engine.tensor(values, requires_grad=bool(mask >> i & 1)) for i in range(count)]
        short, long = direct(primitive)(*given), apply(primitive, given, dict(primitive.op.attributes))
        np.testing.assert_array_equal(short._array, long._array, strict=True)
        assert type(short) is type(long)
        assert short.requires_grad == long.requires_grad
        assert type(short._grad_fn) is type(long._grad_fn)
        assert (short._view is None) == (long._view is None)
        if short._grad_fn is not None and name != "equal":
            assert short._grad_fn.edges == long._grad_fn.edges


def test_direct_of_different_dtypes() -> None:
    a, b = engine.tensor(np.ones(2, np.float32)), engine.tensor(np.ones(2, np.int64))
    assert direct(FACADE.default("add"))(a, b).dtype == np.float32
    assert direct(FACADE.default("div"))(b, b).dtype == np.float32


def test_direct_explains_failures() -> None:
    a, b = engine.tensor(np.ones((2, 3), np.float32)), engine.tensor(np.ones((2, 3), np.float32))
    with pytest.raises(engine.ShapeError, match="cannot be multiplied"):
        direct(FACADE.default("matmul"))(a, b)


def test_variadic_ops_have_no_direct_way() -> None:
    with pytest.raises(TypeError, match="concat"):
        direct(FACADE.default("concat"))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "pow", "maximum"])
@pytest.mark.parametrize("other", [2, 2.5, True, np.float64(3.0), [1.0, 2.0], "tensor", "half", "row"])
def test_in_place_is_out_of_place(name: str, other: Any) -> None:
    kinds = {
        "tensor": np.full(2, 3, np.float32),
        "half": np.full(2, 3, np.float16),
        "row": np.full((1,), 3, np.float32),
    }
    second = engine.tensor(kinds[other]) if other.__class__ is str else other
    x = engine.tensor(np.array([1.5, 2.0], np.float32))
    expected = getattr(engine, name)(x, second)
    memory, version = x._array, x.version
    assert getattr(x, f"{name}_")(second) is x
    assert x._array is memory
    assert x.version == version + 1
    np.testing.assert_array_equal(x.numpy(), expected.numpy().astype(np.float32))


def test_in_place_on_a_leaf_is_refused() -> None:
    (x,) = leaves(1)
    for other in (2.0, engine.tensor(np.ones((3, 4), np.float32))):
        with pytest.raises(engine.StateError, match="leaf"):
            x.add_(other)
    plain = engine.tensor(np.ones((3, 4), np.float32))
    plain.mul_(x)
    assert plain.requires_grad
    engine.sum(plain).backward()
    np.testing.assert_array_equal(x.grad.numpy(), 1)

"""Gradients of recorded programs: against finite differences, of any order, and what may go wrong."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.dynamic import Tensor, backward, grad, modes
from engine.dynamic.facade import FreedError, ModifiedError
from engine.dynamic.function import attach, hand_node_class
from engine.dynamic.inplace import CastError, LeafWriteError, write
from engine.dynamic.nodes import split_edge
from engine.dynamic.tensor import Number


def leaf(values: Any, dtype: Any = np.float64) -> Tensor:
    tensor = Tensor(np.array(values, dtype))
    tensor._requires_grad = True
    return tensor


def one(like: Tensor) -> Tensor:
    return Tensor(np.ones_like(like._array))


def numeric(function: Callable[[Tensor], Tensor], at: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    result = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        sides = []
        for step in (eps, -eps):
            moved = at.copy()
            moved[place] += step
            sides.append(float(function(Tensor(moved))._array.sum()))
        result[place] = (sides[0] - sides[1]) / (2 * eps)
    return result


def mlp(o: Any) -> Callable[[Tensor], Tensor]:
    w = Tensor(np.linspace(-1, 1, 6).reshape(3, 2))
    return lambda x: o.mean(o.square(o.tanh(o.matmul(x, w))))


PROGRAMS: dict[str, Callable[[Any], Callable[[Tensor], Tensor]]] = {
    "mlp": mlp,
    "broadcast": lambda o: lambda x: o.sum(o.mul(o.add(x, o.sum(x, axis=0)), o.exp(o.mul(x, 0.3)))),
    "views": lambda o: lambda x: o.sum(o.mul(o.reshape(x, shape=(3, 2)), o.transpose(x))),
    "softmax": lambda o: lambda x: o.sum(o.square(o.softmax(x, axis=1))),
    "concat": lambda o: lambda x: o.sum(o.mul(o.concat(x, o.square(x), axis=1), 2.0)),
    "used twice": lambda o: lambda x: o.sum(o.mul(x, o.mul(x, x))),
    "where": lambda o: lambda x: o.sum(o.where(o.greater(x, 0.1), o.square(x), o.sin(x))),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_first_and_second_order(ops: Any, facade: Any, name: str) -> None:
    function = PROGRAMS[name](ops)
    at = np.array([[0.3, -0.7, 1.1], [0.2, 0.5, -0.4]])
    x = leaf(at)
    out = function(x)
    backward(facade, [out], [one(out)])
    assert x._grad is not None
    np.testing.assert_allclose(x._grad._array, numeric(function, at), rtol=1e-6, atol=1e-8)

    def first(point: Tensor) -> Tensor:
        y = leaf(point._array)
        value = function(y)
        (g,) = grad(facade, [value], [y], [one(value)])
        assert g is not None
        return Tensor(np.square(g._array))

    x2 = leaf(at)
    value = function(x2)
    (g,) = grad(facade, [value], [x2], [one(value)], create_graph=True)
    assert g is not None
    penalty = ops.sum(ops.square(g))
    backward(facade, [penalty], [one(penalty)])
    assert x2._grad is not None
    np.testing.assert_allclose(x2._grad._array, numeric(first, at), rtol=1e-4, atol=1e-6)


def test_any_order_of_derivative(ops: Any, facade: Any) -> None:
    x = leaf(0.5)
    y = ops.exp(ops.mul(x, 2.0))
    for order in range(1, 6):
        (y,) = grad(facade, [y], [x], [one(y)], create_graph=True)  # type: ignore[assignment]
        assert float(y._array) == pytest.approx(2.0**order * np.exp(1.0))


def test_gradients_only_where_needed(ops: Any, facade: Any) -> None:
    x, constant = leaf([1.0, 2.0]), Tensor(np.array([3.0, 4.0]))
    product = ops.mul(x, constant)
    node, _ = split_edge(product._grad_fn)  # type: ignore[arg-type]
    assert node.edges[1] is None
    assert node.recipe is not None
    assert node.recipe.operands == (1,), "only the other operand is kept"
    backward(facade, [product], [one(product)])
    assert constant._grad is None
    assert ops.add(constant, constant)._grad_fn is None


def test_long_chains_need_no_recursion(ops: Any, facade: Any) -> None:
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = ops.add(y, 1.0)
    backward(facade, [y], [one(y)])
    assert x._grad is not None
    assert float(x._grad._array) == 1.0
    del y  # letting go of the chain must not recurse either


def test_deep_diamonds_run_each_node_once(ops: Any, facade: Any) -> None:
    x = leaf(1.0)
    y = x
    for _ in range(60):
        y = ops.add(y, y)
    backward(facade, [y], [one(y)])
    assert x._grad is not None
    assert float(x._grad._array) == 2.0**60


def test_accumulates_without_aliasing(ops: Any, facade: Any) -> None:
    a, b = leaf([1.0, 1.0]), leaf([2.0, 2.0])
    for _ in range(2):
        total = ops.add(a, b)
        backward(facade, [total], [one(total)])
    assert a._grad is not None
    assert b._grad is not None
    assert a._grad._array.tolist() == [2.0, 2.0]
    a._grad._array[0] = 9
    assert b._grad._array.tolist() == [2.0, 2.0]


def test_a_freed_graph_says_so(ops: Any, facade: Any) -> None:
    x = leaf([1.0, 2.0])
    y = ops.sum(ops.square(x))
    backward(facade, [y], [one(y)], retain_graph=True)
    backward(facade, [y], [one(y)])
    with pytest.raises(FreedError, match="retain_graph=True"):
        backward(facade, [y], [one(y)])
    z = ops.sum(ops.add(x, 1.0))
    backward(facade, [z], [one(z)])
    backward(facade, [z], [one(z)])  # a sum keeps nothing, so nothing was freed


def test_values_are_let_go_without_the_collector(ops: Any, facade: Any) -> None:
    gc.disable()
    try:
        x = leaf(np.ones(1000))
        hidden = ops.exp(x)
        alive = weakref.ref(hidden)
        loss = ops.sum(ops.mul(hidden, hidden))
        del hidden
        assert alive() is not None, "backward needs it"
        backward(facade, [loss], [one(loss)])
        assert alive() is None
        dropped = ops.sigmoid(ops.exp(x))
        alive = weakref.ref(dropped)
        del dropped
        assert alive() is None, "a result does not hold itself through its node"
    finally:
        gc.enable()


def test_writes_are_noticed_at_backward(ops: Any, facade: Any) -> None:
    x = leaf([1.0, 2.0])
    result = ops.exp(x)
    write(facade.primitive("add"), (result, Number(1.0)))
    with pytest.raises(ModifiedError) as caught:
        backward(facade, [ops.sum(result)], [Tensor(np.array(1.0))])
    assert caught.value.position == -1
    w = Tensor(np.array([3.0, 4.0]))
    product = ops.mul(x, w)
    write(facade.primitive("mul"), (w, Number(2.0)))
    with pytest.raises(ModifiedError) as caught:
        backward(facade, [product], [one(product)])
    assert caught.value.position == 1


def test_writes_are_part_of_the_graph(ops: Any, facade: Any) -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = ops.mul(x, 2.0)
    part = ops.getitem(y, index=(1, ...))
    write(facade.primitive("mul"), (part, Number(10.0)))
    assert y._array.tolist() == [2.0, 40.0, 6.0]
    assert y._storage is part._storage
    assert y._storage.version == 1
    total = ops.sum(y)
    backward(facade, [total], [one(total)])
    assert x._grad is not None
    assert x._grad._array.tolist() == [2.0, 20.0, 2.0]


def test_a_view_follows_its_base(ops: Any, facade: Any) -> None:
    x = leaf([1.0, 2.0])
    y = ops.mul(x, 1.0)
    view = ops.reshape(y, shape=(2, 1))
    write(facade.primitive("mul"), (y, Number(5.0)))
    total = ops.sum(view)
    backward(facade, [total], [one(total)])
    assert x._grad is not None
    assert x._grad._array.tolist() == [5.0, 5.0]


def test_writing_twice_differentiable(ops: Any, facade: Any) -> None:
    x = leaf([2.0, 3.0])
    y = ops.mul(x, x)
    write(facade.primitive("mul"), (ops.getitem(y, index=(0, ...)), ops.getitem(x, index=(1, ...))))
    total = ops.sum(y)  # x0^2 * x1 + x1^2
    (g,) = grad(facade, [total], [x], [one(total)], create_graph=True)
    assert g is not None
    np.testing.assert_allclose(g._array, [12.0, 10.0])
    again = ops.sum(ops.mul(g, g))  # (2 x0 x1)^2 + (x0^2 + 2 x1)^2
    backward(facade, [again], [one(again)])
    assert x._grad is not None
    np.testing.assert_allclose(x._grad._array, [2 * 12 * 6 + 2 * 10 * 4, 2 * 12 * 4 + 2 * 10 * 2])


def test_what_may_not_be_written(ops: Any, facade: Any) -> None:
    x = leaf([1.0, 2.0])
    with pytest.raises(LeafWriteError) as caught:
        write(facade.primitive("add"), (x, Number(1.0)))
    assert not caught.value.through_view
    with pytest.raises(LeafWriteError) as caught:
        write(facade.primitive("add"), (ops.reshape(x, shape=(2, 1)), Number(1.0)))
    assert caught.value.through_view
    with modes.grad_mode(False):
        write(facade.primitive("add"), (x, Number(1.0)))
    assert x._array.tolist() == [2.0, 3.0]
    assert x._storage.version == 1
    whole = Tensor(np.array([1, 2]))
    with pytest.raises(CastError):
        write(facade.primitive("add"), (whole, Number(0.5)))
    assert whole._array.tolist() == [1, 2]


def test_hand_written_gradients_with_two_results(ops: Any, facade: Any) -> None:
    x = leaf([3.0, 4.0])
    double, triple = Tensor(x._array * 2), Tensor(x._array * 3)
    seen: list[Any] = []

    def back(gradients: Any) -> Any:
        seen.append(gradients)
        a, b = gradients
        return [Tensor(2 * a._array + (0 if b is None else 3 * b._array))]

    attach(facade, hand_node_class("Both"), [x], [double, triple], back)
    total = ops.sum(double)
    backward(facade, [total], [one(total)], retain_graph=True)
    assert seen[0][1] is None
    assert x._grad is not None
    assert x._grad._array.tolist() == [2.0, 2.0]
    total = ops.add(ops.sum(double), ops.sum(triple))
    backward(facade, [total], [one(total)])
    assert x._grad._array.tolist() == [7.0, 7.0]


def test_promotion_sends_gradients_back_in_their_own_dtype(ops: Any, facade: Any) -> None:
    x, y = leaf([1.0, 2.0], np.float32), leaf([3.0, 4.0], np.float64)
    product = ops.mul(x, y)
    assert product._array.dtype == np.float64
    backward(facade, [product], [one(product)])
    assert x._grad is not None
    assert x._grad._array.dtype == np.float32
    assert ops.mul(Tensor(np.array([1, 2])), 0.5)._array.dtype == np.float32
    assert ops.mul(x, 2.5)._array.dtype == np.float32

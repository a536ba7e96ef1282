"""Values at the edges: overflow, ties, zeros, emptiness; and random ops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.ops import CORE, TABLE, F
from engine.ops import random as native
from engine.ops.random import NativeStream
from tests.ops.reference import R, Var, gradients


def slope(name: str, *operands: Any, **attributes: Any) -> list[Any]:
    leaves = [Var(x) if isinstance(x, np.ndarray) else x for x in operands]
    out = getattr(R, name)(*leaves, **attributes)
    found = gradients(out, np.ones(out.value.shape), [x for x in leaves if isinstance(x, Var)])
    return [np.asarray(getattr(g, "value", g)).tolist() for g in found]


def test_stable_where_naive_formulas_overflow() -> None:
    big = np.array([1000.0, -1000.0])
    with np.errstate(over="ignore"):
        assert F.sigmoid(big).tolist() == [1.0, 0.0]
    assert F.softplus(big).tolist() == [1000.0, 0.0]
    assert F.softmax(big).tolist() == [1.0, 0.0]
    assert F.log_softmax(big).tolist() == [0.0, -2000.0]
    assert F.logsumexp(big) == 1000.0
    assert F.binary_cross_entropy_with_logits(big, np.array([1.0, 0.0]), "sum") == 0.0
    assert F.cross_entropy(big[None], np.array([1])) == 2000.0
    with np.errstate(divide="ignore"):
        assert F.logsumexp(np.full(2, -np.inf)) == -np.inf


def test_sigmoid_keeps_its_small_values() -> None:
    assert F.sigmoid(np.array([-40.0]))[0] == pytest.approx(np.exp(-40.0), rel=1e-12)


def test_erf_to_the_last_places() -> None:
    import math

    x = np.concatenate([np.linspace(-7, 7, 2001), [0.46875, -0.46875, 1e-300, np.inf, -np.inf]])
    np.testing.assert_allclose(F.erf(x), [math.erf(v) for v in x], rtol=6e-16, atol=0)
    assert np.isnan(F.erf(np.array([np.nan]))[0])


def test_ties_share_the_gradient() -> None:
    assert slope("max", np.array([1.0, 3.0, 3.0])) == [[0, 0.5, 0.5]]
    assert slope("min", np.array([[2.0, 1.0], [2.0, 2.0]]), axis=1) == [[[0, 1], [0.5, 0.5]]]
    assert slope("maximum", np.array([1.0, 2.0]), np.array([1.0, 1.0])) == [[0.5, 1], [0.5, 0]]
    assert slope("minimum", np.array([1.0, 2.0]), np.array([1.0, 1.0])) == [[0.5, 0], [0.5, 1]]


def test_kinks_are_flat_on_the_left() -> None:
    assert slope("relu", np.array([-1.0, 0.0, 2.0])) == [[0, 0, 1]]
    assert slope("abs", np.array([-1.0, 0.0, 2.0])) == [[-1, 0, 1]]
    assert slope("clip", np.array([-1.0, 0.0, 1.0, 2.0]), low=0.0, high=1.0) == [[0, 1, 1, 0]]


def test_powers_at_zero() -> None:
    assert slope("pow", np.array([0.0, 2.0]), 0) == [[0, 0]]
    assert slope("pow", np.array([0.0, 2.0]), 2) == [[0, 4]]
    assert slope("pow", np.array([0.0]), np.array([0.0])) == [[0], [0]]
    assert slope("pow", np.array([0.0]), np.array([2.0])) == [[0], [0]]
    assert slope("pow", 0, np.array([2.0])) == [[0]]


def test_product_with_zeros() -> None:
    assert slope("prod", np.array([2.0, 0.0, 3.0])) == [[0, 6, 0]]
    assert slope("prod", np.array([0.0, 0.0, 3.0])) == [[0, 0, 0]]


def test_repeated_indices_add_up() -> None:
    assert slope("take", np.array([1.0, 2.0]), np.array([1, 1, 0])) == [[1, 2], None]
    assert F.scatter_add(np.zeros(2), np.array([1, 1]), np.ones(2)).tolist() == [0, 2]


def test_empty_tensors() -> None:
    empty = np.zeros((0, 3), np.float32)
    assert F.sum(empty, 0).tolist() == [0, 0, 0]
    assert F.matmul(empty, np.ones((3, 2), np.float32)).shape == (0, 2)
    with np.errstate(invalid="ignore"):
        assert np.isnan(F.mean(empty))
        assert np.isnan(F.mean(empty, 0)).all()
    assert slope("sum", np.zeros((0, 3))) == [[]]


def test_integers_sum_in_64_bits() -> None:
    assert F.sum(np.full(3, 2**30, np.int32)) == 3 * 2**30
    assert F.sum(np.full(300, 1, np.uint8)).dtype == np.uint64


def test_float16_is_not_widened() -> None:
    half = np.ones((2, 2), np.float16)
    for name in ("relu", "sigmoid", "tanh", "exp", "softmax", "log_softmax", "gelu", "softplus", "elu", "erf", "mean"):
        assert getattr(F, name)(half).dtype == np.float16, name


def test_means_of_many_halves_do_not_overflow() -> None:
    many = np.full((100_000, 2), 1.5, np.float16)
    assert F.mean(many) == 1.5
    buffer = np.zeros(2, np.float16)
    assert F.mean(many, 0, out=buffer) is buffer
    assert buffer.tolist() == [1.5, 1.5]


def test_a_diagonal_can_be_written_through() -> None:
    a = np.zeros((2, 3))
    F.diagonal(a, 1)[...] = [1, 2]
    assert a.tolist() == [[0, 1, 0], [0, 0, 2]]


def test_sum_to_is_the_same_for_any_layout() -> None:
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert F.sum_to(a, (4,)).tolist() == F.sum_to(np.asfortranarray(a), (4,)).tolist() == [12, 15, 18, 21]


# -- random -----------------------------------------------------------------------------------------------------------
class Counting:
    """A stream that gives 0, 0.5, 0, 0.5 …"""

    def uniform(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return (np.arange(int(np.prod(shape))) % 2 / 2).reshape(shape).astype(dtype)

    normal = uniform


def test_random_ops_draw_from_the_stream_that_is_given() -> None:
    result = F.random_uniform((2, 2), 10.0, 20.0, np.dtype("f4"), Counting())
    assert result.tolist() == [[10, 15], [10, 15]]
    assert result.dtype == np.float32
    assert F.random_normal((2,), 1.0, 4.0, np.dtype("f8"), Counting()).tolist() == [1, 3]


def test_native_stream_restarts() -> None:
    native.seed(3)
    first = F.random_normal((4,))
    native.seed(3)
    np.testing.assert_array_equal(F.random_normal((4,)), first)
    assert not np.array_equal(F.random_normal((4,)), first)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", ["random_uniform", "random_normal"])
def test_random_types_and_moments(name: str, dtype: str) -> None:
    stream = NativeStream(0)
    result = TABLE[name].kernel((4000,), dtype=np.dtype(dtype), generator=stream)
    said = TABLE[name].type_rule((4000,), dtype=np.dtype(dtype), generator=stream)
    assert (result.dtype, result.shape) == (said.dtype, said.shape)
    mean, spread = {"random_uniform": (0.5, 12**-0.5), "random_normal": (0, 1)}[name]
    assert float(np.mean(result, dtype=float)) == pytest.approx(mean, abs=0.06)
    assert float(np.std(result, dtype=float)) == pytest.approx(spread, rel=0.06)


def test_drawn_from_uniform_numbers() -> None:
    stream = NativeStream(0)
    coins = F.random_bernoulli((4000,), 0.25, np.dtype("?"), stream)
    assert coins.dtype == np.bool_
    assert coins.mean() == pytest.approx(0.25, abs=0.03)
    dice = F.random_range((4000,), 1, 7, generator=stream)
    assert np.bincount(dice).tolist()[0] == 0
    assert np.bincount(dice)[1:].tolist() == pytest.approx([4000 / 6] * 6, rel=0.15)
    cards = F.random_permutation(52, stream)
    assert sorted(cards.tolist()) == list(range(52))
    assert cards.tolist() != list(range(52))
    for name, attributes in {
        "random_bernoulli": {"shape": (2, 3)},
        "random_range": {"shape": (2, 3), "low": 0, "high": 2},
        "random_permutation": {"size": 6},
    }.items():
        result = TABLE[name].kernel(**attributes)
        assert (result.dtype, result.shape) == (
            TABLE[name].type_rule(**attributes).dtype,
            TABLE[name].type_rule(**attributes).shape,
        )


def test_length_zero_has_no_slope() -> None:
    assert slope("norm", np.zeros(2)) == [[0, 0]]


def test_random_ops_are_stateful_and_have_no_gradient() -> None:
    for name in (name for name in CORE if name.startswith("random_")):
        assert TABLE[name].stateful
        assert not TABLE[name].differentiable


@pytest.mark.parametrize("shape", [(4096,), (3, 4095), (4095,), (1030, 1030)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_relu_of_many(shape: tuple[int, ...], dtype: Any) -> None:
    values = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    values.flat[:3] = np.nan, np.inf, -np.inf
    result = F.relu(values)
    np.testing.assert_array_equal(result, np.where(values < 0, dtype(0), values), strict=True)
    np.testing.assert_array_equal(F.relu(values.T), result.T)
    assert result.flags.writeable
    assert F.relu(values, values) is values


def test_slope_of_relu() -> None:
    """One where the result is positive, also where that is hardly more than nothing; else nothing."""
    result = np.array([0.0, -0.0, 1e-45, np.inf, np.nan], np.float32)
    upstream = np.full(5, -3.0, np.float32)
    np.testing.assert_array_equal(F.relu_grad(upstream, result), [0, 0, -3, -3, 0])
    np.testing.assert_array_equal(upstream, -3)
    whole = F.relu_grad(np.array([[2], [3]]), np.array([0, 5]))
    np.testing.assert_array_equal(whole, np.array([[0, 2], [0, 3]]), strict=True)
    assert F.relu_grad(np.float32(2), np.float32(1)) == 2

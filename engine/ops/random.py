"""Random ops. They draw from a *stream* that the call names, so that a dialect can bring its framework's own.

A stream is any hashable object with the two methods of :class:`Stream`. ``generator=None`` draws from the engine's
own (:func:`seed` restarts it). Random ops are stateful: no pass folds, merges or drops one as equal to another."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from engine.errors import ShapeError
from engine.ops.promotion import DEFAULT_FLOAT, DEFAULT_INTEGER, DType
from engine.ops.registry import Array, op
from engine.ops.type_rules import per_element, refuse_below, show
from engine.tensor_type import Shape, TensorType


class Stream(Protocol):
    """Where random numbers come from."""

    def uniform(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Numbers in [0, 1)."""

    def normal(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Numbers of the standard normal distribution."""


class NativeStream:
    """The engine's own stream: NumPy's PCG64.

    >>> NativeStream(1).uniform((2,), np.dtype("float32")).dtype
    dtype('float32')
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Start again from ``seed`` (``None``: from the operating system's entropy)."""
        self._generator = np.random.Generator(np.random.PCG64(seed))

    def uniform(self, shape: tuple[int, ...], dtype: DType) -> Array:
        if dtype == np.float64 or dtype == np.float32:
            return np.asarray(self._generator.random(shape, dtype.type))
        return np.asarray(self._generator.random(shape, np.float32)).astype(dtype)

    def normal(self, shape: tuple[int, ...], dtype: DType) -> Array:
        if dtype == np.float64 or dtype == np.float32:
            return np.asarray(self._generator.standard_normal(shape, dtype.type))
        return np.asarray(self._generator.standard_normal(shape, np.float32)).astype(dtype)


default_stream = NativeStream()


def seed(value: int) -> None:
    """Restart the engine's own stream."""
    default_stream.seed(value)


def random_uniform_kernel(
    shape: tuple[int, ...],
    low: float = 0.0,
    high: float = 1.0,
    dtype: DType = DEFAULT_FLOAT,
    generator: Stream | None = None,
) -> Array:
    """Numbers evenly distributed in ``[low, high)``."""
    values = (generator or default_stream).uniform(shape, np.dtype(dtype))
    return values if low == 0 and high == 1 else values * (high - low) + low


def random_normal_kernel(
    shape: tuple[int, ...],
    mean: float = 0.0,
    std: float = 1.0,
    dtype: DType = DEFAULT_FLOAT,
    generator: Stream | None = None,
) -> Array:
    """Numbers of the normal distribution with this mean and standard deviation."""
    values = (generator or default_stream).normal(shape, np.dtype(dtype))
    return values if mean == 0 and std == 1 else values * std + mean


def _checked(name: str, shape: Shape, dtype: DType) -> TensorType:
    refuse_below(name, np.dtype(dtype), 2)
    if any(d is None or d < 0 for d in shape):
        raise ShapeError(f"{name}: {show(shape)} is no shape to draw; all sizes must be known and 0 or more", op=name)
    return TensorType(np.dtype(dtype), shape)


def _uniform_type(
    shape: Shape, low: float = 0.0, high: float = 1.0, dtype: DType = DEFAULT_FLOAT, generator: Stream | None = None
) -> TensorType:
    return _checked("random_uniform", shape, dtype)


def _normal_type(
    shape: Shape, mean: float = 0.0, std: float = 1.0, dtype: DType = DEFAULT_FLOAT, generator: Stream | None = None
) -> TensorType:
    return _checked("random_normal", shape, dtype)


_RANDOM: dict[str, Any] = {"stateful": True, "category": "input", "symbol": "rnd", "flops": per_element(10)}
op("random_uniform", "", random_uniform_kernel, _uniform_type, None, formula=r"x \sim U(l, h)", **_RANDOM)
op("random_normal", "", random_normal_kernel, _normal_type, None, formula=r"x \sim N(\mu, \sigma^2)", **_RANDOM)


# -- drawn from uniform numbers ---------------------------------------------------------------------------------------
def random_bernoulli_kernel(
    shape: tuple[int, ...], p: float = 0.5, dtype: DType = DEFAULT_FLOAT, generator: Stream | None = None
) -> Array:
    """1 with probability ``p``, else 0 (the mask of dropout)."""
    return np.less((generator or default_stream).uniform(shape, DEFAULT_FLOAT), p).astype(dtype)


def _bernoulli_type(
    shape: Shape, p: float = 0.5, dtype: DType = DEFAULT_FLOAT, generator: Stream | None = None
) -> TensorType:
    if not 0 <= p <= 1:
        raise ShapeError(f"random_bernoulli: a probability lies between 0 and 1, not {p}", op="random_bernoulli")
    return TensorType(np.dtype(dtype), _checked("random_bernoulli", shape, DEFAULT_FLOAT).shape)


def random_range_kernel(
    shape: tuple[int, ...], low: int, high: int, dtype: DType = DEFAULT_INTEGER, generator: Stream | None = None
) -> Array:
    """Whole numbers from ``low`` up to and without ``high``, all equally likely."""
    drawn = (generator or default_stream).uniform(shape, np.dtype(np.float64))
    return np.floor(drawn * (high - low) + low).astype(dtype)  # type: ignore[no-any-return]


def _integers_type(
    shape: Shape, low: int, high: int, dtype: DType = DEFAULT_INTEGER, generator: Stream | None = None
) -> TensorType:
    if high <= low:
        raise ShapeError(f"random_range: there is no number from {low} and below {high}", op="random_range")
    return TensorType(np.dtype(dtype), _checked("random_range", shape, DEFAULT_FLOAT).shape)


def random_permutation_kernel(size: int, generator: Stream | None = None) -> Array:
    """The numbers below ``size`` in random order."""
    return np.argsort((generator or default_stream).uniform((size,), np.dtype(np.float64)), kind="stable")


def _permutation_type(size: int, generator: Stream | None = None) -> TensorType:
    return TensorType(DEFAULT_INTEGER, _checked("random_permutation", (size,), DEFAULT_FLOAT).shape)


op("random_bernoulli", "", random_bernoulli_kernel, _bernoulli_type, None, formula=r"x \sim B(p)", **_RANDOM)
op(
    "random_range",
    "",
    random_range_kernel,
    _integers_type,
    None,
    formula=r"x \sim U\{l, \ldots, h - 1\}",
    **_RANDOM,
)
op("random_permutation", "", random_permutation_kernel, _permutation_type, None, formula=r"\pi", **_RANDOM)

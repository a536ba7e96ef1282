"""Initialisers: how a variable's first value is made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.creation import constant, ones, static_shape, zeros
from engine.dialects.tensorflow.handles import Tensor
from engine.ops.registry import op
from engine.tensor_type import TensorType


class Initializer:
    """Called with a shape (and a dtype) it adds the ops that make the value."""

    dtype: Any = "float32"

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return self._make(static_shape(shape) or (), dtypes.as_dtype(dtype or self.dtype))

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        raise NotImplementedError


def is_initializer(value: Any) -> bool:
    return isinstance(value, Initializer) or (isinstance(value, type) and issubclass(value, Initializer))


class Zeros(Initializer):
    def __init__(self, dtype: Any = "float32") -> None:
        self.dtype = dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        return zeros(shape, dtype)  # type: ignore[no-any-return]


class Ones(Initializer):
    def __init__(self, dtype: Any = "float32") -> None:
        self.dtype = dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        return ones(shape, dtype)  # type: ignore[no-any-return]


class Constant(Initializer):
    def __init__(self, value: Any = 0, dtype: Any = "float32", verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value={value} of type: {type(value).__name__}. Expected Python "
                f"scalar, list or tuple of values, or numpy.ndarray."
            )
        self.value, self.dtype = value, dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        return constant(np.asarray(self.value).astype(dtype._numpy), dtype=dtype, shape=shape)


class RandomUniform(Initializer):
    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None, dtype: Any = "float32") -> None:
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        from engine.dialects.tensorflow.random_ops import random_uniform

        return random_uniform(shape, self.minval, self.maxval, dtype, self.seed)


class RandomNormal(Initializer):
    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None, dtype: Any = "float32") -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        from engine.dialects.tensorflow.random_ops import random_normal

        return random_normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        from engine.dialects.tensorflow.random_ops import truncated_normal

        return truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


class VarianceScaling(Initializer):
    """Spread by the number of inputs and outputs."""

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: Any = None,
        dtype: Any = "float32",
    ) -> None:
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        self.scale, self.mode, self.distribution, self.seed, self.dtype = scale, mode, distribution, seed, dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        from engine.dialects.tensorflow.random_ops import random_normal, random_uniform, truncated_normal

        fan_in, fan_out = _fans(shape)
        size = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        scale = self.scale / max(1.0, size)
        if self.distribution in ("normal", "truncated_normal"):
            return truncated_normal(shape, 0.0, math.sqrt(scale) / 0.87962566103423978, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random_normal(shape, 0.0, math.sqrt(scale), dtype, self.seed)
        limit = math.sqrt(3.0 * scale)
        return random_uniform(shape, -limit, limit, dtype, self.seed)


def _fans(shape: tuple[int, ...]) -> tuple[float, float]:
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


class GlorotUniform(VarianceScaling):
    def __init__(self, seed: Any = None, dtype: Any = "float32") -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class GlorotNormal(VarianceScaling):
    def __init__(self, seed: Any = None, dtype: Any = "float32") -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


class Identity(Initializer):
    def __init__(self, gain: float = 1.0, dtype: Any = "float32") -> None:
        self.gain, self.dtype = gain, dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        return constant((np.eye(shape[0], shape[1]) * self.gain).astype(dtype._numpy), name="eye")


class Orthogonal(Initializer):
    """A matrix whose rows or columns stand at right angles."""

    def __init__(self, gain: float = 1.0, seed: Any = None, dtype: Any = "float32") -> None:
        self.gain, self.seed, self.dtype = gain, seed, dtype

    def _make(self, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
        from engine.dialects.tensorflow import math_ops
        from engine.dialects.tensorflow.array_ops import reshape, transpose
        from engine.dialects.tensorflow.build import apply
        from engine.dialects.tensorflow.random_ops import random_normal

        if len(shape) < 2:
            raise ValueError(f"The tensor to initialize must be at least two-dimensional. Received: shape={shape}")
        rows, columns = math.prod(shape[:-1]), shape[-1]
        drawn = random_normal((max(rows, columns), min(rows, columns)), dtype=dtype, seed=self.seed)
        columns_, upper = _decomposed(drawn)
        turned = columns_ * math_ops.sign(apply("diagonal", "DiagPart", None, [("input", upper)]))
        if rows < columns:
            turned = transpose(turned, name="transpose")
        return self.gain * reshape(turned, list(shape))


def _decomposed(matrix: Tensor) -> list[Tensor]:
    """``Q`` and ``R``, the two results of one op."""
    from engine.dialects.tensorflow.build import apply
    from engine.dialects.tensorflow.indexing_ops import several

    first = apply("tf_qr", "Qr", None, [("input", matrix)], {"part": 0})
    core = matrix.graph.core
    return several(first, [core.add("tf_qr", [matrix._node], {"part": 1}, name=f"{first.op.name}:1/", label="Qr")])


op(
    "tf_qr",
    "a",
    lambda a, part: np.linalg.qr(a)[part],
    lambda a, part: TensorType(a.dtype, a.shape if part == 0 or a.shape is None else (a.shape[1], a.shape[1])),
    None,
    category="matmul",
    symbol="Q",
)

SCALED = {
    "he_normal": (2.0, "truncated_normal"), "he_uniform": (2.0, "uniform"),
    "lecun_normal": (1.0, "truncated_normal"), "lecun_uniform": (1.0, "uniform"),
}  # fmt: skip
"""Variance scaling by the number of inputs, under names of its own: factor and distribution."""


def scaled(factor: float, distribution: str) -> Any:
    """A function ``(seed=None)`` that gives such an initialiser."""

    def initializer(seed: Any = None) -> VarianceScaling:
        return VarianceScaling(factor, "fan_in", distribution, seed)

    return initializer

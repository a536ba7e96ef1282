"""``tf.nn``: bringing values to a common scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops, reductions
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import constant
from engine.dialects.tensorflow.handles import Tensor


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Tensor:
    """``x`` with length 1 along ``axis``."""
    tensor = convert(x, name="x")
    with tensor.graph.name_scope(name or "l2_normalize") as scope:
        total = reductions.reduce_sum(math_ops.square(tensor), dim if axis is None else axis, keepdims=True)
        return math_ops.multiply(tensor, math_ops.rsqrt(math_ops.maximum(total, epsilon)), name=scope)


def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Tensor:
    """``(x - mean) / sqrt(variance + epsilon) * scale + offset``."""
    tensor = convert(x, name="x")
    with tensor.graph.name_scope(name or "batchnorm"):
        inverse = math_ops.rsqrt(convert(variance) + variance_epsilon)
        if scale is not None:
            inverse = inverse * scale
        scaled = tensor * inverse
        shift = -convert(mean) * inverse if offset is None else offset - convert(mean) * inverse
        return scaled + shift


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """Which part of the elements is zero."""
    tensor = convert(value, name="value")
    with tensor.graph.name_scope(name or "zero_fraction"):
        zero = constant(np.zeros((), tensor.dtype.base_dtype._numpy))
        return reductions.reduce_mean(cast(math_ops.equal(tensor, zero), "float32"), name="fraction")


def local_response_normalization(
    input: Any, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, name: str | None = None
) -> Tensor:
    """Each channel divided by a sum over its neighbours: ``x / (bias + alpha * sum(x ** 2)) ** beta``."""
    from engine.dialects.tensorflow.array_ops import pad
    from engine.dialects.tensorflow.layers import last_size
    from engine.dialects.tensorflow.slicing_ops import strided_slice

    tensor = convert(input, name="input")
    channels = last_size(tensor, "`LRN`")
    with tensor.graph.name_scope(name or "LRN") as scope:
        squares = pad(math_ops.square(tensor), [[0, 0]] * 3 + [[depth_radius, depth_radius]])
        parts = [
            strided_slice(squares, (Ellipsis, slice(place, place + channels))) for place in range(2 * depth_radius + 1)
        ]
        total = math_ops.add(math_ops.multiply(math_ops.add_n(parts), float(alpha)), float(bias))
        return math_ops.truediv(tensor, math_ops.pow_(total, float(beta)), name=scope)


lrn = local_response_normalization

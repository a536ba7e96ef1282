"""Normal numbers from uniform ones, rounded as PyTorch's vector kernels round them.

For 16 float32 numbers or more PyTorch takes logarithm, sine and cosine by the polynomials of the Cephes library, with
fused multiply-adds. What is fused was found by comparing bits with PyTorch 2.13 (AVX2 and AVX-512 agree).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.ops.rounding import fused
from engine.tensor_type import Array

_f = np.float32
_LOG = [
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
]  # fmt: skip
_COS = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2]
_SIN = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1]
_LN2 = (-2.12194440e-4, 0.693359375)
"""The logarithm of 2 in two parts, the small one first."""
_QUARTERS = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
"""-pi/4 in three parts."""
_ROOT_HALF = _f(0.707106781186547524)
_MANTISSA, _HALF, _SIGN = np.int32(0x7FFFFF), np.int32(0x3F000000), np.int32(-0x80000000)


def box_muller(blocks: Array) -> Array:
    """Normal numbers from uniform ones in [0, 1), in blocks of 16 (the last axis): eight radii with eight angles.

    >>> box_muller(np.full((1, 16), 0.5, np.float32))[0, ::8]
    array([-1.17741001e+00, -1.02932454e-07], dtype=float32)
    """
    first, second = 1 - blocks[..., :8], blocks[..., 8:]
    angle = second * blocks.dtype.type(2 * np.pi)
    if blocks.dtype == np.float32:
        radius = np.sqrt(_f(-2) * _log(first))
        sine, cosine = _sine_and_cosine(angle)
    else:
        radius = np.sqrt(-2 * np.log(first))
        sine, cosine = np.sin(angle), np.cos(angle)
    return np.concatenate([radius * cosine, radius * sine], axis=-1)


def _polynomial(coefficients: list[float], x: Array) -> Array:
    """Horner's rule, the highest power first."""
    y: Any = _f(coefficients[0])
    for coefficient in coefficients[1:]:
        y = fused(y, x, _f(coefficient))
    return np.asarray(y)


def _log(x: Array) -> Array:
    bits = np.maximum(x, np.finfo(np.float32).tiny).view(np.int32)
    exponent = ((bits >> 23) - 126).astype(np.float32)
    fraction = ((bits & _MANTISSA) | _HALF).view(np.float32)
    small = fraction < _ROOT_HALF
    exponent -= small
    x = fraction - _f(1) + np.where(small, fraction, _f(0))
    square = x * x
    y = fused(_polynomial(_LOG, x) * x, square, exponent * _f(_LN2[0]))
    y = fused(square, _f(-0.5), y)
    return fused(exponent, _f(_LN2[1]), x + y)  # type: ignore[no-any-return]


def _sine_and_cosine(x: Array) -> tuple[Array, Array]:
    """Of angles from 0 on."""
    octant = ((x * _f(4 / np.pi)).astype(np.int32) + 1) & ~1
    quarters = octant.astype(np.float32)
    for part in _QUARTERS:
        x = fused(quarters, _f(part), x)
    square = x * x
    even = fused(_polynomial(_COS, square) * square, square, square * _f(-0.5)) + _f(1)
    odd = fused(_polynomial(_SIN, square) * square, x, x)
    straight = octant & 2 == 0
    sine, cosine = np.where(straight, odd, even), np.where(straight, even, odd)
    return _signed(sine, octant & 4), _signed(cosine, ~(octant - 2) & 4)


def _signed(values: Array, flips: Array) -> Array:
    """``values``, negative where ``flips`` is 4."""
    return (values.view(np.int32) ^ (flips << 29)).view(np.float32)

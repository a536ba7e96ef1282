"""The gamma function's logarithm, the slope of that, and sin(pi a) / (pi a)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.ops.registry import Array
from engine.ops.type_rules import elementwise

_SHIFT = 8
"""From here on the asymptotic series are exact to double precision."""
_LGAMMA = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_DIGAMMA = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12)
_TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
"""Coefficients of the odd (for trigamma: from the third on) powers of 1 / x."""


def lgamma_kernel(a: Array) -> Array:
    """ln |Gamma(a)|.

    >>> np.round(lgamma_kernel(np.array([0.5, 4.0])), 6).tolist()
    [0.572365, 1.791759]
    """
    return np.vectorize(_lgamma, otypes=[a.dtype])(a) if a.size else a.copy()


def _lgamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


def _shifted(a: Array, step: Any) -> tuple[Array, Array]:
    """Arguments of at least ``_SHIFT``, and the sum of ``step`` over the way there."""
    x = a.astype(np.float64)
    way = np.zeros_like(x)
    while True:
        small = x < _SHIFT
        if not small.any():
            return x, way
        way = way + np.where(small, step(np.where(small, x, 1.0)), 0.0)
        x = np.where(small, x + 1, x)


def digamma_kernel(a: Array) -> Array:
    """The slope of ln Gamma(a).

    >>> np.round(digamma_kernel(np.array([1.0, 0.5])), 6).tolist()
    [-0.577216, -1.96351]
    """
    with np.errstate(all="ignore"):
        y = a.astype(np.float64)
        mirrored = y < 0  # psi(1 - y) - pi / tan(pi y)
        x, way = _shifted(np.where(mirrored, 1 - y, y), lambda x: -1 / x)
        square = 1 / (x * x)
        series = sum(c * square ** (n + 1) for n, c in enumerate(_DIGAMMA))
        out = np.log(x) - 0.5 / x + series + way
        out = np.where(mirrored, out - np.pi / np.tan(np.pi * y), out)
        out = np.where(y == 0, np.copysign(np.inf, -y), np.where(mirrored & (y == np.floor(y)), np.nan, out))
    return out.astype(a.dtype)


def trigamma_kernel(a: Array) -> Array:
    """The slope of digamma, for positive ``a``."""
    with np.errstate(all="ignore"):
        y = a.astype(np.float64)
        mirrored = y < 0.5
        x, way = _shifted(np.where(mirrored, 1 - y, y), lambda x: 1 / (x * x))
        series = sum(c / x ** (2 * n + 3) for n, c in enumerate(_TRIGAMMA))
        out = 1 / x + 0.5 / (x * x) + series + way
        out = np.where(mirrored, (np.pi / np.sin(np.pi * y)) ** 2 - out, out)
    return out.astype(a.dtype)


def _row(name: str, kernel: Any, slope: Any, formula: str) -> None:
    declare(
        name, "a", kernel, elementwise(name, "float"), slope and {"a": slope}, elementwise=True, promotion="float",
        symbol="ƒ", formula=formula,
    )  # fmt: skip


_row("trigamma", trigamma_kernel, None, r"\psi'(a)")
_row("digamma", digamma_kernel, lambda F, g, a: F.mul(g, F.trigamma(a)), r"\psi(a)")
_row("lgamma", lgamma_kernel, lambda F, g, a: F.mul(g, F.digamma(a)), r"\ln \Gamma(a)")


def _sinc_vjp(F: Any, g: Any, a: Any) -> Any:
    turned = F.mul(a, math.pi)
    slope = F.div(F.sub(F.mul(F.cos(turned), turned), F.sin(turned)), F.mul(F.mul(turned, a), 1.0))
    return F.where(F.equal(a, 0), 0.0, F.mul(g, slope))


_row("sinc", lambda a: np.sinc(a).astype(a.dtype), _sinc_vjp, r"\frac{\sin \pi a}{\pi a}")

"""Special functions that NumPy lacks."""

from __future__ import annotations

import numpy as np

from engine.ops.registry import Array

# Rational approximations of W. J. Cody (Math. Comp. 23, 1969), good to the last places of float64.
_P1 = (
    3.16112374387056560e00,
    1.13864154151050156e02,
    3.77485237685302021e02,
    3.20937758913846947e03,
    1.85777706184603153e-1,
)
_Q1 = (2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03, 2.84423683343917062e03)
_P2 = (
    5.64188496988670089e-1,
    8.88314979438837594e00,
    6.61191906371416295e01,
    2.98635138197400131e02,
    8.81952221241769090e02,
    1.71204761263407058e03,
    2.05107837782607147e03,
    1.23033935479799725e03,
    2.15311535474403846e-8,
)
_Q2 = (
    1.57449261107098347e01,
    1.17693950891312499e02,
    5.37181101862009858e02,
    1.62138957456669019e03,
    3.29079923573345963e03,
    4.36261909014324716e03,
    3.43936767414372164e03,
    1.23033935480374942e03,
)


def _small(x: Array) -> Array:
    """erf for |x| <= 0.46875."""
    y = x * x
    top, bottom = _P1[4] * y, y
    for p, q in zip(_P1[:3], _Q1[:3], strict=True):
        top, bottom = (top + p) * y, (bottom + q) * y
    return x * (top + _P1[3]) / (bottom + _Q1[3])


def _large(y: Array) -> Array:
    """1 - erf(y) for 0.46875 <= y <= 6 (beyond 4 relative accuracy no longer shows in erf)."""
    top, bottom = _P2[8] * y, y
    for p, q in zip(_P2[:7], _Q2[:7], strict=True):
        top, bottom = (top + p) * y, (bottom + q) * y
    return np.exp(-y * y) * (top + _P2[7]) / (bottom + _Q2[7])  # type: ignore[no-any-return]


def erf(a: Array) -> Array:
    """The error function, in the dtype of ``a``.

    >>> float(erf(np.float64(0.5)))
    0.5204998778130465
    """
    size = np.abs(a)
    tail = np.copysign(1 - _large(np.clip(size, 0.46875, 6)), a)
    return np.where(size <= 0.46875, _small(np.clip(a, -0.46875, 0.46875)), tail)

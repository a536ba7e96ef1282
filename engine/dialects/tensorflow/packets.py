"""``exp``, ``log``, ``tanh`` and the logistic function of ``float32``, equal to the last bit to TensorFlow's.

Its CPU kernels evaluate short polynomials, eight numbers at a time (a *packet*); what is left over of an array is
computed one by one with the C library, which is nearly always the correctly rounded value. The constants are those of
the approximations that Eigen documents in ``GenericPacketMathFunctions.h``; its release has no fused multiply-add, so
that every step here is a rounded one too. Other dtypes are NumPy's.

>>> import numpy as np
>>> round(float(tanh(np.array([0.5], np.float32))[0]), 6)
0.462117
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.ops.registry import op
from engine.ops.type_rules import elementwise, per_element

Array = NDArray[Any]
_f = np.float32
_PACKET = 8
_SURE = _f(16.6355324)
"""From here on the logistic function is 1."""


def _polynomial(x: Array, *factors: float) -> Array:
    """The highest power first."""
    found = np.full_like(x, _f(factors[0]))
    for factor in factors[1:]:
        found = found * x + _f(factor)
    return found


def _reduced(x: Array) -> tuple[Array, Array]:
    """``m`` and ``r`` with ``x = m ln 2 + r``."""
    m = np.floor(x * _f(1.44269504088896341) + _f(0.5))
    return m, m * _f(2.12194440e-4) + (m * _f(-0.693359375) + x)


def _power_of_e(r: Array, even: tuple[float, ...], odd: tuple[float, ...]) -> Array:
    """``e^r`` for a small ``r``, even and odd powers apart."""
    square = r * r
    curved: Array = square * (r * _polynomial(square, *odd) + _polynomial(square, *even))
    return curved + (r + _f(1))


def _packed_exp(a: Array) -> Array:
    m, r = _reduced(np.clip(a, _f(-104), _f(88.723)))
    y = _power_of_e(
        r, (1.37449637986719608306884765625e-3, 4.166965186595916748046875e-2, 0.49999988079071044921875),
        (8.36894474923610687255859375e-3, 0.16666518151760101318359375),
    )  # fmt: skip
    return np.maximum(np.where(a < _f(-104), _f(0), np.ldexp(y, m.astype(np.int32))), a)


def _packed_sigmoid(a: Array) -> Array:
    m, r = _reduced(np.clip(a, _f(-104), _SURE) * _f(0.5))
    y = _power_of_e(
        r, (4.1898667812347412109375e-2, 0.49999141693115234375),
        (8.33471305668354034423828125e-3, 0.16666877269744873046875),
    )  # fmt: skip
    root = np.ldexp(y, m.astype(np.int32))
    e = root * root
    return np.where(a < _f(-104), _f(0), e / (_f(1) + e))


def _packed_log(a: Array) -> Array:
    x, e = np.frexp(a)
    low = x < _f(0.707106781186547524)
    power = e.astype(_f) - low.astype(_f)
    x = (x - _f(1)) + np.where(low, x, _f(0))
    p = x * _polynomial(x, 0.18256296349849254, 1.0000000190281063, 1.0000000190281136)
    q = _polynomial(x, 0.049616247954120038, 0.59923249590823520, 1.4999999999999927, 1.0)
    found = power * _f(0.6931471805599453) + p / q
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((a > 0) & np.isfinite(a), found, np.log(a))


def _tanh(a: Array) -> Array:
    x = np.clip(a, _f(-7.90738964080810547), _f(7.90738964080810547))
    square = x * x
    p: Array = (square * x) * _polynomial(square, 1.394553628e-8, 2.102733560e-5, 3.520756727e-3, 1.340216100e-1) + x
    return p / _polynomial(square, 8.015776984e-7, 3.326951409e-4, 2.597254514e-2, 4.673548340e-1, 1.0)


def _precise(function: Any) -> Callable[[Array], Array]:
    """One number at a time: computed wider, then rounded."""
    return lambda a: function(a.astype(np.float64)).astype(_f)


_libm_exp = _precise(np.exp)


def _single_sigmoid(a: Array) -> Array:
    e = _libm_exp(np.minimum(a, _SURE))
    return e / (_f(1) + e)


def _kernel(packed: Callable[[Array], Array], single: Callable[[Array], Array], plain: Any) -> Callable[[Any], Any]:
    def kernel(a: Any) -> Any:
        if a.dtype != _f:
            return plain(a)
        flat = np.ravel(a)
        whole = flat.size // _PACKET * _PACKET
        with np.errstate(all="ignore"):
            found = single(flat) if not whole else packed(flat)
            if 0 < whole < flat.size:
                found[whole:] = single(flat[whole:])
        return found.reshape(np.shape(a))

    return kernel


def _logistic(a: Any) -> Any:
    return 1 / (1 + np.exp(-a))


exp = _kernel(_packed_exp, _libm_exp, np.exp)
log = _kernel(_packed_log, _precise(np.log), np.log)
tanh = _kernel(_tanh, _tanh, np.tanh)
sigmoid = _kernel(_packed_sigmoid, _single_sigmoid, _logistic)

for _name, _function, _slope, _symbol, _formula in (
    ("tf_exp", exp, lambda F, g, out: F.mul(g, out), "eˣ", "e^a"),
    ("tf_log", log, lambda F, g, a: F.mul(g, F.reciprocal(a)), "ln", r"\ln a"),
    ("tf_tanh", tanh, lambda F, g, out: F.mul(g, F.sub(1, F.square(out))), "ess", r"\tanh a"),
    ("tf_sigmoid", sigmoid, lambda F, g, out: F.mul(F.mul(g, out), F.sub(1, out)), "ess", r"\frac{1}{1 + e^{-a}}"),
):
    op(
        _name, "a", _function, elementwise(_name, "float"), {"a": _slope}, elementwise=True, promotion="float",
        symbol=_symbol, formula=_formula, flops=per_element(10),
    )  # fmt: skip

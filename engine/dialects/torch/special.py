"""Functions of one or two numbers beyond arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import joining, pointwise, reductions, selection
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.nn import functional
from engine.dialects.torch.pointwise import tensors_only, unary
from engine.dialects.torch.tensor import FACADE, Tensor

_p = FACADE.primitive
asinh, acosh, atanh = unary("asinh"), unary("acosh"), unary("atanh")
exp2, frac, erfc, erfinv = unary("exp2", "exp2", "Exp2Backward0"), unary("frac"), unary("erfc"), unary("erfinv")
sgn = unary("sign", "sgn", "SgnBackward0")
_logit = unary("logit")
lgamma, digamma, sinc = unary("lgamma"), unary("digamma"), unary("sinc")

FMOD, FMOD_TENSOR = _p("fmod", "fmod", "FmodBackward0"), _p("fmod", "fmod", "FmodBackward1")
ATAN2 = _p("atan2", "atan2", "Atan2Backward0")
fmod, _unused = pointwise.binary(FMOD_TENSOR, "fmod", "fmod", FMOD)
atan2 = tensors_only(ATAN2, "atan2")
hypot = tensors_only(_p("hypot", "hypot"), "hypot")
fmax = tensors_only(_p("maximum", "fmax"), "fmax")
fmin = tensors_only(_p("minimum", "fmin"), "fmin")
logaddexp = tensors_only(_p("logaddexp", "logaddexp"), "logaddexp")
xlogy, _unused = pointwise.binary(_p("xlogy", "xlogy"), "xlogy", "xlogy")
copysign, _unused = pointwise.binary(_p("copysign", "copysign"), "copysign", "copysign")


def logit(input: Tensor, eps: float | None = None) -> Any:
    """The inverse of sigmoid; ``eps`` keeps the argument away from 0 and 1."""
    return _logit(input if eps is None else selection.clamp(input, eps, 1 - eps))


def nan_to_num(input: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    """NaN and infinities replaced by numbers (the largest ones of the dtype where none is given)."""
    need_tensor(input, "nan_to_num")
    array = input._array
    if array.dtype.kind != "f":
        return input
    info = np.finfo(array.dtype)
    result: Any = input
    for wrong, value in (
        (np.isnan(array), nan),
        (np.isposinf(array), float(info.max) if posinf is None else posinf),
        (np.isneginf(array), float(info.min) if neginf is None else neginf),
    ):
        if wrong.any():
            result = selection.masked_fill(result, Tensor(wrong), value)
    return result


def float_power(input: Any, exponent: Any) -> Any:
    """A power in double precision."""
    return pointwise.pow(input.double(), exponent)


def logcumsumexp(input: Any, dim: int) -> Any:
    """The logarithm of running sums of exponentials, without overflow."""
    top = Tensor(np.maximum.accumulate(input._array, dim))
    length = input.shape[dim]
    parts = [pointwise.exp(input.narrow(dim, 0, n + 1) - top.narrow(dim, n, 1)).sum(dim, True) for n in range(length)]
    return pointwise.log(joining.cat(parts, dim)) + top


def renorm(input: Any, p: float, dim: int, maxnorm: float) -> Any:
    """Each slice along ``dim`` shortened to a p-norm of at most ``maxnorm``."""
    others = tuple(i for i in range(input.ndim) if i != dim % input.ndim)
    norms = input.norm(p, others, True)
    short = Tensor(norms._array <= maxnorm)
    factor = selection.masked_fill(maxnorm / (norms + 1e-7), short, 1.0)
    return input * factor


def heaviside(input: Tensor, values: Tensor) -> Any:
    """0 below zero, 1 above, ``values`` at it."""
    return Tensor(np.heaviside(input._array, values._array))


def dist(input: Any, other: Any, p: float = 2) -> Any:
    """The p-norm of the difference."""
    return (input - other).norm(p)


def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """``other - alpha * input``."""
    scaled = input if alpha == 1 else input * alpha
    return other - scaled if isinstance(other, Tensor) else pointwise.rsub_operator(scaled, other)


def _test(name: str, ufunc: Any) -> Any:
    """A function that says of each element whether something holds."""

    def function(input: Tensor) -> Tensor:
        need_tensor(input, name)
        return Tensor(np.asarray(ufunc(input._array)))

    function.__name__ = function.__qualname__ = name
    return function


isposinf, isneginf, signbit = (_test(n, getattr(np, n)) for n in ("isposinf", "isneginf", "signbit"))
isreal = _test("isreal", np.isreal)


def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Whether each element is among the others."""
    first, second = (x._array if isinstance(x, Tensor) else x for x in (elements, test_elements))
    return Tensor(np.asarray(np.isin(first, second, invert=invert)))


NAMES = (
    "asinh acosh atanh exp2 frac erfc erfinv sgn logit fmod atan2 hypot fmax fmin logaddexp copysign nan_to_num "
    "lgamma digamma sinc logcumsumexp renorm "
    "float_power xlogy heaviside dist isposinf isneginf signbit isreal"
)
"""What is a function of ``torch`` and a method of tensors."""


def namespace() -> dict[str, Any]:
    """The functions of ``torch.special``, under the names that they have there."""
    own = {name: globals()[name] for name in ("digamma", "erfc", "erfinv", "exp2", "logit", "xlogy", "sinc")}
    plain = {name: getattr(pointwise, name) for name in ("erf", "expm1", "log1p", "round")}
    renamed = {
        "expit": pointwise.sigmoid, "gammaln": lgamma, "psi": digamma, "logsumexp": reductions.logsumexp,
        "softmax": functional.softmax, "log_softmax": functional.log_softmax, "entr": entr,
    }  # fmt: skip
    return {**own, **plain, **renamed}


def entr(input: Any) -> Any:
    """``-x ln x``: 0 at 0, and minus infinity below."""
    return selection.where(input < 0, float("-inf"), 0.0 - xlogy(input, pointwise.abs(input)))

"""Elementwise functions and operators of arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.torch import ops
from engine.dialects.torch.arguments import need_tensor, type_name
from engine.dialects.torch.numbers import number
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import as_array_dtype
from engine.dynamic.apply import apply
from engine.dynamic.facade import Primitive
from engine.dynamic.tensor import Number

_ = ops
Function = Callable[..., Any]
_p = FACADE.primitive


def _operand(value: Any) -> Tensor | Number | None:
    return value if isinstance(value, Tensor) else number(value)


# -- two operands --
ADD = _p("add", "add", "AddBackward0", default=True)
SUB = _p("sub", "sub", "SubBackward0", default=True)
RSUB = _p("sub", "rsub", "RsubBackward1")
MUL = _p("mul", "mul", "MulBackward0", default=True)
DIV = _p("div", "div", "DivBackward0", default=True)
FLOOR_DIV = _p("floor_divide", "floor_divide", "NotImplemented")
MOD = _p("remainder", "remainder", "RemainderBackward0")
MOD_TENSOR = _p("remainder", "remainder", "RemainderBackward1")
MOD_SCALAR = _p("scalar_remainder", "remainder", "NotImplemented")
POW = _p("pow", "pow", "PowBackward0", default=True)
POW_TENSOR = _p("pow", "pow", "PowBackward1")
POW_SCALAR = _p("pow", "pow", "PowBackward2")
MAXIMUM = _p("maximum", "maximum", "MaximumBackward0", default=True)
MINIMUM = _p("minimum", "minimum", "MinimumBackward0", default=True)
RECIPROCAL = _p("reciprocal", "reciprocal", "ReciprocalBackward0", default=True)


def into(out: Tensor | None, result: Any) -> Any:
    """``result``, written into ``out`` where a program gives one."""
    if out is None:
        return result
    if out._array.shape != result._array.shape:
        out._array = np.zeros(result._array.shape, out._array.dtype)
    out.copy_(result)
    return out


def binary(primitive: Primitive, name: str, method: str, numbers: Primitive | None = None) -> tuple[Function, Function]:
    """The function and the operator method of an op with two operands; ``numbers``: its twin for a Python number."""

    def function(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
        a: Any = _operand(input)
        b: Any = _operand(other)
        if a is None or not isinstance(input, Tensor | int | float):
            raise TypeError(_bad(name, "input", 1, input))
        if b is None:
            raise TypeError(_bad(name, "other", 2, other))
        if alpha != 1:
            b = apply(MUL, (b, Number(alpha))) if isinstance(b, Tensor) else Number(b._array * alpha)
        if not isinstance(a, Tensor) and not isinstance(b, Tensor):
            raise TypeError(_bad(name, "input", 1, input))
        if numbers and isinstance(b, Number):
            return into(out, apply(numbers, (a, b)))
        return into(out, apply(primitive, (a, b)))

    def operator(self: Tensor, other: Any) -> Any:
        if isinstance(other, Tensor):
            return primitive.run(self, other)
        b = number(other)
        return NotImplemented if b is None else apply(numbers or primitive, (self, b))

    function.__name__ = function.__qualname__ = name
    operator.__name__ = operator.__qualname__ = method
    return function, operator


def _bad(name: str, argument: str, position: int, value: Any) -> str:
    return f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {type_name(value)}"


add, add_operator = binary(ADD, "add", "__add__")
sub, sub_operator = binary(SUB, "sub", "__sub__")
mul, mul_operator = binary(MUL, "mul", "__mul__")
_div, div_operator = binary(DIV, "div", "__truediv__")
floor_divide, floor_div_operator = binary(FLOOR_DIV, "floor_divide", "__floordiv__")
remainder, mod_operator = binary(MOD_TENSOR, "remainder", "__mod__", MOD)
DIV_ROUNDED = {mode: _p("divide_rounded", "div", "DivBackward2") for mode in ("floor", "trunc")}


def tensors_only(primitive: Primitive, name: str) -> Function:
    """The function of an op that takes two tensors and no numbers."""

    def function(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Any:
        need_tensor(input, name)
        need_tensor(other, name, "other", 2)
        return into(out, apply(primitive, (input, other)))

    function.__name__ = function.__qualname__ = name
    return function


maximum, minimum = tensors_only(MAXIMUM, "maximum"), tensors_only(MINIMUM, "minimum")


def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    """The quotient, as it is or rounded down (``floor``) or towards zero (``trunc``)."""
    if rounding_mode is None:
        return _div(input, other, out=out)
    if rounding_mode not in DIV_ROUNDED:
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" + str(rounding_mode) + "'"
        )
    b: Any = _operand(other)
    return into(out, apply(DIV_ROUNDED[rounding_mode], (input, b), {"mode": rounding_mode}))


def pow(input: Any, exponent: Any) -> Any:
    """``input`` to the power ``exponent``; one of them may be a number."""
    a, b = _operand(input), _operand(exponent)
    if a is None or b is None:
        return NotImplemented
    if isinstance(b, Tensor):
        return apply(POW_TENSOR if isinstance(a, Tensor) else POW_SCALAR, (a, b))
    if isinstance(a, Tensor) and a._array.dtype.kind in "iu" and isinstance(b._array, int) and b._array < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return apply(POW, (a, b))


def pow_operator(self: Tensor, exponent: Any) -> Any:
    return pow(self, exponent)


def rpow_operator(self: Tensor, base: Any) -> Any:
    return pow(base, self)


def rsub_operator(self: Tensor, other: Any) -> Any:
    b = number(other)
    return NotImplemented if b is None else apply(RSUB, (b, self))


def rdiv_operator(self: Tensor, other: Any) -> Any:
    b = number(other)
    if b is None:
        return NotImplemented
    inverse = apply(RECIPROCAL, (self,))
    return apply(MUL, (inverse, b))


def _reflected(primitive: Primitive, name: str) -> Function:
    def operator(self: Tensor, other: Any) -> Any:
        b = number(other)
        return NotImplemented if b is None else apply(primitive, (b, self))

    operator.__name__ = operator.__qualname__ = name
    return operator


rfloor_operator = _reflected(FLOOR_DIV, "__rfloordiv__")
rmod_operator = _reflected(MOD_SCALAR, "__rmod__")


# -- one operand --
def unary(op: str, name: str | None = None, gradient: str | None = None) -> Function:
    """The function of an op with one operand."""
    label = name or op
    primitive = _p(op, label, gradient or f"{label.title().replace('_', '')}Backward0", default=True)
    PRIMITIVES[label] = primitive

    def function(input: Tensor, *, out: Any = None) -> Tensor:
        if not isinstance(input, Tensor):
            raise TypeError(_bad(label, "input", 1, input))
        return into(out, primitive.run(input))  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = label
    return function


PRIMITIVES: dict[str, Primitive] = {}
neg = unary("neg")
abs = unary("abs")
exp = unary("exp")
expm1 = unary("expm1")
log = unary("log")
log1p = unary("log1p")
log2 = unary("log2")
log10 = unary("log10")
sqrt = unary("sqrt")
rsqrt = unary("rsqrt")
reciprocal = unary("reciprocal")
square_op = unary("square")
sin, cos, tan = unary("sin"), unary("cos"), unary("tan")
asin, acos, atan = unary("asin"), unary("acos"), unary("atan")
sinh, cosh, tanh = unary("sinh"), unary("cosh"), unary("tanh")
sigmoid = unary("sigmoid")
relu = unary("relu")
erf = unary("erf")
sign = unary("sign")
floor, ceil, trunc = unary("floor"), unary("ceil"), unary("trunc")
_round = unary("round")
isnan, isinf, isfinite = unary("isnan"), unary("isinf"), unary("isfinite")
logical_not = unary("logical_not")
LOGICAL_NOT = PRIMITIVES["logical_not"]


def positive(input: Tensor) -> Tensor:
    """The tensor itself."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


_copy = unary("copy", "clone", "CloneBackward0")


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    if not decimals:
        return _round(input)  # type: ignore[no-any-return]
    scale = 10.0**decimals
    return _round(input * scale) / scale  # type: ignore[operator, no-any-return]


def square(input: Tensor) -> Tensor:
    need_tensor(input, "square")
    return apply(POW, (input, Number(2)))  # type: ignore[return-value]


def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    return _copy(input)  # type: ignore[no-any-return]


CAST = _p("cast", "to", "ToCopyBackward0", default=True)


def cast(input: Tensor, wanted: Any) -> Tensor:
    """``input`` in another dtype (itself if it has that already)."""
    kind = as_array_dtype(wanted)
    if input._array.dtype == kind:
        return input
    return apply(CAST, (input,), {"dtype": kind})  # type: ignore[return-value]


ADDCMUL = _p("addcmul", "addcmul", "AddcmulBackward0")
ADDCDIV = _p("addcdiv", "addcdiv", "AddcdivBackward0")
LERP_SCALAR, LERP_TENSOR = (_p("lerp", "lerp", f"LerpBackward{i}") for i in (0, 1))


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    return apply(ADDCMUL, (input, tensor1, tensor2), {"value": value})


def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    return apply(ADDCDIV, (input, tensor1, tensor2), {"value": value})


def lerp(input: Tensor, end: Tensor, weight: Any) -> Any:
    w: Any = _operand(weight)
    return apply(LERP_TENSOR if isinstance(w, Tensor) else LERP_SCALAR, (input, end, w))

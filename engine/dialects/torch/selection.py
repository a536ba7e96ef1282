"""Elements limited to a range, or chosen by a condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor, no_form
from engine.dialects.torch.messages import broadcast_words
from engine.dialects.torch.pointwise import _bad, _operand, _p
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT
from engine.dynamic.apply import apply
from engine.dynamic.tensor import Number

CLAMP = _p("clip", "clamp", "ClampBackward1", default=True)


CLAMP_LOW, CLAMP_HIGH = (_p(op, "clamp", "ClampBackward0") for op in ("maximum", "minimum"))


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """``input`` limited to [``min``, ``max``]; either may be left out."""
    need_tensor(input, "clamp")
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        sides = [(m, p) for m, p in ((min, CLAMP_LOW), (max, CLAMP_HIGH)) if m is not None]
        result: Any = input
        for side, primitive in sides:
            bound = side if isinstance(side, Tensor) else Tensor(np.asarray(side, input._array.dtype))
            result = apply(primitive, (result, bound))
        return result  # type: ignore[no-any-return]
    return apply(CLAMP, (input,), {"low": min, "high": max})  # type: ignore[return-value]


def clamp_min(input: Tensor, min: Any) -> Tensor:
    return clamp(input, min=min)


def clamp_max(input: Tensor, max: Any) -> Tensor:
    return clamp(input, max=max)


WHERE = _p("where", "where", "WhereBackward0", default=True)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Elements of ``input`` where the condition holds, else of ``other``."""
    need_tensor(condition, "where", "condition")
    if input is None and other is None:
        return nonzero_tuple(condition)
    if condition._array.dtype.kind != "b":
        kind = condition.dtype.legacy.lower()
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {kind.title()}"
        )
    a, b = _operand(input), _operand(other)
    if a is None or b is None:
        raise TypeError(_bad("where", "input", 2, input if a is None else other))
    if not isinstance(a, Tensor) and not isinstance(b, Tensor) and float in (type(a._array), type(b._array)):
        a = Tensor(np.asarray(a._array, DEFAULT.float.array))
    return apply(WHERE, (condition, a, b))


def nonzero_tuple(input: Tensor) -> tuple[Tensor, ...]:
    return tuple(Tensor(index) for index in np.nonzero(input._array))


MASKED_WITH_NUMBER, MASKED_WITH_TENSOR = (_p("masked_fill", "masked_fill", f"MaskedFillBackward{i}") for i in range(2))


def filling(input: Tensor, mask: Tensor, value: Any) -> Tensor | Number:
    """The operand of a fill of ``input`` with ``value`` where ``mask`` is true, if that can be."""
    if mask._array.dtype.kind != "b":
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype " + word(mask))
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value._array.ndim} dimension(s)."
        )
    v = _operand(value)
    if v is None:
        raise no_form("masked_fill", [mask, value], {"Tensor mask, Tensor value": 2, "Tensor mask, Number value": 2})
    kind = input._array.dtype
    if kind.kind in "iu" and not isinstance(v, Tensor) and not np.iinfo(kind).min <= v._array <= np.iinfo(kind).max:
        raise RuntimeError(f"value cannot be converted to type {kind.name}_t without overflow")
    return v


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """``input`` with ``value`` where ``mask`` is true."""
    operand = filling(input, mask, value)
    try:
        np.broadcast_shapes(mask._array.shape, input._array.shape)
    except ValueError:
        raise RuntimeError(broadcast_words([mask._array.shape, input._array.shape])) from None
    kind = MASKED_WITH_TENSOR if isinstance(operand, Tensor) else MASKED_WITH_NUMBER
    return apply(kind, (input, mask, operand))  # type: ignore[return-value]


def word(tensor: Tensor) -> str:
    """The dtype of a tensor as C++ messages write it."""
    return tensor.dtype.word

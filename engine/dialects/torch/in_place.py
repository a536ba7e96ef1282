"""Methods that write into their tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch import messages
from engine.dialects.torch.arguments import no_form
from engine.dialects.torch.pointwise import MUL, PRIMITIVES, Function, _bad, _operand
from engine.dialects.torch.selection import filling
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic import observe
from engine.dynamic.apply import apply
from engine.dynamic.facade import Primitive
from engine.dynamic.inplace import write
from engine.dynamic.tensor import Number

_p = FACADE.primitive
OVERWRITE = _p("overwrite", "copy_", "CopyBackwards")
FILL_NUMBER, FILL_TENSOR = (_p("overwrite", "fill_", f"FillBackward{i}") for i in (2, 3))
ZERO = _p("overwrite", "zero_", "ZeroBackward0")


def in_place_binary(primitive: Primitive, name: str) -> Function:
    """The in-place method of an op with two operands."""
    if not primitive.label.endswith("_"):
        primitive = _p(primitive.name, f"{primitive.label}_", primitive.node_class.label)

    def method(self: Tensor, other: Any, *, alpha: Any = 1, value: Any = 1) -> Tensor:
        b: Any = _operand(other)
        if b is None:
            raise TypeError(_bad(name, "other", 1, other))
        if alpha != 1:
            b = apply(MUL, (b, Number(alpha))) if isinstance(b, Tensor) else Number(b._array * alpha)
        return write(primitive, (self, b))  # type: ignore[return-value]

    method.__name__ = method.__qualname__ = name
    return method


def in_place_unary(name: str) -> Function:
    """The in-place method of an op with one operand."""
    known = PRIMITIVES[name]
    primitive = _p(known.name, f"{name.removesuffix('_')}_", known.node_class.label)

    def method(self: Tensor) -> Tensor:
        return write(primitive, (self,))  # type: ignore[return-value]

    method.__name__ = method.__qualname__ = f"{name}_"
    return method


def in_place_operator(method: Function, name: str) -> Function:
    """``a += b`` for a method ``a.add_(b)``."""

    def operator(self: Tensor, other: Any) -> Any:
        if _operand(other) is None:
            return NotImplemented
        return method(self, other)

    operator.__name__ = operator.__qualname__ = name
    return operator


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    source = _operand(src)
    if source is None:
        raise TypeError(_bad("copy_", "other", 1, src))
    if isinstance(source, Tensor):
        _check_room(self, source)
    return write(OVERWRITE, (self, source))  # type: ignore[return-value]


def _check_room(self: Tensor, other: Tensor) -> None:
    """Refuse operands that make ``self`` larger, or do not broadcast."""
    shapes = [self._array.shape, other._array.shape]
    try:
        fits = np.broadcast_shapes(*shapes) == shapes[0]
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(messages.no_room_words(shapes))


def fill_(self: Tensor, value: Any) -> Tensor:
    v = _operand(value)
    if v is None:
        raise no_form("fill_", [value], {"Tensor value": 1, "Number value": 1})
    if isinstance(v, Tensor) and v._array.ndim:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {v._array.ndim} dimensions."
        )
    return write(FILL_TENSOR if isinstance(v, Tensor) else FILL_NUMBER, (self, v))  # type: ignore[return-value]


def zero_(self: Tensor) -> Tensor:
    listener = events.listener
    if listener is not None and self._node in observe.gradients and self._grad_fn is None:
        self._array[...] = 0  # w.grad.zero_(): a gradient is cleared
        self._storage.version += 1
        listener.gradient_cleared(self._node, self._array)
        return self
    return write(ZERO, (self, Number(0)))  # type: ignore[return-value]


def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:
    return write(CLAMP_, (self,), {"low": min, "high": max})  # type: ignore[return-value]


CLAMP_ = _p("clip", "clamp_", "ClampBackward1")


def pow_(self: Tensor, exponent: Any) -> Tensor:
    b = _operand(exponent)
    assert b is not None
    return write(POW_, (self, b))  # type: ignore[return-value]


POW_ = _p("pow", "pow_", "PowBackward0")
LERP_, ADDCMUL_, ADDCDIV_ = (
    _p(name, f"{name}_", f"{name.title()}Backward0") for name in ("lerp", "addcmul", "addcdiv")
)


def lerp_(self: Tensor, end: Tensor, weight: Any) -> Tensor:
    w: Any = _operand(weight)
    return write(LERP_, (self, end, w))  # type: ignore[return-value]


def addcmul_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    return write(ADDCMUL_, (self, tensor1, tensor2), {"value": value})  # type: ignore[return-value]


def addcdiv_(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    return write(ADDCDIV_, (self, tensor1, tensor2), {"value": value})  # type: ignore[return-value]


def square_(self: Tensor) -> Tensor:
    return pow_(self, 2)


def clamp_min_(self: Tensor, min: Any) -> Tensor:
    return clamp_(self, min=min)


def clamp_max_(self: Tensor, max: Any) -> Tensor:
    return clamp_(self, max=max)


def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    operand = filling(self, mask, value)
    _check_room(self, mask)
    kind = FILL_WITH_TENSOR if isinstance(operand, Tensor) else FILL_WITH_NUMBER
    return write(kind, (self, mask, operand))  # type: ignore[return-value]


FILL_WITH_NUMBER, FILL_WITH_TENSOR = (_p("masked_fill", "masked_fill_", f"MaskedFillBackward{i}") for i in range(2))

"""Ops as methods and operators of :class:`~engine.native.tensors.Tensor`, and writing in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dynamic.apply import apply
from engine.dynamic.direct import writing
from engine.dynamic.inplace import write
from engine.dynamic.tensor import Number
from engine.native.autograd import backward_of
from engine.native.functions import call, function, function_names, general, operand, plain
from engine.native.tensors import FACADE, Tensor
from engine.ops import TABLE, Op
from engine.ops.indexing import describe_index

OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_div", "mod": "mod", "pow": "pow",
    "matmul": "matmul",
}  # fmt: skip
COMPARISONS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "and": "logical_and", "or": "logical_or", "xor": "logical_xor",
}  # fmt: skip
UNARY = {"neg": "neg", "abs": "abs", "invert": "logical_not"}


def is_method(op: Op) -> bool:
    """Whether an op is a method of a tensor: it works on one, and is no helper of gradients."""
    return bool(op.inputs) and not op.variadic and op.category != "gradient" and not op.name.endswith("_like")


def in_place(op: Op) -> bool:
    """Whether an op has a form that writes its result into its first operand (``add_``)."""
    return op.elementwise and bool(op.gradients) and op.inputs[0] == "a" and is_method(op)


def _method(name: str) -> Callable[..., Any]:
    """The op as a method; the function behind it is written when it is first called."""

    def method(self: Any, *arguments: Any, **attributes: Any) -> Any:
        found = function(name)
        assert found is not None
        setattr(Tensor, name, found)
        return found(self, *arguments, **attributes)

    return _named(method, name)


def _in_place(name: str) -> Callable[..., Any]:
    """``x.add_(y)``: the result is written into ``x``, which is returned."""
    primitive = FACADE.default(name)
    op = primitive.op

    def attributed(self: Tensor, *arguments: Any, **attributes: Any) -> Tensor:
        given, bound = op.bind((self, *arguments), attributes)
        bound = {key: plain(key, value) for key, value in bound.items()}
        return write(primitive, [operand(op, i, x) for i, x in enumerate(given)], bound)  # type: ignore[return-value]

    plainly = len(op.inputs) == 2 and not op.attributes and op.inputs[1] not in op.unpromoted
    return _named(writing(primitive, lambda b: operand(op, 1, b)) if plainly else attributed, f"{name}_")


def _named(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    method.__name__ = name
    method.__qualname__ = f"Tensor.{name}"
    return method


def _operator(name: str, swapped: bool = False) -> Callable[..., Any]:
    """``x + y`` (``swapped``: ``2 + x``), the commonest operands first."""
    primitive = FACADE.default(name)
    attributes = dict(primitive.op.attributes)
    numbers = (float, int) if primitive.op.promotion and name != "matmul" else ()

    def operator(self: Tensor, other: Any) -> Any:
        kind = other.__class__
        if kind is Tensor:
            return primitive.run(self, other)
        if kind in numbers:
            return apply(primitive, (self, Number(other)), attributes)
        return general(primitive, (self, other), attributes)

    def from_right(self: Tensor, other: Any) -> Any:
        if other.__class__ in numbers:
            return apply(primitive, (Number(other), self), attributes)
        return general(primitive, (other, self), attributes)

    return from_right if swapped else operator


def _transposed(self: Tensor) -> Any:
    """The tensor with its dimensions in reverse order."""
    return call("transpose", self)


def getitem(self: Tensor, key: Any) -> Any:
    """``x[key]``: basic indices give a view; a tensor of integers takes rows, one of bools selects elements."""
    if isinstance(key, Tensor):
        return call("masked_select" if key._array.dtype.kind == "b" else "take", self, key)
    index = describe_index(key)
    if len([part for part in index if part is not None]) == self._array.ndim and Ellipsis not in index:
        index = (*index, Ellipsis)  # NumPy then gives a view, not a scalar
    return general(FACADE.default("getitem"), (self,), {"index": index})


def setitem(self: Tensor, key: Any, value: Any) -> None:
    """``x[key] = value``: writes into the memory of ``x``, which its gradient takes into account."""
    getitem(self, key if not isinstance(key, Tensor) else int(key)).copy_(value)


def copy_(self: Tensor, values: Any) -> Tensor:
    """Write ``values`` (broadcast, cast) into this tensor; returns the tensor itself."""
    primitive = FACADE.default("overwrite")
    return write(primitive, [self, operand(primitive.op, 1, values)])  # type: ignore[return-value]


def _attach() -> None:
    for name in sorted(function_names()):
        op = TABLE[name]
        if is_method(op) and not hasattr(Tensor, name):
            setattr(Tensor, name, _method(name))
        if in_place(op):
            setattr(Tensor, f"{name}_", _in_place(name))
    for word, name in OPERATORS.items():
        setattr(Tensor, f"__{word}__", _operator(name))
        setattr(Tensor, f"__r{word}__", _operator(name, swapped=True))
        if word != "matmul":
            setattr(Tensor, f"__i{word}__", getattr(Tensor, f"{name}_"))
    for word, name in COMPARISONS.items():
        setattr(Tensor, f"__{word}__", _operator(name))
    for word, name in UNARY.items():
        setattr(Tensor, f"__{word}__", _method(name))
    own = {"__getitem__": getitem, "__setitem__": setitem, "copy_": copy_, "backward": backward_of}
    for word, method in own.items():
        setattr(Tensor, word, method)
    Tensor.T = property(_transposed)  # type: ignore[assignment]


_attach()

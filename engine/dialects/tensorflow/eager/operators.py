"""Python's operators on tensors and variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import array_ops, math_ops
from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.errors import InvalidArgumentError

_ARITHMETIC = {
    "add": "add", "sub": "subtract", "mul": "multiply", "floordiv": "floordiv", "mod": "floormod", "pow": "pow",
    "and": "logical_and", "or": "logical_or", "xor": "logical_xor",
}  # fmt: skip
_COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}


def _method(name: str, reflected: bool = False) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if other is None:
            raise ValueError("None values not supported.")
        return math_ops.operator(name, other, self) if reflected else math_ops.operator(name, self, other)

    return method


def _divide(self: Any, other: Any) -> Any:
    return math_ops.divide(self, other)


def _divided(self: Any, other: Any) -> Any:
    return math_ops.divide(other, self)


def _matmul(self: Any, other: Any) -> Any:
    return math_ops.matmul(self, other)


def _matmul_of(self: Any, other: Any) -> Any:
    return math_ops.matmul(other, self)


def _equal(name: str) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if other is None:
            return name == "not_equal"
        try:
            return math_ops.operator(name, self, other)
        except InvalidArgumentError as error:
            if "Incompatible shapes" in str(error):
                return wrap(np.array(name == "not_equal"))
            raise

    return method


def _either(name: str, eager: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that adds to the graph while one is built."""

    def method(self: Any, *others: Any) -> Any:
        if not graphs._stack:
            return eager(self, *others)
        from engine.dialects.tensorflow.build import convert

        return getattr(convert(self), name)(*others)

    method.__name__ = name
    return method


def attach() -> None:
    """Give tensors and variables their operators."""
    for name, function in _ARITHMETIC.items():
        for word, reflected in ((f"__{name}__", False), (f"__r{name}__", True)):
            setattr(Valued, word, _either(word, _method(function, reflected)))
    for name, function in _COMPARISONS.items():
        setattr(Valued, f"__{name}__", _either(f"__{name}__", _method(function)))
    plain: dict[str, Any] = {
        "__truediv__": _divide, "__rtruediv__": _divided, "__matmul__": _matmul, "__rmatmul__": _matmul_of,
        "__eq__": _equal("equal"), "__ne__": _equal("not_equal"), "__getitem__": array_ops.getitem,
        "__neg__": lambda self: math_ops.FUNCTIONS["negative"](self),
        "__abs__": lambda self: math_ops.FUNCTIONS["abs"](self),
        "__invert__": lambda self: math_ops.FUNCTIONS["logical_not"](self),
    }  # fmt: skip
    for name, method in plain.items():
        setattr(Valued, name, _either(name, method))


attach()

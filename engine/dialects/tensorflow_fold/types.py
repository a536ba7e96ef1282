"""What blocks take and give: tensors, tuples, sequences, objects of the program, nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.shapes import TensorShape


class ResultType:
    """One kind of value."""


@dataclass(frozen=True)
class TensorType(ResultType):
    """A tensor for each example: ``shape`` has no batch in it."""

    shape: tuple[int, ...]
    dtype: str

    def __repr__(self) -> str:
        return f"TensorType({self.shape}, '{self.dtype}')"

    @property
    def numpy(self) -> np.dtype[Any]:
        found: np.dtype[Any] = dtypes.as_dtype(self.dtype)._numpy
        return found


@dataclass(frozen=True)
class TupleType(ResultType):
    """Several values."""

    items: tuple[ResultType, ...]

    def __repr__(self) -> str:
        return f"TupleType({', '.join(map(repr, self.items))})"


@dataclass(frozen=True)
class SequenceType(ResultType):
    """Values of one kind, of any number."""

    element: ResultType

    def __repr__(self) -> str:
        return f"SequenceType({self.element!r})"


@dataclass(frozen=True)
class PyObjectType(ResultType):
    """Whatever the program has."""

    def __repr__(self) -> str:
        return "PyObjectType()"


@dataclass(frozen=True)
class VoidType(ResultType):
    """Nothing."""

    def __repr__(self) -> str:
        return "VoidType()"


def tensor_type(shape: Any = (), dtype: Any = "float32") -> TensorType:
    """``td.TensorType(shape, dtype)``. :raises TypeError: the shape is not known."""
    sizes = TensorShape(shape).as_list()
    if None in sizes:
        raise TypeError(f"shape is not fully defined: {TensorShape(shape)}")
    return TensorType(tuple(int(n or 0) for n in sizes), dtypes.as_dtype(dtype).name)


def canonical(given: Any) -> ResultType:
    """A type out of what programs write: a type, a vector's length, a list of types."""
    if isinstance(given, ResultType):
        return given
    if isinstance(given, int):
        return TensorType((given,), "float32")
    if isinstance(given, list | tuple):
        return TupleType(tuple(canonical(item) for item in given))
    raise TypeError(f"{given!r} is no type: use td.TensorType(shape, dtype) or td.PyObjectType()")


def tensors_in(given: ResultType) -> list[TensorType]:
    """The tensors of a type of tensors and tuples, from left to right. :raises TypeError: something else is in it."""
    if isinstance(given, TensorType):
        return [given]
    if isinstance(given, TupleType):
        return [leaf for item in given.items for leaf in tensors_in(item)]
    raise TypeError(f"{given!r} is neither a tensor nor a tuple of tensors")

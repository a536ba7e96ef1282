"""``torch.FloatTensor`` and its relatives: classes that make tensors of one dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.from_data import infer_array, made
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import BY_ARRAY, dtype


def legacy_array(data: tuple[Any, ...], kind: np.dtype[Any], name: str) -> Any:
    """What ``torch.FloatTensor(...)`` makes of its arguments: sizes, or data."""
    if not data:
        return np.zeros(0, kind)
    if all(isinstance(x, int) and not isinstance(x, bool) for x in data):
        return np.zeros(data, kind)
    if len(data) > 1:
        raise TypeError(
            f"new() received an invalid combination of arguments - got ({', '.join(type(x).__name__ for x in data)})"
        )
    first = data[0]
    if isinstance(first, tuple) and type(first).__name__ == "Size":
        return np.zeros(first, kind)
    if isinstance(first, Tensor):
        if first._array.dtype != kind:
            raise TypeError(f"expected {BY_ARRAY[kind]!r} (got {BY_ARRAY[first._array.dtype]!r})")
        return first._array
    if isinstance(first, np.ndarray):
        return first.astype(kind)
    if isinstance(first, list | tuple | range):
        return infer_array(list(first), kind)
    raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")


class TypedTensor(type):
    """``torch.FloatTensor``: makes tensors of one dtype, and ``isinstance`` asks for it."""

    array_dtype: np.dtype[Any]

    def __call__(cls, *data: Any, device: Any = None) -> Any:
        return made(legacy_array(data, cls.array_dtype, cls.__name__))

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor) and value._array.dtype == cls.array_dtype


def typed_tensor(d: dtype) -> TypedTensor:
    """The class ``torch.FloatTensor`` and its relatives."""
    kind = TypedTensor(f"{d.legacy}Tensor", (), {"__module__": "torch"})
    kind.array_dtype = d.array
    return kind

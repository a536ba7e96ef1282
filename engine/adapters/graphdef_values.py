"""Dtypes, shapes and tensors of a GraphDef, as NumPy has them."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.adapters.graphdef_ops import DTYPES
from engine.errors import GraphError
from engine.tensor_type import Shape

Array = NDArray[Any]
_BY_NUMBER = {number: name for name, number in DTYPES.items()}
_REF = 100
"""Dtypes of references (old variables) have this added."""
_LARGEST = 1 << 28
"""Elements of one tensor: more is taken for a broken or hostile file."""
_FIELDS = {
    "float32": "float_val", "float64": "double_val", "int32": "int_val", "uint8": "int_val", "int16": "int_val",
    "int8": "int_val", "uint16": "int_val", "int64": "int64_val", "bool": "bool_val", "float16": "half_val",
    "complex64": "scomplex_val", "complex128": "dcomplex_val", "uint32": "uint32_val", "uint64": "uint64_val",
    "object": "string_val",
}  # fmt: skip


def dtype_of(number: int, where: str) -> np.dtype[Any]:
    """The dtype with this number.

    :raises GraphError: this engine has none.
    """
    name = _BY_NUMBER.get(number - _REF if number > _REF else number)
    if name is None:
        raise GraphError(f"{where}: there is no dtype number {number} in this engine")
    return np.dtype(name)


def number_of(dtype: np.dtype[Any]) -> int:
    """The number of a dtype.

    :raises GraphError: it has none.
    """
    if dtype.name not in DTYPES:
        raise GraphError(f"dtype {dtype} has no number in a GraphDef")
    return DTYPES[dtype.name]


def shape_of(message: Any) -> Shape | None:
    """A shape; -1 is an unknown dimension."""
    return None if message.unknown_rank else tuple(None if dim.size < 0 else int(dim.size) for dim in message.dim)


def tensor_of(message: Any, where: str) -> Array:
    """The array in a tensor message; values that are left out repeat the last one.

    :raises GraphError: it holds too few or too many values, or is too large.
    """
    dtype, sizes = dtype_of(message.dtype, where), shape_of(message.tensor_shape)
    if sizes is None or None in sizes:
        raise GraphError(f"{where}: a constant needs a known shape")
    shape = tuple(size or 0 for size in sizes)
    count = prod(shape)
    if count > _LARGEST:
        raise GraphError(f"{where}: a constant of {count} elements is too large")
    if message.tensor_content:
        if dtype.hasobject or len(message.tensor_content) != count * dtype.itemsize:
            raise GraphError(f"{where}: {len(message.tensor_content)} bytes are not {count} values of {dtype}")
        return np.frombuffer(message.tensor_content, dtype.newbyteorder("<")).astype(dtype).reshape(shape)
    values = list(getattr(message, _FIELDS[dtype.name]))
    if dtype.kind == "c":
        values = [complex(re, im) for re, im in zip(values[::2], values[1::2], strict=True)]
    if len(values) > count:
        raise GraphError(f"{where}: {len(values)} values do not fit shape {shape}")
    if dtype.name == "float16":
        found: Array = np.array(values, np.uint16).view(np.float16)
    else:
        found = np.array(values, dtype)
    filled: Array = np.empty(count, dtype)
    filled[: len(found)] = found
    filled[len(found) :] = found[-1] if len(found) else (b"" if dtype.hasobject else 0)
    return filled.reshape(shape)

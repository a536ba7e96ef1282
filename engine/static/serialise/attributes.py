"""Attribute values as JSON and back: what JSON has no word for is an object with one key that says what it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import GraphError
from engine.ops.indexing import Slice
from engine.tensor_type import TensorType


def encoded(value: Any, where: str) -> Any:
    """``value`` as JSON has it.

    >>> encoded((1, None, Slice(0, 2)), "x")
    {'tuple': [1, None, {'slice': [0, 2, None]}]}

    :raises GraphError: it cannot be written down (a random stream, an object of the program).
    """
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": str(value)}
    # A named tuple, so it comes before tuples.
    if isinstance(value, Slice):
        return {"slice": [encoded(part, where) for part in (value.start, value.stop, value.step)]}
    if isinstance(value, tuple | list):
        return {"tuple" if isinstance(value, tuple) else "list": [encoded(item, where) for item in value]}
    if isinstance(value, np.dtype):
        return {"dtype": value.name}
    if isinstance(value, type(Ellipsis)):
        return {"ellipsis": True}
    if isinstance(value, np.ndarray | np.generic):
        return {"array": _array(np.asarray(value), where)}
    raise GraphError(f"{where}: a {type(value).__name__} cannot be written down; build this node without it")


def decoded(value: Any, where: str) -> Any:
    """The value that :func:`encoded` wrote.

    :raises GraphError: it is none.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, dict) and len(value) == 1:
        ((kind, inner),) = value.items()
        try:
            if kind == "float" and inner in ("nan", "inf", "-inf"):
                return float(inner)
            if kind in ("tuple", "list"):
                items = [decoded(item, where) for item in inner]
                return tuple(items) if kind == "tuple" else items
            if kind == "slice":
                return Slice(*(decoded(part, where) for part in inner))
            if kind == "dtype":
                return dtype_of(inner)
            if kind == "ellipsis":
                return Ellipsis
            if kind == "array":
                return _from_array(inner)
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise GraphError(f"{where}: {kind} {str(inner)[:80]!r} cannot be read: {error}") from None
    raise GraphError(f"{where}: {str(value)[:80]!r} is no attribute value")


def encoded_type(kind: TensorType | None) -> Any:
    """A tensor type as JSON has it."""
    if kind is None:
        return None
    return {"dtype": kind.dtype.name, "shape": None if kind.shape is None else list(kind.shape)}


def decoded_type(value: Any, where: str) -> TensorType | None:
    """The type that :func:`encoded_type` wrote.

    :raises GraphError: it is none.
    """
    if value is None:
        return None
    try:
        shape = value["shape"]
        sizes = None if shape is None else tuple(shape)
        if sizes is not None and any(n is not None and (type(n) is not int or n < 0) for n in sizes):
            raise ValueError(f"{shape} is no shape")
        return TensorType(dtype_of(value["dtype"]), sizes)
    except (TypeError, ValueError, KeyError) as error:
        raise GraphError(f"{where}: no tensor type: {error}") from None


def dtype_of(name: Any) -> np.dtype[Any]:
    """A dtype by its name; no other way to write one is taken."""
    if not isinstance(name, str) or np.dtype(name).name != name or (np.dtype(name).kind not in "biufcO"):
        raise ValueError(f"{name!r} is no dtype")
    return np.dtype(name)


def _array(array: np.ndarray[Any, Any], where: str) -> dict[str, Any]:
    flat: list[Any] = array.ravel().tolist()
    if array.dtype.kind == "c":
        flat = [[_number(x.real), _number(x.imag)] for x in flat]
    elif array.dtype.kind == "f":
        flat = [_number(x) for x in flat]
    elif array.dtype.kind == "O":
        if not all(isinstance(x, bytes) for x in flat):
            raise GraphError(f"{where}: only texts (bytes) can be written down among objects")
        flat = [x.decode("latin-1") for x in flat]
    elif array.dtype.kind not in "biu":
        raise GraphError(f"{where}: an array of dtype {array.dtype} cannot be written down")
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": flat}


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _from_array(value: dict[str, Any]) -> np.ndarray[Any, Any]:
    dtype, shape, data = dtype_of(value["dtype"]), tuple(value["shape"]), value["data"]
    if dtype.kind == "c":
        data = [complex(float(re), float(im)) for re, im in data]
    elif dtype.kind == "O":
        data = [text.encode("latin-1") for text in data]
    elif dtype.kind == "f":
        data = [float(x) for x in data]
    array = np.array(data, dtype).reshape(shape)
    array.flags.writeable = False
    return array

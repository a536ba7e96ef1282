"""Python values as arrays, with TensorFlow's dtypes and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.shapes import Dimension, TensorShape


def as_array(value: Any, dtype: dtypes.DType | None = None) -> np.ndarray[Any, Any]:
    """``value`` as TensorFlow would make a constant of it: Python floats are float32, Python integers int32.

    :raises TypeError: it does not fit the dtype.
    :raises ValueError: it is no array: ``None``, or rows of different lengths (then in NumPy's words).
    """
    if value is None:
        raise ValueError("None values not supported.")
    if isinstance(value, TensorShape):
        value = value.as_list()
    if isinstance(value, Dimension):
        value = value.value
    if isinstance(value, list | tuple):
        value = _plain(value)
    array = np.asarray(value) if isinstance(value, np.ndarray | np.generic) else _from_python(value)
    if dtype is None:
        return array
    wanted = dtype._numpy
    if array.dtype == wanted:
        return array
    if wanted.kind == "O" or array.dtype.kind == "O":
        raise _unfit(value, dtype)
    exact = isinstance(value, np.ndarray | np.generic)
    if wanted.kind in "iu" and array.dtype.kind in "fb" and array.size and not exact:
        raise _unfit(value, dtype)
    if (wanted.kind == "b") != (array.dtype.kind == "b") and array.size and not exact:
        raise _unfit(value, dtype)
    with np.errstate(all="ignore"):
        if array.dtype == np.float32 and not exact and wanted.kind in "fc":
            return np.asarray(value, wanted)  # Python's floats have more digits than float32
        return array.astype(wanted)


def _unfit(value: Any, dtype: dtypes.DType) -> TypeError:
    first = first_of(value)
    return TypeError(f"Expected {dtype.base_dtype.name}, but got {first} of type '{type(first).__name__}'.")


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, Dimension) else value


def _leaves(value: Any) -> Any:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, np.ndarray):
        yield from value.ravel().tolist()
    else:
        yield value


def _mixed(value: Any) -> TypeError:
    return TypeError(
        f"Failed to convert elements of {value!r} to Tensor. Consider casting elements to a supported type. See "
        "https://www.tensorflow.org/api_docs/python/tf/dtypes for supported TF dtypes."
    )


def first_of(value: Any) -> Any:
    """The first element of nested lists."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return value


def _from_python(value: Any) -> np.ndarray[Any, Any]:
    array = np.array(value)
    if array.dtype.kind in "US" and not all(isinstance(leaf, str | bytes) for leaf in _leaves(value)):
        raise _mixed(value)
    if array.dtype.kind in "US":
        encoded = np.empty(array.shape, object)
        encoded[...] = (
            np.vectorize(lambda s: s.encode() if isinstance(s, str) else bytes(s), otypes=[object])(array)
            if array.size
            else array
        )
        return encoded
    if array.dtype.kind == "O":
        raise _mixed(value)
    if array.dtype == np.float64 and not _holds(value, np.float64):
        return array.astype(np.float32)
    if array.dtype == np.int64 and not _holds(value, np.integer):
        if array.size and (array.max() > 2**31 - 1 or array.min() < -(2**31)):
            return array
        return array.astype(np.int32)
    return array


def _holds(value: Any, kind: Any) -> bool:
    """Whether a nested list holds NumPy values of ``kind`` (then their width counts)."""
    if isinstance(value, list | tuple):
        return bool(value) and _holds(value[0], kind)
    return isinstance(value, kind) or (isinstance(value, np.ndarray) and np.issubdtype(value.dtype, kind))

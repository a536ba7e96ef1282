"""Tensors made of data: numbers, nested lists, arrays, other tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.tensor import Tensor, announce
from engine.dialects.torch.types import BY_ARRAY, DEFAULT, as_array_dtype, check_device
from engine.dynamic import observe

_NUMPY_TYPES = (  # the list that the message ends with
    "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and "
    "bool"
)


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """A new tensor with a copy of ``data`` (numbers, nested lists, an array, a tensor)."""
    check_device(device)
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    return made(infer_array(data, None if dtype is None else as_array_dtype(dtype)), requires_grad)


def made(array: Any, requires_grad: bool = False, label: str = "tensor") -> Tensor:
    """A fresh leaf around ``array``, told to whoever listens."""
    out = Tensor(array)
    if requires_grad:
        if array.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        out._requires_grad = True
    if events.listener is not None:
        observe.created(events.listener, out, label)
    return out


def infer_array(data: Any, wanted: np.dtype[Any] | None = None) -> Any:
    """The array for ``data``: dtypes of arrays are kept, Python numbers get the default ones."""
    if isinstance(data, Tensor):
        return np.array(data._array, wanted)
    if isinstance(data, np.ndarray | np.generic):
        check_numpy(np.asarray(data).dtype)
        return np.array(data, wanted)
    if isinstance(data, Sequence) and not isinstance(data, list | tuple | str | bytes):  # a range, a deque
        data = list(data)
    if isinstance(data, list | tuple):
        shape = _nested_shape(data)
        if _first(data).__class__ is str:
            raise ValueError("too many dimensions 'str'")
        kind = wanted or _nested_dtype(data, shape)
        if not math.prod(shape):
            return np.zeros(shape, kind)
        return _fill(data, shape, kind)
    return np.array(_scalar(data), wanted or _scalar_dtype(data))


def check_numpy(found: np.dtype[Any]) -> None:
    """Refuse arrays of text and objects.

    :raises TypeError: there is no tensor dtype for ``found``.
    """
    if found not in BY_ARRAY:
        name = "numpy.object_" if found.kind == "O" else f"numpy.{found.type.__name__}"
        raise TypeError(f"can't convert np.ndarray of type {name}. The only supported types are: {_NUMPY_TYPES}.")


def _first(data: Any) -> Any:
    """The first thing in nested lists that is no list."""
    while isinstance(data, list | tuple) and data:
        data = data[0]
    return data


def _nested_shape(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(data, list | tuple):
        shape.append(len(data))
        if not data:
            break
        data = data[0]
    if isinstance(data, Tensor | np.ndarray):
        shape.extend(data._array.shape if isinstance(data, Tensor) else data.shape)
    return tuple(shape)


def _check_lengths(data: Any, shape: tuple[int, ...], level: int) -> None:
    if not isinstance(data, list | tuple):
        return
    for item in data:
        if level + 1 < len(shape):
            length = len(item) if hasattr(item, "__len__") and not isinstance(item, str) else None
            if length is None:
                raise TypeError("not a sequence")
            if length != shape[level + 1]:
                raise ValueError(f"expected sequence of length {shape[level + 1]} at dim {level + 1} (got {length})")
        elif isinstance(item, list | tuple):
            raise TypeError(f"only integer tensors of a single element can be converted to an index: {item!r}"[:80])
        _check_lengths(item, shape, level + 1)


def _fill(data: Any, shape: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    _check_lengths(data, shape, 0)
    try:
        return np.array(_plain(data), kind).reshape(shape)
    except OverflowError:
        raise RuntimeError("Overflow when unpacking long long") from None


def _plain(data: Any) -> Any:
    if isinstance(data, list | tuple):
        return [_plain(item) for item in data]
    return data._array if isinstance(data, Tensor) else data


def _nested_dtype(data: Any, shape: tuple[int, ...]) -> np.dtype[Any]:
    """The widest kind of the numbers in nested lists."""
    found: np.dtype[Any] | None = None
    for item in data:
        kind = _nested_dtype(item, shape[1:]) if isinstance(item, list | tuple) else _scalar_dtype(item)
        if isinstance(item, list | tuple) and not len(item):
            continue
        found = kind if found is None or found == kind else _wider(found, kind)
    return found or DEFAULT.float.array


def _wider(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    from engine.ops.promotion import promote

    return promote(a, b)


def _scalar_dtype(value: Any) -> np.dtype[Any]:
    if isinstance(value, bool | np.bool_):
        return np.dtype(np.bool_)
    if isinstance(value, np.generic | np.ndarray):
        check_numpy(value.dtype)
        return value.dtype
    if isinstance(value, Tensor):
        return value._array.dtype
    if isinstance(value, int):
        return np.dtype(np.int64)
    if isinstance(value, float):
        return DEFAULT.float.array
    if isinstance(value, complex):
        return np.dtype(np.complex64 if DEFAULT.float.name == "float32" else np.complex128)
    if isinstance(value, str):
        raise TypeError("new(): invalid data type 'str'")
    raise RuntimeError(f"Could not infer dtype of {type(value).__name__}")


def _scalar(value: Any) -> Any:
    _scalar_dtype(value)
    return value


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor that shares the memory of ``data`` where it can."""
    check_device(device)
    wanted = None if dtype is None else as_array_dtype(dtype)
    if isinstance(data, Tensor) and (wanted is None or data._array.dtype == wanted):
        return data
    if isinstance(data, np.ndarray) and (wanted is None or data.dtype == wanted):
        return from_numpy(data)
    return made(infer_array(data, wanted))


def from_numpy(array: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    check_numpy(array.dtype)
    return announce(Tensor(array))

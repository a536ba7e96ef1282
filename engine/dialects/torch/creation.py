"""Making tensors: from data, filled, as ranges, and at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.ops.rounding import fused
from engine.dialects.torch.tensor import Tensor, announce
from engine.dialects.torch.types import BY_ARRAY, DEFAULT, as_array_dtype, check_device, dtype
from engine.dynamic import observe

_NUMPY_TYPES = (  # the list that the message ends with
    "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and "
    "bool"
)


# -- from data --
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


# -- filled --
def sizes_of(arguments: Sequence[Any], name: str) -> tuple[int, ...]:
    """Sizes given one by one or as one sequence."""
    if len(arguments) == 1 and isinstance(arguments[0], tuple | list):
        arguments = arguments[0]
    if len(arguments) == 1 and isinstance(arguments[0], float | str):
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type_name(arguments[0])}")
    result = []
    for place, n in enumerate(arguments):
        if isinstance(n, bool) or not (
            isinstance(n, int | np.integer) or (isinstance(n, Tensor) and n._array.dtype.kind == "i")
        ):
            raise TypeError(
                f"{name}(): argument 'size' (position 1) must be tuple of ints, but found element of type "
                f"{type(n).__name__} at pos {place}"
            )
        result.append(int(n))
    for n in result:
        if n < 0:
            if name == "zeros":
                raise RuntimeError(f"{name}: Dimension size must be non-negative.")
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(result)}")
    return tuple(result)


def _filler(name: str, value: float) -> Any:
    def fill(
        *size: Any, out: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False, layout: Any
        = None,
        pin_memory: bool = False, generator: Any = None, memory_format: Any = None,
    ) -> Tensor:  # fmt: skip
        check_device(device)
        kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype, name)
        return made(np.full(sizes_of(size, name), value, kind), requires_grad, name)

    fill.__name__ = fill.__qualname__ = name
    fill.__doc__ = f"``torch.{name}``: a tensor of this size."
    return fill


zeros, ones, empty = _filler("zeros", 0), _filler("ones", 1), _filler("empty", 0)


def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A tensor filled with one value, whose kind gives the dtype."""
    check_device(device)
    value = fill_value._array.item() if isinstance(fill_value, Tensor) else fill_value
    kind = _scalar_dtype(value) if dtype is None else as_array_dtype(dtype)
    return made(np.full(sizes_of([size], "full"), value, kind), requires_grad, "full")


def _like(name: str, value: float) -> Any:
    def like(
        input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, memory_format: Any = None,
        layout: Any = None,
    ) -> Tensor:  # fmt: skip
        need_tensor(input, name)
        kind = input._array.dtype if dtype is None else as_array_dtype(dtype)
        return made(np.full(input._array.shape, value, kind), requires_grad, name)

    like.__name__ = name
    return like


zeros_like, ones_like, empty_like = _like("zeros_like", 0), _like("ones_like", 1), _like("empty_like", 0)


def need_tensor(value: Any, name: str, argument: str = "input", position: int = 1) -> None:
    """Refuse what is no tensor, in PyTorch's words."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {type_name(value)}")


def type_name(value: Any) -> str:
    """The name of a value's type as C code writes it: with the module for NumPy's."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def full_like(
    input: Tensor, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    need_tensor(input, "full_like")
    kind = input._array.dtype if dtype is None else as_array_dtype(dtype)
    return made(np.full(input._array.shape, fill_value, kind), requires_grad, "full_like")


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    for name, size in (("n", n), ("m", 0 if m is None else m)):
        if size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype, "eye")
    return made(np.eye(n, m, dtype=kind), requires_grad, "eye")


# -- ranges --
def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    if end is None:
        start, end = 0, start
    start, end, step = (x.item() if isinstance(x, Tensor | np.generic) else x for x in (start, end, step))
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(x, int) for x in (start, end, step))
    kind = as_array_dtype(dtype) if dtype is not None else np.dtype(np.int64) if whole else DEFAULT.float.array
    count = math.ceil((end - start) / step)
    values = np.arange(count) * step + start if whole else np.arange(count, dtype=np.float64) * step + start
    return made(values.astype(kind), requires_grad, "arange")


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
    start, end = (x.item() if isinstance(x, Tensor) else x for x in (start, end))
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps == 1:
        return made(np.full(1, start, kind), requires_grad, "linspace")
    one = np.float32 if kind.kind in "iu" else kind.type  # whole numbers are cut off at the end
    step = one((one(end) - one(start)) / one(max(steps - 1, 1)))
    index = np.arange(steps)
    if kind == np.float32:  # rounded once, like PyTorch's fused multiply-add
        lower, upper = fused(step, index, one(start)), fused(-step, steps - 1 - index, one(end))
    else:
        lower, upper = one(start) + step * index.astype(one), one(end) - step * (steps - 1 - index).astype(one)
    return made(np.where(index < steps // 2, lower, upper).astype(kind), requires_grad, "linspace")


def logspace(
    start: float, end: float, steps: int, base: float = 10.0, *, dtype: Any = None, device: Any = None
) -> Tensor:
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
    return made((np.float64(base) ** np.linspace(start, end, steps)).astype(kind), False, "logspace")

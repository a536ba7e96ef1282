"""Tensors and shapes as data: ``TensorProto`` and ``TensorShapeProto``, in TensorFlow's own binary form."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from engine.dialects.event_files.wire import fields, message
from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.messages import ENUM

NUMBERS = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7, "complex64": 8, "int64": 9,
    "bool": 10, "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip
NAMES = {number: name for name, number in NUMBERS.items()}


LARGEST = 1 << 28
"""Elements of one tensor: more is taken for a broken or hostile file."""


def varints(data: bytes) -> list[int]:
    """Numbers that follow each other without a key."""
    found, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(number)
            number = shift = 0
    return found


def _floats(kind: str) -> Any:
    return lambda data: np.frombuffer(data, kind).tolist()


_VALUES: dict[int, Any] = {
    5: _floats("<f4"), 6: _floats("<f8"), 7: varints, 9: _floats("<f4"), 10: varints, 11: varints, 12: _floats("<f8"),
    13: varints, 16: varints, 17: varints,
}  # fmt: skip
"""The fields that hold values of a tensor, and what is in them when they are packed."""


def _numbers(values: list[Any], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    if kind.kind == "c":
        return np.array(values, "f8").view("c16").astype(kind)
    if kind.kind in "iu":
        return np.array([v - (1 << 64) if v >> 63 else v for v in values], np.int64).astype(kind)
    if kind == np.float16:
        return np.array(values, np.uint16).view(np.float16)
    return np.array(values, kind)


class Dim:
    """One size of a shape; -1 is unknown."""

    def __init__(self, size: int) -> None:
        self.size, self.name = size, ""


class ShapeProto:
    """A shape."""

    def __init__(self, sizes: Iterable[int | None] | None) -> None:
        self.unknown_rank = sizes is None
        self.dim = [Dim(-1 if n is None else int(n)) for n in sizes or ()]

    def wire(self) -> bytes:
        if self.unknown_rank:
            return message([(3, 1)])
        return message([(2, message([(1, d.size)])) for d in self.dim])

    @classmethod
    def read(cls, data: bytes) -> ShapeProto:
        sizes: list[int] = []
        unknown = False
        for number, value in fields(data):
            if number == 2:
                size = next((v for n, v in fields(value) if n == 1), 0)
                sizes.append(size - (1 << 64) if size >> 63 else size)
            unknown = unknown or (number == 3 and bool(value))
        return cls(None if unknown else [None if n == -1 else n for n in sizes])

    def __str__(self) -> str:
        if self.unknown_rank:
            return "unknown_rank: true\n"
        return "".join(f"dim {{\n  size: {d.size}\n}}\n" for d in self.dim)


class TensorProto:
    """A value in a graph."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array
        self.dtype = NUMBERS[dtypes.from_numpy(array.dtype).name]
        self.tensor_shape = ShapeProto(array.shape)

    def CopyFrom(self, other: TensorProto) -> None:
        self._array, self.dtype, self.tensor_shape = other._array, other.dtype, other.tensor_shape

    SerializeToString = property(lambda self: self.wire)

    @property
    def tensor_content(self) -> bytes:
        return b"" if self._array.dtype.hasobject or self._array.size < 2 else self._array.tobytes()

    def _values(self, *kinds: str) -> list[Any]:
        name = NAMES[self.dtype]
        return self._array.ravel().tolist() if name in kinds and not self.tensor_content else []

    float_val = property(lambda self: self._values("float32"))
    double_val = property(lambda self: self._values("float64"))
    int_val = property(lambda self: self._values("int32", "int16", "int8", "uint8"))
    int64_val = property(lambda self: self._values("int64"))
    bool_val = property(lambda self: self._values("bool"))
    string_val = property(lambda self: self._values("string"))

    def wire(self) -> bytes:
        found: list[tuple[int, Any]] = [(1, self.dtype), (2, self.tensor_shape.wire())]
        if self._array.dtype.hasobject:
            found += [(8, bytes(text)) for text in self._array.ravel().tolist()]
        else:
            found.append((4, self._array.tobytes()))
        return message(found)

    @classmethod
    def read(cls, data: bytes) -> TensorProto:
        """The tensor in a message; values that are left out repeat the last one."""
        kind, shape, content, values = "float32", (), b"", []
        for number, value in fields(data):
            if number == 1:
                kind = NAMES[value]
            elif number == 2:
                shape = tuple(d.size for d in ShapeProto.read(value).dim)  # type: ignore[assignment]
            elif number == 4:
                content = value
            elif number == 8:
                values.append(value)
            elif number in _VALUES:
                values += _VALUES[number](value) if isinstance(value, bytes) else [value]
        count = prod(shape)
        if count > LARGEST:
            raise ValueError(f"a constant of {count} elements is too large")
        if content:
            return cls(np.frombuffer(content, dtypes.as_dtype(kind)._numpy).reshape(shape))
        if kind == "string":
            array = np.empty(count, object)
            array[:] = values[:count] + values[-1:] * (count - len(values)) if values else b""
            return cls(array.reshape(shape))
        found = _numbers(values, dtypes.as_dtype(kind)._numpy)
        filled = np.zeros(count, found.dtype)
        filled[: len(found)] = found
        if len(found):
            filled[len(found) :] = found[-1]
        return cls(filled.reshape(shape))

    def __str__(self) -> str:
        inner = indented(str(self.tensor_shape))
        text = f"dtype: {ENUM[NAMES[self.dtype]]}\ntensor_shape {{\n{inner}}}\n"
        if self.tensor_content:
            escaped = "".join(
                chr(b) if 32 <= b < 127 and b not in (34, 92, 39) else f"\\{b:03o}" for b in self.tensor_content
            )
            return f'{text}tensor_content: "{escaped}"\n'
        word = {"float32": "float_val", "float64": "double_val", "int64": "int64_val", "bool": "bool_val",
                "string": "string_val"}.get(NAMES[self.dtype], "int_val")  # fmt: skip
        return text + "".join(f"{word}: {literal(v)}\n" for v in self._array.ravel().tolist())


def make_ndarray(tensor: TensorProto) -> np.ndarray[Any, Any]:
    """The value of a ``TensorProto``."""
    return np.array(tensor._array)


def make_tensor_proto(values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False) -> TensorProto:
    """A value as a ``TensorProto``."""
    from engine.dialects.tensorflow.values import as_array

    array = np.asarray(as_array(values, None if dtype is None else dtypes.as_dtype(dtype)))
    return TensorProto(array if shape is None else np.broadcast_to(array, shape).copy())


def literal(value: Any) -> str:
    """A value as the text form of a message writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes | str):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        escaped = "".join(c if 32 <= ord(c) < 127 and c not in '"\\' else f"\\{ord(c):03o}" for c in text)
        return f'"{escaped}"'
    if isinstance(value, float):
        short = f"{value:.9g}"
        for digits in range(1, 10):
            if np.float32(f"{value:.{digits}g}") == np.float32(value):
                short = f"{value:.{digits}g}"
                break
        return short
    return str(value)


def indented(text: str, by: int = 2) -> str:
    """Each line of ``text``, moved to the right."""
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())

"""``tf.AttrValue``: the value of an attribute of a node in a ``GraphDef``."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.event_files.wire import Float, fields, message
from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.tensor_proto import NAMES, ShapeProto, TensorProto, indented, literal, varints

_NUMBERS = {"s": 2, "i": 3, "f": 4, "b": 5, "type": 6, "shape": 7, "tensor": 8}
_KINDS = {number: kind for kind, number in _NUMBERS.items()}
_LIST = 1
_DEFAULTS = {"s": b"", "i": 0, "f": 0.0, "b": False, "type": 0}
_MADE: dict[str, Any] = {"shape": lambda: ShapeProto([]), "tensor": lambda: TensorProto(np.zeros((), np.float32))}


def _plain(kind: str, value: Any) -> Any:
    """What a program gives for a field, as the field keeps it."""
    if kind == "s":
        return value.encode() if isinstance(value, str) else bytes(value)
    if kind == "type":
        return value if isinstance(value, int) else dtypes.as_dtype(value).as_datatype_enum
    return {"i": int, "f": float, "b": bool}.get(kind, lambda given: given)(value)


def _encoded(kind: str, value: Any) -> Any:
    if kind in _MADE:
        return value.wire()
    return Float(value) if kind == "f" else int(value) if kind == "b" else value


def _decoded(kind: str, value: Any) -> Any:
    if kind == "i" and value >> 63:
        value -= 1 << 64
    read: dict[str, Any] = {"shape": ShapeProto.read, "tensor": TensorProto.read, "b": bool}
    return read[kind](value) if kind in read else value


class ListValue:
    """Several values of one kind."""

    def __init__(self, **given: Any) -> None:
        for kind in _NUMBERS:
            setattr(self, kind, [_plain(kind, value) for value in given.get(kind, ())])

    def wire(self) -> bytes:
        return message(
            [(number, _encoded(kind, value)) for kind, number in _NUMBERS.items() for value in getattr(self, kind)]
        )

    @classmethod
    def read(cls, data: bytes) -> ListValue:
        found = cls()
        for number, value in fields(data):
            kind = _KINDS[number]
            packed = isinstance(value, bytes) and kind in ("i", "f", "b", "type")
            values = _unpacked(kind, value) if packed else [value]
            getattr(found, kind).extend(_decoded(kind, one) for one in values)
        return found

    def __str__(self) -> str:
        return "".join(_text(kind, value) for kind in _NUMBERS for value in getattr(self, kind))


def _unpacked(kind: str, data: bytes) -> list[Any]:
    """Numbers that follow each other without a key."""
    if kind == "f":
        return [float(x) for x in np.frombuffer(data, "<f4")]
    return varints(data)


def _text(kind: str, value: Any) -> str:
    if kind == "type":
        return f"type: {ENUM[NAMES[value]]}\n"
    if kind in _MADE:
        return f"{kind} {{\n{indented(str(value))}}}\n"
    return f"{kind}: {literal(value)}\n"


def _field(kind: str) -> Any:
    return property(lambda self: self._of(kind), lambda self, value: self._set(kind, value))


class AttrValue:
    """One value; setting a field says which kind it is.

    >>> value = AttrValue(i=3)
    >>> value.b = True
    >>> value.WhichOneof("value"), value.i
    ('b', 0)
    """

    __module__ = "tensorflow.core.framework.attr_value_pb2"
    ListValue = ListValue

    def __init__(self, **given: Any) -> None:
        self._kind = ""
        self._value: Any = None
        self._other = b""
        for kind, value in given.items():
            if kind not in (*_NUMBERS, "list"):
                raise ValueError(f'Protocol message AttrValue has no "{kind}" field.')
            self._set(kind, value)

    def _set(self, kind: str, value: Any) -> None:
        self._kind, self._value, self._other = kind, _plain(kind, value), b""

    def _of(self, kind: str) -> Any:
        if self._kind == kind:
            return self._value
        if kind not in _MADE and kind != "list":
            return _DEFAULTS[kind]
        self._set(kind, ListValue() if kind == "list" else _MADE[kind]())
        return self._value

    s = _field("s")
    i = _field("i")
    f = _field("f")
    b = _field("b")
    type = _field("type")
    shape = _field("shape")
    tensor = _field("tensor")
    list = _field("list")

    def WhichOneof(self, _group: str) -> str | None:
        return self._kind or None

    def HasField(self, name: str) -> bool:
        return name == self._kind

    def CopyFrom(self, other: AttrValue) -> None:
        copy = AttrValue.read(other.wire())
        self._kind, self._value, self._other = copy._kind, copy._value, copy._other

    def Clear(self) -> None:
        self._kind, self._value, self._other = "", None, b""

    def wire(self) -> bytes:
        if self._kind == "list":
            return message([(_LIST, self._value.wire())])
        if self._kind:
            return message([(_NUMBERS[self._kind], _encoded(self._kind, self._value))])
        return self._other

    SerializeToString = wire

    @classmethod
    def read(cls, data: bytes) -> AttrValue:
        found = cls()
        for number, value in fields(data):
            if number == _LIST:
                found._set("list", ListValue.read(value))
            elif number in _KINDS:
                found._kind, found._value = _KINDS[number], _decoded(_KINDS[number], value)
            else:  # functions and the like, kept as they are
                found._other = data
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AttrValue) and self.wire() == other.wire()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        if self._kind == "list":
            return f"list {{\n{indented(str(self._value))}}}\n"
        return _text(self._kind, self._value) if self._kind else ""

    __repr__ = __str__

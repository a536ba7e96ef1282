"""``tf.GraphDef`` and what is in it: a graph as data, in TensorFlow's own binary form (no protobuf needed).

What this engine needs to build a node again stands in a field of its own that other readers skip.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from engine.dialects.event_files.wire import Float, fields, message
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.tensor_proto import NAMES, ShapeProto, TensorProto, indented, literal

OWN_FIELD = 15001
"""The number of the field of a node that holds its form in this engine."""
DECODE = "Error parsing message with type 'tensorflow.GraphDef'"


class AttrValue:
    """The value of an attribute; what it is says which field is set."""

    def __init__(self, kind: str = "", value: Any = None) -> None:
        self._kind, self._value = kind, value

    def WhichOneof(self, _group: str) -> str | None:
        return self._kind or None

    def HasField(self, name: str) -> bool:
        return name == self._kind

    def _of(self, kind: str, default: Any) -> Any:
        return self._value if self._kind == kind else default

    type = property(lambda self: self._of("type", 0))
    shape = property(lambda self: self._of("shape", ShapeProto([])))
    tensor = property(lambda self: self._of("tensor", TensorProto(np.zeros((), np.float32))))
    s = property(lambda self: self._of("s", b""))
    i = property(lambda self: self._of("i", 0))
    f = property(lambda self: self._of("f", 0.0))
    b = property(lambda self: self._of("b", False))

    _FIELDS = (("s", 2), ("i", 3), ("f", 4), ("b", 5), ("type", 6), ("shape", 7), ("tensor", 8))

    def wire(self) -> bytes:
        number = dict(self._FIELDS).get(self._kind)
        if number is None:
            return b""
        value = self._value
        if self._kind in ("shape", "tensor"):
            value = value.wire()
        elif self._kind == "f":
            value = Float(value)
        return message([(number, int(value) if self._kind == "b" else value)])

    @classmethod
    def read(cls, data: bytes) -> AttrValue:
        for number, value in fields(data):
            for kind, own in cls._FIELDS:
                if number == own:
                    if kind == "i" and value >> 63:
                        value -= 1 << 64
                    made: Any = {"shape": ShapeProto.read, "tensor": TensorProto.read, "b": bool}.get(kind, lambda v: v)
                    return cls(kind, made(value))
        return cls()

    def __str__(self) -> str:
        if self._kind == "type":
            return f"type: {ENUM[NAMES[self._value]]}\n"
        if self._kind in ("shape", "tensor"):
            inner = str(self._value)
            return f"{self._kind} {{\n{indented(inner)}}}\n"
        return f"{self._kind}: {literal(self._value)}\n" if self._kind else ""


class NodeDef:
    """One node: a name, an op, inputs (``n``, ``n:1``, ``^control``), attributes."""

    def __init__(self, name: str = "", op: str = "", device: str = "") -> None:
        self.name, self.op, self.device = name, op, device
        self.input: list[str] = []
        self.attr: dict[str, AttrValue] = _Attributes()
        self.own: dict[str, Any] = {}

    def wire(self) -> bytes:
        found: list[tuple[int, Any]] = [(1, self.name), (2, self.op), *((3, name) for name in self.input)]
        if self.device:
            found.append((4, self.device))
        found += [(5, message([(1, key), (2, self.attr[key].wire())])) for key in sorted(self.attr)]
        found.append((OWN_FIELD, json.dumps(self.own, separators=(",", ":"))))
        return message(found)

    @classmethod
    def read(cls, data: bytes) -> NodeDef:
        node = cls()
        for number, value in fields(data):
            if number in (1, 2, 4):
                setattr(node, {1: "name", 2: "op", 4: "device"}[number], value.decode())
            elif number == 3:
                node.input.append(value.decode())
            elif number == 5:
                entry = dict(fields(value))
                node.attr[entry[1].decode()] = AttrValue.read(entry.get(2, b""))
            elif number == OWN_FIELD:
                node.own = json.loads(value)
        return node

    SerializeToString = wire

    def CopyFrom(self, other: NodeDef) -> None:
        self.__dict__.update(NodeDef.read(other.wire()).__dict__)

    def __str__(self) -> str:
        lines = [f'name: "{self.name}"', f'op: "{self.op}"', *(f'input: "{name}"' for name in self.input)]
        if self.device:
            lines.append(f'device: "{self.device}"')
        text = "\n".join(lines) + "\n"
        for key in sorted(self.attr):
            text += f'attr {{\n  key: "{key}"\n  value {{\n{indented(str(self.attr[key]), 4)}  }}\n}}\n'
        return text

    __repr__ = __str__


class _Attributes(dict[str, AttrValue]):
    def __missing__(self, key: str) -> AttrValue:
        found = self[key] = AttrValue()
        return found


class _Nodes(list[NodeDef]):
    """A repeated field."""

    def add(self, **given: Any) -> NodeDef:
        self.append(NodeDef(**given))
        return self[-1]

    def extend(self, nodes: Iterable[NodeDef]) -> None:
        for node in nodes:
            copy = NodeDef()
            copy.CopyFrom(node)
            self.append(copy)


class GraphDef:
    """A graph as data."""

    __module__ = "tensorflow.core.framework.graph_pb2"

    def __init__(self) -> None:
        self.node = _Nodes()
        self.versions = Versions()

    def SerializeToString(self, **_options: Any) -> bytes:
        return message([*((1, node.wire()) for node in self.node), (4, message([(1, self.versions.producer)]))])

    def ParseFromString(self, data: bytes) -> int:
        """:raises DecodeError: this is no GraphDef."""
        nodes = _Nodes()
        try:
            for number, value in fields(bytes(data)):
                if number == 1:
                    nodes.append(NodeDef.read(value))
        except (ValueError, KeyError, TypeError, AttributeError, UnicodeError, RecursionError):
            raise DecodeError(DECODE) from None
        self.node = nodes
        return len(data)

    MergeFromString = ParseFromString

    @classmethod
    def FromString(cls, data: bytes) -> GraphDef:
        found = cls()
        found.ParseFromString(data)
        return found

    def CopyFrom(self, other: GraphDef) -> None:
        self.node = _Nodes()
        self.node.extend(other.node)

    def ByteSize(self) -> int:
        return len(self.SerializeToString())

    def Clear(self) -> None:
        self.node = _Nodes()

    def __iter__(self) -> Iterator[NodeDef]:
        raise TypeError("'GraphDef' object is not iterable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphDef) and self.SerializeToString() == other.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        text = "".join(f"node {{\n{indented(str(node))}}}\n" for node in self.node)
        return f"{text}versions {{\n  producer: {self.versions.producer}\n}}\n"

    __repr__ = __str__


class Versions:
    """Which version wrote a graph."""

    producer = 2397
    min_consumer = 0


class DecodeError(Exception):
    """Bytes that are no message."""

    __module__ = "google.protobuf.message"

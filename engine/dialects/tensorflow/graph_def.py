"""``tf.GraphDef`` and what is in it: a graph as data, in TensorFlow's own binary form (no protobuf needed).

What this engine needs to build a node again stands in a field of its own that other readers skip.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cmp_to_key
from typing import Any
from zlib import crc32

from engine.dialects.event_files.wire import fields, message
from engine.dialects.tensorflow.attr_value import AttrValue
from engine.dialects.tensorflow.tensor_proto import indented

OWN_FIELD = 15001
"""The number of the field of a node that holds its form in this engine."""
DECODE = "Error parsing message with type 'tensorflow.GraphDef'"


class _Names(list[str]):
    """A repeated field of texts."""

    def MergeFrom(self, other: Iterable[str]) -> None:
        self.extend(other)


class NodeDef:
    """One node: a name, an op, inputs (``n``, ``n:1``, ``^control``), attributes.

    ``own`` is how this engine builds it. It holds as long as :attr:`is_intact`: a program that changes the node means
    what the node says.
    """

    __module__ = "tensorflow.core.framework.node_def_pb2"

    def __init__(
        self, name: str = "", op: str = "", device: str = "", input: Iterable[str] = (),
        attr: Mapping[str, AttrValue] | None = None,
    ) -> None:  # fmt: skip
        self.name, self.op, self.device = name, op, device
        self._input = _Names(input)
        self.attr: dict[str, AttrValue] = _Attributes()
        for key, value in (attr or {}).items():
            self.attr[key].CopyFrom(value)
        self.own: dict[str, Any] = {}

    @property
    def input(self) -> _Names:
        return self._input

    def seal(self, own: dict[str, Any]) -> None:
        """``own`` builds the node that this one is now."""
        self.own = {**own, "says": self._says(), "name": self.name, "input": list(self.input)}

    def _says(self) -> int:
        return crc32(message([(2, self.op), *self._attributes()]))

    @property
    def is_intact(self) -> bool:
        """Whether op and attributes are what they were when this engine wrote the node; names may differ."""
        return "rows" in self.own and self.own.get("says") == self._says()

    def _attributes(self) -> list[tuple[int, Any]]:
        return [(5, message([(1, key), (2, self.attr[key].wire())])) for key in sorted(self.attr)]

    def wire(self) -> bytes:
        found: list[tuple[int, Any]] = [(1, self.name), (2, self.op), *((3, name) for name in self.input)]
        if self.device:
            found.append((4, self.device))
        found += self._attributes()
        if self.own:
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

    def ParseFromString(self, data: bytes) -> int:
        self.__dict__.update(NodeDef.read(bytes(data)).__dict__)
        return len(data)

    def CopyFrom(self, other: NodeDef) -> None:
        self.__dict__.update(NodeDef.read(other.wire()).__dict__)

    def ClearField(self, name: str) -> None:
        """Empty a field."""
        if name == "input":
            self._input.clear()
        elif name == "attr":
            self.attr.clear()
        else:
            setattr(self, name, "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeDef) and self.wire() == other.wire()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.text(sorted(self.attr, key=cmp_to_key(text_order)))

    def text(self, keys: Iterable[str]) -> str:
        """The node as text, its attributes in the order of ``keys``."""
        lines = [f'name: "{self.name}"', f'op: "{self.op}"', *(f'input: "{name}"' for name in self.input)]
        if self.device:
            lines.append(f'device: "{self.device}"')
        text = "\n".join(lines) + "\n"
        for key in keys:
            text += f'attr {{\n  key: "{key}"\n  value {{\n{indented(str(self.attr[key]), 4)}  }}\n}}\n'
        return text

    __repr__ = __str__


def text_order(a: str, b: str) -> int:
    """How the text of a message orders the keys of a map: backwards, but what begins another one comes before it."""
    common = min(len(a), len(b))
    if a[:common] != b[:common]:
        return -1 if a[:common] > b[:common] else 1
    return len(a) - len(b)


class _Attributes(dict[str, AttrValue]):
    def __missing__(self, key: str) -> AttrValue:
        found = self[key] = AttrValue()
        return found

    def get_or_create(self, key: str) -> AttrValue:
        return self[key]


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

    def __init__(self, node: Iterable[NodeDef] = (), versions: Any = None) -> None:
        self.node = _Nodes()
        self.node.extend(node)
        self.versions = Versions() if versions is None else versions

    def SerializeToString(self, **_options: Any) -> bytes:
        return message([*((1, node.wire()) for node in self.node), *((4, v) for v in (self.versions.wire(),) if v)])

    def ParseFromString(self, data: bytes) -> int:
        """:raises DecodeError: this is no GraphDef."""
        nodes, versions = _Nodes(), Versions()
        try:
            for number, value in fields(bytes(data)):
                if number == 1:
                    nodes.append(NodeDef.read(value))
                elif number == 4:
                    versions = Versions.read(value)
        except (ValueError, KeyError, TypeError, AttributeError, UnicodeError, RecursionError):
            raise DecodeError(DECODE) from None
        self.node, self.versions = nodes, versions
        return len(data)

    MergeFromString = ParseFromString

    @classmethod
    def FromString(cls, data: bytes) -> GraphDef:
        found = cls()
        found.ParseFromString(data)
        return found

    def CopyFrom(self, other: GraphDef) -> None:
        self.node = _Nodes()
        self.versions.CopyFrom(other.versions)
        self.MergeFrom(other)

    def MergeFrom(self, other: GraphDef) -> None:
        self.node.extend(list(other.node))

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
        return self._text(str)

    def file_text(self) -> str:
        """As a text file holds it: attributes by name, whole floats with their point."""
        text = self._text(lambda node: node.text(sorted(node.attr)))
        return re.sub(r"^( *(?:float_val|double_val|f): -?\d+)$", r"\1.0", text, flags=re.MULTILINE)

    def _text(self, of_node: Callable[[NodeDef], str]) -> str:
        text = "".join(f"node {{\n{indented(of_node(node))}}}\n" for node in self.node)
        versions = indented(str(self.versions))
        return f"{text}versions {{\n{versions}}}\n" if versions else text

    __repr__ = __str__


PRODUCER = 2474
"""The version of graphs that TensorFlow 2.21 writes."""


class Versions:
    """Which version wrote a graph."""

    def __init__(self, producer: int = 0, min_consumer: int = 0) -> None:
        self.producer, self.min_consumer = producer, min_consumer

    def CopyFrom(self, other: Versions) -> None:
        self.producer, self.min_consumer = other.producer, other.min_consumer

    def wire(self) -> bytes:
        return message([(number, value) for number, value in ((1, self.producer), (2, self.min_consumer)) if value])

    @classmethod
    def read(cls, data: bytes) -> Versions:
        found = dict(fields(data))
        return cls(found.get(1, 0), found.get(2, 0))

    def __str__(self) -> str:
        return "".join(f"{word}: {n}\n" for word in ("producer", "min_consumer") if (n := getattr(self, word)))


class DecodeError(Exception):
    """Bytes that are no message."""

    __module__ = "google.protobuf.message"

"""Texts, types and definitions that stand in the journal once and are numbered from then on."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops.registry import TABLE, Array
from engine.recording.rows import Kind
from engine.recording.values import KINDS, RAW_BYTES
from engine.tensor_type import Shape, TensorType

if TYPE_CHECKING:
    from engine.recording.journal import Journal

TEXT_LIMIT = 20_000
ROLE_CATEGORY = {
    "input": "input",
    "constant": "input",
    "variable": "variable",
    "accumulate": "gradient",
    "gradient": "gradient",
    "update": "control",
    "control": "control",
}
RAW: dict[int, Any] = {}
"""What packs a raw value of some size (``values.py``)."""
MET = 1024
"""How many objects are kept to be recognised."""
UNPRINTED = frozenset({"next"})
"""Attributes that are not part of a definition: they differ from node to node."""


def bounded(text: str, limit: int = TEXT_LIMIT) -> str:
    """``text`` cut to ``limit`` characters, the cut marked."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def plain(value: Any, depth: int = 0) -> Any:
    """An attribute as JSON, made from exact built-in types only (anything else becomes its type's name).

    >>> plain({"axis": (0, 1), "scale": float("nan"), "dtype": np.dtype("float32")})
    {'axis': [0, 1], 'scale': 'nan', 'dtype': 'float32'}
    """
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -(2**53) <= value <= 2**53 else bounded(hex(value), 100)
    if kind is float:
        return value if math.isfinite(value) else repr(value)
    if kind is str:
        return bounded(value, 1000)
    if depth < 4:
        if kind is tuple or kind is list:
            return [plain(item, depth + 1) for item in value[:64]]
        if kind is slice:
            return [plain(part, depth + 1) for part in (value.start, value.stop, value.step)]
        if kind is dict:
            pairs = list(value.items())[:64]
            return {bounded(key, 100): plain(item, depth + 1) for key, item in pairs if type(key) is str}
    if isinstance(value, np.dtype):
        return value.name
    if issubclass(kind, np.generic):
        return plain(value.item(), depth + 1)
    if kind is TensorType:
        return f"{value.dtype.name} {list(value.shape) if value.shape is not None else '?'}"
    return kind.__name__


def _key(value: Any) -> Any:
    """A hashable stand-in for an attribute's value, alike for values that are written alike."""
    kind = type(value)
    if kind is int or kind is str or kind is bool or value is None:
        return (kind, value)
    if kind is float and value == value and value:
        return (kind, value)  # neither NaN nor a zero, whose sign equality does not see
    if kind is tuple or kind is list:
        return (kind, tuple(map(_key, value[:64])))
    return (kind, json.dumps(plain(value)))


class Tables:
    """Numbers for what events name again and again; each new one becomes a row."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._strings: dict[str, int] = {}
        self.wordless = -1
        """What :meth:`no_words` gives, once it has been asked."""
        self._types: dict[Any, int] = {}
        self._met: dict[int, tuple[TensorType, int]] = {}
        self.arrays: dict[Any, tuple[int, int, int, Any]] = {}
        """For (dtype, shape): the number of the type, bytes of the array, room of its record, what packs it (None if it
        is not copied whole)."""
        self.definitions: dict[Any, int] = {}
        self.definition_keys: list[tuple[str, str, str, Any]] = []

    def string(self, text: str) -> int:
        """The number of ``text`` (cut to ``TEXT_LIMIT`` characters)."""
        number = self._strings.get(text)
        if number is None:
            number = len(self._strings)
            data = bounded(text).encode("utf-8", "backslashreplace")
            self._journal.append(Kind.STRING, a=number, blob=self._journal.put_bytes(data))
            self._strings[text] = number
        return number

    def no_words(self) -> int:
        """The numbers of two empty texts, as a node without name and scope has them in one column."""
        if self.wordless < 0:
            self.wordless = self.string("") * ((1 << 32) + 1)
        return self.wordless

    def array_type(self, array: Array) -> int:
        """The number of an array's dtype and shape, -1 for an array that holds no numbers; fills ``arrays``."""
        key = (array.dtype, array.shape)
        number = self._types.get(key, -1) if array.dtype.kind in KINDS else -1
        if number < 0 and array.dtype.kind in KINDS:
            number = self._new_type(key)
        size = array.nbytes
        packer = RAW.get(size) if number >= 0 and size <= RAW_BYTES else None
        if packer is None and number >= 0 and size <= RAW_BYTES:
            packer = RAW[size] = struct.Struct(f"<IIQ{size}s").pack_into
        self.arrays[key] = (number, size, (size + 23) & ~7, packer)
        return number

    def type(self, known: TensorType | None) -> int:
        """The number of a tensor type, -1 for none."""
        if known is None:
            return -1
        # The engine hands out the same object for equal types, and finding an object is faster than finding its equal.
        found = self._met.get(id(known))
        if found is not None and found[0] is known:
            return found[1]
        key = (known.dtype, known.shape)
        number = self._types.get(key)
        if number is None:
            number = self._new_type(key)
        if len(self._met) >= MET:
            self._met.clear()
        self._met[id(known)] = (known, number)
        return number

    def _new_type(self, key: tuple[Any, Shape | None]) -> int:
        number = len(self._types)
        shape = None if key[1] is None else [None if n is None else int(n) for n in key[1]]
        text = json.dumps({"dtype": np.dtype(key[0]).name, "shape": shape})
        self._journal.append(Kind.TYPE, a=number, blob=self._journal.put_bytes(text.encode()))
        self._types[key] = number
        return number

    def definition(self, op: str, label: str, role: str, attributes: Mapping[str, Any] | None) -> int:
        """The number of a definition: an op with its label, role and attributes."""
        key: Any = (op, label, role)
        if attributes and len(attributes) == 1:
            ((name, value),) = attributes.items()
            if name not in UNPRINTED:
                key = (op, label, role, (name, _key(value)))
        elif attributes:
            key += tuple([(k, _key(v)) for k, v in attributes.items() if k not in UNPRINTED])
        number = self.definitions.get(key)
        if number is None:
            kept = {k: plain(v) for k, v in (attributes or {}).items() if k not in UNPRINTED}
            number = self._define(key, op, label, role, kept)
        return number

    def with_role(self, definition: int, role: str) -> int:
        """The number of the definition that differs from ``definition`` only in its role."""
        op, label, _, attributes = self.definition_keys[definition]
        return self.definition(op, label, role, attributes)

    def _define(self, key: Any, op: str, label: str, role: str, attributes: dict[str, Any]) -> int:
        number = len(self.definitions)
        declared = TABLE.get(op)
        category = ROLE_CATEGORY.get(role) or (declared.category if declared is not None else "arith")
        text = json.dumps(
            {
                "op": bounded(op, 200),
                "label": bounded(label or op, 200),
                "category": category,
                "symbol": declared.symbol if declared is not None else "",
                "role": role,
                "attributes": attributes,
                "formula": declared.formula if declared is not None else "",
            }
        )
        data = text.encode("utf-8", "backslashreplace")
        self._journal.append(Kind.DEFINITION, a=number, blob=self._journal.put_bytes(data))
        self.definitions[key] = number
        self.definition_keys.append((op, label, role, attributes))
        return number

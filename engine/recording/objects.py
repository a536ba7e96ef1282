"""Objects of the program by identity: which names hold the same one, and what the ones inside a container are.

No reference is kept. Objects are numbered by their address and type; while a name is bound to an object nobody else can
have its address, so equal numbers at one step are one object. Nothing here runs the program's code: only exact built-in
types and the plain ``__dict__`` of instances are looked into.
"""

from __future__ import annotations

from types import FunctionType, GetSetDescriptorType
from typing import Any

from numpy import ndarray

from engine.recording.variables import HEAP_TYPE, flags_of, is_mutable, mro_of, namespace_of, text_of, type_name

ITEMS = 24
"""Parts of one object that are told one by one."""
INSIDE = 12
"""Objects inside another one that are told with it."""
LONGEST = 60
NUMBERED = 100_000
Part = list[Any]
"""Label (index, key or attribute), text, number of the object or -1."""


class Objects:
    """Numbers for objects, and their parts.

    >>> objects, row = Objects(), [1]
    >>> objects.parts([row, row])["items"]
    [['0', '[1]', 1], ['1', '[1]', 1]]
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}

    def number(self, value: Any, kind: type) -> int:
        """The number of a container, an instance or the buffer behind an array; -1 for anything that cannot change."""
        if kind is ndarray:
            while type(value.base) is ndarray:
                value = value.base
        elif not (kind is list or kind is dict or kind is set or kind is bytearray or is_instance(kind)):
            return -1
        key = (id(value), id(kind))
        number = self._numbers.get(key)
        if number is None:
            if len(self._numbers) >= NUMBERED:
                return -1
            number = self._numbers[key] = len(self._numbers)
        return number

    def parts(self, value: Any, met: dict[int, Any] | None = None) -> dict[str, Any]:
        """The parts of an object, and under ``inside`` the parts of the objects in it (each once), as JSON.

        ``{"items": [[label, text, object], …], "inside": [{"object", "python", "items"}, …]}``. The objects in it are
        put into ``met`` by number.
        """
        seen: dict[int, Any] = {self.number(value, type(value)): value}
        waiting: list[Any] = []
        top = self._items(value, seen, waiting)
        inside: list[dict[str, Any]] = []
        while waiting and len(inside) < INSIDE:
            number, one = waiting.pop(0)
            inside.append({"object": number, "python": type_name(one), "items": self._items(one, seen, waiting)})
        if met is not None:
            met.update(seen)
        return {"items": top, "inside": inside}

    def _items(self, value: Any, seen: dict[int, Any], waiting: list[Any]) -> list[Part]:
        kind = type(value)
        pairs: list[tuple[str, Any]]
        if kind is list or kind is tuple:
            pairs = [(str(index), item) for index, item in enumerate(value[:ITEMS])]
        elif kind is dict:
            pairs = [(_cut(text_of(key)), item) for key, item in _first(value.items())]
        elif kind is set or kind is frozenset:
            pairs = [("", item) for item in _first(value)]
        else:
            pairs = [(_cut(key), item) for key, item in _first(attributes_of(value).items()) if type(key) is str]
        items: list[Part] = []
        for label, item in pairs:
            inner = type(item)
            number = self.number(item, inner)
            if number >= 0 and number not in seen and inner is not ndarray:
                seen[number] = item
                waiting.append((number, item))
            items.append([label, _cut(text_of(item)), number])
        return items


def is_instance(kind: type) -> bool:
    """Whether objects of this type are instances of a class of the program with a plain ``__dict__``."""
    if not flags_of(kind) & HEAP_TYPE or issubclass_of_type(kind):
        return False
    for base in mro_of(kind):
        namespace = namespace_of(base)
        module = namespace.get("__module__")
        if type(module) is str and module.split(".")[0] in ("engine", "numpy"):
            return False
        if "__dict__" in namespace:
            return type(namespace["__dict__"]) is GetSetDescriptorType
    return False


def issubclass_of_type(kind: type) -> bool:
    """Whether instances of ``kind`` are classes themselves."""
    return any(base is type for base in mro_of(kind))


def attributes_of(value: Any) -> dict[Any, Any]:
    """The instance's own attributes; empty where they cannot be read without running code."""
    if not is_instance(type(value)):
        return {}
    found = object.__getattribute__(value, "__dict__")
    return found if type(found) is dict else {}


def has_parts(value: Any, kind: type) -> bool:
    """Whether the words for a value do not say everything: it is an instance, or there are objects inside it."""
    if kind is list or kind is tuple:
        items: Any = value[:ITEMS]
    elif kind is dict:
        items = _first(value.values())
    elif kind is set or kind is frozenset or kind is FunctionType:
        return False
    else:
        return is_instance(kind)
    for item in items:
        inner = type(item)
        if is_mutable(inner) or inner is tuple or is_instance(inner):
            return True
    return False


def _first(items: Any) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if len(found) >= ITEMS:
            break
        found.append(item)
    return found


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

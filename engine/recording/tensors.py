"""Which node of the recording an object of the program stands for, read without running the program's code.

The engine's tensors and nodes keep their id in a slot (``_node`` or ``traced``); the facades keep the engine's object
in a slot of the same names. Slots are read through their descriptors, so that no ``__getattr__`` of a subclass runs.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MemberDescriptorType
from typing import Any
from weakref import WeakKeyDictionary

SLOTS = ("_node", "traced", "_tensor", "_variable")
ENGINE = "engine."
LASTING = (ENGINE, "torch", "tensorflow")
"""Types of modules whose names begin so stay as long as the run: facades bear the names of what they stand for."""
Read = Callable[[Any], Any]
_namespace = type.__dict__["__dict__"].__get__
_mro = type.__dict__["__mro__"].__get__


class TensorReader:
    """Reads node ids off the engine's objects; knows each type after its first object.

    >>> TensorReader().node_of([1], list)
    -1
    """

    def __init__(self) -> None:
        self._engine: set[type] = set()
        self.lasting: dict[type, Read | None] = {}
        """What reads the node off objects of the types that were met and stay, None where they stand for none."""
        self._readers: WeakKeyDictionary[type, Read | None] = WeakKeyDictionary()

    def knows(self, kind: type) -> bool:
        """Whether objects of this type were met and are the engine's."""
        return type(kind) is type and kind in self._engine

    def reader(self, kind: type) -> Read | None:
        """What reads the node off objects of this type, if it was met and they stand for nodes."""
        return self.lasting.get(kind) if type(kind) is type else None

    def node_of(self, value: Any, kind: type, depth: int = 0) -> int:
        """The node's id, -1 for what is no tensor or was made while nobody listened."""
        if kind is int or kind is str or kind is float or kind is list or kind is bool or value is None:
            return -1
        if type(kind) is type:
            try:
                reader = self.lasting[kind]
            except KeyError:
                reader = self._of(kind)
        else:
            # A metaclass may define __hash__, which a dictionary would call.
            reader = _reader_of(kind)
        if reader is None:
            return -1
        try:
            found = reader(value)
        except AttributeError:
            return -1
        if type(found) is int:
            return found
        return self.node_of(found, type(found), depth + 1) if depth < 3 else -1

    def _of(self, kind: type) -> Read | None:
        """The same for a type that was not met yet, or one of the program's (which may go away)."""
        if kind in self._readers:
            return self._readers[kind]
        reader = _reader_of(kind)
        module = _namespace(kind).get("__module__")
        if type(module) is str and module.startswith(LASTING):
            self.lasting[kind] = reader
            if module.startswith(ENGINE):
                self._engine.add(kind)
        else:
            self._readers[kind] = reader
        return reader


def _reader_of(kind: type) -> Read | None:
    for base in _mro(kind):
        namespace = _namespace(base)
        module = namespace.get("__module__")
        if type(module) is not str or not module.startswith(ENGINE):
            continue
        for name in SLOTS:
            member = namespace.get(name)
            if type(member) is MemberDescriptorType:
                return member.__get__
    return None

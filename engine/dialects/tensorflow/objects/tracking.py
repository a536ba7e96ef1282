"""Which variables and functions an object holds, and under which paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.dialects.tensorflow.eager.tensor import EagerTensor
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.function.polymorphic import Function

_VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


def children(thing: Any) -> Iterator[tuple[str, Any]]:
    """The objects that ``thing`` holds by name: attributes, items of lists and dictionaries. An object that knows
    better says so by ``_trackable_children()``."""
    own = getattr(type(thing), "_trackable_children", None)
    if own is not None:
        yield from own(thing).items()
    elif isinstance(thing, list | tuple):
        yield from ((str(place), item) for place, item in enumerate(thing))
    elif isinstance(thing, dict):
        yield from ((str(key), item) for key, item in thing.items())
    elif is_holder(thing):
        yield from ((name, item) for name, item in vars(thing).items() if not name.startswith("_self_"))


def is_holder(thing: Any) -> bool:
    """Whether attributes of ``thing`` are looked at: it is an object of the program, or of the dialect."""
    return (
        hasattr(thing, "__dict__")
        and not isinstance(thing, type | Function | ResourceVariable | EagerTensor)
        and not callable(getattr(thing, "__code__", None))
        and type(thing).__module__ != "builtins"
        and type(thing).__name__ not in ("function", "method", "module")
    )


def variables_of(root: Any) -> dict[str, ResourceVariable]:
    """Every variable that can be reached, under the shortest path to it."""
    found: dict[str, ResourceVariable] = {}
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [("", root)]
    while waiting:
        path, thing = waiting.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, ResourceVariable):
            found[path] = thing
            continue
        for name, item in children(thing):
            if isinstance(item, ResourceVariable | list | tuple | dict) or is_holder(item):
                waiting.append((f"{path}/{_escaped(name)}" if path else _escaped(name), item))
    return found


def key_of(path: str) -> str:
    """The name of a variable's value in a checkpoint."""
    return path + _VALUE


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def functions_of(thing: Any) -> dict[str, Function]:
    """The traced functions of an object: attributes of its own, and methods."""
    found: dict[str, Function] = {}
    for kind in reversed(type(thing).__mro__):
        for name, value in vars(kind).items():
            if isinstance(value, Function):
                found[name] = getattr(thing, name) if name != "__call__" else value.__get__(thing, type(thing))
    found.update({name: value for name, value in getattr(thing, "__dict__", {}).items() if isinstance(value, Function)})
    return found

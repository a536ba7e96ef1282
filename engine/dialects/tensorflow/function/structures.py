"""How the arguments and results of a function are nested."""

from __future__ import annotations

from typing import Any


def ordered(value: Any) -> Any:
    """The same with dictionaries in the order of their keys, which is the order of their leaves."""
    if type(value) is dict:
        try:
            keys = sorted(value)
        except TypeError:
            keys = list(value)
        return {key: ordered(value[key]) for key in keys}
    if type(value) is list:
        return [ordered(item) for item in value]
    if type(value) is tuple:
        return tuple(ordered(item) for item in value)
    return value


def skeleton(value: Any) -> Any:
    """How a value is nested, with the keys of dictionaries as they come; ``None`` for a leaf."""
    if isinstance(value, dict):
        return {key: skeleton(item) for key, item in value.items()}
    return [skeleton(item) for item in value] if isinstance(value, list | tuple) else None


def arranged(value: Any, skeleton: Any) -> Any:
    """The value with its dictionaries in the order of ``skeleton`` again."""
    if isinstance(skeleton, dict):
        return {key: arranged(value[key], inner) for key, inner in skeleton.items()}
    if not isinstance(skeleton, list):
        return value
    items = [arranged(item, inner) for item, inner in zip(value, skeleton, strict=True)]
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def leaves_like(structure: Any, value: Any) -> list[Any] | None:
    """The leaves of ``value``, nested as in ``structure``; ``None`` if it is nested otherwise."""
    if structure is None:
        return [value]
    kind, inner, *keys = structure
    if kind == "dict":
        if not isinstance(value, dict) or list(value) != list(keys[0]):
            return None
        items = list(value.values())
    elif isinstance(value, list | tuple) and len(value) == len(inner):
        items = list(value)
    else:
        return None
    found: list[Any] = []
    for part, item in zip(inner, items, strict=True):
        more = leaves_like(part, item)
        if more is None:
            return None
        found += more
    return found

"""Structures of tuples and dictionaries around values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def leaves(structure: Any) -> list[Any]:
    """What is in a structure, from left to right (dictionaries by key).

    >>> leaves((1, {"b": 3, "a": 2}))
    [1, 2, 3]
    """
    if isinstance(structure, tuple):
        return [leaf for part in structure for leaf in leaves(part)]
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in leaves(structure[key])]
    return [structure]


def packed(structure: Any, values: Any) -> Any:
    """``values`` in the places of the leaves.

    >>> packed((0, {"a": 0}), [5, 6])
    (5, {'a': 6})
    """
    return _packed(structure, iter(values))


def _packed(structure: Any, values: Iterator[Any]) -> Any:
    if isinstance(structure, tuple):
        parts = [_packed(part, values) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], values) for key in sorted(structure)}
        return {key: found[key] for key in structure}
    return next(values)


def mapped(function: Callable[[Any], Any], structure: Any) -> Any:
    """The structure with ``function`` of each leaf."""
    return packed(structure, [function(leaf) for leaf in leaves(structure)])

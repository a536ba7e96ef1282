"""Lists, tuples and dictionaries around values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def is_nested(value: Any) -> bool:
    return isinstance(value, list | tuple | dict)


def flatten(structure: Any) -> list[Any]:
    """What is in a structure, from left to right (dictionaries by key).

    >>> flatten([1, {"b": 3, "a": 2}, (4, None)])
    [1, 2, 3, 4, None]
    """
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in flatten(structure[key])]
    if isinstance(structure, list | tuple):
        return [leaf for part in structure for leaf in flatten(part)]
    return [structure]


def pack_like(structure: Any, leaves: Any) -> Any:
    """``leaves`` in the places of those of ``structure``.

    >>> pack_like([0, {"a": 0}], [5, 6])
    [5, {'a': 6}]
    """
    return _packed(structure, iter(leaves))


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], leaves) for key in sorted(structure)}
        return {key: found[key] for key in structure}
    if isinstance(structure, list | tuple):
        parts = [_packed(part, leaves) for part in structure]
        if hasattr(structure, "_fields"):
            return type(structure)(*parts)
        return parts if isinstance(structure, list) else tuple(parts)
    return next(leaves)


def map_leaves(function: Callable[..., Any], structure: Any, *others: Any) -> Any:
    """``function`` of each leaf (and those in the same places of ``others``)."""
    if not is_nested(structure):
        return function(structure, *others)
    columns = [flatten(structure), *(flatten(other) for other in others)]
    return pack_like(structure, [function(*leaves) for leaves in zip(*columns, strict=True)])


def is_shape(value: Any) -> bool:
    """Whether a list or tuple is a shape, not a structure of shapes."""
    return isinstance(value, list | tuple) and all(size is None or isinstance(size, int) for size in value)


def map_shapes(function: Callable[[Any], Any], structure: Any) -> Any:
    """``function`` of each shape of a structure of shapes."""
    if is_shape(structure):
        return function(tuple(structure))
    if isinstance(structure, dict):
        return {key: map_shapes(function, value) for key, value in structure.items()}
    if isinstance(structure, list | tuple):
        return type(structure)([map_shapes(function, value) for value in structure])
    return structure

"""Structures of fetches: what goes in as nested lists, tuples and dictionaries comes out in the same form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import FeedError
from engine.static.node import Node


def flatten(fetches: Any, found: list[Node]) -> Any:
    """Append the nodes in ``fetches`` to ``found``; returns the structure for :func:`rebuild`.

    :raises FeedError: something in it is no node.
    """
    if isinstance(fetches, Node):
        found.append(fetches)
        return None
    if isinstance(fetches, Mapping):
        return (dict, list(fetches), [flatten(item, found) for item in fetches.values()])
    if isinstance(fetches, list | tuple):
        return (type(fetches), None, [flatten(item, found) for item in fetches])
    raise FeedError(
        f"cannot fetch {type(fetches).__name__}: fetches are nodes, or lists, tuples and dictionaries of nodes"
    )


def rebuild(shape: Any, values: Iterator[Any]) -> Any:
    """``values`` in the structure that :func:`flatten` found.

    >>> rebuild((list, None, [None, None]), iter([1, 2]))
    [1, 2]
    """
    if shape is None:
        return next(values)
    kind, keys, parts = shape
    items = [rebuild(part, values) for part in parts]
    if keys is not None:
        return dict(zip(keys, items, strict=True))
    if kind is list or kind is tuple:
        return kind(items)
    # A named tuple takes its fields one by one.
    return kind(*items) if hasattr(kind, "_fields") else kind(items)

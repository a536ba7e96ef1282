"""How many rows a program counts on: lessons write the size of a well-known set into their code.

A stand-in is smaller than the real set, so that an epoch ends while one watches. Where a program reshapes to
``(60000, 784)`` or sets the last 10,000 rows aside it needs the real number, and gets it: what was drawn, repeated.
"""

from __future__ import annotations

import ast
import linecache
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np


def counted_on(source: str) -> set[int]:
    """The whole numbers that stand first in a shape, or bound a slice.

    >>> sorted(counted_on("n = 60000\\nx = x.reshape((n, 784))\\ny = y[-10000:]\\nd = d.shuffle(5000)"))
    [10000, 60000]
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    named = {
        target.id: number
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and (number := _number(node.value, {})) is not None
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return {n for node in ast.walk(tree) for place in _places(node) if (n := _number(place, named)) is not None}


def _places(node: ast.AST) -> Iterator[ast.expr | None]:
    if isinstance(node, ast.Slice):
        yield from (node.lower, node.upper)
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "reshape":
        yield from node.args[:1]
        for given in [*node.args, *(word.value for word in node.keywords)]:
            if isinstance(given, (ast.Tuple, ast.List)):
                yield from given.elts[:1]


def _number(node: ast.expr | None, named: dict[str, int]) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _number(node.operand, named)
    if isinstance(node, ast.Name):
        return named.get(node.id)
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def wants_whole(drawn: int, real: int) -> bool:
    """Whether the program that runs counts on more rows than the ``drawn`` of a set that really has ``real``."""
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    source = "".join(linecache.getlines(file)) if isinstance(file, str) else ""
    return any(drawn < number <= real for number in counted_on(source))


def repeated(arrays: tuple[Any, ...], rows: int) -> tuple[Any, ...]:
    """Each array with its rows over and over, until there are ``rows``.

    >>> repeated((np.array([3, 4]),), 5)[0].tolist()
    [3, 4, 3, 4, 3]
    """
    return tuple(one[np.arange(rows) % len(one)] for one in arrays)

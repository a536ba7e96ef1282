"""Where a session keeps the value of one variable."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.errors import ShapeError, StateError

if TYPE_CHECKING:
    from engine.static.node import Node

Array = NDArray[Any]
_numbers = count()


class Variable:
    """One variable's storage in one session. The array stays the same; writes go into it."""

    __slots__ = ("array", "initialised", "storage", "version")

    def __init__(self, array: Array) -> None:
        self.array = array
        self.initialised = False
        self.storage = next(_numbers)
        self.version = 0

    def wrote(self, node: Node, how: str, run: int) -> None:
        """Note that the array holds a new value, and tell a listener."""
        self.initialised = True
        self.version += 1
        if events.listener is not None:
            events.listener.variable_written(
                node.traced, self.array, how, run=run, storage=self.storage, version=self.version
            )


def undo(saved: Sequence[tuple[Node, Variable, Array]], tells: bool) -> None:
    """Give variables back what they held before a run that failed. With ``tells`` a listener hears of it, as it
    heard of the writes."""
    changed = [held.array.tobytes() != before.tobytes() for _, held, before in saved]
    for _, held, before in saved:
        held.array[...] = before
    for (node, held, _), other in zip(saved, changed, strict=True):
        if tells and other and held.initialised:
            held.wrote(node, "assign", -1)


def fitting(target: Array, value: Any, name: str) -> Any:
    """``value``, if it has the shape of ``target``.

    :raises ShapeError: it has not.
    """
    if np.shape(value) != target.shape:
        raise ShapeError(
            f"{name}: a value of shape {np.shape(value)} does not fit a variable of shape {target.shape}; "
            f"they must be equal",
            op="assign",
            shapes=(target.shape, np.shape(value)),
        )
    return value


def uninitialised(node: Node) -> StateError:
    """The error for reading a variable that has no value in this session."""
    error = StateError(f"variable {node.name!r} has no value in this session: run its initializer first")
    error.node = node
    return error

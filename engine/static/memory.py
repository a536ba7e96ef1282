"""Where values of a plan live: buffers made once, used again as soon as what they held is dead."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.tensor_type import TensorType

Array = NDArray[Any]


@dataclass(eq=False)
class Place:
    """Where a step's value is while the plan runs.

    ``text`` is the expression for it in the generated function. ``array`` is the array itself where it is the same in
    every run (a buffer, a variable, a constant, or a fixed view of one). ``roots`` are what it shares memory with:
    buffers and variables by their own identity, feeds, constants.
    """

    text: str
    array: Array | None = None
    roots: frozenset[Root] = frozenset()
    fresh: bool = False
    """Whether the run makes a new array that nothing else shares: it may be handed out as it is."""


@dataclass(eq=False)
class Root:
    """Memory that several values may share. ``raw`` is set for buffers, which are given back when nobody reads them."""

    kind: str
    raw: Array | None = None
    last_use: int = -1
    users: list[int] = field(default_factory=list)


class Pool:
    """Raw buffers by size. ``take`` prefers one that is free; without ``reuse`` none ever is."""

    def __init__(self, reuse: bool = True) -> None:
        self.reuse = reuse
        self.made: list[Array] = []
        self._free: dict[int, list[Array]] = {}
        self._largest: dict[int, int] = {}

    @property
    def held(self) -> int:
        """The bytes of the largest value that each buffer holds, together: what is padding is nobody's value."""
        return sum(self._largest.values())

    def take(self, type: TensorType) -> tuple[Array, Array]:
        """A buffer for a value of ``type`` (fully known): the raw bytes, and the array over them."""
        shape: tuple[int, ...] = tuple(n or 0 for n in type.shape or ())
        used = prod(shape) * type.dtype.itemsize
        size = max(used, 1)
        # Sizes are rounded up to whole cache lines, so that nearly equal values can share.
        rounded = -(-size // 64) * 64
        free = self._free.get(rounded)
        if free:
            raw = free.pop()
        else:
            raw = np.empty(rounded, np.uint8)
            self.made.append(raw)
        self._largest[id(raw)] = max(used, self._largest.get(id(raw), 0))
        return raw, raw[:used].view(type.dtype).reshape(shape)

    def give(self, raw: Array) -> None:
        """``raw`` is free again."""
        if self.reuse:
            self._free.setdefault(len(raw), []).append(raw)

"""Which variables hold an object of the program, and which have it somewhere inside of what they hold.

Objects are numbers here (``objects.py``): nothing of the program is kept alive.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any


class Activation:
    """One call of a user function: its id, the passes of its loops, what its variables were last seen to be."""

    __slots__ = ("brief", "caller", "function", "id", "inner", "left", "line", "objects", "passes", "seen", "stale")

    def __init__(self, number: int, function: int = -1) -> None:
        self.id = number
        self.function = function
        self.passes: dict[int, list[int]] = {}
        self.seen: dict[int, Any] = {}
        self.objects: dict[int, int] = {}
        """For each variable that holds something with an identity: the number of it."""
        self.inner: dict[int, tuple[int, ...]] = {}
        """For each variable that holds a container: the numbers of the objects inside."""
        self.stale: set[int] = set()
        """Variables that hold a container in which something has changed since it was told."""
        self.caller: Activation | None = None
        self.brief = False
        """Whether it is a lambda or comprehension."""
        self.left = 0
        """Of a comprehension: how many elements are still to be told."""
        self.line = -1
        """Where it was called."""


Places = dict[tuple[int, int], Activation]
"""Variables by call and name."""


class Holders:
    """The variables behind each number.

    >>> holders, call = Holders(), Activation(0)
    >>> holders.hold(call, 7, number=1)
    >>> holders.hold(call, 8, number=2, inner=[1])
    >>> [*holders.of(1)], [*holders.around(1)]
    ([(0, 7)], [(0, 8)])
    >>> holders.let_go(call)
    >>> [*holders.of(1)], [*holders.around(1)]
    ([], [])
    """

    def __init__(self) -> None:
        self._of: dict[int, Places] = {}
        self._around: dict[int, Places] = {}

    def of(self, number: int) -> Places:
        """The variables that hold an object."""
        return self._of.get(number, {})

    def shown(self, number: int, most: int) -> list[tuple[tuple[int, int], Activation]]:
        """The same, at most so many: those that began to hold it first, and last."""
        places = self.of(number)
        if len(places) <= most:
            return [*places.items()]
        return [*islice(places.items(), most // 2), *islice(reversed(places.items()), most - most // 2)]

    def around(self, number: int) -> Places:
        """The variables that hold a container with the object inside."""
        return self._around.get(number, {})

    def hold(self, activation: Activation, name: int, number: int, inner: Iterable[int] = ()) -> None:
        """A variable holds object ``number`` now (-1: nothing that has an identity), with these inside."""
        place = activation.id, name
        before = activation.objects.pop(name, -1)
        if before != number:
            _remove(self._of, before, place)
        for one in activation.inner.pop(name, ()):
            _remove(self._around, one, place)
        activation.stale.discard(name)
        if number >= 0:
            activation.objects[name] = number
            self._of.setdefault(number, {})[place] = activation
        found = tuple(inner)
        if found:
            activation.inner[name] = found
            for one in found:
                self._around.setdefault(one, {})[place] = activation

    def let_go(self, activation: Activation) -> None:
        """A call has ended, and its variables are gone."""
        for name in {**activation.objects, **activation.inner}:
            self.hold(activation, name, -1)


def _remove(table: dict[int, Places], number: int, place: tuple[int, int]) -> None:
    places = table.get(number)
    if places is not None:
        places.pop(place, None)
        if not places:
            del table[number]

"""Which lines of a plan wait for which: for values, for memory that is written again, for order that was asked for."""

from __future__ import annotations

import heapq
import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from engine.ops import TABLE
from engine.passes.draft import Step
from engine.static.emit import Emitter
from engine.static.inline import is_view

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_SCRATCH = re.compile(r"(d|flat)(_\d+)?")
_ORDERED = "state"


class Waits:
    """``before[i]`` are the lines that must be done before line ``i`` may begin."""

    def __init__(self, emitter: Emitter) -> None:
        self._objects = emitter.names
        self._alias: dict[str, frozenset[Hashable]] = {}
        self._wrote: dict[Hashable, int] = {}
        self._read: dict[Hashable, list[int]] = {}
        self._lines: dict[Step, list[int]] = {}
        self._seen: dict[Step, frozenset[int]] = {}
        self.before: list[set[int]] = []
        for place, line in enumerate(emitter.lines):
            self.before.append(self._line(place, line.text, line.step, line.result))
            self._lines.setdefault(line.step, []).append(place)

    def _line(self, place: int, text: str, step: Step, result: str | None) -> set[int]:
        names = [name for name in _NAME.findall(text) if name != result]
        reads = {resource for name in names for resource in self._of(name)}
        writes: set[Hashable] = set()
        for name in names:
            if _SCRATCH.fullmatch(name) and isinstance(self._objects.get(name), np.ndarray):
                writes |= self._of(name)
        if result is not None and result in self._objects:
            writes |= self._of(result)
        elif result is not None:
            mine: frozenset[Hashable] = frozenset({result})
            self._alias[result] = mine | reads if step.inputs and is_view(step) else mine
            writes.add(result)
        if TABLE[step.op].stateful and not step.parts and not step.op.startswith("assign"):
            writes.add(_ORDERED)
        found = {line for waited in step.control for line in self._all(waited)}
        for resource in reads | writes:
            if resource in self._wrote:
                found.add(self._wrote[resource])
        for resource in writes:
            found.update(self._read.pop(resource, ()))
            self._wrote[resource] = place
        for resource in reads - writes:
            self._read.setdefault(resource, []).append(place)
        found.discard(place)
        return found

    def _of(self, name: str) -> frozenset[Hashable]:
        """The memory that ``name`` stands for."""
        if name in self._alias:
            return self._alias[name]
        found = self._objects.get(name)
        if isinstance(found, np.ndarray):
            return frozenset({id(root(found))})
        return frozenset()

    def _all(self, step: Step) -> frozenset[int]:
        """The lines of ``step``; of a step without any, those of what it reads."""
        if step in self._lines:
            return frozenset(self._lines[step])
        if step not in self._seen:
            self._seen[step] = frozenset()
            self._seen[step] = frozenset(line for read in step.reads() for line in self._all(read))
        return self._seen[step]


def root(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that owns the memory of ``array``."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def chains(before: Sequence[set[int]]) -> list[list[int]]:
    """Lines put together: one that only waits for another, which only it waits for, goes on where that one ends."""
    needed = _needed(before)
    after: list[set[int]] = [set() for _ in before]
    for place, waits in enumerate(needed):
        for earlier in waits:
            after[earlier].add(place)
    tasks: list[list[int]] = []
    owner: list[int] = []
    for place, waits in enumerate(needed):
        if len(waits) == 1 and len(after[next(iter(waits))]) == 1:
            owner.append(owner[next(iter(waits))])
            tasks[owner[place]].append(place)
        else:
            owner.append(len(tasks))
            tasks.append([place])
    return tasks


_FAR = 64
"""How many lines a search looks at for what follows from the rest: to wait for a line twice over is no mistake."""


def _needed(before: Sequence[set[int]]) -> list[set[int]]:
    """``before`` without what follows from the rest, as far as that is near."""
    return [waits if len(waits) < 2 else waits - _indirect(waits, before) for waits in before]


def _indirect(waits: set[int], before: Sequence[set[int]]) -> set[int]:
    """Those of ``waits`` that others of them wait for, found within ``_FAR`` lines."""
    first = min(waits)
    reached: set[int] = set()
    heap = [-line for line in waits]
    heapq.heapify(heap)
    seen = 0
    while heap and seen < _FAR:
        line = -heapq.heappop(heap)
        seen += 1
        for earlier in before[line]:
            if earlier >= first and earlier not in reached:
                reached.add(earlier)
                if earlier not in waits:
                    heapq.heappush(heap, -earlier)
    return waits & reached


def between(tasks: Sequence[Sequence[int]], before: Sequence[set[int]]) -> list[set[int]]:
    """For each task the tasks that it waits for."""
    owner = {line: number for number, lines in enumerate(tasks) for line in lines}
    return [{owner[e] for line in lines for e in before[line]} - {number} for number, lines in enumerate(tasks)]

"""What the numbers in variables were in passes that are folded: a series for each, with a bounded number of points."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.folding.items import Ints
from engine.recording.rows import Form, Kind
from engine.recording.stepping import Rows

POINTS = 256
"""Points of a series; beyond, every second one is left out."""
NAMES = 24
"""Variables of one fold."""


class Numbers:
    """The single number that a row of ``ASSIGNED`` binds, where it binds one."""

    def __init__(self, rows: Rows, heap: NDArray[np.uint8], dtypes: list[np.dtype[np.generic] | None]) -> None:
        self._rows = rows
        self._heap = heap
        self._dtypes = dtypes
        ran = np.flatnonzero((rows["kind"] == Kind.RAN) & (rows["value"] >= 0))
        order = np.argsort(rows["node"][ran], kind="stable")
        self._nodes, self._values = rows["node"][ran][order], rows["value"][ran][order]

    def of(self, chosen: Ints) -> NDArray[np.float64]:
        """For each of these rows the number, NaN where there is none (or it is none)."""
        rows = self._rows[chosen]
        numbers = np.full(len(chosen), np.nan)
        form = rows["b"]
        whole = form == Form.INTEGER
        numbers[whole] = rows["value"][whole]
        floats = form == Form.FLOAT
        numbers[floats] = np.ascontiguousarray(rows["value"][floats]).view("<f8")
        at = np.where(form == Form.ARRAY, rows["value"], -1)
        nodes = np.flatnonzero((form == Form.NODE) & (rows["node"] >= 0))
        if len(nodes) and len(self._nodes):
            place = np.searchsorted(self._nodes, rows["node"][nodes], side="right") - 1
            known = (place >= 0) & (self._nodes[place] == rows["node"][nodes])
            at[nodes[known]] = self._values[place[known]]
        self._records(at, numbers)
        return numbers

    def _records(self, at: Ints, numbers: NDArray[np.float64]) -> None:
        words = self._heap.view("<u4")
        held = np.flatnonzero(at >= 0)
        offsets = at[held] // 4
        held = held[(words[offsets + 1] == 0) & (words[offsets + 2] <= 8) & (words[offsets + 2] > 0)]
        types = words[at[held] // 4]
        for number in np.unique(types).tolist():
            dtype = self._dtypes[number] if number < len(self._dtypes) else None
            mine = held[types == number]
            if dtype is None or dtype.kind not in "biuf" or int(words[at[mine[0]] // 4 + 2]) != dtype.itemsize:
                continue
            raw = self._heap.view("<u8")[at[mine] // 8 + 2]
            numbers[mine] = raw.view(np.uint8).reshape(-1, 8)[:, : dtype.itemsize].copy().view(dtype)[:, 0]


class Series:
    """The numbers of each variable over the passes of one fold, put together piece by piece."""

    def __init__(self) -> None:
        self.passes = 0
        self._of: dict[int, dict[str, Any]] = {}

    def add_passes(self, names: Ints, owner: Ints, value: NDArray[np.float64], passes: int) -> None:
        """``passes`` more passes; in pass ``owner[i]`` (they grow) the variable ``names[i]`` was bound to
        ``value[i]``."""
        for name in np.unique(names).tolist():
            mine = names == name
            who, what = owner[mine], value[mine]
            last = np.append(who[1:] != who[:-1], True)  # what a pass ends with
            at, ends = who[last], what[last]
            self._add(name, passes, _steps(at, ends), float(what.min()), float(what.max()))
        self._go_on(passes)

    def add_fold(self, raw: Any, passes: int) -> None:
        """The passes of a fold, as :meth:`packed` wrote it."""
        for one in raw if isinstance(raw, list) else []:
            points, every = one["points"], one["every"]
            self._add(one["name"], passes, _points(points, every), float(one["low"]), float(one["high"]))
        self._go_on(passes)

    def _add(self, name: int, passes: int, at: Callable[[int], Any], low: float, high: float) -> None:
        one = self._of.get(name)
        if one is None:
            if len(self._of) >= NAMES:
                return
            every = 1
            while self.passes > POINTS * every:
                every *= 2
            points: list[Any] = [None] * -(-self.passes // every)
            one = self._of[name] = {"name": name, "every": every, "points": points, "low": low, "high": high}
        self._extend(one, passes, at)
        one["low"], one["high"] = min(one["low"], low), max(one["high"], high)

    def _extend(self, one: dict[str, Any], passes: int, at: Callable[[int], Any]) -> None:
        every, points = one["every"], one["points"]
        while self.passes + passes > POINTS * every:
            every *= 2
            points = points[::2]
        before = points[-1] if points else None
        for place in range(len(points) * every, self.passes + passes, every):
            found = at(place - self.passes)
            points.append(before if found is None else found)
        one["every"], one["points"] = every, points

    def _go_on(self, passes: int) -> None:
        """What was not bound in these passes stays what it was."""
        for one in self._of.values():
            self._extend(one, passes, lambda _: None)
        self.passes += passes

    def packed(self) -> bytes:
        """The series as JSON: ``[{name, every, points, low, high}]``.

        ``name`` numbers a text, ``points[i]`` is the value at the end of pass ``i * every`` of the fold (None before
        there was one).
        """
        return json.dumps([{k: _json(v) for k, v in one.items()} for one in self._of.values()]).encode()


def _steps(at: Ints, ends: NDArray[np.float64]) -> Callable[[int], Any]:
    def found(place: int) -> float | None:
        index = int(np.searchsorted(at, place, side="right")) - 1
        return float(ends[index]) if index >= 0 else None

    return found


def _points(points: list[Any], every: int) -> Callable[[int], Any]:
    return lambda place: points[min(place // every, len(points) - 1)] if points else None


def _json(value: Any) -> Any:
    if type(value) is list:
        return [_json(one) for one in value]
    if type(value) is not float:
        return value
    if not math.isfinite(value):
        return repr(value)
    return int(value) if value == int(value) and abs(value) < 1e15 else value

"""One folding of a journal: what is taken out, what stands in its place, and the move that a kill cannot break."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.folding.choice import ROWS_KEPT, Runs, choose
from engine.recording.folding.heap import move, not_finite
from engine.recording.folding.items import ABOUT_NODES, TABLES, Flags, Ints, Items
from engine.recording.folding.scalars import Numbers, Series
from engine.recording.journal import Journal
from engine.recording.rows import ROW, STATE, TOLD, Form, Kind
from engine.recording.stepping import Rows, step_flags

ROUNDS = 3
ENOUGH = 0.5
"""Of the rows there were: with so few left there is no need to look for more."""
_HOLDS = np.zeros(256, dtype=np.int64)
_HOLDS[[int(kind) for kind in (Kind.WRITTEN, Kind.RAN, Kind.FED)]] = (1, 2, 2)
_HOLDS[[int(kind) for kind in (Kind.ACCUMULATED, Kind.CLEARED)]] = 3
"""Events that leave something in a node, by what it is that they leave."""
SHOWN = (Kind.OUTPUT, Kind.ASKED, Kind.PICTURE, Kind.CHARTED)
"""Events that nobody can do without: they stay, whatever pass they lie in."""


def fold(journal: Journal) -> bool:
    """Fold what can be folded in ``journal``; says whether its rows have become fewer.

    Whoever is killed meanwhile leaves either the journal as it was or the folded one. Where what stays is too large to
    be written beside what there is, fewer passes stay.
    """
    return any(_fold(journal, unlike) for unlike in (ROWS_KEPT, ROWS_KEPT // 10, 0))


def _fold(journal: Journal, unlike: int) -> bool:
    count = journal.count
    rows = journal.rows()
    heap = np.frombuffer(bytes(journal.heap()), dtype=np.uint8)
    before = len(rows)
    extra = b""
    for turn in range(ROUNDS):
        folder = _Folder(rows, np.concatenate([heap, np.frombuffer(extra, dtype=np.uint8)]))
        made = folder.folded(innermost=turn == 0, unlike=unlike)
        if made is not None:
            rows, extra = made[0], extra + made[1]
        elif turn:
            break
        if turn and len(rows) <= ENOUGH * before:
            break
        if not turn and len(rows) <= ENOUGH * before / 2:
            break
    if len(rows) >= before:
        return False
    whole = np.concatenate([heap, np.frombuffer(extra, dtype=np.uint8)])
    return journal.count == count and journal.replace(rows, lambda kept, at: move(kept, whole, at))


def _without_fractions(definition: bytes) -> str:
    """What a definition says, but for the floating-point numbers among its attributes."""
    told = json.loads(definition)
    kept = {name: None if type(value) is float else value for name, value in told["attributes"].items()}
    return json.dumps({**told, "attributes": kept})


class _Folder:
    """Rows and what they name, on their way to fewer rows."""

    def __init__(self, rows: Rows, heap: NDArray[np.uint8]) -> None:
        self._rows = rows
        self._heap = heap
        kind = rows["kind"]
        texts = [self._bytes(int(at)) for at in rows["blob"][kind == Kind.STRING]]
        graphs = rows[kind == Kind.GRAPH]
        static = [int(one["a"]) for one in graphs if texts[one["b"]] != b"dynamic"]
        self._static: Flags = (kind == Kind.NODE) & np.isin(rows["c"], static)
        self._dtypes = [_dtype(self._bytes(int(at))) for at in rows["blob"][kind == Kind.TYPE]]
        self._events: Flags = ~(TABLES | ABOUT_NODES)[kind] | (kind == Kind.OPTIMISE)
        steps = np.zeros(len(rows), dtype=bool)
        made = self._static[kind == Kind.NODE]
        steps[self._events] = step_flags(rows[self._events], made)
        self._steps = steps

    def _bytes(self, at: int) -> bytes:
        size = int(self._heap[at : at + 4].view("<u4")[0])
        return self._heap[at + 4 : at + 4 + size].tobytes()

    def _alike(self) -> Rows:
        """The rows with one definition for all that differ in a fraction only: a step size that shrinks with each pass
        makes no other way."""
        rows = self._rows.copy()
        classes: dict[str, int] = {}
        texts = (self._bytes(int(at)) for at in rows["blob"][rows["kind"] == Kind.DEFINITION])
        same = np.array(
            [classes.setdefault(_without_fractions(text), n) for n, text in enumerate(texts)], dtype=np.int32
        )
        nodes = np.flatnonzero((rows["kind"] == Kind.NODE) & (rows["a"] >= 0) & (rows["a"] < len(same)))
        rows["a"][nodes] = same[rows["a"][nodes]]
        return rows

    def folded(self, *, innermost: bool, unlike: int) -> tuple[Rows, bytes] | None:
        """The rows after folding, and what has to stand behind the heap for them; None if nothing can be folded."""
        rows = self._rows
        odd = not_finite(rows, self._heap, self._dtypes)
        chosen = choose(self._alike(), odd, self._static, innermost=innermost, unlike=unlike)
        if chosen is None:
            return None
        items, runs = chosen
        depth = np.zeros(len(rows) + 1, dtype=np.int64)
        np.add.at(depth, runs.first, 1)
        np.add.at(depth, runs.end, -1)
        gone = np.cumsum(depth)[:-1] > 0
        # What hangs together goes together; runs inside others leave no fold of their own.
        begin = np.flatnonzero(gone & ~np.append(False, gone[:-1]))
        place = np.searchsorted(begin, runs.first, side="right") - 1
        folds, blobs = self._folds(items, runs, _outermost(runs), begin[place])
        left, told = self._left(gone), self._told(gone, begin)
        self._not_twice(folds, begin[place][_outermost(runs)], told[0])
        parts = [
            (np.flatnonzero(~gone), 0, rows[~gone]),
            (begin[_segment(begin, tables := self._tables(gone))], 0, rows[tables]),
            (folds["line"] * 0 + begin[place][_outermost(runs)], 1, folds),
            (begin[_segment(begin, left[0])], 2, left[1]),
            (begin[_segment(begin, told[0])], 3, told[1]),
        ]
        anchors = np.concatenate([np.asarray(anchor, dtype=np.int64) for anchor, _, _ in parts])
        ranks = np.concatenate([np.full(len(part), rank) for _, rank, part in parts])
        merged = np.concatenate([part for _, _, part in parts])
        order = np.lexsort((np.arange(len(merged)), ranks, anchors))
        return merged[order], blobs

    def _tables(self, gone: Flags) -> Ints:
        """Rows among those that go which others name, or which are about nodes that stay."""
        rows = self._rows
        kind = rows["kind"]
        about = ABOUT_NODES[kind] & self._stays(gone, rows["node"])
        return np.flatnonzero(gone & (TABLES[kind] | about | ((kind == Kind.ROLE) & self._stays(gone, rows["node"]))))

    def _stays(self, gone: Flags, nodes: Any) -> Flags:
        """Which of these nodes are not made by rows that go."""
        rows = self._rows
        lost = rows["node"][gone & (rows["kind"] == Kind.NODE)]
        stays: Flags = (nodes >= 0) & ~np.isin(nodes, lost)
        return stays

    def _folds(self, items: Items, runs: Runs, outermost: Flags, at: Ints) -> tuple[Rows, bytes]:
        rows = self._rows
        numbers = Numbers(rows, self._heap, self._dtypes)
        known = np.concatenate([[0], np.cumsum(self._steps & (rows["kind"] != Kind.FOLD))])
        events = np.concatenate([[0], np.cumsum(self._events & (rows["kind"] != Kind.FOLD))])
        old = np.where(rows["kind"] == Kind.FOLD, rows["e"], 0).astype(np.int64)
        old_events = np.where(rows["kind"] == Kind.FOLD, rows["node"], 0).astype(np.int64)
        known += np.concatenate([[0], np.cumsum(old)])
        events += np.concatenate([[0], np.cumsum(old_events)])
        chosen = np.flatnonzero(outermost)
        # Passes of a generator and of the loop that reads it overlap: what lies in both counts once.
        order = chosen[np.argsort(runs.first[chosen], kind="stable")]
        begins = runs.first.copy()
        begins[order[1:]] = np.maximum(begins[order[1:]], np.maximum.accumulate(runs.end[order])[:-1])
        made = np.zeros(len(chosen), dtype=ROW)
        blobs = bytearray()
        for index, run in enumerate(chosen.tolist()):
            first, end = int(runs.first[run]), int(runs.end[run])
            mine = np.flatnonzero(runs.of_item == run)
            series = self._series(items, mine, numbers)
            row = rows[items.row[mine[0]]]
            made[index] = row
            new = made[index : index + 1]
            new["kind"], new["flags"], new["worker"] = Kind.FOLD, 0, 0
            own = int(begins[run])
            new["d"], new["e"] = series.passes, min(int(known[end] - known[own]), (1 << 31) - 1)
            new["node"] = min(int(events[end] - events[own]), (1 << 31) - 1)
            new["value"] = -1
            new["blob"] = len(self._heap) + len(blobs)
            # A fold's own time is when it ended.
            began = int(rows["time"][first]) - (int(row["duration"]) if row["kind"] == Kind.FOLD else 0)
            ended = max(int(rows["time"][end - 1]), began)
            new["time"], new["duration"] = ended, ended - began
            text = series.packed()
            blobs += len(text).to_bytes(4, "little") + text + bytes(-(len(text) + 4) % 8)
        return made, bytes(blobs)

    def _not_twice(self, folds: Rows, at: Ints, told: Ints) -> None:
        """What stays a step of its own is not one of a fold's steps."""
        own = told[self._steps[told]]
        place = np.searchsorted(at, own, side="right") - 1
        folds["e"] -= np.bincount(place[place >= 0], minlength=len(folds))

    def _series(self, items: Items, mine: Ints, numbers: Numbers) -> Series:
        """What the numbers in variables were, over the passes and folds ``mine``."""
        rows = self._rows
        series = Series()
        begin = 0
        for stop in [*np.flatnonzero(items.is_fold[mine]).tolist(), len(mine)]:
            part = mine[begin:stop]
            if len(part):
                first, end = int(items.first[part[0]]), int(items.end[part[-1]])
                inside = rows[first:end]
                found = np.flatnonzero((inside["kind"] == Kind.ASSIGNED) & (inside["flags"] != STATE)) + first
                value = numbers.of(found)
                owner = np.searchsorted(items.first[part], found, side="right") - 1
                sound = ~np.isnan(value)
                series.add_passes(rows["a"][found[sound]], owner[sound], value[sound], len(part))
            if stop < len(mine):
                row = rows[items.row[mine[stop]]]
                series.add_fold(json.loads(self._bytes(int(row["blob"]))), int(row["d"]))
            begin = stop + 1
        return series

    def _left(self, gone: Flags) -> tuple[Ints, Rows]:
        """What the rows that go leave behind: the last value of each variable and node that stays, in each place."""
        rows = self._rows
        kind = rows["kind"]
        called = rows["frame"][gone & (kind == Kind.CALLED)]
        variable = gone & ((kind == Kind.ASSIGNED) | (kind == Kind.DELETED))
        if len(called):
            variable &= ~np.isin(rows["frame"], called)
        held = gone & (_HOLDS[kind] > 0) & self._stays(gone, rows["node"])
        found = np.flatnonzero(variable | held)
        begin = np.flatnonzero(gone & ~np.append(False, gone[:-1]))
        part = rows[found]
        is_variable = variable[found]
        if not len(found):
            return found, part
        # Whose it is: which place, what it holds, the frame or node, the name. As one number, as these are small.
        whose = _segment(begin, found) * 4 + np.where(is_variable, 0, _HOLDS[part["kind"]])
        for column in (np.where(is_variable, part["frame"], part["node"]), np.where(is_variable, part["a"], 0)):
            whose = np.unique(whose, return_inverse=True)[1] if whose[-1] > 1 << 20 else whose
            whose = whose * (int(column.max()) + 2) + column + 1
        last = np.unique(whose[::-1], return_index=True)[1]
        chosen = np.sort(len(found) - 1 - last)
        left = part[chosen]
        left["flags"] = STATE
        self._as_values(left, gone)
        return found[chosen], left

    def _as_values(self, left: Rows, gone: Flags) -> None:
        """Variables whose node goes hold its value."""
        rows = self._rows
        tensors = (left["kind"] == Kind.ASSIGNED) & (left["b"] == Form.NODE)
        lost = np.flatnonzero(tensors & ~self._stays(gone, left["node"]))
        if not len(lost):
            return
        ran = np.flatnonzero((rows["kind"] == Kind.RAN) & (rows["value"] >= 0))
        order = ran[np.argsort(rows["node"][ran], kind="stable")]
        place = np.searchsorted(rows["node"][order], left["node"][lost], side="right") - 1
        known = (place >= 0) & (rows["node"][order[np.maximum(place, 0)]] == left["node"][lost]) if len(order) else None
        if known is None:
            return
        lost, place = lost[known], place[known]
        left["b"][lost], left["value"][lost], left["node"][lost] = Form.ARRAY, rows["value"][order[place]], -1

    def _told(self, gone: Flags, begin: Ints) -> tuple[Ints, Rows]:
        """What the rows that go have printed, pieces that follow one another as one."""
        rows = self._rows
        found = np.flatnonzero(gone & np.isin(rows["kind"], SHOWN))
        if not len(found):
            return found, rows[found]
        part = rows[found]
        same = (part["kind"][1:] == part["kind"][:-1]) & (part["c"][1:] == part["c"][:-1])
        same &= part["a"][1:] == part["a"][:-1] + part["b"][:-1]
        where = _segment(begin, found)
        same &= where[1:] == where[:-1]
        same &= part["kind"][1:] == Kind.OUTPUT
        starts = np.flatnonzero(np.append(True, ~same))
        size = np.add.reduceat(part["b"].astype(np.int64), starts)
        told = part[starts]
        told["b"], told["flags"] = size, TOLD
        return found[starts], told


def _segment(begin: Ints, places: Ints) -> Ints:
    found: Ints = (np.searchsorted(begin, places, side="right") - 1).astype(np.int64)
    return found


def _outermost(runs: Runs) -> Flags:
    """Runs that do not lie in another one."""
    order = np.lexsort((-runs.end, runs.first))
    reach = np.maximum.accumulate(runs.end[order])
    inside = np.append(False, runs.end[order][1:] <= reach[:-1])
    outermost = np.ones(len(order), dtype=bool)
    outermost[order] = ~inside
    return outermost


def _dtype(raw: bytes) -> np.dtype[np.generic] | None:
    try:
        found: np.dtype[np.generic] = np.dtype(json.loads(raw)["dtype"])
        return found
    except (ValueError, KeyError, TypeError):
        return None

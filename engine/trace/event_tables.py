"""The tables of events, column by column, from the rows of a journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.rows import Form, Kind
from engine.trace.columns import Ints
from engine.trace.folds import Folds
from engine.trace.output import Output
from engine.trace.rows import EVENT_KINDS, Rows, within
from engine.trace.shown import Shown
from engine.trace.strings import Lists, Strings
from engine.trace.values import Values

Columns = dict[str, Ints]
RowArray = NDArray[Any]
LARGEST = 1 << 53


def numbers(column: Any) -> Ints:
    """A column of plain integers, kept within what JSON readers hold exactly."""
    return np.clip(np.asarray(column).astype(np.int64), -LARGEST, LARGEST)


class EventTables:
    """Makes the tables; ``sizes`` are the lengths of what their columns index."""

    def __init__(
        self,
        rows: Rows,
        strings: Strings,
        lists: Lists,
        values: Values,
        output: Output,
        shown: Shown,
        folds: Folds,
        sizes: dict[str, int],
        folded: Ints,
    ) -> None:
        self._rows = rows
        self._strings = strings
        self._lists = lists
        self._values = values
        self._output = output
        self._shown = shown
        self._folds = folds
        self._sizes = sizes
        self._folded = folded
        self._value_of = values.arrays(*self._offsets())

    def _offsets(self) -> tuple[set[int], set[int]]:
        """The values that the events name: all of them, and those that an event outside folded passes names."""
        rows, folded = self._rows, self._folded
        found: set[int] = set()
        whole: set[int] = set()
        for kind in (Kind.FED, Kind.RAN, Kind.FETCHED, Kind.WRITTEN, Kind.BACKWARD, Kind.ACCUMULATED, Kind.CLEARED):
            column = rows.of(kind)["value"]
            found.update(column.tolist())
            whole.update(column[folded[rows.seqs[kind]] == 0].tolist())
        assigned = rows.of(Kind.ASSIGNED)
        arrays = assigned["b"] == Form.ARRAY
        found.update(assigned["value"][arrays].tolist())
        whole.update(assigned["value"][arrays & (folded[rows.seqs[Kind.ASSIGNED]] == 0)].tolist())
        ran = rows.of(Kind.GRADIENT)
        columns = (ran[name].tolist() for name in ("flags", "worker", "value", "blob"))
        # One or two stand in the row itself.
        self._sent = [
            [value, blob][:size] if flags == 1 else rows.reader.ints_at(blob)
            for flags, size, value, blob in zip(*columns, strict=True)
        ]
        for sent, inside in zip(self._sent, folded[rows.seqs[Kind.GRADIENT]].tolist(), strict=True):
            found.update(sent)
            if not inside:
                whole.update(sent)
        found.discard(-1)
        return found, whole

    def make(self) -> dict[str, Columns]:
        """All tables that have rows."""
        makers: dict[Kind, Callable[[RowArray], Columns]] = {
            Kind.LINE: lambda r: {"line": self._line(r["line"]), "frame": self._frame(r)},
            Kind.CALLED: lambda r: {"frame": self._frame(r)},
            Kind.RETURNED: lambda r: {"frame": self._frame(r)},
            Kind.LOOP: lambda r: {
                "loop": within(r["a"], self._sizes["loops"]),
                "activation": numbers(r["b"]),
                "iteration": numbers(r["c"]),
            },
            Kind.ASSIGNED: self._assigned,
            Kind.DELETED: lambda r: {"frame": self._frame(r), "name": self._text(r["a"])},
            Kind.OUTPUT: lambda r: {**self._piece(r), "stream": np.clip(numbers(r["c"]), 1, 2)},
            Kind.ASKED: self._piece,
            Kind.NODE: lambda r: {"node": np.arange(len(r))},
            Kind.ROLE: lambda r: {"node": self._node(r), "definition": within(r["a"], self._sizes["definitions"])},
            Kind.RUN: lambda r: {
                "plan": self._plan(r),
                "run": numbers(r["b"]),
                "fetches": self._nodes(r["blob"]),
                "feeds": self._nodes(r["value"]),
            },
            Kind.RUN_END: lambda r: {"run": numbers(r["a"]), "duration": numbers(r["duration"])},
            Kind.FED: lambda r: {"node": self._node(r), "value": self._value(r), "run": numbers(r["a"])},
            Kind.FETCHED: lambda r: {"node": self._node(r), "value": self._value(r), "run": numbers(r["a"])},
            Kind.RAN: lambda r: {
                "node": self._node(r),
                "value": self._value(r),
                **self._times(r),
                "worker": numbers(r["worker"]),
                **self._where(r),
                "iteration": numbers(r["d"]),
            },
            Kind.ENTERED: lambda r: {
                "node": self._node(r),
                "region": within(r["b"], self._sizes["regions"]),
                "iteration": numbers(r["c"]),
                "run": numbers(r["a"]),
            },
            Kind.WRITTEN: lambda r: {
                "node": self._node(r),
                "value": self._value(r),
                "how": self._text(r["d"]),
                **self._where(r),
            },
            Kind.OPTIMISE: lambda r: {"plan": self._plan(r)},
            Kind.PASS: lambda r: {
                "plan": self._plan(r),
                "name": self._text(r["b"]),
                "before": numbers(r["c"]),
                "after": numbers(r["d"]),
                **self._times(r),
            },
            Kind.REWRITE: lambda r: {
                "plan": self._plan(r),
                "action": self._text(r["b"]),
                "old": self._nodes(r["blob"]),
                "new": self._nodes(r["value"]),
                "reason": self._text(r["c"]),
            },
            Kind.COMPILED: lambda r: {
                "plan": self._plan(r),
                "nodes": numbers(r["b"]),
                "calls": numbers(r["c"]),
                "buffers": numbers(r["d"]),
                "source": self._text(r["e"]),
                **self._times(r),
            },
            Kind.BATCHED: lambda r: {
                "depth": numbers(r["a"]),
                "function": self._text(r["b"]),
                "rows": numbers(r["c"]),
                "nodes": self._nodes(r["blob"]),
            },
            Kind.SPECIALISED: lambda r: {
                "function": self._text(r["a"]),
                "what": self._text(r["b"]),
                "why": self._text(r["c"]),
            },
            Kind.BACKWARD: lambda r: {"node": self._node(r), "value": self._value(r)},
            Kind.GRADIENT: lambda r: {"node": self._node(r), "values": self._gradients(), **self._times(r)},
            Kind.ACCUMULATED: lambda r: {
                "node": self._node(r),
                "value": self._value(r),
                "existed": (r["a"] == 1).astype(np.int64),
                "storage": numbers(r["b"]),
                "version": numbers(r["c"]),
            },
            Kind.CLEARED: lambda r: {
                "node": self._node(r),
                "how": np.array([self._strings.add("zero" if one == 1 else "none") for one in r["a"].tolist()]),
                "value": self._value(r),
            },
            Kind.FREED: lambda r: {"nodes": self._nodes(r["blob"])},
            Kind.BACKWARD_END: lambda r: {"node": self._node(r), "duration": numbers(r["duration"])},
            Kind.FAILED: lambda r: {"node": self._node(r), "type": self._text(r["a"]), "message": self._text(r["b"])},
            Kind.ERROR: lambda r: {
                "type": self._text(r["a"]),
                "message": self._text(r["b"]),
                "line": self._line(r["line"]),
                "caught": (r["c"] == 1).astype(np.int64),
            },
            Kind.PICTURE: lambda r: {
                "picture": self._shown.picture_column(r["blob"].tolist()),
                "how": self._text(r["b"]),
                "name": self._text(r["c"]),
            },
            Kind.CHARTED: self._shown.chart_columns,
            Kind.FOLD: lambda r: self._folds.columns(self._sizes["loops"]),
        }
        tables: dict[str, Columns] = {}
        for kind, name in EVENT_KINDS.items():
            seqs = self._rows.seqs[int(kind)]
            if len(seqs):
                tables[name] = {"seq": seqs, **makers[kind](self._rows.events[seqs])}
        lines = self._rows.seqs[int(Kind.LINE)]
        inner = lines[self._rows.events["a"][lines] >= 0]
        if len(inner):
            rows = self._rows.events[inner]
            tables["inner"] = {"seq": inner, "source": self._text(rows["a"]), "line": self._line(rows["b"])}
        return tables

    # -- columns -----------------------------------------------------------------------------------------------------
    def _line(self, column: Any) -> Ints:
        lines = numbers(column)
        return np.where((lines > 0) & (lines < 1 << 24), lines, -1)

    def _frame(self, rows: RowArray) -> Ints:
        return within(rows["frame"], self._sizes["frames"])

    def _node(self, rows: RowArray) -> Ints:
        return within(rows["node"], self._sizes["nodes"])

    def _plan(self, rows: RowArray) -> Ints:
        return within(rows["a"], self._sizes["plans"])

    def _text(self, column: Any) -> Ints:
        return self._strings.column(numbers(column))

    def _times(self, rows: RowArray) -> Columns:
        return {"start": numbers(rows["time"]), "duration": np.maximum(numbers(rows["duration"]), 0)}

    def _where(self, rows: RowArray) -> Columns:
        return {"run": numbers(rows["a"]), "storage": numbers(rows["b"]), "version": numbers(rows["c"])}

    def _piece(self, rows: RowArray) -> Columns:
        begin = self._output.characters(numbers(rows["a"]))
        end = self._output.characters(numbers(rows["a"]) + np.maximum(numbers(rows["b"]), 0))
        return {"offset": begin, "length": end - begin}

    def _value(self, rows: RowArray) -> Ints:
        known = self._value_of
        return np.array([known.get(offset, -1) for offset in rows["value"].tolist()], dtype=np.int64)

    def _nodes(self, offsets: Any) -> Ints:
        size = self._sizes["nodes"]
        found = (self._rows.nodes_at(offset) for offset in offsets.tolist())
        lists = [[node if 0 <= node < size else -1 for node in nodes] for nodes in found]
        return np.array([self._lists.add(one) for one in lists], dtype=np.int64)

    def _gradients(self) -> Ints:
        known = self._value_of
        lists = [[known.get(offset, -1) for offset in sent] for sent in self._sent]
        return np.array([self._lists.add(one) for one in lists], dtype=np.int64)

    def _assigned(self, rows: RowArray) -> Columns:
        known, python, reader = self._value_of, self._values.python, self._rows.reader
        floats = rows["value"].copy().view("<f8")
        columns = (*(rows[name].tolist() for name in ("b", "c", "value", "blob", "d")), floats.tolist())
        value: list[int] = []
        for form, kind, number, parts, which, floating in zip(*columns, strict=True):
            if form == Form.INTEGER:
                value.append(python("int", str(number)))
            elif form == Form.FLOAT:
                value.append(python("float", repr(floating)))
            elif form == Form.TEXT:
                value.append(python(self._rows.text(kind), reader.text_at(number), parts, which))
            else:
                value.append(known.get(number, -1))
        return {
            "frame": self._frame(rows),
            "name": self._text(rows["a"]),
            "node": self._node(rows),
            "value": np.array(value, dtype=np.int64),
            "object": within(rows["d"], 1 << 31),
        }

"""The rows of a journal as columns: the tables that every later stage of building reads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.reader import Reader
from engine.recording.rows import NODE_HEADER, Kind
from engine.trace.columns import Ints
from engine.trace.gaps import close, renumbered

EVENT_KINDS = {
    Kind.LINE: "line",
    Kind.CALLED: "called",
    Kind.RETURNED: "returned",
    Kind.LOOP: "loop",
    Kind.ASSIGNED: "assigned",
    Kind.DELETED: "deleted",
    Kind.OUTPUT: "output",
    Kind.ASKED: "asked",
    Kind.NODE: "node",
    Kind.ROLE: "role",
    Kind.RUN: "run",
    Kind.RUN_END: "run_end",
    Kind.FED: "fed",
    Kind.RAN: "ran",
    Kind.ENTERED: "entered",
    Kind.FETCHED: "fetched",
    Kind.WRITTEN: "written",
    Kind.OPTIMISE: "optimise",
    Kind.PASS: "pass",
    Kind.REWRITE: "rewrite",
    Kind.COMPILED: "compiled",
    Kind.BATCHED: "batched",
    Kind.SPECIALISED: "specialised",
    Kind.BACKWARD: "backward",
    Kind.GRADIENT: "gradient",
    Kind.ACCUMULATED: "accumulated",
    Kind.CLEARED: "cleared",
    Kind.FREED: "freed",
    Kind.BACKWARD_END: "backward_end",
    Kind.FAILED: "failed",
    Kind.ERROR: "error",
    Kind.PICTURE: "picture",
    Kind.CHARTED: "charted",
    Kind.FOLD: "folded",
}


def within(column: Any, size: int) -> Ints:
    """``column`` as 64-bit integers, everything that is no index below ``size`` made -1."""
    numbers: Ints = np.asarray(column).astype(np.int64)
    return np.where((numbers >= 0) & (numbers < size), numbers, -1)


class Rows:
    """The events of a journal in order (``events``, with ``seq`` = position) and its definitions by id."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        reader.rows, self._places = close(reader.rows)
        rows = reader.rows
        wanted = np.zeros(256, dtype=bool)
        wanted[[int(kind) for kind in EVENT_KINDS]] = True
        self.events: NDArray[Any] = rows[wanted[rows["kind"]]]
        self.kind: NDArray[Any] = self.events["kind"]
        self.texts = [reader.text_at(int(offset)) for offset in reader.of_kind(Kind.STRING)["blob"]]
        self.types = [_type(reader.json_at(int(offset))) for offset in reader.of_kind(Kind.TYPE)["blob"]]
        self.definitions = [reader.json_at(int(offset)) for offset in reader.of_kind(Kind.DEFINITION)["blob"]]
        self.spans = reader.of_kind(Kind.SPAN)
        self.loops = reader.of_kind(Kind.LOOP_SOURCE)
        self.seqs: dict[int, Ints] = {}
        order = np.argsort(self.kind, kind="stable")
        bounds = np.searchsorted(self.kind[order], np.arange(257))
        for kind in EVENT_KINDS:
            self.seqs[int(kind)] = order[bounds[kind] : bounds[kind + 1]].astype(np.int64)
        self.nodes = self.of(Kind.NODE)
        self.graphs = reader.of_kind(Kind.GRAPH)
        # A graph is no event: its place in the order is that of the next event.
        kinds = rows["kind"]
        self.graph_seq: Ints = np.cumsum(wanted[kinds])[kinds == Kind.GRAPH].astype(np.int64)

    def of(self, kind: Kind) -> NDArray[Any]:
        """The event rows of one kind."""
        chosen: NDArray[Any] = self.events[self.seqs[int(kind)]]
        return chosen

    def text(self, number: int) -> str:
        """The text behind a string number of the journal."""
        return self.texts[number] if 0 <= number < len(self.texts) else ""

    def nodes_at(self, offset: int) -> list[int]:
        """A list of nodes in the heap, by their place."""
        found = self.reader.ints_at(offset)
        return found if self._places is None else renumbered(np.array(found, dtype=np.int64), self._places).tolist()

    def node_integers(self) -> tuple[Ints, list[Ints]]:
        """For all nodes: the header (nodes x NODE_HEADER) and four flat lists with their owners.

        The lists are inputs (owner, source, port), controls, saved and next (owner, other node).
        """
        heap = np.frombuffer(self.reader.heap, dtype="<i4")
        offsets = self.nodes["blob"]
        valid = (
            (self.nodes["flags"] == 0)
            & (offsets >= 0)
            & (offsets % 4 == 0)
            & (offsets // 4 + 1 + NODE_HEADER <= len(heap))
        )
        base = np.where(valid, offsets // 4, 0).astype(np.int64)
        header = np.zeros((len(base), NODE_HEADER), dtype=np.int64)
        if len(heap) >= NODE_HEADER + 1 and len(base):
            header = heap[base[:, None] + np.arange(1, NODE_HEADER + 1)].astype(np.int64)
            size = heap[base].astype(np.int64)
            counts = header[:, :4]
            whole = NODE_HEADER + 2 * counts[:, 0] + counts[:, 1] + counts[:, 2] + counts[:, 3]
            sound = valid & (counts >= 0).all(axis=1) & (whole == size) & (base + 1 + size <= len(heap))
            header[~sound] = (0, 0, 0, 0, -1, -1, -1)
        start = base + 1 + NODE_HEADER
        lists: list[Ints] = []
        for part in range(4):
            width = 2 if part == 0 else 1
            count = header[:, part]
            owner = np.repeat(np.arange(len(base)), count)
            within_list = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
            at = np.repeat(start, count) + within_list * width
            columns = [owner, heap[at].astype(np.int64), within_list]
            if width == 2:
                columns.append(heap[at + 1].astype(np.int64))
            if self._places is not None:
                columns[1] = renumbered(columns[1], self._places)
            lists.append(np.column_stack(columns) if len(owner) else np.zeros((0, len(columns)), dtype=np.int64))
            start = start + count * width
        return self._with_short_nodes(header, lists)

    def _with_short_nodes(self, header: Ints, lists: list[Ints]) -> tuple[Ints, list[Ints]]:
        """Add the nodes whose edges stand in their row (``engine.recording.rows.short_node``)."""
        nodes = self.nodes
        form, counts = nodes["flags"], nodes["worker"].astype(np.int64)
        words = _pairs(nodes["duration"])
        header[form > 0] = (0, 0, 0, 0, -1, -1, -1)
        header[form > 0, 5:] = words[form > 0]
        # Which list (inputs, saved, next) stands in which column, and where its count is.
        for part, shown, column, shift in ((0, 1, "value", 0), (3, 2, "value", 0), (2, 2, "blob", 8)):
            mine = np.flatnonzero(form == shown)
            if not len(mine):
                continue
            size = np.minimum((counts[mine] >> shift) & 255, 2)
            header[mine, part] = size
            both = _pairs(nodes[column][mine])
            owner = np.repeat(mine, size)
            place = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
            added = [owner, both[np.repeat(np.arange(len(mine)), size), place], place]
            if part == 0:
                added.append(np.zeros_like(owner))
            merged = np.concatenate([lists[part], np.column_stack(added)])
            lists[part] = merged[np.argsort(merged[:, 0], kind="stable")]
        return header, lists


def _pairs(column: NDArray[Any]) -> Ints:
    """Two 32-bit numbers for each 64-bit one, the lower half first."""
    halves: Ints = np.ascontiguousarray(column).view("<i4").reshape(-1, 2).astype(np.int64)
    return halves


def _type(raw: Any) -> dict[str, Any]:
    """A type of the trace from what the journal says; a bad one becomes an unknown one."""
    if isinstance(raw, dict) and isinstance(raw.get("dtype"), str) and raw["dtype"].isalnum():
        shape = raw.get("shape")
        if shape is None:
            return {"dtype": raw["dtype"], "shape": None}
        if isinstance(shape, list) and len(shape) <= 64:
            sound = all(n is None or (type(n) is int and 0 <= n < 2**53) for n in shape)
            if sound:
                return {"dtype": raw["dtype"], "shape": shape}
    return {"dtype": "?", "shape": None}

"""What a training loop does with its losses, as far as the events tell: hints are chosen by it."""

from __future__ import annotations

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.rows import Rows, within
from engine.trace.structure import Structure

MOST = 100_000
"""Losses that are looked at."""


def _forward_of(nodes: Ints, structure: Structure) -> Ints:
    """The forward nodes that gradient nodes belong to."""
    known = within(nodes, structure.count)
    mirrored = structure.mirrors[known[known >= 0]]
    return mirrored[mirrored >= 0]


def kept_graphs(rows: Rows, structure: Structure) -> int:
    """How many results that a backward began at are added to a running total that no backward goes through.

    A running total is an op that reads what the same expression made before.
    """
    begun = _forward_of(rows.of(Kind.BACKWARD)["node"], structure)
    if len(begun) < 2:
        return 0
    reached = np.zeros(structure.count, dtype=bool)
    reached[begun] = True
    reached[_forward_of(rows.of(Kind.GRADIENT)["node"], structure)] = True
    on_tape = np.zeros(structure.count, dtype=bool)
    on_tape[_forward_of(np.flatnonzero(structure.is_gradient), structure)] = True
    sources, targets = structure.data_sources, structure.data_targets
    good = within(sources, structure.count) >= 0
    sources, targets = sources[good], targets[good]
    span, definition = rows.nodes["span"], structure.definition
    again = (span[sources] == span[targets]) & (definition[sources] == definition[targets]) & (sources != targets)
    total = np.zeros(structure.count, dtype=bool)
    total[targets[again]] = True
    total &= on_tape & ~reached
    added = np.zeros(structure.count, dtype=bool)
    added[begun] = True
    return int(np.count_nonzero(added[sources] & total[targets]))


def losses_of(rows: Rows, structure: Structure) -> tuple[float, ...]:
    """The single numbers that backward began at, in order, of the place where it did so most often."""
    backwards = rows.of(Kind.BACKWARD)
    if not len(backwards):
        return ()
    places, counts = np.unique(backwards["span"], return_counts=True)
    chosen = backwards[backwards["span"] == places[np.argmax(counts)]]["node"]
    forward = _forward_of(chosen[:MOST], structure)
    ran = rows.of(Kind.RAN)
    node, offset = ran["node"], ran["value"]
    order = np.argsort(node, kind="stable")
    place = np.searchsorted(node[order], forward, side="right") - 1
    values = []
    for one, at in zip(forward.tolist(), place.tolist(), strict=True):
        number = _number(rows, int(offset[order[at]])) if at >= 0 and node[order[at]] == one else None
        if number is not None:
            values.append(number)
    return tuple(values)


def _number(rows: Rows, offset: int) -> float | None:
    found = rows.reader.value_at(offset)
    if found is None or found[1] != 0 or not 0 <= found[0] < len(rows.types):
        return None
    kind = rows.types[found[0]]
    if kind["dtype"] not in ("float16", "float32", "float64") or kind["shape"] is None:
        return None
    width = np.dtype(kind["dtype"]).itemsize
    return float(np.frombuffer(found[2], dtype=kind["dtype"])[0]) if len(found[2]) == width else None

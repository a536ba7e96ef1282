"""Closing the gaps that folding leaves: nodes and calls that are in the recording are numbered without them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.rows import Kind
from engine.trace.columns import Ints

OF_A_NODE = (
    *(Kind.RAN, Kind.WRITTEN, Kind.GRADIENT, Kind.ACCUMULATED, Kind.CLEARED, Kind.ROLE, Kind.FED, Kind.FETCHED),
    *(Kind.ENTERED, Kind.FAILED, Kind.BACKWARD, Kind.BACKWARD_END),
)
"""Events that say nothing without their node."""
OTHERWISE = (Kind.SPAN, Kind.FOLD)
"""Rows whose column ``node`` holds something else."""


def numbering(ids: Any) -> Ints | None:
    """The place of each id among ``ids`` (-1: it is not there); None if they have no gaps, or cannot be.

    >>> numbering(np.array([0, 1, 4])).tolist(), numbering(np.array([0, 1, 2]))
    ([0, 1, -1, -1, 2], None)
    """
    wide = np.asarray(ids).astype(np.int64)
    if not len(wide) or int(wide[-1]) == len(wide) - 1:
        return None
    if int(wide[0]) < 0 or (np.diff(wide) <= 0).any() or int(wide[-1]) > 1 << 28:
        return None
    places: Ints = np.full(int(wide[-1]) + 1, -1, dtype=np.int64)
    places[wide] = np.arange(len(wide))
    return places


def renumbered(column: Any, places: Ints) -> Ints:
    """A column of ids as places."""
    wide = np.asarray(column).astype(np.int64)
    known = (wide >= 0) & (wide < len(places))
    return np.where(known, places[np.where(known, wide, 0)], -1)


def _pairs(column: NDArray[Any], places: Ints) -> NDArray[Any]:
    halves = np.ascontiguousarray(column).view("<i4")
    return renumbered(halves, places).astype("<i4").view("<i8")


def close(rows: NDArray[Any]) -> tuple[NDArray[Any], Ints | None]:
    """``rows`` with nodes and frames numbered by their place, without events of nodes that are gone; and the places of
    the nodes, None if nothing had to be changed."""
    kind = rows["kind"]
    if not (kind == Kind.FOLD).any():
        return rows, None
    called = kind == Kind.CALLED
    nodes = numbering(rows["node"][kind == Kind.NODE])
    frames = numbering(np.concatenate([[0], rows["frame"][called]]))
    rows = rows.copy()
    if frames is not None:
        rows["frame"] = renumbered(rows["frame"], frames)
        rows["b"][called] = renumbered(rows["b"][called], frames)
    if nodes is None:
        return rows, None
    mine = ~np.isin(kind, OTHERWISE)
    before = rows["node"].copy()
    rows["node"][mine] = renumbered(rows["node"][mine], nodes)
    made = np.flatnonzero(kind == Kind.NODE)
    for name in ("d", "e"):
        rows[name][made] = renumbered(rows[name][made], nodes)
    serving = kind == Kind.SERVES
    rows["a"][serving] = renumbered(rows["a"][serving], nodes)
    short = made[np.isin(rows["flags"][made], (1, 2))]
    for name in ("value", "blob"):
        rows[name][short] = _pairs(rows[name][short], nodes)
    lost = np.isin(kind, OF_A_NODE) & (before >= 0) & (rows["node"] < 0)
    return rows[~lost], nodes

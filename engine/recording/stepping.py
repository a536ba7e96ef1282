"""Which rows of a journal are steps: what the player stops at. Steps of a trace, and folded ones, are counted by it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.recording.rows import STATE, Kind

Rows = NDArray[Any]
Flags = NDArray[np.bool_]
STEPS = (
    *(Kind.OUTPUT, Kind.ASKED, Kind.RUN, Kind.FED, Kind.RAN, Kind.FETCHED, Kind.WRITTEN, Kind.OPTIMISE, Kind.PASS),
    *(Kind.REWRITE, Kind.COMPILED, Kind.BACKWARD, Kind.GRADIENT, Kind.ACCUMULATED, Kind.CLEARED, Kind.FREED),
    *(Kind.PICTURE, Kind.FAILED, Kind.ERROR, Kind.FOLD),
)
"""Events that are steps whatever surrounds them."""
_IS_STEP = np.zeros(256, dtype=bool)
_IS_STEP[[int(kind) for kind in STEPS]] = True


def is_state(rows: Rows) -> Flags:
    """Rows that only say what folded passes have left behind."""
    kind = rows["kind"]
    state: Flags = (rows["flags"] == STATE) & (kind != Kind.NODE) & (kind != Kind.GRADIENT)
    return state


def step_flags(rows: Rows, static: Flags) -> Flags:
    """For each row whether it is a step: an event of the engine, output, an error; a node of a static graph (``static``
    says it of each node, in order); a line if no other step follows before the next line or fold.

    >>> from engine.recording.rows import ROW
    >>> rows = np.zeros(3, dtype=ROW)
    >>> rows["kind"] = Kind.LINE, Kind.RAN, Kind.LINE
    >>> step_flags(rows, np.zeros(0, dtype=bool)).tolist()
    [False, True, True]
    """
    kind = rows["kind"]
    steps: Flags = _IS_STEP[kind] & ~is_state(rows)
    # The traceback that an uncaught error prints is part of the error's step.
    errors = np.flatnonzero(kind == Kind.ERROR)
    printed = errors[(rows["c"][errors] == 0) & (errors > 0)] - 1
    steps[printed[kind[printed] == Kind.OUTPUT]] = False
    steps[np.flatnonzero(kind == Kind.NODE)] = static
    lines = np.flatnonzero(kind == Kind.LINE)
    others = np.flatnonzero(steps)
    # Where passes were folded, something else followed the line once.
    bounds = np.flatnonzero((kind == Kind.LINE) | (kind == Kind.FOLD))
    following = np.append(bounds, len(rows))[np.searchsorted(bounds, lines, side="right")]
    busy = np.searchsorted(others, following) > np.searchsorted(others, lines)
    steps[lines[~busy]] = True
    return steps

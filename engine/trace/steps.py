"""Steps: what the player stops at, one integer sequence over all tables of events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.recording.rows import Kind
from engine.recording.stepping import step_flags
from engine.trace.columns import Ints
from engine.trace.rows import Rows

OPENING = (Kind.LINE, Kind.LOOP, Kind.CALLED)
"""Events that belong to what comes next; so do new nodes other than gradient ones."""
WITH_START = (Kind.RAN, Kind.GRADIENT, Kind.PASS, Kind.COMPILED)
"""Rows whose ``time`` is the start of what took ``duration``."""


@dataclass(slots=True)
class Steps:
    """One entry a step: ``main`` the number of its main event, ``first`` of its first event (which may come before)."""

    main: Ints
    first: Ints
    time: Ints

    def at(self, seq: Ints) -> Ints:
        """The step that each event belongs to (the first step for what comes before it)."""
        return np.maximum(np.searchsorted(self.first, seq, side="right") - 1, 0)


def steps_of(rows: Rows, static: Ints, opens: Ints) -> Steps:
    """Choose the steps. ``static`` says of each node whether its graph is; ``opens`` whether it begins a step.

    ``engine.recording.stepping`` says which rows are.
    """
    kind = rows.kind
    total = len(kind)
    is_step = step_flags(rows.events, static.astype(bool))
    errors = rows.seqs[Kind.ERROR]
    printed = errors[(rows.events["c"][errors] == 0) & (errors > 0)] - 1
    printed = printed[kind[printed] == Kind.OUTPUT]
    nodes = rows.seqs[Kind.NODE]
    main = np.flatnonzero(is_step)
    opening = np.zeros(total + 1, dtype=bool)
    for one in OPENING:
        opening[rows.seqs[one]] = True
    opening[nodes] = opens.astype(bool)
    opening[main] = True
    opening[printed] = True
    places = np.flatnonzero(opening[:total])
    # A step begins with the first opening event after the main event of the step before.
    first = np.zeros(len(main), dtype=np.int64)
    if len(main) > 1:
        first[1:] = places[np.searchsorted(places, main[:-1], side="right")]
    started = np.isin(kind[main], [int(one) for one in WITH_START])
    time = rows.events["time"][main] + np.where(started, rows.events["duration"][main], 0)
    return Steps(main.astype(np.int64), first, np.maximum.accumulate(time) if len(time) else time)

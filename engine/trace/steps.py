"""Steps: what the player stops at, one integer sequence over all tables of events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.recording.rows import Kind
from engine.trace.columns import Ints
from engine.trace.rows import EVENT_KINDS, Rows
from engine.trace.schema import STEP_EVENTS

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

    An event of the engine, output and errors are steps; a node is one in a static graph; a line is one if no other step
    follows before the next line.
    """
    kind = rows.kind
    total = len(kind)
    table = np.zeros(256, dtype=bool)
    table[[int(k) for k, name in EVENT_KINDS.items() if name in STEP_EVENTS]] = True
    is_step = table[kind]
    # The traceback that an uncaught error prints is part of the error's step.
    errors = rows.seqs[Kind.ERROR]
    printed = errors[(rows.events["c"][errors] == 0) & (errors > 0)] - 1
    printed = printed[kind[printed] == Kind.OUTPUT]
    is_step[printed] = False
    nodes = rows.seqs[Kind.NODE]
    is_step[nodes] = static.astype(bool)
    lines = rows.seqs[Kind.LINE]
    others = np.flatnonzero(is_step)
    following = np.append(lines[1:], total)
    busy = np.searchsorted(others, following) > np.searchsorted(others, lines)
    is_step[lines[~busy]] = True
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

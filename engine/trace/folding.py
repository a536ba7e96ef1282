"""Folding: of many passes of one loop, most keep their values as ranges and means only.

Nothing else is left out: every step, line and edge of a folded pass is there. Whole stay the first passes of each kind
(passes that do the same things in the same places are of one kind), the last one of the loop, and those inside a pass
that stays whole as well.
"""

from __future__ import annotations

import numpy as np

from engine.trace.columns import Ints
from engine.trace.passes import Passes
from engine.trace.rows import Rows

KEPT = 3
"""Passes of each kind that stay whole."""
FEWEST = 12
"""Loops with fewer passes are not folded."""


def folded_passes(rows: Rows, passes: Passes, chosen: Ints) -> Ints:
    """Which of the ``chosen`` passes (those that are episodes) are folded, in order."""
    loops = passes.loop[chosen]
    columns = [np.ascontiguousarray(rows.events[name]).astype(np.int32) for name in ("kind", "line", "span")]
    looks = np.column_stack(columns) if len(rows.events) else np.zeros((0, 3), dtype=np.int32)
    folded: list[int] = []
    for loop in np.unique(loops).tolist():
        mine = chosen[loops == loop]
        if len(mine) < FEWEST:
            continue
        seen: dict[int, int] = {}
        for one in mine[:-1].tolist():
            kind = hash(looks[passes.first[one] : passes.end[one]].tobytes())
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] > KEPT:
                folded.append(one)
    return np.array(sorted(folded), dtype=np.int64)


def inside(rows: Rows, passes: Passes, folded: Ints) -> Ints:
    """1 for each event that lies in one of the ``folded`` passes, else 0."""
    depth = np.zeros(len(rows.events) + 1, dtype=np.int64)
    np.add.at(depth, passes.first[folded], 1)
    np.add.at(depth, passes.end[folded], -1)
    return (np.cumsum(depth)[:-1] > 0).astype(np.int64)


def note_on(rows: Rows, passes: Passes, folded: Ints) -> str:
    """What the document says about it: one sentence."""
    lines = sorted({int(rows.loops["b"][loop]) for loop in passes.loop[folded].tolist()})
    where = ", ".join(map(str, lines[:5]))
    loops = f"the loop in line {where}" if len(lines) == 1 else f"loops in lines {where}"
    return (
        f"{len(folded):,} passes of {loops} are folded: all their steps are there, "
        "but of tensors only range and mean are kept. The first, the last and unusual passes are whole."
    )

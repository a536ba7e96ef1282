"""The layout document of a whole trace."""

from __future__ import annotations

import copy
import time
from typing import Any

from app.layout import dot
from app.layout.budget import Budget, LateError
from app.layout.cache import Cache
from app.layout.picture import Picture
from app.layout.placing import Placing
from app.layout.reading import read
from app.layout.structure import Structure

VERSION = 1
_CACHE: Cache[dict[str, Any]] = Cache(128)


def layout(trace: dict[str, Any], *, deadline: float = dot.DEADLINE) -> dict[str, Any]:
    """The ``layout`` document for a trace (``docs/layout.md``); the trace is not changed.

    ``deadline`` is in seconds, for all graphs together. Where Graphviz takes more than its share of it, a graph gets a
    simpler layout; where even that comes too late, it gets none. ``note`` says so.

    >>> layout({"graphs": {"mode": [0]}, "strings": ["dynamic"]})["graphs"][0]["slots"]["slot"]
    []

    :raises LayoutError: the trace's tables do not fit together.
    """
    budget = Budget(deadline)
    graphs, missing = [], 0
    structures = read(trace)
    for graph, structure in enumerate(structures):
        start = time.perf_counter()
        try:
            placed = _placed(structure, budget)
        except LateError:
            missing += 1
            continue
        named = _named(placed, structure.slots)
        named["note"] = " ".join(filter(None, [named["note"], left_out(structure)]))
        graphs.append({"graph": graph, **named, "seconds": round(time.perf_counter() - start, 6)})
    note = ""
    if missing:
        which = "The graph" if len(structures) == 1 else f"{missing} of {len(structures)} graphs"
        note = without(f"{deadline:g} s were not enough for so many nodes and edges", which)
    return {"version": VERSION, "graphs": graphs, "note": note}


def without(why: str, which: str = "The graph") -> str:
    """The sentence for graphs that have no place in the document.

    >>> without("it is too large")
    'The graph could not be drawn: it is too large. Steps, values and output are all here.'
    """
    return f"{which} could not be drawn: {why}. Steps, values and output are all here."


def undrawn(why: str) -> dict[str, Any]:
    """The layout document of a trace for which there is none."""
    return {"version": VERSION, "graphs": [], "note": without(why)}


def left_out(structure: Structure) -> str:
    """A sentence about what is too much for one picture, or nothing."""
    parts = []
    if structure.unplaced:
        drawn = len(structure.slots)
        parts.append(f"the first {drawn:,} of {drawn + structure.unplaced:,} nodes")
    if structure.undrawn:
        drawn = len(structure.links)
        parts.append(f"the first {drawn:,} of {drawn + structure.undrawn:,} edges")
    if not parts:
        return ""
    return f"Only {' and '.join(parts)} are drawn: run fewer iterations to see the whole graph."


def _placed(structure: Structure, budget: Budget) -> dict[str, Any]:
    """The layout in items: from the cache, or made now. A layout made in haste is not kept."""
    key = structure.digest()
    known = _CACHE.get(key)
    if known is not None:
        return known
    placing = Placing(structure, budget)
    arranged = placing.run()
    made = {"hash": key, "engine": arranged.engine, "note": arranged.note, **Picture(placing).document()}
    if arranged.engine == "dot":
        _CACHE.put(key, made)
    return made


def _named(placed: dict[str, Any], slots: tuple[int, ...]) -> dict[str, Any]:
    """A copy in which items are slots."""
    named = copy.deepcopy(placed)
    named["slots"]["slot"] = list(slots)
    for end in ("source", "target"):
        named["edges"][end] = [slots[item] for item in placed["edges"][end]]
    for door in named["doors"]:
        door["slot"] = slots[door["slot"]]
    return named

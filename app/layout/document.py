"""The layout document of a whole trace."""

from __future__ import annotations

import copy
import time
from typing import Any

from app.layout import dot
from app.layout.cache import Cache
from app.layout.picture import Picture
from app.layout.placing import Placing
from app.layout.reading import read
from app.layout.structure import Structure

VERSION = 1
_CACHE: Cache[dict[str, Any]] = Cache(128)


def layout(trace: dict[str, Any], *, deadline: float = dot.DEADLINE) -> dict[str, Any]:
    """The ``layout`` document for a trace (``docs/layout.md``); the trace is not changed.

    ``deadline`` is in seconds, for Graphviz and one graph; a graph that takes longer gets a simpler layout, and its
    ``note`` says so.

    >>> layout({"graphs": {"mode": [0]}, "strings": ["dynamic"]})["graphs"][0]["slots"]["slot"]
    []

    :raises LayoutError: the trace's tables do not fit together.
    """
    graphs = []
    for graph, structure in enumerate(read(trace)):
        start = time.perf_counter()
        placed = _placed(structure, deadline)
        graphs.append(
            {"graph": graph, **_named(placed, structure.slots), "seconds": round(time.perf_counter() - start, 6)}
        )
    return {"version": VERSION, "graphs": graphs}


def _placed(structure: Structure, deadline: float) -> dict[str, Any]:
    """The layout in items: from the cache, or made now. A layout made in haste is not kept."""
    key = structure.digest()
    known = _CACHE.get(key)
    if known is not None:
        return known
    placing = Placing(structure, deadline)
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

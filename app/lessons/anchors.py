"""Moments of a recording: from what happens to the number of a step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.lessons.lookup import Lookup
from app.lessons.model import LessonError, Moment

_TABLES = {
    "value": ("ran", "fed", "written"),
    "run": ("ran",),
    "gradient": ("accumulated", "gradient"),
    "error": ("failed",),
}
_FAR = 400
"""Steps in which a line's own one is looked for."""
_REWRITES = ("merged", "folded", "fused", "removed")


def resolve(moment: Moment, look: Lookup) -> int:
    """The step of ``moment``, from 0. Raises :class:`LessonError`: it does not happen in this recording."""
    what = moment.what
    found = _find(what, look)
    if isinstance(found, str):
        raise _missing(moment, found)
    return max(0, found - 1) if what.get("before") else found


def _missing(moment: Moment, why: str) -> LessonError:
    return moment.place.error(f"this moment is not in the recording: {why}")


def _find(what: dict[str, Any], look: Lookup) -> int | str:
    if "at" in what:
        return _named(what["at"], look)
    if "line" in what:
        return _line(what["line"], what.get("pass", 1), look)
    if "prints" in what:
        return _printed(str(what["prints"]), what.get("nth", 1), look)
    if "phase" in what:
        names = [look.record.text(index) for index in look.record.phases["name"]]
        firsts = [
            first for name, first in zip(names, look.record.phases["first"], strict=True) if name == what["phase"]
        ]
        return _nth(firsts, what.get("nth", 1), f"phases called {what['phase']}")
    return _node(str(what["node"]), what.get("event", ""), what.get("nth", 1), look)


def _nth(found: Iterable[int], nth: int | str, what: str) -> int | str:
    all_of_them = sorted(found)
    if nth == "last":
        return all_of_them[-1] if all_of_them else f"there are no {what}"
    if len(all_of_them) < int(nth):
        return f"there are {len(all_of_them)} {what}, not {nth}"
    return all_of_them[int(nth) - 1]


def _named(name: str, look: Lookup) -> int | str:
    if name == "start":
        return 0
    if name == "end":
        return look.record.count - 1
    return found if (found := look.error_step()) >= 0 else "no step is an error"


def line_number(wanted: Any, source: str) -> int:
    """The number of a line, from 1: itself, or the first line that holds a text; 0 if there is none.

    >>> line_number("b =", "a = 1\\nb = 2"), line_number(2, "a = 1\\nb = 2"), line_number("c", "a = 1")
    (2, 2, 0)
    """
    lines = source.split("\n")
    if isinstance(wanted, int):
        return wanted if 0 < wanted <= len(lines) else 0
    return next((at for at, line in enumerate(lines, 1) if str(wanted) in line), 0)


def _line(wanted: Any, nth: int | str, look: Lookup) -> int | str:
    line = line_number(wanted, look.trace["program"]["source"])
    if not line:
        return f"no line of {look.trace['program']['name']} holds {wanted!r}"
    steps, rows = look.record.steps["line"], look.rows("line")
    # A step may begin with a pass of a loop, before its line is told.
    begun = [look.step_of(seq) for seq, at in zip(rows.get("seq", ()), rows.get("line", ()), strict=True) if at == line]
    # Where the line itself did nothing, what it called comes first; the step is the first that is the line's own.
    ends = [*begun[1:], look.record.count]
    own = [
        next((step for step in range(first, min(first + _FAR, end)) if steps[step] == line), first)
        for first, end in zip(begun, ends, strict=True)
    ]
    return _nth(own, nth, f"passes of line {line}")


def _printed(text: str, nth: int | str, look: Lookup) -> int | str:
    output, table = str(look.trace["stdout"]), look.rows("output")
    places, begin = [], output.find(text)
    while begin >= 0:
        places.append(begin)
        begin = output.find(text, begin + 1)
    found = [
        look.step_of(seq)
        for place in places
        for seq, offset, length in zip(*(table.get(key, ()) for key in ("seq", "offset", "length")), strict=True)
        if offset <= place < offset + length
    ]
    return _nth(dict.fromkeys(found), nth, f"outputs that hold {text!r}")


def _node(name: str, event: str, nth: int | str, look: Lookup) -> int | str:
    nodes = set(look.named(name))
    if not nodes:
        return f"no node is called {name!r}"
    if not event:
        event = "created" if any(look.record.is_static(node) for node in nodes) else "value"
    return _nth({look.step_of(seq) for seq in _events(nodes, event, look)}, nth, f"moments at which {name} is {event}")


def _events(nodes: set[int], event: str, look: Lookup) -> list[int]:
    if event == "created":
        return [look.record.nodes["seq"][node] for node in nodes]
    if event in _REWRITES:
        table = look.rows("rewrite")
        rows = zip(*(table.get(key, ()) for key in ("seq", "action", "old")), strict=True)
        return [
            seq for seq, action, old in rows
            if look.record.text(action) == event and nodes & set(look.record.list_at(old))
        ]  # fmt: skip
    if event == "freed":
        table = look.rows("freed")
        rows = zip(table.get("seq", ()), table.get("nodes", ()), strict=True)
        mirrored = {node for node, of in enumerate(look.record.nodes["mirrors"]) if of in nodes} | nodes
        return [seq for seq, freed in rows if mirrored & set(look.record.list_at(freed))]
    wanted = nodes
    if event == "gradient":
        wanted = nodes | {node for node, of in enumerate(look.record.nodes["mirrors"]) if of in nodes}
    found = []
    for name in _TABLES[event]:
        table = look.rows(name)
        found += [seq for seq, node in zip(table.get("seq", ()), table.get("node", ()), strict=True) if node in wanted]
    return found


def node_at(name: str, step: int, look: Lookup) -> int:
    """The node called ``name`` that a reader means at ``step``: the newest made by then, else the first. -1: none."""
    nodes = sorted(look.named(name))
    made = [node for node in nodes if look.step_of(look.record.nodes["seq"][node]) <= step]
    return made[-1] if made else nodes[0] if nodes else -1

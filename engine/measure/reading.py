"""Taking a repeat out of its journal. The program could write there: only what has the right form is taken."""

from __future__ import annotations

from typing import Any

from engine.measure.stopwatch import KEPT
from engine.recording.config import RunConfig
from engine.recording.journal import Journal
from engine.recording.reader import Reader
from engine.recording.rows import Kind
from engine.trace.build import build
from engine.trace.strings import clean

_LONGEST = 1 << 50
"""No time is longer: thirteen days."""
_LISTED = 100


def read(journal: Journal, config: RunConfig) -> dict[str, Any]:
    """``{program, machine, end, repeat}`` as JSON; ``repeat`` is None if the run was cut off before it could tell.

    >>> from engine.recording.journal import anonymous
    >>> read(anonymous(), RunConfig("1"))["repeat"] is None
    True
    """
    reader = Reader(journal.buffer)
    trace = build(reader, config)
    found = reader.of_kind(Kind.END)["blob"]
    raw = reader.json_at(int(found[-1])) if len(found) else None
    measured = raw.get("measured") if isinstance(raw, dict) else None
    return {
        "program": {key: trace["program"][key] for key in ("name", "source", "dialect")},
        "machine": trace["machine"],
        "end": _end(trace["end"]),
        "repeat": _repeat(measured) if isinstance(measured, dict) else None,
    }


def _end(end: dict[str, Any]) -> dict[str, Any]:
    error = end["error"]
    message = f"{error['type']}: {error['message']}"[:500] if error else ""
    return {**{key: end[key] for key in ("kind", "exit_code", "limit", "line")}, "message": message}


def _repeat(raw: dict[str, Any]) -> dict[str, Any]:
    target = raw.get("target")
    return {
        **{key: _time(raw.get(key)) for key in ("total", "compiled", "mark_ns")},
        **{key: _time_or_none(raw.get(key)) for key in ("build", "optimise", "compile", "eager")},
        "note": _text(raw.get("note")),
        "worked": _numbers(raw.get("worked")),
        "runs": [_run(one) for one in _dicts(raw.get("runs"))],
        "loops": [_loop(one) for one in _dicts(raw.get("loops"))],
        "target": _target(target) if isinstance(target, dict) else None,
    }


def _run(raw: dict[str, Any]) -> dict[str, Any]:
    pairs = raw.get("prepared")
    prepared = [_numbers(pair) for pair in pairs[:_LISTED]] if isinstance(pairs, list) else []
    return {
        "fetches": _texts(raw.get("fetches")),
        "feeds": _texts(raw.get("feeds")),
        "count": _time(raw.get("count")),
        "total": _time(raw.get("total")),
        "calls": _numbers(raw.get("calls")),
        "prepared": [pair for pair in prepared if len(pair) == 2],
    }


def _loop(raw: dict[str, Any]) -> dict[str, Any]:
    keys = ("number", "line", "end_line", "count", "total")
    return {**{key: _time(raw.get(key)) for key in keys}, "passes": _numbers(raw.get("passes"))}


def _target(raw: dict[str, Any]) -> dict[str, Any]:
    what = raw.get("what")
    return {
        "line": _time(raw.get("line")),
        "what": what if what in ("function", "loop", "statement") else "statement",
        "name": _text(raw.get("name")),
        "count": _time(raw.get("count")),
        "times": _numbers(raw.get("times")),
    }


def _time(raw: Any) -> int:
    return raw if type(raw) is int and 0 <= raw < _LONGEST else 0


def _time_or_none(raw: Any) -> int | None:
    return None if raw is None else _time(raw)


def _numbers(raw: Any) -> list[int]:
    return [_time(one) for one in raw[:KEPT]] if isinstance(raw, list) else []


def _dicts(raw: Any) -> list[dict[str, Any]]:
    return [one for one in raw[:_LISTED] if isinstance(one, dict)] if isinstance(raw, list) else []


def _text(raw: Any) -> str:
    return clean(raw[:500]) if isinstance(raw, str) else ""


def _texts(raw: Any) -> list[str]:
    return [_text(one) for one in raw[:_LISTED]] if isinstance(raw, list) else []

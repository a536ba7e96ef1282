"""What a terminal is told when a limit, and not the program itself, has ended a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.runner import Limits


def describe_end(end: Mapping[str, Any], limits: Limits) -> str:
    """One line about ``end`` (as in the trace) of a run that had ``limits``; empty unless a limit ended it.

    >>> describe_end({"kind": "limit", "limit": "time", "line": 2, "error": None}, Limits())
    'stopped after 10 s at line 2 (time limit; --seconds changes it)'
    >>> describe_end({"kind": "ok", "limit": None, "line": -1, "error": None}, Limits())
    ''
    """
    if end["kind"] != "limit":
        return ""
    where = f" at line {end['line']}" if end["line"] is not None and end["line"] > 0 else ""
    if end["limit"] == "time":
        return f"stopped after {limits.seconds:g} s{where} (time limit; --seconds changes it)"
    if end["limit"] == "memory":
        return f"stopped{where}: it needs more than {limits.memory_bytes >> 20} MB of memory (memory limit)"
    if end["limit"] == "output":
        return f"stopped{where}: it printed more than {limits.output_bytes:,} bytes (output limit)"
    if end["limit"] == "steps":
        return f"stopped{where}: it did more than the {limits.events:,} events that a recording holds (step limit)"
    if end["limit"] == "stopped":
        return f"stopped{where}: it was asked to"
    error = end["error"] or {"type": "crash", "message": "The process of the program was lost."}
    return f"crashed{where} ({error['type']}): {error['message']}"

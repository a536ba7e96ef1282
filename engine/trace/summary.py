"""A trace in a few lines: what ``stepgraph run --summary`` writes. Scripts rely on these names."""

from __future__ import annotations

import json
from typing import Any

from engine.trace.columns import decode


def summary(trace: dict[str, Any], trace_bytes: int | None = None) -> dict[str, Any]:
    """The summary of a valid trace. ``trace_bytes`` is its size as compact JSON, measured here if not given.

    >>> from engine.recording import record
    >>> told = summary(record("print(1)"))
    >>> told["end"], told["limit"], told["graphs"], told["steps"]
    ('ok', None, 0, 1)
    """
    end, error = trace["end"], trace["end"]["error"]
    if trace_bytes is None:
        trace_bytes = len(json.dumps(trace, separators=(",", ":")).encode())
    return {
        "end": end["kind"],
        "error": None if error is None else {key: error[key] for key in ("type", "message", "line")},
        "limit": end["limit"],
        "line": end["line"],
        "steps": len(decode(trace["steps"]["seq"])),
        "events": sum(len(decode(table["seq"])) for table in trace["events"].values()),
        "graphs": len(decode(trace["graphs"]["mode"])),
        "nodes": len(decode(trace["nodes"]["graph"])),
        "trace_bytes": trace_bytes,
        "seconds": {name: trace["seconds"][name] for name in ("total", "program", "recorder")},
    }

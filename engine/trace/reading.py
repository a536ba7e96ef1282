"""Reading a finished trace: rows of its tables, what was printed, which values variables had."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.trace.columns import decode
from engine.trace.containers import whole


def table(trace: dict[str, Any], name: str) -> list[dict[str, int]]:
    """The rows of a table, ``"events.x"`` for a table of events; empty if there is none.

    >>> from engine.recording import record
    >>> table(record("x = 1"), "events.line")
    [{'seq': 0, 'line': 1, 'frame': 0}]
    """
    found = trace["events"].get(name.removeprefix("events."), {}) if name.startswith("events.") else trace[name]
    columns = {key: decode(column).tolist() for key, column in found.items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def value(trace: dict[str, Any], index: int) -> dict[str, Any]:
    """The summary of a value, a short one with all its keys, a container with all its parts.

    >>> value({"values": [[0, 2.5]], "types": [{"dtype": "float32", "shape": []}]}, 0)["data"]
    [2.5]
    """
    found = trace["values"][index]
    if isinstance(found, dict):
        return whole(trace["values"], trace.get("parts", []), index) if "like" in found or "inside" in found else found
    known = trace["types"][found[0]]
    size = math.prod(known["shape"])
    base = {**known, "size": size, "bytes": size * np.dtype(known["dtype"]).itemsize}
    if len(found) > 2:
        return {**base, **dict(zip(("min", "max", "mean", "nan", "inf", "zeros"), found[1:], strict=True))}
    number = found[1]
    zeros = int(type(number) in (int, float, bool) and not number)
    return {
        **base, "min": number, "max": number, "mean": number, "nan": 0, "inf": 0, "zeros": zeros, "data": [number],
    }  # fmt: skip


def printed(trace: dict[str, Any], stream: int = 1) -> str:
    """What the program wrote to standard output (1) or standard error (2).

    >>> from engine.recording import record
    >>> printed(record("print('hello')"))
    'hello\\n'
    """
    pieces = [row for row in table(trace, "events.output") if row["stream"] == stream]
    return "".join(trace["stdout"][row["offset"] : row["offset"] + row["length"]] for row in pieces)


def assignments(trace: dict[str, Any]) -> list[tuple[int, str, dict[str, Any] | int]]:
    """(frame, variable, what it was bound to) in order: a value's summary, or the number of a node.

    >>> from engine.recording import record
    >>> assignments(record("x = 1"))
    [(0, 'x', {'python': 'int', 'text': '1'})]
    """
    strings = trace["strings"]
    return [
        (row["frame"], strings[row["name"]], row["node"] if row["node"] >= 0 else value(trace, row["value"]))
        for row in table(trace, "events.assigned")
    ]

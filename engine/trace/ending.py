"""How a run ended, as the trace tells it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.recording.rows import Kind
from engine.trace.rows import Rows
from engine.trace.schema import END_KINDS, LIMITS
from engine.trace.strings import Strings, clean
from engine.trace.structure import Structure


@dataclass(frozen=True, slots=True)
class EndInfo:
    """How a run ended that could not say so itself: it was killed, or crashed. ``seconds`` is the wall clock."""

    limit: str | None = "crash"
    exit_code: int = 124
    seconds: float = 0.0


def end_of(
    rows: Rows, structure: Structure, tables: dict[str, Any], strings: Strings, ended: EndInfo | None
) -> tuple[dict[str, Any], dict[str, float]]:
    """``end`` and ``seconds`` of a trace: what the journal says, else what the parent of the run knows."""
    reader = rows.reader
    found = reader.of_kind(Kind.END)["blob"]
    raw = reader.json_at(int(found[-1])) if len(found) else None
    known: dict[str, Any] = raw if isinstance(raw, dict) and raw.get("kind") in END_KINDS else {}
    if known:
        seconds = known.get("seconds")
        seconds = seconds if isinstance(seconds, dict) else {}
        total, recorder = _seconds(seconds.get("total")), _seconds(seconds.get("recorder"))
        end = {
            "kind": known["kind"],
            "exit_code": code if type(code := known.get("exit_code")) is int and abs(code) < 1 << 31 else 1,
            "limit": known["limit"] if known.get("limit") in LIMITS else None,
            "line": _line(known.get("line")),
            "error": _error(known.get("error"), structure, tables, rows, strings),
        }
        if end["kind"] == "limit" and end["limit"] is None:
            end["limit"] = "crash"
        return end, {"total": total, "program": max(total - recorder, 0.0), "recorder": min(recorder, total)}
    ended = ended or EndInfo()
    total = _seconds(ended.seconds)
    last = rows.events["time"].max() / 1e9 if len(rows.events) else 0.0
    program = min(max(float(last), 0.0), total) if total else max(float(last), 0.0)
    limit = ended.limit if ended.limit in LIMITS else "crash"
    end = {
        "kind": "limit",
        "exit_code": ended.exit_code,
        "limit": limit,
        "line": _line(reader.current_line),
        "error": None,
    }
    total = max(total, program)
    return end, {"total": total, "program": program, "recorder": total - program}


def _seconds(raw: Any) -> float:
    sound = isinstance(raw, (int, float)) and not isinstance(raw, bool) and math.isfinite(raw) and 0 <= raw < 1e9
    return float(raw) if sound else 0.0


def _line(raw: Any) -> int | None:
    return raw if type(raw) is int and 0 < raw < 1 << 24 else None


def _error(
    raw: Any, structure: Structure, tables: dict[str, Any], rows: Rows, strings: Strings
) -> dict[str, Any] | None:
    if not isinstance(raw, dict):
        return None
    texts = {key: clean(raw[key]) if isinstance(raw.get(key), str) else "" for key in ("type", "message", "traceback")}
    node = raw.get("node")
    node = node if type(node) is int and 0 <= node < structure.count else -1
    sources: list[tuple[str, int | str]]
    if node >= 0:
        sources = [("", source) for source in structure.data_sources[structure.data_targets == node].tolist()]
    else:
        sources = _given(raw.get("given"), structure.count)
    return {
        "type": texts["type"],
        "message": texts["message"],
        "line": _line(raw.get("line")),
        "traceback": texts["traceback"],
        "node": node,
        "operands": _operands(sources, tables, rows, strings),
        "defined_line": _defined_line(node, structure, rows),
    }


def _given(raw: Any, count: int) -> list[tuple[str, int | str]]:
    """Names, and nodes or types, of what was given where there is no node that failed."""
    pairs = [pair for pair in raw if isinstance(pair, list) and len(pair) == 2] if isinstance(raw, list) else []
    told: list[tuple[str, int | str]] = []
    for name, what in pairs:
        if isinstance(name, str) and isinstance(what, str):
            told.append((clean(name), clean(what[:200])))
        elif isinstance(name, str) and type(what) is int and 0 <= what < count:
            told.append((clean(name), what))
    return told


def _operands(
    sources: list[tuple[str, int | str]], tables: dict[str, Any], rows: Rows, strings: Strings
) -> list[dict[str, str]]:
    nodes = tables["nodes"]
    operands = []
    for called, source in sources:
        if isinstance(source, str):
            operands.append({"name": called, "type": source})
            continue
        name = next((int(n) for n in (nodes["variable"][source], nodes["name"][source]) if n >= 0), -1)
        type_id = int(nodes["type"][source])
        known = rows.types[type_id] if type_id >= 0 else {"dtype": "?", "shape": None}
        shape = "?" if known["shape"] is None else [n if n is not None else "?" for n in known["shape"]]
        text = f"{known['dtype']} [{', '.join(map(str, shape))}]" if shape != "?" else f"{known['dtype']} ?"
        operands.append({"name": strings.list[name] if name >= 0 else called, "type": text})
    return operands


def _defined_line(node: int, structure: Structure, rows: Rows) -> int | None:
    if node < 0 or structure.dynamic[node]:
        return None
    return _line(int(rows.nodes["line"][node]))

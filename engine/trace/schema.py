"""The trace document's tables and columns, declared once; the JSON Schema and the validator are made from them.

A column's kind says what its integers are: ``"int"`` anything, ``"ns"`` nanoseconds, ``"line"`` a source line,
``"flag"`` 0 or 1, or the table or list that they index (``"strings"``, ``"nodes"`` …; ``-1`` means none).
"""

from __future__ import annotations

from typing import Any

FORMAT = "stepgraph-trace"
VERSION = 1

Columns = dict[str, str]

TABLES: dict[str, Columns] = {
    "spans": {"line": "line", "column": "int", "end_line": "line", "end_column": "int"},
    "frames": {"function": "strings", "parent": "frames", "line": "line"},
    "graphs": {"mode": "strings", "name": "strings", "seq": "int"},
    "plans": {"graph": "graphs", "seq": "int", "fetches": "lists", "feeds": "lists"},
    "nodes": {
        "graph": "graphs",
        "plan": "plans",
        "definition": "definitions",
        "name": "strings",
        "variable": "strings",
        "type": "types",
        "span": "spans",
        "frame": "frames",
        "seq": "int",
        "slot": "slots",
        "episode": "episodes",
        "mirrors": "nodes",
        "serves": "nodes",
        "scope": "strings",
        "region": "regions",
    },
    "regions": {"graph": "graphs", "name": "strings", "parent": "regions", "node": "nodes"},
    "edges": {"source": "nodes", "port": "int", "target": "nodes", "input": "int", "kind": "strings"},
    "slots": {"graph": "graphs", "definition": "definitions", "count": "int"},
    "loops": {"line": "line", "end_line": "line", "split": "flag"},
    "episodes": {"loop": "loops", "parent": "episodes", "index": "int", "first": "steps", "last": "steps"},
    "steps": {
        "seq": "int",
        "kind": "strings",
        "row": "int",
        "line": "line",
        "span": "spans",
        "frame": "frames",
        "time": "ns",
    },
    "phases": {
        "name": "strings",
        "label": "strings",
        "first": "steps",
        "last": "steps",
        "graph": "graphs",
        "plan": "plans",
        "episode": "episodes",
    },
}

EVENTS: dict[str, Columns] = {
    "line": {"line": "line", "frame": "frames"},
    "inner": {"source": "strings", "line": "line"},
    "called": {"frame": "frames"},
    "returned": {"frame": "frames"},
    "loop": {"loop": "loops", "activation": "int", "iteration": "int"},
    "assigned": {"frame": "frames", "name": "strings", "node": "nodes", "value": "values", "object": "int"},
    "deleted": {"frame": "frames", "name": "strings"},
    "output": {"offset": "int", "length": "int", "stream": "int"},
    "asked": {"offset": "int", "length": "int"},
    "node": {"node": "nodes"},
    "role": {"node": "nodes", "definition": "definitions"},
    "run": {"plan": "plans", "run": "int", "fetches": "lists", "feeds": "lists"},
    "run_end": {"run": "int", "duration": "ns"},
    "fed": {"node": "nodes", "value": "values", "run": "int"},
    "ran": {
        "node": "nodes",
        "value": "values",
        "start": "ns",
        "duration": "ns",
        "worker": "int",
        "run": "int",
        "storage": "int",
        "version": "int",
        "iteration": "int",
    },
    "entered": {"node": "nodes", "region": "regions", "iteration": "int", "run": "int"},
    "fetched": {"node": "nodes", "value": "values", "run": "int"},
    "written": {
        "node": "nodes",
        "value": "values",
        "how": "strings",
        "run": "int",
        "storage": "int",
        "version": "int",
    },
    "optimise": {"plan": "plans"},
    "pass": {"plan": "plans", "name": "strings", "before": "int", "after": "int", "start": "ns", "duration": "ns"},
    "rewrite": {"plan": "plans", "action": "strings", "old": "lists", "new": "lists", "reason": "strings"},
    "edited": {"edge": "edges", "added": "flag"},
    "compiled": {
        "plan": "plans",
        "nodes": "int",
        "calls": "int",
        "buffers": "int",
        "source": "strings",
        "start": "ns",
        "duration": "ns",
    },
    "batched": {"depth": "int", "function": "strings", "rows": "int", "nodes": "lists"},
    "specialised": {"function": "strings", "what": "strings", "why": "strings"},
    "backward": {"node": "nodes", "value": "values"},
    "gradient": {"node": "nodes", "values": "lists", "start": "ns", "duration": "ns"},
    "accumulated": {"node": "nodes", "value": "values", "existed": "flag", "storage": "int", "version": "int"},
    "cleared": {"node": "nodes", "how": "strings", "value": "values"},
    "freed": {"nodes": "lists"},
    "backward_end": {"node": "nodes", "duration": "ns"},
    "failed": {"node": "nodes", "type": "strings", "message": "strings"},
    "error": {"type": "strings", "message": "strings", "line": "line", "caught": "flag"},
    "picture": {"picture": "pictures", "how": "strings", "name": "strings"},
    "charted": {"chart": "charts", "point": "int"},
    "folded": {
        "loop": "loops",
        "activation": "int",
        "iteration": "int",
        "passes": "int",
        "steps": "int",
        "events": "int",
        "start": "ns",
        "duration": "ns",
        "series": "series",
    },
}
"""Every event table also has ``seq`` as its first column."""

DIALECTS = ("torch", "tf1", "tf2", "native", "python")
END_KINDS = ("ok", "error", "exit", "limit")
LIMITS = ("time", "memory", "output", "steps", "crash", "stopped")
"""Why a program was ended; ``stopped``: whoever had started it asked for that."""
PHASES = ("build", "init", "optimise", "compile", "run", "forward", "backward", "update")
CATEGORIES = ("input", "variable", "arith", "matmul", "activation", "reduction", "shape", "control", "gradient")
ROLES = ("input", "variable", "constant", "op", "gradient", "accumulate", "update", "control")


def _column() -> dict[str, Any]:
    numbers = {"type": "array", "items": {"type": "integer"}}
    encoded = [
        {"type": "object", "properties": {key: numbers}, "required": [key], "additionalProperties": False}
        for key in ("rle", "delta", "period")
    ]
    return {"anyOf": [numbers, *encoded]}


def _object(properties: dict[str, Any], *, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _table(columns: Columns) -> dict[str, Any]:
    return _object({name: {"$ref": "#/$defs/column"} for name in columns})


def _list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER_OR_TEXT = {"type": ["number", "string"]}
NUMBER_OR_NONE = {"type": ["number", "string", "null"]}


ITEM = {"type": "array", "prefixItems": [TEXT, TEXT, INTEGER], "minItems": 3, "maxItems": 3}


def part() -> dict[str, Any]:
    """An object inside a container or an instance."""
    return _object({"object": INTEGER, "python": TEXT, "items": _list_of(ITEM)})


def _value() -> dict[str, Any]:
    numbers = _list_of({"type": ["number", "string", "boolean"]})
    grid = _object({"rows": INTEGER, "columns": INTEGER, "data": _list_of({"type": ["number", "null"]})})
    shape = {"anyOf": [{"type": "null"}, _list_of({"type": ["integer", "null"]})]}
    counts = dict.fromkeys(("size", "bytes", "nan", "inf", "zeros"), INTEGER)
    extremes = dict.fromkeys(("min", "max", "mean"), NUMBER_OR_NONE)
    array = _object(
        {"dtype": TEXT, "shape": shape, **counts, **extremes, "data": numbers, "grid": grid, "head": numbers},
        optional=("data", "grid", "head"),
    )
    short = {"type": "array", "prefixItems": [INTEGER], "items": NUMBER_OR_NONE, "minItems": 2, "maxItems": 7}
    items = _list_of(ITEM)
    inside = _list_of({"anyOf": [INTEGER, part()]})
    edits = {"type": "array", "prefixItems": [INTEGER, TEXT, INTEGER], "minItems": 3, "maxItems": 3}
    change = {"type": "array", "prefixItems": [INTEGER, ITEM], "minItems": 2, "maxItems": 2}
    pair = {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}
    changed = _object(
        {"like": INTEGER, "text": {"anyOf": [TEXT, edits]}, "items": _list_of(change), "inside": _list_of(pair)},
        optional=("items", "inside"),
    )
    python = _object({"python": TEXT, "text": TEXT, "items": items, "inside": inside}, optional=("items", "inside"))
    return {"anyOf": [array, python, changed, short]}


def _end() -> dict[str, Any]:
    card = _object({"id": TEXT, "title": TEXT, "explanation": TEXT, "tries": _list_of(TEXT)})
    line = {"type": ["integer", "null"]}
    error = _object(
        {
            "type": TEXT,
            "message": TEXT,
            "line": line,
            "traceback": TEXT,
            "node": INTEGER,
            "operands": _list_of(_object({"name": TEXT, "type": TEXT})),
            "defined_line": line,
            "card": {"anyOf": [{"type": "null"}, card]},
        },
        optional=("card",),
    )
    return _object(
        {
            "kind": {"enum": list(END_KINDS)},
            "exit_code": {"type": ["integer", "null"]},
            "limit": {"enum": [*LIMITS, None]},
            "line": line,
            "error": {"anyOf": [{"type": "null"}, error]},
            "hints": _list_of(card),
        },
        optional=("hints",),
    )


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a trace document (``docs/trace.schema.json`` is a copy of it).

    >>> sorted(json_schema()["properties"])[:3]
    ['charts', 'definitions', 'edges']
    """
    text_and_shape = {"dtype": TEXT, "shape": {"anyOf": [{"type": "null"}, _list_of({"type": ["integer", "null"]})]}}
    definition = {
        "op": TEXT,
        "label": TEXT,
        "category": {"enum": list(CATEGORIES)},
        "symbol": TEXT,
        "role": {"enum": list(ROLES)},
        "attributes": {"type": "object"},
        "formula": TEXT,
    }
    program = {
        "name": TEXT,
        "source": TEXT,
        "dialect": {"enum": list(DIALECTS)},
        "reason": TEXT,
        "notes": _list_of(TEXT),
    }
    seconds = {name: {"type": "number"} for name in ("total", "program", "recorder")}
    numbers = {"low": NUMBER_OR_TEXT, "high": NUMBER_OR_TEXT, "points": _list_of(NUMBER_OR_NONE)}
    series = _object({"name": INTEGER, "every": INTEGER, **numbers})
    events = {name: _table({"seq": "int", **columns}) for name, columns in EVENTS.items()}
    document = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "program": _object(program),
        "machine": _object({"python": TEXT, "numpy": TEXT, "engine": TEXT, "timer_ns": INTEGER}),
        "end": _end(),
        "seconds": _object(seconds),
        "strings": _list_of(TEXT),
        "types": _list_of(_object(text_and_shape)),
        "definitions": _list_of(_object(definition)),
        "lists": _list_of(_list_of(INTEGER)),
        "values": _list_of({"$ref": "#/$defs/value"}),
        **{name: _table(columns) for name, columns in TABLES.items()},
        "events": _object(events, optional=tuple(events)),
        "stdout": TEXT,
        "pictures": _list_of(_object({"width": INTEGER, "height": INTEGER, "png": TEXT})),
        "charts": _list_of(_object({"name": TEXT, "x": _list_of(INTEGER), "y": _list_of(NUMBER_OR_TEXT)})),
        "files": _list_of(_object({"name": TEXT, "size": INTEGER, "data": {"type": ["string", "null"]}})),
        "series": _list_of(_list_of(series)),
        "parts": _list_of(part()),
        "layout": {"type": "object"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Stepgraph trace",
        **_object(document, optional=("pictures", "charts", "files", "series", "parts", "layout")),
        "$defs": {"column": _column(), "value": _value()},
    }

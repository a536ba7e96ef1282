"""Checking a document before anybody reads it: it came out of a run, so it is hostile.

The check is made from the same declarations as the JSON Schema but goes further (lengths of columns, ranges of indexes)
and is fast: columns are decoded with NumPy, and everything is capped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.trace import schema
from engine.trace.columns import ColumnError, Ints, decode
from engine.trace.containers import LONGEST_CHAIN

MAXIMUM_ROWS = 2_000_000
MAXIMUM_PARTS = 4096
MAXIMUM_LIST = 2_000_000
MAXIMUM_TEXT = 64_000_000
MAXIMUM_DEPTH = 8


class TraceError(ValueError):
    """A document that is no trace of a known version; the message says what is wrong and where."""


def validate(trace: Any) -> None:
    """Check a document (parsed JSON). :raises TraceError: it is no valid trace of version 1.

    >>> validate({"format": "stepgraph-trace", "version": 7})
    Traceback (most recent call last):
    engine.trace.validate.TraceError: This trace has version 7; this program reads version 1. ...
    """
    if not isinstance(trace, dict):
        raise TraceError("A trace is a JSON object.")
    if trace.get("format") != schema.FORMAT:
        raise TraceError(f'This is no Stepgraph trace: "format" is not "{schema.FORMAT}".')
    version = trace.get("version")
    if type(version) is not int:
        raise TraceError('"version" is missing or no integer.')
    if version != schema.VERSION:
        advice = "Use a newer Stepgraph for it." if version > schema.VERSION else "Record the program again."
        raise TraceError(f"This trace has version {version}; this program reads version {schema.VERSION}. {advice}")
    declared = schema.json_schema()
    _keys(trace, declared["properties"], declared["required"], "the trace")
    for name in ("program", "machine", "end", "seconds"):
        _conforms(trace[name], declared["properties"][name], name)
    _texts(trace["strings"], "strings")
    if not isinstance(trace["stdout"], str) or len(trace["stdout"]) > MAXIMUM_TEXT:
        raise TraceError('"stdout" is no text, or too long.')
    _each(trace["types"], declared["properties"]["types"]["items"], "types")
    _each(trace["definitions"], declared["properties"]["definitions"]["items"], "definitions")
    _values(trace["values"], trace["types"], len(trace.get("parts", ())))
    _lists(trace["lists"])
    for name in ("pictures", "charts", "files", "series", "parts"):
        _each(trace.get(name, []), declared["properties"][name]["items"], name)
    _tables(trace)


def _keys(found: Any, allowed: Any, required: Any, where: str) -> None:
    if not isinstance(found, dict):
        raise TraceError(f"{where} is no object.")
    for name in required:
        if name not in found:
            raise TraceError(f"{where} lacks {name!r}.")
    for name in found:
        if name not in allowed:
            raise TraceError(f"{where} has {str(name)[:80]!r}, which version {schema.VERSION} does not know.")


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda x: isinstance(x, str),
    "integer": lambda x: type(x) is int and -(2**63) < x < 2**63,
    "number": lambda x: (type(x) is int and -(2**63) < x < 2**63) or (type(x) is float and math.isfinite(x)),
    "boolean": lambda x: type(x) is bool,
    "null": lambda x: x is None,
    "array": lambda x: isinstance(x, list) and len(x) <= MAXIMUM_LIST,
    "object": lambda x: isinstance(x, dict),
}


def _conforms(found: Any, declared: dict[str, Any], where: str) -> None:
    """Check a small piece of the document against the part of JSON Schema that ``schema.py`` uses."""
    if "enum" in declared:
        if not any(found is one or (type(found) is type(one) and found == one) for one in declared["enum"]):
            raise TraceError(f"{where} is none of {declared['enum']}.")
        return
    if "anyOf" in declared:
        problems = []
        for option in declared["anyOf"]:
            try:
                _conforms(found, option, where)
            except TraceError as error:
                problems.append(error)
            else:
                return
        raise problems[-1]
    kinds = declared.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_TYPES[kind](found) for kind in kinds):
        raise TraceError(f"{where} is no {' or '.join(kinds)}.")
    if "properties" in declared:
        _keys(found, declared["properties"], declared.get("required", ()), where)
        for name, value in found.items():
            _conforms(value, declared["properties"][name], f"{where}.{name}")
    elif isinstance(found, dict):
        _bounded(found, where, 0)
    elif isinstance(found, list) and "items" in declared:
        for value in found:
            _conforms(value, declared["items"], where)


def _bounded(found: Any, where: str, depth: int) -> None:
    """Free-form JSON (attributes): no deeper than ``MAXIMUM_DEPTH``, no number that JSON cannot hold."""
    if depth > MAXIMUM_DEPTH:
        raise TraceError(f"{where} is nested too deeply.")
    if isinstance(found, dict):
        for value in found.values():
            _bounded(value, where, depth + 1)
    elif isinstance(found, list):
        for value in found:
            _bounded(value, where, depth + 1)
    elif not (found is None or isinstance(found, (str, bool)) or _TYPES["number"](found)):
        raise TraceError(f"{where} holds something that is no JSON value.")


def _texts(found: Any, where: str) -> None:
    if not isinstance(found, list) or len(found) > MAXIMUM_LIST or not all(isinstance(text, str) for text in found):
        raise TraceError(f"{where} is no list of texts.")


def _each(found: Any, declared: dict[str, Any], where: str) -> None:
    if not isinstance(found, list) or len(found) > MAXIMUM_LIST:
        raise TraceError(f"{where} is no list, or too long.")
    for index, one in enumerate(found):
        _conforms(one, declared, f"{where}[{index}]")


_VALUE = schema.json_schema()["$defs"]["value"]["anyOf"]
_ARRAY_KEYS = frozenset(_VALUE[0]["properties"])
_ARRAY_REQUIRED = frozenset(_VALUE[0]["required"])
_NUMBERS = frozenset({int, float, str, bool})


def _values(found: Any, types: list[Any], parts: int) -> None:
    """Values are many: checked by hand, with the same meaning as their schema."""
    if not isinstance(found, list) or len(found) > MAXIMUM_LIST:
        raise TraceError("values is no list, or too long.")
    for index, value in enumerate(found):
        if isinstance(value, list):
            _short_value(value, types, f"values[{index}]")
            continue
        if not isinstance(value, dict):
            raise TraceError(f"values[{index}] is no object.")
        keys = value.keys()
        if "like" in keys:
            _conforms(value, _VALUE[2], f"values[{index}]")
            _changed_value(found, index, parts, f"values[{index}]")
            continue
        if keys >= {"python", "text"}:
            _conforms(value, _VALUE[1], f"values[{index}]")
            inside = value.get("inside", [])
            if not all(type(one) is not int or 0 <= one < parts for one in inside):
                raise TraceError(f"values[{index}].inside points outside parts.")
            told = (one["items"] for one in inside if type(one) is not int)
            for items in [value.get("items", []), *told]:
                if not all([type(part) for part in item] == [str, str, int] for item in items):
                    raise TraceError(f"values[{index}].items are no labels, texts and objects.")
            continue
        if not (keys >= _ARRAY_REQUIRED and keys <= _ARRAY_KEYS):
            raise TraceError(f"values[{index}] has other keys than a value has.")
        for name in ("data", "head"):
            numbers = value.get(name, [])
            if not isinstance(numbers, list) or len(numbers) > 4096 or not _NUMBERS.issuperset(map(type, numbers)):
                raise TraceError(f"values[{index}].{name} is no short list of numbers.")
            if not all(-1e400 < number < 1e400 for number in numbers if type(number) is float):
                raise TraceError(f"values[{index}].{name} holds a number that JSON cannot hold.")
        rest = {name: one for name, one in value.items() if name not in ("data", "head")}
        _conforms(rest, _VALUE[0], f"values[{index}]")


def _changed_value(found: list[Any], index: int, parts: int, where: str) -> None:
    """A value that says how it differs from an earlier one: the chain to a whole one is short, and each change fits."""
    value = found[index]
    edit = value["text"]
    if isinstance(edit, list) and not ([type(x) for x in edit] == [int, str, int] and min(edit[0], edit[2]) >= 0):
        raise TraceError(f"{where}.text is no edit of a text.")
    for change in value.get("items", []):
        place, item = change if len(change) == 2 else (-1, None)
        if not (type(place) is int and 0 <= place < MAXIMUM_PARTS and isinstance(item, list)):
            raise TraceError(f"{where}.items names no place.")
        if [type(part) for part in item] != [str, str, int]:
            raise TraceError(f"{where}.items are no labels, texts and objects.")
    if not all(
        len(one) == 2 and 0 <= one[0] < MAXIMUM_PARTS and 0 <= one[1] < parts for one in value.get("inside", [])
    ):
        raise TraceError(f"{where}.inside points outside parts.")
    for _ in range(LONGEST_CHAIN + 1):
        like = value["like"]
        if not 0 <= like < index or not isinstance(found[like], dict):
            break
        value, index = found[like], like
        if "like" not in value:
            if "items" in value:
                return
            break
    raise TraceError(f"{where}.like is no earlier value with parts, or too far from one.")


def _short_value(value: list[Any], types: list[Any], where: str) -> None:
    type_id = value[0] if len(value) in (2, 7) else None
    known = types[type_id] if type(type_id) is int and 0 <= type_id < len(types) else None
    if known is None or known["shape"] is None or None in known["shape"]:
        raise TraceError(f"{where} is no short value of a known type.")
    for number in value[1:]:
        if type(number) is float and not math.isfinite(number):
            raise TraceError(f"{where} holds a number that JSON cannot hold.")
        if number is not None and type(number) not in _NUMBERS:
            raise TraceError(f"{where} holds something that is no number.")
    if not all(type(number) is int for number in value[4:]):
        raise TraceError(f"{where} has no counts.")


def _lists(found: Any) -> None:
    if not isinstance(found, list) or len(found) > MAXIMUM_LIST:
        raise TraceError("lists is no list, or too long.")
    total = 0
    for index, numbers in enumerate(found):
        if not isinstance(numbers, list) or not all(type(n) is int and -1 <= n < 2**31 for n in numbers):
            raise TraceError(f"lists[{index}] is no list of indexes.")
        total += len(numbers)
    if total > 10 * MAXIMUM_LIST:
        raise TraceError("lists are too long.")


def _tables(trace: dict[str, Any]) -> None:
    decoded: dict[str, dict[str, Ints]] = {}
    for name, columns in schema.TABLES.items():
        decoded[name] = _table(trace[name], columns, name)
    events = trace["events"]
    _keys(events, schema.EVENTS, (), "events")
    for name, table in events.items():
        decoded[f"events.{name}"] = _table(table, {"seq": "int", **schema.EVENTS[name]}, f"events.{name}")
    lengths = {name: len(trace[name]) for name in ("strings", "types", "definitions", "lists", "values")}
    lengths |= {name: len(trace.get(name, ())) for name in ("pictures", "charts", "series")}
    lengths.update((name, len(next(iter(columns.values())))) for name, columns in decoded.items())
    for name, table in decoded.items():
        declared = schema.TABLES.get(name) or schema.EVENTS[name.removeprefix("events.")]
        for column, kind in declared.items():
            _range(table[column], kind, lengths, f"{name}.{column}")
        if "seq" in table and name != "plans" and (np.diff(table["seq"]) < 0).any():
            raise TraceError(f"{name}.seq does not grow.")
    _steps(decoded, trace["strings"])
    _phases(decoded)


def _table(found: Any, columns: dict[str, str], where: str) -> dict[str, Ints]:
    _keys(found, columns, columns, where)
    table: dict[str, Ints] = {}
    for name in columns:
        try:
            table[name] = decode(found[name], MAXIMUM_ROWS)
        except ColumnError as error:
            raise TraceError(f"{where}.{name}: {error}.") from None
    if len({len(column) for column in table.values()}) > 1:
        raise TraceError(f"The columns of {where} have different lengths.")
    return table


def _range(column: Ints, kind: str, lengths: dict[str, int], where: str) -> None:
    if not len(column):
        return
    low, high = int(column.min()), int(column.max())
    if kind in lengths and not (low >= -1 and high < lengths[kind]):
        raise TraceError(f"{where} points outside {kind}.")
    if kind == "flag" and not (low >= 0 and high <= 1):
        raise TraceError(f"{where} is more than 0 or 1.")
    if kind == "line" and low < -1:
        raise TraceError(f"{where} is no line.")
    if not (low >= -(1 << 53) and high <= 1 << 53):
        raise TraceError(f"{where} holds a number beyond 2**53.")


def _steps(decoded: dict[str, dict[str, Ints]], strings: list[str]) -> None:
    steps = decoded["steps"]
    for number in np.unique(steps["kind"]).tolist():
        name = strings[number] if number >= 0 else ""
        table = decoded.get(f"events.{name}")
        if table is None:
            raise TraceError(f"steps.kind names {name[:40]!r}, but there is no such table of events.")
        rows = steps["row"][steps["kind"] == number]
        if int(rows.min()) < 0 or int(rows.max()) >= len(table["seq"]):
            raise TraceError(f"steps.row points outside events.{name}.")


def _phases(decoded: dict[str, dict[str, Ints]]) -> None:
    phases, count = decoded["phases"], len(decoded["steps"]["seq"])
    first, last = phases["first"], phases["last"]
    covered = len(first) == 0 if count == 0 else len(first) > 0 and first[0] == 0 and last[-1] == count - 1
    if not covered or (first[1:] != last[:-1] + 1).any() or (last < first).any():
        raise TraceError("phases do not cover all steps without a gap.")

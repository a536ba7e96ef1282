"""The schema, its committed copy and the validator say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.recording import record
from engine.trace.columns import ColumnError, decode, encode
from engine.trace.schema import EVENTS, TABLES, json_schema
from engine.trace.summary import summary
from engine.trace.validate import TraceError, validate

ROOT = Path(__file__).resolve().parents[2]
TRACE = record("import numpy as np\na = np.arange(3.0)\nfor i in range(3):\n    print(i)\nb = [a]\n1 / 0\n")
STEPS = summary(TRACE)["steps"]
CHECKER = jsonschema.Draft202012Validator(json_schema())


def test_the_committed_copy_is_the_schema() -> None:
    committed = json.loads((ROOT / "docs" / "trace.schema.json").read_text(encoding="utf-8"))
    assert committed == json_schema()


def test_the_document_describes_every_table() -> None:
    text = (ROOT / "docs" / "trace.md").read_text(encoding="utf-8")
    for name, columns in EVENTS.items():
        assert f"`{name}`" in text
        assert all(f"{column}" in text for column in columns)
    for columns in TABLES.values():
        assert all(column in text for column in columns)


def test_a_recording_conforms() -> None:
    CHECKER.check_schema(json_schema())
    CHECKER.validate(TRACE)
    validate(TRACE)


ENDS = ["", "x = 1", "(", "import sys; sys.exit('no')", "raise SystemExit", "print('\\ud800')"]


@pytest.mark.parametrize("source", ENDS)
def test_every_end_conforms(source: str) -> None:
    trace = record(source)
    CHECKER.validate(trace)
    validate(trace)
    text = json.dumps(trace, allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")
    assert summary(trace)["trace_bytes"] > 500


def broken(path: str, value: Any) -> Any:
    """A copy of the trace with one place changed."""
    trace = json.loads(json.dumps(TRACE))
    *way, last = path.split(".")
    place = trace
    for key in way:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[int(last) if isinstance(place, list) else last] = value
    return trace


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 2, "version 2; this program reads version 1. Use a newer"),
        ("version", 0, "Record the program again"),
        ("version", "1", "no integer"),
        ("format", "x", "no Stepgraph trace"),
        ("more", 1, "'more', which version 1 does not know"),
        ("steps.line", [1], "different lengths"),
        ("steps.row", {"rle": [99, STEPS]}, "points outside events"),
        ("steps.kind", {"rle": [10_000, STEPS]}, "points outside strings"),
        ("events.line.frame", {"rle": [7, 10]}, "points outside frames"),
        ("events.line.frame", {"rle": [0, 10**9]}, "too large"),
        ("events.line.frame", {"delta": [2**61] * 10}, "beyond 62 bits"),
        ("events.line.frame", ["x"], "63-bit integer"),
        ("events.line.frame", [1.5], "63-bit integer"),
        ("events.line.frame", {"zip": []}, "a column is an array"),
        ("events.lines", {}, "'lines', which version"),
        ("strings.0", 5, "no list of texts"),
        ("stdout", None, "no text"),
        ("end.kind", "fine", "none of"),
        ("end.line", True, "is no integer"),
        ("seconds.total", float("nan"), "is no number"),
        ("values.0", {"python": "int"}, "other keys"),
        ("values", {}, "no list"),
        ("program.dialect", ["torch"], "none of"),
        ("lists", [[1.0]], "no list of indexes"),
        ("phases.last", [3], "without a gap"),
        ("machine.timer_ns", "1", "no integer"),
    ],
)
def test_what_is_wrong_is_said(path: str, value: Any, message: str) -> None:
    with pytest.raises(TraceError, match=message):
        validate(broken(path, value))


@pytest.mark.parametrize("document", [None, [], "x", 3, {}, {"format": "stepgraph-trace", "version": 1}])
def test_other_documents_are_refused(document: Any) -> None:
    with pytest.raises(TraceError):
        validate(document)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PATHS = [f"{name}.{column}" for name, columns in TABLES.items() for column in columns]
PATHS += [f"events.{name}.{column}" for name, table in TRACE["events"].items() for column in table]
PATHS += ["values.0", "types.0", "strings", "lists", "end", "end.error", "program", "machine.python", "seconds"]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PATHS), json_values)
def test_the_validator_never_crashes(path: str, value: Any) -> None:
    trace = broken(path, value)
    try:
        validate(trace)
    except TraceError:
        return
    CHECKER.validate(trace)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-(2**53), 2**53) | st.integers(0, 3), max_size=40))
def test_columns_come_back(numbers: list[int]) -> None:
    assert decode(encode(numbers)).tolist() == numbers


def test_the_shortest_encoding_is_chosen() -> None:
    assert encode(range(1000, 2000)) == {"period": [2, 1000, 1001, 2, 2, 0, 996]}
    assert "delta" in encode(np.cumsum(np.random.default_rng(1).integers(0, 9, 1000)))
    assert "rle" in encode([5] * 100)
    assert encode([1, 900, 4]) == [1, 900, 4]
    assert encode([]) == []
    with pytest.raises(ColumnError, match="pairs"):
        decode({"rle": [1]})

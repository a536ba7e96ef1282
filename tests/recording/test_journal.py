"""A journal is valid at every instant, whatever ends the process that writes it and whatever it is overwritten with."""

from __future__ import annotations

import json
import os
import signal
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.recording.config import Limits, RunConfig
from engine.recording.entry import run
from engine.recording.journal import HEADER_BYTES, Journal, JournalFullError, JournalSizes, anonymous
from engine.recording.reader import Reader
from engine.recording.rows import LAYOUT, ROW, ROW_BYTES, Kind
from engine.trace.build import EndInfo, build
from engine.trace.reading import printed, table
from engine.trace.validate import validate

SIZES = JournalSizes(rows=4000, heap=1 << 20, output=1 << 16)


def test_a_row_is_read_as_it_was_written() -> None:
    journal = anonymous(SIZES)
    journal.append(Kind.RAN, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
    row = Reader(journal.buffer).rows[0]
    assert ROW.itemsize == ROW_BYTES == LAYOUT.size == 72
    assert [int(row[name]) for name in ROW.names or ()] == [Kind.RAN, 0, 14, *range(1, 14)]


def test_short_rows_have_the_same_layout() -> None:
    journal = anonymous(SIZES)
    journal.append(Kind.LINE, 7, 3, 2, time=99)
    journal.append_place(Kind.LINE, 7, 3, 2, 99)
    journal.append_float(Kind.ASSIGNED, 7, 2, 5, 2, 1.5, 99)
    rows = Reader(journal.buffer).rows
    assert rows[0] == rows[1]
    assert rows[2:]["value"].copy().view("<f8")[0] == 1.5
    assert [int(rows[2][name]) for name in ("line", "frame", "a", "b", "node", "time")] == [7, 2, 5, 2, -1, 99]


def test_heap_and_output_come_back() -> None:
    journal = anonymous(SIZES)
    first, second = journal.put_bytes("é".encode()), journal.put_ints([1, -1, 2**31 - 1])
    third = journal.put_record(4, b"abc")
    assert journal.put_output(b"hello") == 5
    assert journal.put_output(b"x" * (1 << 17)) == SIZES.output - 5
    reader = Reader(journal.buffer)
    assert reader.text_at(first) == "é"
    assert reader.ints_at(second) == [1, -1, 2**31 - 1]
    assert reader.value_at(third) == (4, 0, b"abc")
    assert reader.output_bytes[:6] == b"hellox"


def test_a_full_journal_says_so_and_keeps_room_for_the_end() -> None:
    journal = anonymous(SIZES)
    for _ in range(journal.row_limit):
        journal.append(Kind.LINE, line=1)
    with pytest.raises(JournalFullError):
        journal.append(Kind.LINE, line=1)
    journal.release_spare()
    journal.append(Kind.END)
    assert Reader(journal.buffer).rows[-1]["kind"] == Kind.END
    with pytest.raises(JournalFullError):
        journal.allocate(SIZES.heap + 8)


def test_a_buffer_that_is_no_journal_is_refused() -> None:
    with pytest.raises(ValueError, match="format it with"):
        Journal(bytearray(HEADER_BYTES))


ENDLESS = """
import os, signal, sys
print("before")
class A:
    pass
n = 0
while True:
    n = n + 1
    text = [n, str(n)]
    if n == 50:
        print("half")
    if n == 200:
        END
"""


def in_child(source: str, journal: Journal, kill_after: float = 0.0) -> int:
    """Run ``source`` in a forked child, as the sandbox does; kill it after a while. Gives the wait status."""
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        try:
            os._exit(run(RunConfig(source, limits=Limits(seconds=20)), journal))
        finally:
            os._exit(99)
    if kill_after:
        deadline = time.monotonic() + 10
        while journal.buffer[64] == 0 and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("os._exit(7)", 7 << 8),
        ("os.kill(os.getpid(), signal.SIGKILL)", signal.SIGKILL),
        ("os.kill(os.getpid(), signal.SIGTERM)", signal.SIGTERM),
    ],
)
def test_what_came_before_a_sudden_end_is_there(end: str, status: int) -> None:
    journal = anonymous(SIZES)
    assert in_child(ENDLESS.replace("END", end), journal) == status
    trace = build(journal, None, EndInfo("crash", seconds=1.0))
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    assert trace["end"] == {"kind": "limit", "exit_code": 124, "limit": "crash", "line": 13, "error": None, "hints": []}
    assert printed(trace) == "before\nhalf\n"
    assert table(trace, "steps")[-1]["line"] == 13
    assert {"python": "int", "text": "200"} in trace["values"]
    assert trace["seconds"]["total"] == 1.0


def test_killed_at_any_instant() -> None:
    for delay in (0.0005, 0.002, 0.004, 0.007):
        journal = anonymous(JournalSizes(rows=400_000))
        status = in_child("n = 0\nwhile True:\n    n += 1\n    s = str(n)\n", journal, kill_after=delay)
        assert status == signal.SIGKILL
        trace = build(journal, None, EndInfo("time", seconds=0.5))
        validate(trace)
        assert trace["end"]["limit"] == "time"
        numbers = [value["text"] for value in trace["values"] if value.get("python") == "int"]
        assert numbers == [str(n) for n in range(len(numbers))]


def recorded_bytes() -> tuple[bytearray, JournalSizes]:
    sizes = JournalSizes(rows=300, heap=200_000, output=2000)
    buffer = bytearray(sizes.total)
    journal = Journal.create(buffer, sizes)
    source = "import numpy as np\na = np.arange(4.0)\nfor i in range(3):\n    b = [i]\n    print(i)\n1 / 0\n"
    run(RunConfig(source), journal, own_process=False)
    used = Reader(buffer).rows
    assert len(used) > 20
    return buffer, sizes


BUFFER, BUFFER_SIZES = recorded_bytes()


@settings(max_examples=120, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(
                st.integers(0, 127),
                st.integers(HEADER_BYTES, HEADER_BYTES + 80 * ROW_BYTES),
                st.integers(HEADER_BYTES + 300 * ROW_BYTES, HEADER_BYTES + 300 * ROW_BYTES + 8000),
            ),
            st.one_of(st.binary(min_size=1, max_size=12), st.just(b"\xff" * 8), st.just(b"\xff\xff\xff\x7f")),
        ),
        min_size=1,
        max_size=30,
    ),
    st.booleans(),
)
def test_any_bytes_make_a_valid_trace(scribbles: list[tuple[int, bytes]], sized: bool) -> None:
    buffer = bytearray(BUFFER)
    for at, data in scribbles:
        buffer[at : at + len(data)] = data
    reader = Reader(buffer, BUFFER_SIZES if sized else None)
    trace = build(reader, RunConfig("x = 1"), EndInfo("memory"))
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    reader.outputs()


def test_random_bytes_make_a_valid_trace() -> None:
    random = np.random.default_rng(1)
    for _ in range(30):
        buffer = bytearray(BUFFER)
        noise = random.integers(0, 256, size=len(buffer) - HEADER_BYTES, dtype=np.uint8).tobytes()
        buffer[HEADER_BYTES:] = noise
        # Kinds that exist, so that the noise is taken for events.
        kinds = random.choice([int(kind) for kind in Kind], size=300)
        for index, kind in enumerate(kinds):
            buffer[HEADER_BYTES + index * ROW_BYTES] = int(kind)
        buffer[64:72] = (300).to_bytes(8, "little")
        validate(json.loads(json.dumps(build(buffer), allow_nan=False)))


HOSTILE = [
    b'{"op": "\\ud800", "label": [], "category": {}, "role": [1], "attributes": {"a": 1e999, "\\udfff": NaN}}',
    b'{"op": 3, "attributes": {"deep": ' + b"[" * 500 + b"]" * 500 + b', "long": 123456789012345678901234567890}}',
    b'{"kind": "limit", "limit": "lunch", "exit_code": 1e999, "seconds": {"total": NaN}, "error": {"node": 1e9}}',
    b'{"kind": "error", "exit_code": 99999999999999999999, "line": -5, "error": {"node": 99, "line": "x"}}',
    b'{"kind": ["error"], "dialect": ["torch"], "machine": {"python": "\\ud800", "timer_ns": 1e400}, "reason": {}}',
    b'{"dtype": "float32", "shape": [1, -2]}',
    b'{"dtype": "\\ud800", "shape": [' + b"9," * 70 + b"9]}",
    b'{"dtype": "object", "shape": []}',
    b'{"dtype": "V8", "shape": [9007199254740993]}',
    b"[" * 100_000,
    b"\xff\xfe not text at all",
]


@pytest.mark.parametrize("blob", HOSTILE)
def test_hostile_texts_make_a_valid_trace(blob: bytes) -> None:
    journal = anonymous(JournalSizes(200, 1 << 20, 1000))
    at = journal.put_bytes(blob)
    for kind in (Kind.STRING, Kind.DEFINITION, Kind.TYPE, Kind.META, Kind.NOTE):
        journal.append(kind, a=0, blob=at)
    value = journal.put_record(0, b"\0" * 64)
    journal.append(Kind.GRAPH, a=0, b=0, c=0)
    ints = journal.put_ints([2, 0, 1, 1, 0, 0, 0, 0, 0, 99, -1, 0, 0])
    journal.append(Kind.NODE, 1, 0, 0, 0, 0, 0, 0, 0, 0, blob=ints)
    journal.append(Kind.RAN, 1, 0, 0, 0, 0, value=value)
    journal.append(Kind.SOURCE, blob=at, value=at)
    journal.append(Kind.END, blob=at)
    trace = build(journal)
    text = json.dumps(trace, allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")
    validate(json.loads(text))

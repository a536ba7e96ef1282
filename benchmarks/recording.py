"""What recording costs: the same programs, plain and recorded, in one process by turns.

``python -m benchmarks.recording`` prints the rows; :func:`measure` gives them. Programs take their own times, so that
start and end of a recording don't count; a row's ratio is the median over the rounds.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import statistics
import sys
from time import perf_counter_ns
from typing import Any

from benchmarks.report import Result, Row, table
from engine.recording.config import Limits, RunConfig
from engine.recording.entry import run
from engine.recording.journal import Journal, JournalSizes, anonymous
from engine.recording.reader import Reader
from engine.recording.rows import Kind
from engine.trace.build import build
from engine.trace.rows import EVENT_KINDS

TIMED = """
import time as _time
_times = []
for _i in range({rounds}):
    _start = _time.perf_counter_ns()
    work()
    _times.append(_time.perf_counter_ns() - _start)
_times.sort()
print(_times[len(_times) // 2])
"""

TRAINING = """
import torch
torch.manual_seed(0)
x, y = torch.randn(32, 16), torch.randn(32, 4)
w1, b1 = torch.randn(16, 32, requires_grad=True), torch.zeros(32, requires_grad=True)
w2, b2 = torch.randn(32, 4, requires_grad=True), torch.zeros(4, requires_grad=True)
def work():
    h = torch.relu(x @ w1 + b1)
    loss = torch.nn.functional.mse_loss(h @ w2 + b2, y)
    loss.backward()
    with torch.no_grad():
        for p in (w1, b1, w2, b2):
            p -= 0.01 * p.grad
            p.grad = None
for _ in range(20):
    work()
"""

LINES = """
def work():
    a = 0
    for i in range(100):
        pass
        pass
        pass
        pass
"""

ASSIGNMENTS = """
def work():
    a = b = 0
    for i in range(100):
        a = i * 2
        b = a + 1
        a = b
"""

WARM = JournalSizes(rows=200_000, heap=64 << 20, output=1 << 20)


def warm_journal() -> Journal:
    """A journal whose memory is there, as that of a run in the sandbox is."""
    journal = anonymous(WARM)
    for at in range(4096, len(journal.buffer), 4096):
        journal.buffer[at] = 0
    return journal


def plain(program: str) -> float:
    """Median nanoseconds of ``work`` in a plain run."""
    from engine.dialects.detect import decide
    from engine.dialects.importer import DIALECTS, install

    dialect, _ = decide(program)
    if dialect in DIALECTS:
        install(dialect)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "main.py", "exec", dont_inherit=True), {"__name__": "__main__"})
    return float(out.getvalue())


def recorded(program: str, journal: Journal) -> tuple[float, Reader]:
    """The same of a recorded run, and its journal."""
    journal = Journal.create(journal.buffer, WARM)
    status = run(RunConfig(program, limits=Limits(seconds=120, events=190_000)), journal, own_process=False)
    reader = Reader(journal.buffer)
    if status:
        raise RuntimeError(f"the program ended with status {status}: {reader.output_bytes.decode()}")
    return float(reader.output_bytes), reader


def _events(reader: Reader, repeats: int) -> float:
    """How many events one call of ``work`` is, from the journal itself."""
    wanted = {int(kind) for kind in EVENT_KINDS}
    kinds = reader.rows["kind"]
    called = (kinds == Kind.CALLED).nonzero()[0][-repeats:]
    returned = (kinds == Kind.RETURNED).nonzero()[0][-repeats:]
    counts = [sum(int(k) in wanted for k in kinds[a : b + 1]) for a, b in zip(called, returned, strict=True)]
    return statistics.median(counts)


def _case(name: str, program: str, repeats: int, rounds: int, journal: Journal, lines: int = 0) -> list[Row]:
    text = program + TIMED.format(rounds=repeats)
    ratios, costs, took, events = [], [], [], 0.0
    for _ in range(rounds):
        gc.collect()
        base = plain(text)
        cost, reader = recorded(text, journal)
        events = events or _events(reader, repeats)
        ratios.append(cost / base)
        costs.append((cost - base) / (lines or events) / 1e9)
        took.append(cost / 1e9)
    what = f"{lines} lines" if lines else f"{events:.0f} events"
    return [
        Row(name, statistics.median(took), statistics.median(ratios), what),
        Row(f"{name}: one {'line' if lines else 'event'} over plain", statistics.median(costs)),
    ]


def _document(journal: Journal) -> list[Row]:
    """Making, writing and size of the document of 100,000 events of training."""
    text = TRAINING + "for _ in range(1075):\n    work()\n"
    _, reader = _run(text, journal)
    count = sum(int((reader.rows["kind"] == int(kind)).sum()) for kind in EVENT_KINDS)
    started = perf_counter_ns()
    trace = build(reader, RunConfig(text))
    built = perf_counter_ns()
    size = len(json.dumps(trace, separators=(",", ":")).encode())
    written = perf_counter_ns()
    return [
        Row("document: built", (built - started) / 1e9, note=f"{count} events"),
        Row("document: written as JSON", (written - built) / 1e9, note=f"{size / 1e6:.2f} MB"),
    ]


def _run(program: str, journal: Journal) -> tuple[int, Reader]:
    journal = Journal.create(journal.buffer, WARM)
    status = run(RunConfig(program, limits=Limits(seconds=120, events=190_000)), journal, own_process=False)
    return status, Reader(journal.buffer)


def measure(rounds: int = 5) -> list[Row]:
    """All rows: seconds are those of the recorded run (or of one event), ratios are to the plain run."""
    journal = warm_journal()
    return [
        *_case("training step, MLP 32x16x32x4, torch dialect", TRAINING, 150, rounds, journal),
        *_case("400 lines in a loop", LINES, 100, rounds, journal, lines=401),
        *_case("300 assignments in a loop", ASSIGNMENTS, 100, rounds, journal),
        *_document(journal),
    ]


if __name__ == "__main__":
    result: Any = Result("Recording, beside the plain run", "plain")
    result.rows = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    print(table(result))

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
from dataclasses import dataclass

from benchmarks.report import Result, Row, table
from benchmarks.timing import processor_time
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

LEAST_EVENTS = 90_000
"""Fewer than this would not be called a recording of 100,000 events."""

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


@dataclass(frozen=True)
class Cost:
    """What one program costs more when it is recorded."""

    name: str
    seconds: float
    ratio: float
    each: float
    """Seconds of one event (or line) over the plain run."""
    count: str

    def rows(self, unit: str) -> list[Row]:
        """Two rows: the program, and one event or line of it."""
        return [
            Row(self.name, self.seconds, self.ratio, self.count),
            Row(f"{self.name}: one {unit} over plain", self.each),
        ]


def _cost(name: str, program: str, repeats: int, rounds: int, journal: Journal, lines: int = 0) -> Cost:
    text = program + TIMED.format(rounds=repeats)
    ratios, costs, took, events = [], [], [], 0.0
    recorded(text, journal)
    for _ in range(rounds):
        gc.collect()
        base = plain(text)
        cost, reader = recorded(text, journal)
        events = events or _events(reader, repeats)
        ratios.append(cost / base)
        costs.append((cost - base) / (lines or events) / 1e9)
        took.append(cost / 1e9)
    median = statistics.median
    return Cost(
        name, median(took), median(ratios), median(costs), f"{lines} lines" if lines else f"{events:.0f} events"
    )


@dataclass(frozen=True)
class Document:
    """Making the document of 100,000 events of training, and writing it as JSON: processor seconds."""

    events: int
    built: float
    written: float
    megabytes: float

    def rows(self) -> list[Row]:
        """Both as rows."""
        return [
            Row("document: built", self.built, note=f"{self.events} events"),
            Row("document: written as JSON", self.written, note=f"{self.megabytes:.2f} MB"),
        ]


def _document(journal: Journal) -> Document:
    text = TRAINING + "work()\n" * 1130  # line by line: passes of a loop would be folded
    journal = Journal.create(journal.buffer, WARM)
    run(RunConfig(text, limits=Limits(seconds=120, events=190_000)), journal, own_process=False)
    reader = Reader(journal.buffer)
    count = sum(int((reader.rows["kind"] == int(kind)).sum()) for kind in EVENT_KINDS)
    if count < LEAST_EVENTS:
        raise RuntimeError(f"the recording holds {count} events: too few for what this row is called")
    built, trace = processor_time(build, reader, RunConfig(text))
    texts: list[str] = []
    best = min(processor_time(lambda: texts.append(json.dumps(trace, separators=(",", ":"))))[0] for _ in range(5))
    return Document(count, built, best, len(texts[0].encode()) / 1e6)


@dataclass(frozen=True)
class Found:
    """All rows (seconds are those of the recorded run, ratios are to the plain run), and the figures with a floor."""

    rows: list[Row]
    step: float
    event: float
    line: float
    megabytes: float
    written: float


def measure(rounds: int = 7) -> Found:
    """Measure everything."""
    journal = warm_journal()
    step = _cost("training step, MLP 32x16x32x4, torch dialect", TRAINING, 150, rounds, journal)
    lines = _cost("400 lines in a loop", LINES, 100, rounds, journal, lines=401)
    assignments = _cost("300 assignments in a loop", ASSIGNMENTS, 100, rounds, journal)
    document = _document(journal)
    rows = [*step.rows("event"), *lines.rows("line"), *assignments.rows("event"), *document.rows()]
    return Found(rows, step.ratio, step.each, lines.each, document.megabytes, document.written)


if __name__ == "__main__":
    result = Result("Recording, beside the plain run", "plain")
    result.rows = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 7).rows
    print(table(result))

"""What being recorded costs: a training step, an event, a line, the document of 100,000 events."""

from __future__ import annotations

from benchmarks.floors import Floor
from benchmarks.recording import measure
from benchmarks.report import Result

ROUNDS = 7


def run(rounds: int = 0) -> Result:
    """Plain and recorded runs by turns, in one process."""
    found = measure(rounds or ROUNDS)
    result = Result("Recording, beside the plain run", "plain")
    result.rows = found.rows
    result.floors = [
        Floor("recorded / plain training step", 4.0, found.step),
        Floor("one event over plain", 3.0, found.event * 1e6, "us"),
        Floor("one line over plain", 2.0, found.line * 1e6, "us"),
        Floor("document of 100,000 events", 4.0, found.megabytes, "MB"),
        Floor("the document written", 100.0, found.written * 1e3, "ms"),
    ]
    return result

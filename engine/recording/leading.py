"""What calling a probe costs besides what the probe itself measures: the way into it and back out.

A probe reads the clock when it begins and when it ends, and takes what lies between out of the program's time. The call
around that cannot be seen from inside. So it is measured when a process starts, with a probe like those of the program
and a journal that nobody reads, and taken out at each event together with what the event itself has measured.
"""

from __future__ import annotations

from engine.events import clock
from engine.recording.journal import JournalSizes, anonymous
from engine.recording.program import Program
from engine.recording.recorder import Recorder

ROUNDS, CALLS = 5, 100
SIZES = JournalSizes(rows=ROUNDS * CALLS + 200, heap=1 << 18, output=1 << 10)


def lead() -> int:
    """Nanoseconds of one call of a probe that the probe does not see: three quarters of the least of some rounds, so
    that never more is taken out than there was (the program's clock would run backwards).

    >>> 0 <= lead() < 1_000_000
    True
    """
    recorder = Recorder(anonymous(SIZES), "", "")
    program = Program(recorder)
    program.statements.append((1, -1))
    probe, calls, least = program.line, range(CALLS), 1 << 62
    for _ in range(ROUNDS):
        before, started = recorder.overhead, clock()
        for _ in calls:
            probe(0)
        passed = clock() - started - (recorder.overhead - before)
        started = clock()
        for _ in calls:
            pass
        least = min(least, passed - (clock() - started))
    return max(least * 3 // (4 * CALLS), 0)


__all__ = ["lead"]

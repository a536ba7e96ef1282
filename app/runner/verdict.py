"""From the way a process ended to what the trace says about it."""

from __future__ import annotations

import math
import signal
from dataclasses import dataclass
from typing import Literal

from .backend import Ended
from .request import Limits

Stopped = Literal["", "time", "output", "silent", "stopped"]
"""Why the server itself killed the program: not at all, its deadline, a flood on a bare descriptor, that it closed
them, or that it was asked to."""

LIMIT_STATUS = 124
BROKEN = 70
"""What ``inside.child`` exits with when our own code failed."""
OWN_TRACEBACK = "Stepgraph's own traceback: "
"""What it then writes begins with this. A program can pretend that; it would only fail its own run."""


@dataclass(frozen=True)
class Verdict:
    """``kind`` and ``limit`` as in ``trace.end``; ``exit_code`` the program's own; ``name`` and ``message`` of a
    crash."""

    kind: Literal["exit", "limit"]
    exit_code: int
    limit: str | None = None
    name: str = ""
    message: str = ""


def cpu_seconds(limits: Limits) -> int:
    """The CPU limit behind the wall clock's: whole seconds, later than the deadline."""
    return math.ceil(limits.seconds) + 2


def judge(ended: Ended, stopped: Stopped, limits: Limits) -> Verdict:
    """What to say of a program whose journal has no end of its own.

    >>> judge(Ended(-9), "time", Limits()).limit
    'time'
    >>> judge(Ended(-11), "", Limits()).message
    'The process of the program was ended by SIGSEGV.'
    >>> judge(Ended(3), "", Limits())
    Verdict(kind='exit', exit_code=3, limit=None, name='', message='')
    """
    if stopped == "silent":
        message = "The program closed its own connections to the outside and went on."
        return Verdict("limit", LIMIT_STATUS, "crash", "Silent", message)
    if stopped:
        return Verdict("limit", LIMIT_STATUS, stopped)
    if ended.status >= 0:
        return Verdict("exit", ended.status)
    name = _signal_name(-ended.status)
    if name == "SIGXCPU" or (name == "SIGKILL" and ended.cpu >= cpu_seconds(limits) - 0.5):
        return Verdict("limit", LIMIT_STATUS, "time")
    if name == "SIGKILL" and ended.resident > limits.memory_bytes // 2:
        return Verdict("limit", LIMIT_STATUS, "memory")
    message = f"The process of the program was ended by {name}."
    if name == "SIGSYS":
        message = "The program asked the system for something that a run may never do."
    return Verdict("limit", LIMIT_STATUS, "crash", name, message)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

"""Our own standard input, passed on to a program that asks for it."""

from __future__ import annotations

import os
import sys
import threading

from app.runner import Run

_PIECE = 1 << 16
_HEARTBEAT = 0.5


def pass_on(run: Run) -> None:
    """Begin to pass our standard input on to ``run``, as soon as it first asks; on a terminal a line for a question,
    so that what is typed after it is left for whoever reads next."""
    threading.Thread(target=_pump, args=(run,), name="input", daemon=True).start()


def _pump(run: Run) -> None:
    try:
        source = sys.stdin.fileno()
        terminal = os.isatty(source)
    except (OSError, ValueError, AttributeError):  # closed, or replaced by something that is no file
        source, terminal = -1, False
    answered = 0
    while _asked(run, answered):
        answered = run.question
        try:
            data = os.read(source, _PIECE) if source >= 0 else b""
        except OSError:
            data = b""
        while run.feed(data) and data and not terminal:
            try:
                data = os.read(source, _PIECE)
            except OSError:
                data = b""
        if not data:
            return


def _asked(run: Run, answered: int) -> bool:
    """Wait for the next question after number ``answered``. False when the run has ended."""
    seen = 0
    while run.state != "asking" or run.question == answered:
        if run.wait(0):
            return False
        seen = run.wait_change(seen, _HEARTBEAT)
    return True

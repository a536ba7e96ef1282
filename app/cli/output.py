"""The program's output on our own standard output and error, byte for byte.

While a program runs, its two streams are known only as one text. Where ours go to one place (a terminal, one file) that
is all that matters, and the text is passed on as it comes; where they go to two, each gets its own once the trace says
which piece is whose.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from app.runner import Run
from engine.trace.columns import decode_table

_HEARTBEAT = 0.5


class Output:
    """Passes the output of ``run`` on, as far as possible while it runs."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._live = _same_place()
        self._written = ""

    def follow(self) -> None:
        """Until the run has ended."""
        if not self._live:
            while not self._run.wait(_HEARTBEAT):
                pass
            return
        seen = 0
        while not self._run.wait(0):
            self._pass_on(self._run.output_so_far()[0])
            seen = self._run.wait_change(seen, _HEARTBEAT)
        self._pass_on(self._run.output_so_far()[0])

    def finish(self, trace: dict[str, Any]) -> None:
        """Whatever the trace holds beyond what was passed on already."""
        if self._live and trace["stdout"].startswith(self._written):
            _write(sys.stdout.buffer, trace["stdout"][len(self._written) :])
            return
        if self._live and self._written:
            return
        for stream, text in pieces(trace):
            _write(sys.stderr.buffer if stream == 2 else sys.stdout.buffer, text)

    def _pass_on(self, text: str) -> None:
        # The last character may be half of something that the program is still writing.
        if text.startswith(self._written):
            _write(sys.stdout.buffer, text[len(self._written) :])
            self._written = text


def pieces(trace: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """``(stream, text)`` of every piece of output in order; what no event claims goes to stream 1.

    >>> list(pieces({"stdout": "ab", "events": {"output": {"seq": [0], "offset": [0], "length": [1], "stream": [2]}}}))
    [(2, 'a'), (1, 'b')]
    """
    text: str = trace["stdout"]
    table = decode_table(trace["events"].get("output", {}))
    end = 0
    for offset, length, stream in zip(
        table.get("offset", ()), table.get("length", ()), table.get("stream", ()), strict=True
    ):
        if offset > end:
            yield 1, text[end:offset]
        yield stream, text[max(offset, end) : offset + length]
        end = max(end, offset + length)
    if end < len(text):
        yield 1, text[end:]


def _write(stream: BinaryIO, text: str) -> None:
    if text:
        stream.write(text.encode("utf-8", "surrogatepass"))
        stream.flush()


def _same_place() -> bool:
    """Whether our standard output and error are one and the same file, pipe or terminal."""
    try:
        ours, errors = os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.path.samestat(ours, errors)

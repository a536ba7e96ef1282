"""The program's output on our own standard output and error, byte for byte.

While a program runs, its two streams and the answers to ``input()`` are known only as one text. Where ours go to one
place (a terminal, one file) and the program has no input, that is all that matters, and the text is passed on as it
comes; otherwise each stream gets its own once the trace says which piece is whose.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from app.runner import Run
from engine.trace.columns import decode

_HEARTBEAT = 0.5
_INPUT = 0
"""Stands for the stream of what the program read."""


class Output:
    """Passes the output of ``run`` on, as far as possible while it runs."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._live = not run.request.stdin and _same_place()
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
    """``(stream, text)`` of every piece of output in order. What no event claims goes to stream 1; what the program was
    given as input stands in the same text and is left out.

    >>> events = {"output": {"seq": [0], "offset": [0], "length": [1], "stream": [2]}}
    >>> list(pieces({"stdout": "ab", "events": events}))
    [(2, 'a'), (1, 'b')]
    """
    text: str = trace["stdout"]
    end = 0
    for offset, length, stream in sorted([*_claims(trace, "output"), *_claims(trace, "asked")]):
        if offset > end:
            yield 1, text[end:offset]
        if stream != _INPUT and offset + length > end:
            yield stream, text[max(offset, end) : offset + length]
        end = max(end, offset + length)
    if end < len(text):
        yield 1, text[end:]


def _claims(trace: dict[str, Any], name: str) -> Iterator[tuple[int, int, int]]:
    table = trace["events"].get(name, {})
    offsets, lengths = (decode(table.get(column, [])).tolist() for column in ("offset", "length"))
    streams = decode(table["stream"]).tolist() if "stream" in table else [_INPUT] * len(offsets)
    return zip(offsets, lengths, streams, strict=True)


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

"""The program's standard streams: what it prints is in the journal at once; what it reads comes from a given text, or
is asked for."""

from __future__ import annotations

import codecs
import io
import os
import select
from collections.abc import Callable

from engine.events import clock
from engine.recording.journal import JournalFullError
from engine.recording.recorder import Recorder
from engine.recording.rows import Kind

_PIECE = 1 << 16
"""Bytes that are read from descriptor 0 at once."""


class OutputBytes(io.BufferedIOBase):
    """The ``buffer`` of a standard stream. Every write is in the journal before it returns; there is nothing to flush.

    Writes that belong together (the pieces of one ``print``) become one row.
    """

    def __init__(self, recorder: Recorder, stream: int, limit: int, name: str) -> None:
        self._recorder = recorder
        self._stream = stream
        self._limit = limit
        self.name = name
        self.mode = "wb"

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        started = clock()
        recorder = self._recorder
        journal = recorder.journal
        data = bytes(data)
        room = max(self._limit - journal.output_used, 0)
        offset = journal.output_used
        fitted = journal.put_output(data[:room]) if room else 0
        if fitted:
            self._note(recorder, offset, fitted)
        if fitted < len(data):
            raise recorder.reach("output")
        recorder.overhead += clock() - started
        return len(data)

    def _note(self, recorder: Recorder, offset: int, length: int) -> None:
        journal = recorder.journal
        last = recorder.last_output
        if last[0] == journal.count and last[1] == self._stream and not last[4]:
            journal.extend_output(offset + length - last[2])
            begin = last[2]
        else:
            begin = offset
            line, span = recorder.positions.here(3)
            time = clock() - recorder.base - recorder.overhead
            try:
                journal.append(Kind.OUTPUT, line, span, recorder.frame, a=offset, b=length, c=self._stream, time=time)
            except JournalFullError:
                raise recorder.reach("steps") from None
        at = journal.output_start + offset + length - 1
        recorder.last_output = (journal.count, self._stream, begin, length, journal.buffer[at] == 10)


def output_stream(recorder: Recorder, stream: int, limit: int) -> io.TextIOWrapper:
    """A text stream as Python makes one for standard output (``stream`` 1) or standard error (2), in UTF-8."""
    name, errors = ("<stdout>", "strict") if stream == 1 else ("<stderr>", "backslashreplace")
    raw = OutputBytes(recorder, stream, limit, name)
    text = io.TextIOWrapper(raw, "utf-8", errors, newline="\n", line_buffering=True, write_through=True)
    text.mode = "w"  # type: ignore[misc]
    return text


class Input(io.TextIOBase):
    """Standard input over a given text, and then over what ``more`` gives until that is empty.

    Lines that are read are noted as answers.
    """

    encoding = "utf-8"
    errors = "strict"
    name = "<stdin>"
    mode = "r"

    def __init__(self, text: str, answered: Callable[[str], None], more: Callable[[], str] | None = None) -> None:
        self._text = text
        self._at = 0
        self._answered = answered
        self._more = more

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        while (size is None or size < 0 or len(self._text) - self._at < size) and self._fill():
            pass
        return self._take(len(self._text) if size is None or size < 0 else self._at + size)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        size = -1 if size is None else size
        searched = self._at
        while (stop := self._text.find("\n", searched)) < 0 and not 0 <= size <= len(self._text) - self._at:
            searched = len(self._text) - self._at
            if not self._fill():
                break
        end = stop + 1 if stop >= 0 else len(self._text)
        return self._take(end if size < 0 else min(end, self._at + size))

    def _take(self, end: int) -> str:
        piece = self._text[self._at : end]
        self._at += len(piece)
        if piece:
            self._answered(piece)
        return piece

    def _fill(self) -> bool:
        """Get more text behind what is there. False at the end."""
        text = self._more() if self._more is not None else ""
        if not text:
            return False
        self._text = self._text[self._at :] + text
        self._at = 0
        return True


class Questions:
    """What a program reads from descriptor 0, with the time that it waits there taken out of its clock and deadline."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._decoder = io.IncrementalNewlineDecoder(decoder, translate=True)
        self._ended = False

    def more(self) -> str:
        """The next piece, ``""`` at the end."""
        text = ""
        while not text and not self._ended:
            data = self._read()
            self._ended = not data
            text = self._decoder.decode(data, final=self._ended)
        return text

    def _read(self) -> bytes:
        recorder = self._recorder
        started = clock()
        if not _ready():
            recorder.journal.asks()
        try:
            return os.read(0, _PIECE)
        except OSError:  # the program itself has closed it
            return b""
        finally:
            passed = clock() - started
            recorder.journal.answered(passed)
            if not recorder.stopped:  # waiting is none of the program's time, nor of the recorder's
                recorder.base += passed
                recorder.deadline += passed


def _ready() -> bool:
    """Whether something can be read without waiting. Where the system cannot say so of a pipe: no."""
    try:
        return bool(select.select([0], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def standard_input(recorder: Recorder, text: str, *, interactive: bool = False) -> Input:
    """Standard input whose answers are echoed into the recording (not into the program's own output)."""

    def answered(piece: str) -> None:
        journal = recorder.journal
        # At a terminal, Enter ends the line even after the last answer.
        data = (piece if piece.endswith("\n") else piece + "\n").encode("utf-8", "replace")
        offset = journal.output_used
        fitted = journal.put_output(data)
        line, span = recorder.positions.here(2)
        time = clock() - recorder.base - recorder.overhead
        try:
            journal.append(Kind.ASKED, line, span, recorder.frame, a=offset, b=fitted, c=0, time=time)
        except JournalFullError:
            raise recorder.reach("steps") from None

    return Input(text, answered, Questions(recorder).more if interactive else None)

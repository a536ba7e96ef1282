"""Recording a part of a program that already runs: ``with engine.record() as run: ...``.

The code in the block is as Python compiled it, without probes: the recording has every event of the engine, where it
happened, and what was printed, but no lines or variables of its own. Nothing is sandboxed or limited but in size.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from engine import events
from engine.errors import StateError
from engine.recording import shown_by
from engine.recording.config import Limits, RunConfig
from engine.recording.ending import Ending, describe, note_end
from engine.recording.journal import JournalSizes, anonymous
from engine.recording.meta import describe_run
from engine.recording.recorder import LimitReached, Recorder
from engine.recording.streams import output_stream
from engine.trace.build import build
from engine.trace.columns import decode

_REASON = "A block of engine.record(): the engine's own API."


class LiveRecording:
    """What ``engine.record()`` gives: ``trace`` is the trace document once the block has ended.

    In a notebook where Stepgraph is loaded it shows itself as the player.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._trace: dict[str, Any] | None = None

    @property
    def trace(self) -> dict[str, Any]:
        """The trace document (``docs/trace.md``). Raises :class:`engine.StateError` before the block has ended."""
        if self._trace is None:
            raise StateError("this recording is not finished: ask for it after its `with` block")
        return self._trace

    def __repr__(self) -> str:
        if self._trace is None:
            return f"<recording of {self.name}, not finished>"
        return f"<recording of {self.name}, {len(decode(self._trace['steps']['seq']))} steps>"

    def _repr_html_(self) -> str | None:
        return None if self._trace is None or shown_by.as_html is None else shown_by.as_html(self._trace)


class _Both:
    """A standard stream that also writes into the recording."""

    def __init__(self, shown: TextIO, kept: TextIO) -> None:
        self._shown, self._kept = shown, kept

    def write(self, text: str) -> int:
        self._kept.write(text)
        return self._shown.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shown, name)


@contextmanager
def block(
    file: str, name: str = "", *, limits: Limits | None = None, sizes: JournalSizes | None = None
) -> Iterator[LiveRecording]:
    """Record what the engine does in the block; places are those in ``file``, as Python names its code."""
    limits = limits or Limits()
    if events.listener is not None:
        raise StateError("something is recorded already: a recording cannot begin inside another")
    source = "".join(linecache.getlines(file))
    name = name or _shown_name(file)
    journal = anonymous(sizes)
    recorder = Recorder(journal, file, source, events=limits.events)

    def stop(limit: str) -> None:
        events.listener = None
        note_end(recorder, Ending("limit", 124, limit))

    recorder.stop = stop  # type: ignore[method-assign]
    config = RunConfig(source, name, limits=limits)
    describe_run(journal, config, "native", _REASON)
    recording = LiveRecording(name)
    before = sys.stdout, sys.stderr
    kept = [output_stream(recorder, stream, limits.output_bytes) for stream in (1, 2)]
    sys.stdout, sys.stderr = (_Both(shown, into) for shown, into in zip(before, kept, strict=True))
    events.listener = recorder
    recorder.restart_clock()
    ending = Ending("ok")
    try:
        yield recording
    except LimitReached:
        raise StateError(
            f"the recording is full ({recorder.stopped}): record a shorter block, or give record() larger limits"
        ) from None
    except BaseException as error:
        described = describe(error, recorder, file)
        ending = Ending("error", 1, None, described["line"], described)
        raise
    finally:
        sys.stdout, sys.stderr = before
        events.listener = None
        if not recorder.stopped:
            note_end(recorder, ending)
        recording._trace = build(journal.buffer, config)


def _shown_name(file: str) -> str:
    return "cell.py" if "ipykernel" in file or file.startswith("<") else os.path.basename(file)

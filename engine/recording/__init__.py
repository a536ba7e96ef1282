"""Recording: a program runs once, and what it did stands in a journal that survives whatever ends the process."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from engine.recording.config import Limits
    from engine.recording.journal import JournalSizes
    from engine.recording.live import LiveRecording


@overload
def record(source: str, name: str = ..., **options: Any) -> dict[str, Any]: ...


@overload
def record(
    source: None = None, name: str = ..., *, limits: Limits | None = ..., sizes: JournalSizes | None = ...
) -> AbstractContextManager[LiveRecording]: ...


def record(source: str | None = None, name: str = "", **options: Any) -> Any:
    """Run ``source`` in this process and return its trace document; see :func:`engine.recording.inprocess.record`.

    >>> record("print(1 + 1)")["stdout"]
    '2\\n'

    Without ``source``, a context manager that records what the engine does in its block; see
    :mod:`engine.recording.live`.

    >>> import engine
    >>> with record() as run:
    ...     loss = engine.sum(engine.tensor([1.0, 2.0]) * 3.0)
    >>> run.trace["end"]["kind"], run.trace["program"]["dialect"]
    ('ok', 'native')
    """
    if source is None:
        from engine.recording.live import block

        return block(sys._getframe(1).f_code.co_filename, name, **options)
    from engine.recording.inprocess import record as run_and_build

    return run_and_build(source, name or "main.py", **options)

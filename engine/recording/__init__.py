"""Recording: a program runs once, and what it did stands in a journal that survives whatever ends the process."""

from __future__ import annotations

from typing import Any


def record(source: str, name: str = "main.py", **options: Any) -> dict[str, Any]:
    """Run ``source`` in this process and return its trace document; see :func:`engine.recording.inprocess.record`.

    >>> record("print(1 + 1)")["stdout"]
    '2\\n'
    """
    from engine.recording.inprocess import record as run_and_build

    return run_and_build(source, name, **options)

"""Recording inside the current process, without a sandbox: for tests, notebooks and trusted programs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from engine.recording.config import Limits, RunConfig
from engine.recording.entry import run
from engine.recording.journal import JournalSizes, anonymous
from engine.scratch import installed, tree_for
from engine.trace.build import build


def record(
    source: str,
    name: str = "main.py",
    *,
    argv: tuple[str, ...] = (),
    stdin: str = "",
    limits: Limits | None = None,
    sizes: JournalSizes | None = None,
    files: Mapping[str, bytes] | None = None,
) -> dict[str, Any]:
    """Run ``source`` here and now and return the finished trace document.

    Streams, ``sys.argv``, ``__main__``, the listener and the served modules are put back afterwards. A limit is
    raised at every probe; a program that has none (an endless loop inside ``exec``) is not stopped: use the runner for
    programs that are not trusted.

    With ``files`` (names relative to the program, and contents) the program has files in memory, as in a sandbox;
    without, the real ones.

    >>> record("x = [1, 2]")["end"]["kind"]
    'ok'
    """
    config = RunConfig(source, name, argv, stdin, limits or Limits())
    journal = anonymous(sizes)
    with nullcontext() if files is None else installed(*tree_for(source, name, files)) as tree:
        run(config, journal, own_process=False, written=None if tree is None else tree.written)
    return build(journal.buffer, config)

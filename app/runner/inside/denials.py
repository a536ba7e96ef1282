"""Clear words where the kernel would only say no. These are courtesy, not a wall: the filter refuses in any case."""

from __future__ import annotations

import _thread
import contextlib
import os
import subprocess
import threading
from typing import Any, NoReturn

THREADS = (
    "can't start new thread: a Stepgraph run has one thread, so that its steps have one order; call the function directly"
)
PROCESSES = "a Stepgraph run cannot start other processes; everything has to happen in this program"


def _no_threads(*arguments: Any, **options: Any) -> NoReturn:
    raise RuntimeError(THREADS)


def _no_processes(*arguments: Any, **options: Any) -> NoReturn:
    raise PermissionError(1, PROCESSES)


def hide(function: Any, file: str) -> None:
    """Let tracebacks take ``function`` for one from ``file``, so that the program's reader sees the program's frames only."""
    function.__code__ = function.__code__.replace(co_filename=file)


def install(hidden_file: str) -> None:
    """Replace what starts threads and processes by functions that say why they cannot.

    ``hidden_file`` is a name that the recorder leaves out of tracebacks.
    """
    hide(_no_threads, hidden_file)
    hide(_no_processes, hidden_file)
    for module, names in (
        (_thread, ("start_new_thread", "start_new")),
        (threading, ("_start_new_thread",)),
    ):
        for name in names:
            setattr(module, name, _no_threads)
    for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen"):
        if hasattr(os, name):
            setattr(os, name, _no_processes)
    with contextlib.suppress(AttributeError):
        subprocess._fork_exec = _no_processes  # type: ignore[attr-defined]

"""Prepares this process for a stranger's program, and runs it. Shared by the zygote's children and the plain
backend."""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import mmap
import os
import random
import signal
import threading
from typing import Any

from . import denials, imports, packages

_WORKERS = 2
_STACK = 1 << 20
"""Bytes: kernels do not recurse, and a limited address space should go to the program."""


def start_crew() -> None:
    """Start the second worker of parallel plans: after this nothing can start a thread any more."""
    crew: Any = importlib.import_module("engine.static.crew")
    if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) < _WORKERS:
        return
    threading.stack_size(_STACK)
    crew.crew_of(_WORKERS)
    threading.stack_size(0)


def prepare() -> None:
    """Make this process one in which a stranger's program can run. Done ahead of time: nobody is waiting yet."""
    _fresh_randomness()
    home = importlib.import_module("engine").__path__[0]
    denials.install(os.path.join(home, "sandbox"))
    imports.close_gate([__name__.partition(".")[0], "app", "package"])
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(buffer: mmap.mmap, config: bytes) -> int:
    """Run the program of ``config`` with its journal in ``buffer``; gives the exit status.

    Its files are in memory: its own source, and ``files`` of ``config`` ((name, base64) each) beside it.
    """
    entry: Any = importlib.import_module("engine.recording.entry")
    recording: Any = importlib.import_module("engine.recording.config")
    journals: Any = importlib.import_module("engine.recording.journal")
    scratch: Any = importlib.import_module("engine.scratch")
    asked = recording.RunConfig.from_json(config.decode())
    files = {name: base64.b64decode(text) for name, text in json.loads(config).get("files", ())}
    tree, folder = scratch.tree_for(asked.source, asked.name, files)
    for path, data in packages.FONTS.items():
        tree.lend(path, data)
    scratch.install(tree, folder)
    return int(entry.run(asked, journals.Journal(buffer), written=tree.written))


def _fresh_randomness() -> None:
    """Children are copies: without this every run would draw the same "random" numbers."""
    import numpy as np

    random.seed()
    np.random.seed()


def limit(memory: int, cpu: int) -> None:
    """What the plain backend can limit, where the system has limits: CPU seconds, and memory beyond what is there by
    now."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[0])
        total = pages * mmap.PAGESIZE + memory
        resource.setrlimit(resource.RLIMIT_AS, (total, total))

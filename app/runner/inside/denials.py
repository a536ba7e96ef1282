"""Clear words where the kernel would only say no. These are courtesy, not a wall: the filter refuses in any case."""

from __future__ import annotations

import _thread
import asyncio
import errno
import multiprocessing.process
import os
import socket
import subprocess
import threading
from typing import Any, NoReturn

from . import event_loop

THREADS = (
    "can't start new thread: a Stepgraph run has one thread, so that its steps have one order; "
    "call the function directly"
)
PROCESSES = "a Stepgraph run cannot start other processes; everything has to happen in this program"
NETWORK = "a Stepgraph run has no network; put the data into the program, or make it with numpy"


def _no_threads(*arguments: Any, **options: Any) -> NoReturn:
    raise RuntimeError(THREADS)


def _no_processes(*arguments: Any, **options: Any) -> NoReturn:
    raise PermissionError(errno.EPERM, PROCESSES)


def _no_network(*arguments: Any, **options: Any) -> NoReturn:
    raise PermissionError(errno.EACCES, NETWORK)


_REPLACED: tuple[tuple[Any, str, Any], ...] = (
    (_thread, "start_new_thread", _no_threads),
    (_thread, "start_new", _no_threads),
    (threading, "_start_new_thread", _no_threads),
    # Python 3.13 starts its threads by these.
    (_thread, "start_joinable_thread", _no_threads),
    (threading, "_start_joinable_thread", _no_threads),
    *((os, name, _no_processes) for name in ("fork", "forkpty", "system", "popen", "execv", "execve")),
    *((os, name, _no_processes) for name in ("posix_spawn", "posix_spawnp", "startfile")),
    (subprocess.Popen, "__init__", _no_processes),
    (multiprocessing.process.BaseProcess, "start", _no_processes),
    (socket.socket, "__init__", _no_network),
    (socket, "socketpair", _no_network),
    (socket, "getaddrinfo", _no_network),
    (asyncio.BaseEventLoop, "getaddrinfo", _no_network),
    (asyncio.BaseEventLoop, "run_in_executor", _no_threads),
)


def hide(function: Any, file: str) -> None:
    """Let tracebacks take ``function`` for one from ``file``, so that the program's reader sees the program's frames
    only."""
    function.__code__ = function.__code__.replace(co_filename=file)


def install(hidden_file: str) -> None:
    """Replace what starts threads and processes or talks to others by functions that say why they cannot.

    ``hidden_file`` is a name that the recorder leaves out of tracebacks.
    """
    event_loop.install()
    for function in (_no_threads, _no_processes, _no_network):
        hide(function, hidden_file)
    for owner, name, function in _REPLACED:
        if hasattr(owner, name):
            setattr(owner, name, function)

"""One child of the zygote, as the server follows it."""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import threading
import time
from collections.abc import Callable

from .backend import Ended
from .inside import wire

_LOOSE_BYTES = 64 << 20
"""However much is allowed, no more than this is ever kept of what comes past the journal."""


class ZygoteJob:
    """One child of the zygote. ``wait`` and ``loose`` belong to one thread; ``kill`` may be called from any."""

    def __init__(
        self, number: int, output: int, keep: int, ask_to_kill: Callable[[int], None], answers: int = -1
    ) -> None:
        self.number = number
        self._ask_to_kill = ask_to_kill
        self.ended: Ended | None = None
        self.lost = False
        self.silent = False
        self.begun = False
        self._answers = answers
        self._feeding = threading.Lock()
        self._output = output
        self._keep = min(keep, _LOOSE_BYTES)
        self._collected = bytearray()
        self._over = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._lock = threading.Lock()
        self._handle = -1
        self._killed = False
        self._closed = False
        os.set_blocking(output, False)

    def wait(self, timeout: float) -> bool:
        """Wait until it has ended, and collect its output meanwhile."""
        end = time.monotonic() + timeout
        while True:
            full = len(self._collected) > self._keep
            poller = select.poll()
            poller.register(self._over, select.POLLIN)
            if self._output >= 0 and not full:
                poller.register(self._output, select.POLLIN)
            left = max(0.0, end - time.monotonic())
            ready = {descriptor for descriptor, _ in poller.poll(math.ceil(left * 1000))}
            if self._output in ready:
                self._drain()
            if self._over in ready:
                self._drain()
                return True
            if not ready or time.monotonic() >= end or (not full and len(self._collected) > self._keep):
                return False

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._output >= 0 and len(self._collected) <= self._keep:
                piece = os.read(self._output, 1 << 16)
                if not piece:
                    os.close(self._output)
                    self._output = -1
                    self.silent = True
                    return
                self._collected += piece

    def loose(self) -> bytes:
        """What came through the pipe so far, a little more than was to be kept at most."""
        return bytes(self._collected)

    def feed(self, data: bytes) -> None:
        """Write to the program's descriptor 0. Raises ``OSError`` when nobody can read it any more."""
        rest = memoryview(data)
        with self._feeding:
            while rest:
                rest = rest[os.write(self._answers, rest) :]

    def end_input(self) -> None:
        """There is no more for its descriptor 0."""
        with self._feeding:
            wire.close_all([self._answers] if self._answers >= 0 else [])
            self._answers = -1

    def kill(self) -> None:
        """End it at once."""
        with self._lock:
            self._killed = True
            if self.ended is not None:
                return
            if self._handle >= 0:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._handle, signal.SIGKILL)
                return
        self._ask_to_kill(self.number)  # not started yet, or a kernel without pidfd

    def started(self, handle: int) -> None:
        """The zygote has started it; ``handle`` is a pidfd, ours to close, or -1 where the kernel has none."""
        self.begun = True
        with self._lock:
            self._handle = handle
        if self._killed:
            self.kill()
        with self._lock:
            if self._closed and handle >= 0:
                os.close(handle)
                self._handle = -1

    def over(self, ended: Ended, *, lost: bool = False) -> None:
        """It has ended; only the first word counts."""
        if lost:
            self.kill()
        with self._lock:
            if self.ended is None:
                self.ended, self.lost = ended, lost
                if self._over >= 0:
                    os.eventfd_write(self._over, 1)

    def close(self) -> None:
        """Let go of every descriptor."""
        if self.ended is None:
            self.kill()
        self.end_input()
        with self._lock:
            self._closed = True
            wire.close_all([item for item in (self._output, self._over, self._handle) if item >= 0])
            self._output = self._over = self._handle = -1

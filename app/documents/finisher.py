"""The processes that finish documents, as the server sees them."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

from app import places
from app.documents.document import BadTraceError, Document
from app.documents.frames import BAD, DRAW, PLAIN, read_frame, write_frame

_CHILD = Path(__file__).with_name("child.py")


class _GoneError(Exception):
    """A process did not answer: says why."""


class Finisher:
    """Up to ``workers`` processes, started when they are needed. Safe to use from any thread.

    A document that is not finished within ``seconds``, or whose process dies, costs the process; it is then made once
    more in another one, without a layout, as there is always a trace.
    """

    def __init__(self, *, workers: int = 2, seconds: float = 20.0) -> None:
        self._seconds = seconds
        self._places = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._idle: deque[subprocess.Popen[bytes]] = deque()
        self._busy: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def finish(self, raw: bytes, max_bytes: int) -> Document:
        """The document of the trace ``raw``. Raises :class:`BadTraceError`: it is none, too big, or takes too long."""
        if len(raw) > max_bytes:
            raise BadTraceError(
                f"The recording is {len(raw) / 1e6:.1f} MB; at most {max_bytes / 1e6:.1f} MB are kept. "
                "Run fewer iterations, or smaller ones."
            )
        with self._places:
            try:
                kind, payload = self._attempt(DRAW, raw)
            except _GoneError as gone:
                try:
                    kind, payload = self._attempt(PLAIN, f"{gone}\n".encode() + raw)
                except _GoneError:
                    raise BadTraceError("The recording could not be read. Run fewer iterations.") from None
        if kind == BAD:
            raise BadTraceError(payload.decode())
        head, _, compressed = payload.partition(b"\n")
        return Document(compressed, **json.loads(head))

    def _attempt(self, kind: int, payload: bytes) -> tuple[int, bytes]:
        """What a process answers. Raises :class:`_GoneError` if none comes."""
        process = self._take()
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, stop)
        timer.start()
        try:
            answer = self._ask(process, kind, payload)
        except (OSError, EOFError, ValueError):
            self._drop(process)
            if late.is_set():
                raise _GoneError(f"it was not ready within {self._seconds:g} s") from None
            raise _GoneError("the process that lays it out was lost") from None
        finally:
            timer.cancel()
        self._give_back(process)
        return answer

    def close(self) -> None:
        """End the processes, those at work too."""
        with self._lock:
            self._closed = True
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            self._end(process)

    @staticmethod
    def _ask(process: subprocess.Popen[bytes], kind: int, payload: bytes) -> tuple[int, bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        write_frame(process.stdin, kind, payload)
        return read_frame(process.stdout)

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise BadTraceError("The server is closing.")
            process = self._idle.pop() if self._idle else None
            while process is not None and process.poll() is not None:  # it died while it waited
                self._end(process)
                process = self._idle.pop() if self._idle else None
            if process is None:
                process = subprocess.Popen(
                    [sys.executable, "-I", str(_CHILD), str(places.ROOT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            self._busy.add(process)
            return process

    def _give_back(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._busy.discard(process)
            if not self._closed:
                self._idle.append(process)

    def _drop(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._busy.discard(process)
        self._end(process)

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                # What was still buffered for a process that is gone cannot be written.
                with contextlib.suppress(OSError):
                    pipe.close()

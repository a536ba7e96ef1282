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
from app.documents.frames import BAD, read_frame, write_frame

_CHILD = Path(__file__).with_name("child.py")


class Finisher:
    """Up to ``workers`` processes, started when they are needed. Safe to use from any thread.

    A document that is not finished within ``seconds`` costs its process; the next one gets another.
    """

    def __init__(self, *, workers: int = 2, seconds: float = 30.0) -> None:
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
            process = self._take()
            late = threading.Event()

            def stop() -> None:
                late.set()
                process.kill()

            timer = threading.Timer(self._seconds, stop)
            timer.start()
            try:
                kind, payload = self._ask(process, raw)
            except (OSError, EOFError, ValueError):
                self._drop(process)
                if late.is_set():
                    raise BadTraceError(
                        f"The graph could not be laid out within {self._seconds:g} s. Run fewer iterations."
                    ) from None
                raise BadTraceError("The recording could not be read.") from None
            finally:
                timer.cancel()
            self._give_back(process)
        if kind == BAD:
            raise BadTraceError(payload.decode())
        head, _, compressed = payload.partition(b"\n")
        return Document(compressed, **json.loads(head))

    def close(self) -> None:
        """End the processes, those at work too."""
        with self._lock:
            self._closed = True
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            self._end(process)

    @staticmethod
    def _ask(process: subprocess.Popen[bytes], raw: bytes) -> tuple[int, bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        write_frame(process.stdin, 0, raw)
        return read_frame(process.stdout)

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise BadTraceError("The server is closing.")
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

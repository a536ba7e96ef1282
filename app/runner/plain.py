"""Where the system offers no zygote: a Python of its own for every run, started beforehand. This is no isolation.

Files with names in the folder for temporary files take the place of descriptors handed over.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque

from .backend import BackendError, Ended
from .inside.plain_child import READY
from .isolation import Isolation
from .journal_file import JournalFile
from .launch import Places, python_command
from .request import Limits
from .verdict import cpu_seconds

log = logging.getLogger(__name__)

_START_SECONDS = 60.0
_KEPT_VARIABLES = ("SYSTEMROOT", "TEMP", "TMP")
"""Without these a Windows process cannot start. Nothing else of the environment is passed on."""


class PlainJob:
    """One Python process. Two threads attend to it, because pipes cannot be polled everywhere."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.ended: Ended | None = None
        self.lost = False
        self.silent = False
        self.begun = True
        self.leftovers: list[str] = []
        self.result: tuple[str, int] | None = None
        self._process = process
        self._keep = 1 << 16
        self._collected = bytearray()
        self._over = threading.Event()
        self._started = threading.Event()
        self._feeding = threading.Lock()
        threading.Thread(target=self._attend, name="plain-run", daemon=True).start()

    def wait_started(self) -> None:
        """Until it has everything imported, which is none of the program's time, or has ended. Raises
        :class:`BackendError` after a minute."""
        if not self._started.wait(_START_SECONDS):
            raise BackendError(f"Python did not start within {_START_SECONDS:.0f} s")

    def order(self, data: dict[str, object], keep: int) -> None:
        """Tell it what to do; unless it is ``interactive``, its input ends here. Raises :class:`BackendError` if it has
        ended while it waited."""
        self._keep = keep
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(data).encode() + b"\n")
            self._process.stdin.flush()
            if not data.get("interactive"):
                self._process.stdin.close()
        except OSError as error:
            self._over.wait(1)
            raise BackendError(
                f"a waiting process ended by itself: {self.loose()[-400:].decode('utf-8', 'replace')}"
            ) from error

    def _attend(self) -> None:
        assert self._process.stdout is not None
        waiting = True
        while piece := os.read(self._process.stdout.fileno(), 1 << 16):
            if waiting or len(self._collected) <= self._keep:
                self._collected += piece
            if waiting and READY in self._collected:
                said, _, rest = bytes(self._collected).partition(READY)
                if said:
                    log.warning("a process for programs says: %s", said.decode("utf-8", "replace").strip())
                self._collected[:] = rest
                waiting = False
                self._started.set()
        self._started.set()
        self.silent = True
        status = self._process.wait()
        self._process.stdout.close()
        if self.result is not None:
            path, descriptor = self.result
            with contextlib.suppress(OSError), open(path, "rb") as file:
                os.write(descriptor, file.read())
        # Windows tells of a crash by a status beyond what a program can choose.
        self.ended = Ended(status if status <= 255 else -11)
        self._over.set()

    def wait(self, timeout: float) -> bool:
        """Wait until it has ended. False after ``timeout`` seconds."""
        return self._over.wait(timeout)

    def loose(self) -> bytes:
        """What it wrote to descriptors 1 and 2."""
        return bytes(self._collected)

    def feed(self, data: bytes) -> None:
        """Write to the program's descriptor 0. Raises ``OSError`` when nobody can read it any more."""
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            raise BrokenPipeError("the input has ended")
        with self._feeding:
            pipe.write(data)
            pipe.flush()

    def end_input(self) -> None:
        """There is no more for its descriptor 0."""
        if self._process.stdin is not None:
            with self._feeding, contextlib.suppress(OSError):
                self._process.stdin.close()

    def kill(self) -> None:
        """End it, and on POSIX what it has started."""
        if self.ended is not None:
            return
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, 9)
        with contextlib.suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """End it and remove its files."""
        self.kill()
        self._over.wait(5)
        self.end_input()
        for path in self.leftovers:
            with contextlib.suppress(OSError):
                os.unlink(path)


class PlainBackend:
    """Keeps ``spares`` processes that have everything imported and wait for an order."""

    def __init__(self, spares: int, *, packages: bool = True) -> None:
        self._wanted = spares
        self._places = Places.find(packages=packages)
        self._spares: deque[PlainJob] = deque()
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """Start the spares, without waiting for them."""
        self._refill()

    def isolation(self) -> Isolation:
        """A process of its own, and nothing else worth a promise."""
        layers = ["a process of its own", "an empty environment"]
        if sys.platform == "linux":
            layers.append("resource limits")
        missing = "the sandbox: run the server on Linux, and without it let it listen on this machine only"
        return Isolation(tuple(layers), False, (missing,))

    def new_journal(self, limits: Limits) -> JournalFile:
        """A journal in a file with a name."""
        return JournalFile(limits, named=True)

    def run(self, journal: JournalFile, config: bytes, limits: Limits, *, interactive: bool = False) -> PlainJob:
        """Have a process run a program."""
        order = {
            "do": "run",
            "memory": limits.memory_bytes + journal.sizes.total,
            "cpu": cpu_seconds(limits),
            "interactive": interactive,
        }
        return self._order(order, journal, config, None, limits.output_bytes)

    def build(self, journal: JournalFile, config: bytes, result: int) -> PlainJob:
        """Have another process build the trace."""
        return self._order({"do": "build", "memory": 2 << 30, "cpu": 60}, journal, config, result, 1 << 16)

    def reset(self) -> None:
        """Nothing keeps a plain process but the system."""

    def close(self) -> None:
        """End the spares."""
        self._closed = True
        with self._lock:
            spares, self._spares = [*self._spares], deque()
        for spare in spares:
            spare.close()

    def _order(
        self, order: dict[str, object], journal: JournalFile, config: bytes, result: int | None, keep: int
    ) -> PlainJob:
        job = self._take()
        try:
            descriptor, path = tempfile.mkstemp(prefix="stepgraph-", suffix=".json")
            job.leftovers.append(path)
            with os.fdopen(descriptor, "wb") as file:
                file.write(config)
            order = order | {"journal": journal.path, "config": path}
            job.wait_started()
            if result is not None:
                descriptor, path = tempfile.mkstemp(prefix="stepgraph-", suffix=".trace")
                os.close(descriptor)
                job.leftovers.append(path)
                job.result = (path, result)
                order["result"] = path
            job.order(order, keep)
        except BaseException:
            job.close()
            raise
        threading.Thread(target=self._refill, name="plain-refill", daemon=True).start()
        return job

    def _take(self) -> PlainJob:
        with self._lock:
            if self._closed:
                raise BackendError("this runner is closed")
            if self._spares:
                return self._spares.popleft()
        return self._spawn()

    def _refill(self) -> None:
        while not self._closed:
            with self._lock:
                if len(self._spares) >= self._wanted:
                    return
            spare = self._spawn()
            with self._lock:
                if not self._closed:
                    self._spares.append(spare)
                    continue
            spare.close()

    def _spawn(self) -> PlainJob:
        settings: dict[str, object] = {"inside": self._places.inside, "engine": self._places.engine}
        settings["numpy"] = self._places.numpy
        settings["packages"] = dict(self._places.packages)
        try:
            process = subprocess.Popen(
                [*python_command(self._places, "plain_child.py"), json.dumps(settings)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
                cwd=tempfile.gettempdir(), start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise BackendError(f"Python could not be started for a run: {error}") from error
        return PlainJob(process)

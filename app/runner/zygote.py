"""The server's side of the zygote: starts it, starts it again when it dies, gives orders and follows the children."""

from __future__ import annotations

import compileall
import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from .backend import BackendError, Ended
from .inside import wire
from .isolation import Isolation
from .journal_file import JournalFile, filled, memory_file
from .journal_pool import JournalPool
from .launch import Places, Way, command
from .request import Limits
from .verdict import cpu_seconds
from .zygote_job import ZygoteJob

log = logging.getLogger(__name__)

_START_SECONDS = 60.0
_BUILD_MEMORY = 2 << 30
_BUILD_CPU = 60


class ZygoteBackend:
    """Keeps one zygote alive. One thread starts it and listens to it for as long as the backend lives, because a
    process
    that is to die with its parent dies with the parent's *thread*."""

    def __init__(self, ways: Sequence[Way], spares: int, *, packages: bool = True) -> None:
        self._ways = list(ways)
        self._spares = spares
        self._journals = JournalPool(spares)
        self._places = Places.find(packages=packages)
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._channel: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._jobs: dict[int, ZygoteJob] = {}
        self._numbers = 0
        self._closing = False
        self._problem = ""
        self._tried: list[str] = []
        self._isolation: Isolation | None = None
        self._thread = threading.Thread(target=self._keep, name="zygote-keeper", daemon=True)

    @property
    def zygote_pid(self) -> int:
        """The process that was started (bubblewrap's or the zygote's own), -1 while there is none."""
        return self._process.pid if self._process is not None else -1

    def start(self) -> None:
        """Start the zygote and wait for it. Raises :class:`BackendError` if it cannot be started in any way."""
        _compile(self._places.engine)
        self._thread.start()
        self._await_ready()

    def isolation(self) -> Isolation:
        """The layers that the zygote and its children have."""
        self._await_ready()
        assert self._isolation is not None
        return self._isolation

    def new_journal(self, limits: Limits) -> JournalFile:
        """A journal in memory."""
        return self._journals.take(limits)

    def run(self, journal: JournalFile, config: bytes, limits: Limits, *, interactive: bool = False) -> ZygoteJob:
        """Have a child run a program."""
        order = {
            "do": "run",
            "memory": limits.memory_bytes + journal.sizes.total,
            "cpu": cpu_seconds(limits),
            "file": 0,
        }
        return self._order(order, journal, config, None, limits.output_bytes, interactive=interactive)

    def build(self, journal: JournalFile, config: bytes, result: int) -> ZygoteJob:
        """Have a child build a trace."""
        order = {"do": "build", "memory": _BUILD_MEMORY, "cpu": _BUILD_CPU, "file": 1 << 28}
        return self._order(order, journal, config, result, 1 << 16)

    def reset(self) -> None:
        """Kill the zygote and with it all its children. It is started again."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Stop the zygote and all its children."""
        self._closing = True
        with self._lock:
            channel = self._channel
        if channel is not None:
            with contextlib.suppress(OSError):
                channel.shutdown(socket.SHUT_RDWR)
        if self._thread.ident is not None:
            self._thread.join(timeout=10)
        self._journals.close()

    # -- orders -----------------------------------------------------------------------------------------------------

    def _await_ready(self) -> None:
        if not self._ready.wait(_START_SECONDS):
            raise BackendError(f"the sandbox did not start within {_START_SECONDS:.0f} s")
        if self._problem:
            raise BackendError(self._problem)

    def _order(
        self,
        order: dict[str, Any],
        journal: JournalFile,
        config: bytes,
        result: int | None,
        keep: int,
        *,
        interactive: bool = False,
    ) -> ZygoteJob:
        for _ in range(3):  # a zygote that died a moment ago is only noticed by trying
            self._await_ready()
            theirs: list[int] = []
            ours: list[int] = []
            job: ZygoteJob | None = None
            try:
                reading, writing = os.pipe2(os.O_CLOEXEC)
                ours.append(reading)
                theirs.append(writing)
                asks, answers = os.pipe2(os.O_CLOEXEC) if interactive else (-1, -1)
                if interactive:
                    ours.append(answers)
                    theirs.append(asks)
                extra = [asks] if interactive else [] if result is None else [result]
                settings = filled("stepgraph-config", config)
                theirs.append(settings)
                with self._lock:
                    self._numbers += 1
                    job = ZygoteJob(self._numbers, reading, keep, self._kill, answers)
                    ours.clear()
                    channel = self._channel
                    if channel is not None:
                        self._jobs[job.number] = job
                        passed = [journal.descriptor, settings, *extra, writing]
                        wire.send(channel, order | {"job": job.number}, passed)
                if channel is not None:
                    return job
                # Not under the lock: a job that is let go of asks to be killed, and that takes the lock.
                job.close()
            except wire.ClosedError:
                assert job is not None
                job.over(Ended(-signal.SIGKILL), lost=True)
                job.close()
                self._ready.wait(1.0)
            finally:
                wire.close_all([*ours, *theirs])
        raise BackendError("The sandbox cannot be reached. Try again in a moment.")

    def _kill(self, job: int) -> None:
        with self._lock, contextlib.suppress(wire.ClosedError, OSError):
            if self._channel is not None:
                wire.send(self._channel, {"do": "kill", "job": job})

    # -- the keeper's thread ----------------------------------------------------------------------------------------

    def _keep(self) -> None:
        failures = 0
        while not self._closing:
            begun = time.monotonic()
            try:
                self._launch()
            except BackendError as error:
                log.error("%s", error)
                failures += 1
                if self._isolation is None or failures >= 5:
                    self._problem = str(error)
                    self._ready.set()
                    return
                time.sleep(min(2.0**failures / 10, 5.0))
                continue
            self._listen()
            self._bury()
            if not self._closing:
                failures = failures + 1 if time.monotonic() - begun < 1 else 0
                log.error("the zygote died and is started again")
                time.sleep(0.2 * failures)
        self._problem = self._problem or "this runner is closed"
        self._ready.set()

    def _launch(self) -> None:
        while self._ways:
            way = self._ways[0]
            try:
                self._launch_by(way)
                self._ways = [way]
                self._ready.set()
                return
            except (BackendError, OSError) as error:
                self._tried.append(f"{way.name}: {error}")
                log.warning("the sandbox could not be started by %s: %s", way.name, error)
                if len(self._ways) == 1:
                    break
                del self._ways[0]
        raise BackendError(f"the sandbox could not be started ({self._tried[-1]})")

    def _launch_by(self, way: Way) -> None:
        near, far = wire.pair()
        near.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        null = os.open(os.devnull, os.O_RDWR)
        words = memory_file("stepgraph-zygote-log")
        try:
            self._process = subprocess.Popen(
                command(way, self._places, far.fileno(), self._spares), stdin=null, stdout=null, stderr=words,
                env={}, cwd="/", pass_fds=(far.fileno(),), start_new_session=True,
            )  # fmt: skip
            far.close()
            near.settimeout(_START_SECONDS)
            try:
                hello = wire.receive(near)
                _first_to_go(hello.pid)
                wire.send(near, {"go": True})
                ready = wire.receive(near).data
            except (wire.ClosedError, TimeoutError) as error:
                self._process.kill()
                self._process.wait()
                said = os.pread(words, 4096, max(0, os.fstat(words).st_size - 4096)).decode("utf-8", "replace").strip()
                raise BackendError(said.splitlines()[-1] if said else f"no answer ({error})") from error
            near.settimeout(None)
            for problem in ready["problems"]:
                log.warning("a run cannot import %s", problem)
            self._isolation = Isolation(
                tuple(ready["layers"]), bool(ready["seccomp"]), (*ready["missing"], *self._tried)
            )
            with self._lock:
                self._channel = near
                if self._closing:  # since it was started: nobody else would end it
                    near.shutdown(socket.SHUT_RDWR)
        except BaseException:
            near.close()
            raise
        finally:
            far.close()
            wire.close_all([null, words])

    def _listen(self) -> None:
        channel = self._channel
        assert channel is not None
        with contextlib.suppress(wire.ClosedError, OSError):
            while True:
                message = wire.receive(channel)
                job = self._jobs.get(message.data.get("job", -1))
                if "ended" in message.data:
                    self._jobs.pop(message.data["job"], None)
                    if job is not None:
                        job.over(Ended(message.data["ended"], message.data["cpu"], message.data["resident"]))
                elif "started" in message.data and job is not None:
                    job.started(message.descriptors.pop() if message.descriptors else -1)
                wire.close_all(message.descriptors)

    def _bury(self) -> None:
        """The zygote has gone: nothing of it may stay, and whoever waits for one of its children must learn it."""
        self._ready.clear()
        with self._lock:
            channel, self._channel = self._channel, None
            jobs, self._jobs = self._jobs, {}
        if channel is not None:
            channel.close()
        if self._process is not None:
            try:
                self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for job in jobs.values():
            job.over(Ended(-signal.SIGKILL), lost=True)


def _compile(folder: str) -> None:
    """Write the engine's byte code, which the zygote may read and never write: it then starts in half the time."""
    if not sys.dont_write_bytecode and os.access(folder, os.W_OK):
        compileall.compile_dir(folder, quiet=2)


def _first_to_go(pid: int) -> None:
    """When memory runs out, the kernel is to end the sandbox before anything else."""
    if pid > 0:
        try:
            with open(f"/proc/{pid}/oom_score_adj", "w") as file:
                file.write("1000")
        except OSError as error:
            log.warning("the sandbox is not the first to go when memory runs out: %s", error)

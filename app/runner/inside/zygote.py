"""The process that has everything imported, never runs a program itself, and forks a child for each.

It is single-threaded for ever, holds no secret, and believes nothing that a child could have written: it only ever
sends to children.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import signal
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from . import wire
from .child import live
from .locks import Account, address_space

_REFILL_PAUSE_MS = 4
"""Milliseconds of silence after which a missing spare is made: the answer to the last run goes first."""

_HARD_SECONDS = 3600


@dataclass
class _Spare:
    pid: int
    channel: socket.socket


@dataclass
class Zygote:
    """Serves the channel until the server closes it."""

    channel: socket.socket
    account: Account
    wanted: int
    spares: list[_Spare] = field(default_factory=list)
    jobs: dict[int, int] = field(default_factory=dict)  # pid -> the server's number of the job
    baseline: int = 0

    def serve(self) -> None:
        """Answer requests; return when the server has gone. Children die with this process."""
        gc.collect()
        gc.freeze()
        self.baseline = address_space()
        reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        while len(self.spares) < self.wanted:
            self._spawn()
        wire.send(self.channel, {"ready": True, "layers": self.account.layers, "missing": self.account.missing,
                "problems": self.account.problems,
                                 "seccomp": self.account.seccomp, "baseline": self.baseline})  # fmt: skip
        poller = select.poll()
        poller.register(self.channel, select.POLLIN)
        poller.register(reading, select.POLLIN)
        with contextlib.suppress(wire.ClosedError):
            while True:
                pause = _REFILL_PAUSE_MS if len(self.spares) < self.wanted else None
                ready = {descriptor for descriptor, _ in poller.poll(pause)}
                if reading in ready:
                    with contextlib.suppress(BlockingIOError):
                        os.read(reading, 4096)
                    self._reap()
                if self.channel.fileno() in ready:
                    self._answer(wire.receive(self.channel))
                if not ready:
                    self._spawn()

    def _spawn(self) -> None:
        near, far = wire.pair()
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                live(far, self.account)
            finally:
                os._exit(71)
        far.close()
        self.spares.append(_Spare(pid, near))

    def _reap(self) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for spare in [spare for spare in self.spares if spare.pid == pid]:
                spare.channel.close()
                self.spares.remove(spare)
            job = self.jobs.pop(pid, None)
            if job is not None:
                wire.send(self.channel, {
                    "job": job, "ended": os.waitstatus_to_exitcode(status),
                    "cpu": usage.ru_utime + usage.ru_stime, "resident": usage.ru_maxrss << 10,
                })  # fmt: skip

    def _answer(self, message: wire.Message) -> None:
        try:
            if message.data["do"] == "kill":
                self._kill(int(message.data["job"]))
            else:
                self._start(message.data, message.descriptors)
        finally:
            wire.close_all(message.descriptors)

    def _kill(self, job: int) -> None:
        for pid, number in self.jobs.items():
            if number == job:
                os.kill(pid, signal.SIGKILL)

    def _start(self, order: dict[str, Any], descriptors: list[int]) -> None:
        """Give the order to a spare. Its limits are set from here, so that the child needs no call that could raise
        them."""
        while True:
            if not self.spares:
                self._spawn()
            spare = self.spares.pop(0)
            try:
                self._limit(spare.pid, order)
                wire.send(spare.channel, {"do": order["do"]}, descriptors)
            except (wire.ClosedError, ProcessLookupError):  # died while it waited: reaped later
                spare.channel.close()
                continue
            break
        spare.channel.close()
        self.jobs[spare.pid] = order["job"]
        answer = {"job": order["job"], "started": time.monotonic_ns()}
        try:
            handle = os.pidfd_open(spare.pid)
        except (OSError, AttributeError):
            wire.send(self.channel, answer)  # the server then asks us to kill
            return
        wire.send(self.channel, answer, [handle])
        os.close(handle)

    def _limit(self, pid: int, order: dict[str, Any]) -> None:
        memory = self.baseline + int(order["memory"])
        seconds = min(int(order["cpu"]), _HARD_SECONDS)
        resource.prlimit(pid, resource.RLIMIT_AS, (memory, memory))
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (int(order["file"]), int(order["file"])))

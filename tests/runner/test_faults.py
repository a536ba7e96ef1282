"""What is left when something dies, and what a program can do to its own journal."""

from __future__ import annotations

import errno
import os
import resource
import signal
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.runner import Limits, Request, Runner
from app.runner.backend import BackendError
from app.runner.journal_file import JournalFile
from app.runner.launch import Places
from app.runner.zygote import ZygoteBackend
from engine.recording import journal as journals
from engine.recording.rows import LAYOUT, ROW_BYTES


@pytest.fixture(scope="module")
def own() -> Iterator[Runner]:
    """One for all tests here: whatever they do to it, it has to come back."""
    runner = Runner(spares=2, workers=2)
    runner.start()
    yield runner
    runner.close()


def backend_of(runner: Runner) -> ZygoteBackend:
    backend = runner._backend
    assert isinstance(backend, ZygoteBackend)
    return backend


def descendants(pid: int) -> dict[int, str]:
    """``pid -> state`` of all processes below ``pid``, itself included."""
    parents, states = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            states[int(entry.name)], parents[int(entry.name)] = fields[0], int(fields[1])
    found = {pid} if pid in states else set()
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {number: states[number] for number in found}


def until(condition: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def test_nothing_is_left_of_a_run(own: Runner, execute: Any) -> None:
    zygote = backend_of(own).zygote_pid
    execute(own, "print(1)")
    until(lambda: len(descendants(zygote)) == len(descendants(zygote)) and len(own._queue.active) == 0)
    time.sleep(0.3)
    processes, descriptors = len(descendants(zygote)), len(os.listdir("/proc/self/fd"))
    for source in ("print(1)", "1 / 0", "import os\nos._exit(3)", "import os\nos.abort()", "pow(7, 10 ** 9)"):
        execute(own, source, seconds=0.3)
    time.sleep(0.3)
    until(lambda: len(descendants(zygote)) == processes)
    assert "Z" not in descendants(zygote).values()
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_the_zygote_is_started_again(own: Runner, execute: Any) -> None:
    execute(own, "print(1)")
    before = backend_of(own).zygote_pid
    for victim in descendants(before):
        os.kill(victim, signal.SIGKILL)
    assert execute(own, "print('next')").output == "next\n"
    assert backend_of(own).zygote_pid != before
    assert descendants(before) == {}


def test_a_run_whose_zygote_dies_says_so_and_the_queue_goes_on(own: Runner, execute: Any) -> None:
    lost = own.submit(Request("import time\ntime.sleep(30)", limits=Limits(seconds=60)))
    until(lambda: lost.state == "running")
    until(lambda: lost.output_so_far()[1] == 2)
    old = descendants(backend_of(own).zygote_pid)
    queued = [own.submit(Request("print('still here')")) for _ in range(3)]
    for victim in old:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            continue
    assert lost.wait(10)
    assert lost.state == "failed"
    assert lost.error is not None
    assert "run the program once more" in lost.error
    assert all(run.wait(20) for run in queued)
    assert {run.state for run in queued} <= {"done", "failed"}
    assert execute(own, "print('next')").output == "next\n"
    assert not set(old) & set(descendants(os.getpid()))


def test_an_order_between_two_zygotes_fails_and_blocks_nobody(own: Runner, execute: Any) -> None:
    execute(own, "pass")
    backend = backend_of(own)
    journal = backend.new_journal(Limits())
    with backend._lock:
        channel, backend._channel = backend._channel, None
    failed: list[BaseException] = []

    def order() -> None:
        with pytest.raises(BackendError, match="cannot be reached") as caught:
            backend.run(journal, b"{}", Limits())
        failed.append(caught.value)

    thread = threading.Thread(target=order, daemon=True)
    thread.start()
    thread.join(10)
    with backend._lock:
        backend._channel = channel
    assert failed
    assert execute(own, "print(1)").output == "1\n"


def test_a_zygote_that_hangs_is_replaced(own: Runner, execute: Any) -> None:
    execute(own, "print(1)")
    old = descendants(backend_of(own).zygote_pid)
    for victim in old:
        os.kill(victim, signal.SIGSTOP)
    assert execute(own, "print('next')", seconds=0.3).output == "next\n"
    assert not set(old) & set(descendants(backend_of(own).zygote_pid))


def test_a_broken_engine_never_means_no_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(Places.find(), engine="/nonexistent/engine")
    monkeypatch.setattr(Places, "find", lambda **_: broken)
    runner = Runner()
    with pytest.raises(BackendError, match="could not be started"):
        runner.start()
    runner.close()


def test_closing_leaves_no_process(execute: Any) -> None:
    runner = Runner()
    execute(runner, "print(1)")
    zygote = backend_of(runner).zygote_pid
    before = descendants(zygote)
    assert len(before) >= 3
    runner.close()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before))


FORGERIES = {
    "noise over the header": "view[:64] = bytes(range(64))",
    "counters beyond the end": "view[64:88] = b'\\xff' * 24",
    "noise over everything": "import random\nview[:1 << 22] = random.Random(1).randbytes(1 << 22)",
    "noise over the rows": "import random\nview[4096:1 << 20] = random.Random(2).randbytes((1 << 20) - 4096)",
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_journal_harms_nobody_else(own: Runner, execute: Any, kind: str) -> None:
    source = f"""
import gc, mmap, os
buffer = next(item for item in gc.get_objects() + [m for o in gc.get_objects() for m in gc.get_referents(o)]
              if isinstance(item, mmap.mmap))
view = memoryview(buffer)
print("got it")
{FORGERIES[kind]}
os._exit(0)
"""
    run = own.submit(Request(source))
    assert run.wait(30)
    assert run.state in ("done", "failed")
    if run.state == "failed":
        assert run.error
    assert execute(own, "print('next')").output == "next\n"


def journal() -> JournalFile:
    return JournalFile(Limits(events=100, output_bytes=1000))


def test_a_journal_is_read_by_what_can_be_true() -> None:
    mine = journal()
    try:
        os.pwrite(mine.descriptor, struct.pack("<QQQ", 1 << 60, 1 << 61, 1 << 62), journals.COUNTERS)
        assert mine.counters() == (mine.sizes.rows, mine.sizes.heap, mine.sizes.output)
        assert mine.output() == "\0" * mine.sizes.output
        assert mine.line() == -1
    finally:
        mine.close()


def test_half_a_character_is_left_for_later() -> None:
    mine = journal()
    try:
        text = "größe".encode()
        start = journals.HEADER_BYTES + mine.sizes.rows * ROW_BYTES + mine.sizes.heap
        os.pwrite(mine.descriptor, text, start)
        for length, expected in ((2, "gr"), (3, "gr"), (4, "grö"), (len(text), "größe")):
            os.pwrite(mine.descriptor, struct.pack("<QQQ", 0, 0, length), journals.COUNTERS)
            assert mine.output() == expected
    finally:
        mine.close()


def test_the_line_is_that_of_the_latest_row_that_has_one() -> None:
    mine = journal()
    try:
        for row, line in enumerate((3, 7, -1)):
            raw = LAYOUT.pack(10, 0, 0, line, *([-1] * 10), 0, 0)
            os.pwrite(mine.descriptor, raw, journals.HEADER_BYTES + row * ROW_BYTES)
            os.pwrite(mine.descriptor, struct.pack("<Q", row + 1), journals.COUNTERS)
        assert mine.line() == 7
        assert not mine.has_end()
    finally:
        mine.close()


def test_a_journal_cannot_be_shortened() -> None:
    mine = journal()
    try:
        with pytest.raises(PermissionError):
            os.ftruncate(mine.descriptor, 0)
        os.pwrite(mine.descriptor, b"\0" * 64, 0)
        mine.repair()
        assert os.pread(mine.descriptor, 8, 0) == journals.MAGIC
    finally:
        mine.close()


NO_SPACE, NO_FILES = OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EMFILE, "Too many open files")


@pytest.mark.parametrize("where", ["app.runner.zygote.filled", "app.runner.runner.memory_file", "os.pipe2"])
@pytest.mark.parametrize("problem", [NO_SPACE, NO_FILES], ids=["disk full", "out of descriptors"])
def test_a_machine_without_room_says_so_and_recovers(
    own: Runner, execute: Any, monkeypatch: pytest.MonkeyPatch, where: str, problem: OSError
) -> None:
    execute(own, "print(1)")

    def refuse(*_: Any, **__: Any) -> int:
        raise problem

    descriptors = len(os.listdir("/proc/self/fd"))
    with monkeypatch.context() as patched:
        patched.setattr(where, refuse)
        for _ in range(5):
            run = own.submit(Request("print('lost')"))
            assert run.wait(20)
    assert run.state == "failed"
    assert (
        run.error == f"The server is short of memory or files ({problem.strerror}). Run the program again in a moment."
    )
    assert execute(own, "print('next')").output == "next\n"
    until(lambda: len(os.listdir("/proc/self/fd")) <= descriptors + 2)  # some lie ready for the next run


def test_really_out_of_descriptors(own: Runner, execute: Any) -> None:
    execute(own, "print(1)")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")), hard))
    try:
        run = own.submit(Request("print('lost')"))
        assert run.wait(20)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert run.state in ("done", "failed")
    assert run.state == "done" or "Run the program" in (run.error or "") or "Try again" in (run.error or "")
    assert execute(own, "print('next')").output == "next\n"

"""Programs that do not end, or take more than they may."""

from __future__ import annotations

import time
from typing import Any

import pytest

from app.runner import Limits, Runner
from engine.trace.reading import table

ENDLESS = {
    "catching everything": "while True:\n    try:\n        pow(7, 10 ** 9)\n    except BaseException: pass",
    "in C": "x = pow(7, 10 ** 9)",
    "asleep": "import time\ntime.sleep(60)",
    "deaf": "import signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\ntime.sleep(60)",
    "in NumPy": "import numpy as np\na = np.ones((2000, 2000))\nwhile True: a = a @ a / 2000",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_time(runner: Runner, execute: Any, kind: str) -> None:
    begun = time.monotonic()
    outcome = execute(runner, ENDLESS[kind], seconds=0.6)
    assert time.monotonic() - begun < 5
    assert (outcome.end["kind"], outcome.end["limit"], outcome.run.exit_status) == ("limit", "time", 124)
    assert execute(runner, "print('next')").output == "next\n"


def test_events(runner: Runner, execute: Any) -> None:
    outcome = execute(runner, "i = 0\nwhile True:\n    i += 1", events=500)
    assert (outcome.end["limit"], outcome.run.exit_status) == ("steps", 124)


def test_a_long_loop_is_no_limit(runner: Runner, execute: Any) -> None:
    outcome = execute(runner, "total = 0\nfor i in range(20_000):\n    total += i\nprint(total)", events=24_000)
    assert (outcome.end["kind"], outcome.output) == ("ok", "199990000\n")
    assert sum(row["passes"] for row in table(outcome.trace, "events.folded")) > 15_000


def test_killed_in_a_long_loop(runner: Runner, execute: Any) -> None:
    source = "import os\nfor i in range(10 ** 9):\n    if i == 12_345: os.kill(os.getpid(), 9)"
    outcome = execute(runner, source, events=24_000)
    assert (outcome.end["kind"], outcome.end["limit"], outcome.end["line"]) == ("limit", "crash", 3)
    assert table(outcome.trace, "events.folded")
    assert table(outcome.trace, "events.loop")[-1]["iteration"] == 12_345


@pytest.mark.parametrize(
    "source",
    [
        "while True: print('x' * 100)",
        "import sys\nwhile True: sys.stderr.write('x' * 100)",
        "print('x' * 10_000_000)",
        "import os\nwhile True: os.write(1, b'x' * 1000)",
        "import os\nwhile True: os.write(2, b'x' * 1000)",
    ],
)
def test_output(runner: Runner, execute: Any, source: str) -> None:
    outcome = execute(runner, source, output_bytes=20_000)
    assert (outcome.end["limit"], outcome.run.exit_status) == ("output", 124)
    assert 19_000 < len(outcome.output) <= 20_000
    assert set(outcome.output) <= {"x", "\n"}


@pytest.mark.parametrize(
    "source",
    [
        "b = bytearray(8 << 30)",
        "import numpy as np\na = np.zeros(4_000_000_000)",
        "pieces = []\nwhile True: pieces.append(bytearray(1 << 20))",
    ],
)
def test_memory(runner: Runner, execute: Any, source: str) -> None:
    outcome = execute(runner, source, memory_bytes=100 << 20)
    assert outcome.end["error"]["type"] == "MemoryError"
    assert outcome.run.exit_status in (1, 124)


def test_memory_is_counted_from_the_idle_engine(runner: Runner, execute: Any) -> None:
    source = "b = bytearray({} << 20)\nprint(len(b) >> 20)"
    assert execute(runner, source.format(80), memory_bytes=100 << 20).output == "80\n"
    assert execute(runner, source.format(120), memory_bytes=100 << 20).end["error"]["type"] == "MemoryError"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
        ("import os\nos.abort()", "SIGABRT"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
        ("import ctypes, os\nctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)", "SIGSYS"),
    ],
)
def test_a_crash_is_told_and_loses_nothing(runner: Runner, execute: Any, source: str, name: str) -> None:
    outcome = execute(runner, "print('before')\n" + source)
    assert (outcome.end["kind"], outcome.end["limit"], outcome.run.exit_status) == ("limit", "crash", 124)
    assert outcome.end["line"] == 3
    assert outcome.end["error"]["type"] == name
    assert outcome.output == "before\n"


def test_closing_every_descriptor(runner: Runner, execute: Any) -> None:
    begun = time.monotonic()
    outcome = execute(runner, "import os, time\nprint('before')\nos.closerange(0, 64)\ntime.sleep(60)", seconds=20)
    assert time.monotonic() - begun < 3
    assert (outcome.end["limit"], outcome.output) == ("crash", "before\n")


def test_impossible_limits_are_refused() -> None:
    with pytest.raises(ValueError, match="more than nought"):
        Limits(seconds=0)

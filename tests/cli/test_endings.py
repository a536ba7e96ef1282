"""What ``stepgraph run`` itself says at the end (on a terminal a line, else nothing); exit statuses as Python's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.ending import describe_end
from app.runner import Limits

ROOT = Path(__file__).resolve().parents[2]
LINE = "stepgraph: stopped after 0.5 s at line {} (time limit; --seconds changes it)"


def on_a_terminal(source: str, folder: Path, *words: str) -> tuple[int, str]:
    """Exit status and all that a terminal shows, with both streams on it."""
    pty = pytest.importorskip("pty")
    (folder / "prog.py").write_text(source)
    ours, theirs = pty.openpty()
    command = [sys.executable, str(ROOT / "stepgraph.py"), "run", *words, "prog.py"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, cwd=folder) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # what Linux says when nobody has the other end any more
                break
            if not piece:
                break
            shown += piece
        status = process.wait(30)
    os.close(ours)
    return status, shown.decode().replace("\r\n", "\n")


def test_a_terminal_is_told_what_has_ended_a_run(tmp_path: Path) -> None:
    source = "import time\nprint('begun', end='')\nwhile True:\n    time.sleep(0.05)\n"
    status, shown = on_a_terminal(source, tmp_path, "--seconds", "0.5")
    assert status == 124
    assert shown in {f"begun\n{LINE.format(line)}\n" for line in (3, 4)}


def test_a_terminal_is_told_nothing_of_a_run_that_ends_by_itself(
    here: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    (tmp_path / "prog.py").write_text("print('a', end='')\nraise SystemExit(124)\n")
    assert here("run", "prog.py") == (124, b"a", b"")
    (tmp_path / "prog.py").write_text("import time\ntime.sleep(60)\n")
    assert here("run", "--seconds", "0.5", "prog.py") == (124, b"", LINE.format(2).encode() + b"\n")


def test_elsewhere_the_streams_are_the_programs_alone(here: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print('begun')\nwhile True: pass\n")
    assert here("run", "--seconds", "0.5", "prog.py") == (124, b"begun\n", b"")


@pytest.mark.parametrize(
    ("limit", "error", "line", "words"),
    [
        ("time", None, 2, "stopped after 10 s at line 2 (time limit; --seconds changes it)"),
        ("time", None, -1, "stopped after 10 s (time limit; --seconds changes it)"),
        ("memory", None, 3, "stopped at line 3: it needs more than 512 MB of memory (memory limit)"),
        ("output", None, 3, "stopped at line 3: it printed more than 1,048,576 bytes (output limit)"),
        (
            "steps",
            None,
            3,
            "stopped at line 3: it did more than the 200,000 events that a recording holds (step limit)",
        ),
        ("crash", {"type": "SIGSEGV", "message": "It was ended."}, 4, "crashed at line 4 (SIGSEGV): It was ended."),
    ],
)
def test_each_limit_has_words_of_its_own(limit: str, error: dict[str, str] | None, line: int, words: str) -> None:
    assert describe_end({"kind": "limit", "limit": limit, "line": line, "error": error}, Limits()) == words


@pytest.mark.parametrize(
    ("source", "limit"),
    [
        ("import os\nos.kill(os.getpid(), 11)\n", "crash"),
        ("print('x' * 2_000_000)\n", "output"),
        ("x = bytearray(1 << 32)\n", "memory"),
    ],
)
def test_limits_have_status_124(here: Callable[..., Any], tmp_path: Path, source: str, limit: str) -> None:
    (tmp_path / "prog.py").write_text(source)
    assert here("run", "prog.py", "--summary", "out.json").returncode == 124
    assert json.loads((tmp_path / "out.json").read_text())["limit"] == limit


EXITS = [
    "pass",
    "raise SystemExit",
    "raise SystemExit(None)",
    "raise SystemExit(0)",
    "raise SystemExit(3)",
    "raise SystemExit(256)",
    "raise SystemExit(-1)",
    "raise SystemExit(2**40 + 5)",
    "raise SystemExit(2**70)",
    "raise SystemExit(-2**70)",
    "raise SystemExit(True)",
    "raise SystemExit(False)",
    "raise SystemExit('words')",
    "raise SystemExit('')",
    "raise SystemExit(1.0)",
    "raise SystemExit([1])",
    "raise SystemExit(1, 2)",
    "raise SystemExit(b'x')",
    "e = SystemExit(4)\ne.code = 9\nraise e",
    "class Leave(SystemExit): pass\nraise Leave(7)",
    "import sys\nsys.exit(5)",
    "import sys\ntry:\n    sys.exit(5)\nfinally:\n    sys.exit(6)",
    "import sys\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    sys.exit(8)",
    "try:\n    raise SystemExit(5)\nexcept Exception:\n    pass",
    "try:\n    raise SystemExit(5)\nexcept BaseException:\n    pass",
    "def f():\n    yield 1\n    raise SystemExit(4)\nlist(f())",
    "exit(2)",
    "quit()",
    "import os\nos._exit(11)",
    "import atexit, sys\natexit.register(sys.exit, 9)\nsys.exit(3)",
    "import atexit\natexit.register(lambda: 1 / 0)",
    "import sys\nsys.excepthook = lambda *words: sys.exit(12)\n1 / 0",
    "import sys\nsys.excepthook = lambda *words: None\n1 / 0",
    "import sys\nsys.stderr = None\n1 / 0",
    "import sys\nsys.stderr = None\nsys.exit('words')",
    "import sys\nsys.stdout.close()",
    "1 / 0",
    "x = (",
    "def f(n): return f(n + 1)\nf(0)",
    "def f(n): return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError:\n    raise SystemExit(3)",
    "try:\n    x = bytearray(1 << 62)\nexcept MemoryError:\n    raise SystemExit(4)",
    "raise KeyboardInterrupt",
    "try:\n    raise KeyboardInterrupt\nexcept Exception:\n    pass",
    "try:\n    raise KeyboardInterrupt\nexcept KeyboardInterrupt:\n    pass",
    "raise GeneratorExit",
    "raise BaseException('b')",
    "raise BaseExceptionGroup('g', [SystemExit(3)])",
    "class Odd(Exception):\n    def __str__(self): raise SystemExit(5)\nraise Odd",
]


@pytest.fixture(scope="module")
def pythons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The exit statuses of all of them under plain Python, as a shell sees them; two at a time."""
    folder = tmp_path_factory.mktemp("plain")

    def begin(number: int) -> subprocess.Popen[bytes]:
        file = folder / f"p{number}.py"
        file.write_text(EXITS[number] + "\n")
        return subprocess.Popen(
            [sys.executable, "-I", str(file)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip

    statuses: dict[str, int] = {}
    for start in range(0, len(EXITS), 2):
        pair = range(start, min(start + 2, len(EXITS)))
        for number, process in [(number, begin(number)) for number in pair]:
            status = process.wait(30)
            statuses[EXITS[number]] = status if status >= 0 else 128 - status
    return statuses


@pytest.mark.parametrize("source", EXITS)
def test_the_exit_status_is_pythons(
    here: Callable[..., Any], tmp_path: Path, pythons: dict[str, int], source: str
) -> None:
    (tmp_path / "prog.py").write_text(source + "\n")
    assert here("run", "prog.py").returncode == pythons[source]


def test_an_uncaught_memory_error_is_the_memory_limit(here: Callable[..., Any], tmp_path: Path) -> None:
    """The one status that differs on purpose (docs/decisions/0004): plain Python's is 1."""
    (tmp_path / "prog.py").write_text("x = bytearray(1 << 62)\n")
    assert here("run", "prog.py").returncode == 124

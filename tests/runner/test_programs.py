"""What ordinary and less ordinary programs find inside a run, and how they end."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from app.runner import Request, Runner


def test_hello_world(runner: Runner, execute: Any) -> None:
    outcome = execute(runner, "print('hello')")
    assert outcome.output == "hello\n"
    assert outcome.end["kind"] == "ok"
    assert outcome.run.exit_status == 0
    assert outcome.run.output_so_far()[0] == "hello\n"


def test_the_trace_names_the_program(runner: Runner, execute: Any) -> None:
    run = runner.submit(Request("import sys; print(sys.argv)", name="mine.py", argv=("a", "b c")))
    assert run.wait(20)
    assert run.trace is not None
    assert b'"mine.py"' in run.trace
    assert run.output_so_far()[0] == "['mine.py', 'a', 'b c']\n"


def test_stdin(runner: Runner, execute: Any) -> None:
    outcome = execute(runner, "print(int(input()) * 2)", stdin="21\n")
    assert outcome.output.endswith("42\n")


def test_an_uncaught_error(runner: Runner, execute: Any) -> None:
    outcome = execute(runner, "print('before')\n1 / 0")
    assert outcome.run.exit_status == 1
    assert outcome.end["kind"] == "error"
    assert outcome.end["line"] == 2
    assert outcome.error == "ZeroDivisionError: division by zero"
    assert outcome.output.startswith("before\nTraceback (most recent call last):\n")


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('no')", 1),
        ("raise SystemExit(256 + 7)", 7),
        ("import os; os._exit(9)", 9),
        ("import os; os._exit(70)", 70),
        ("1 +", 1),
    ],
)
def test_exit_status(runner: Runner, execute: Any, source: str, status: int) -> None:
    outcome = execute(runner, source)
    assert outcome.run.exit_status == status
    assert outcome.end["exit_code"] == status


def test_what_bypasses_sys_stdout_is_output_too(runner: Runner, execute: Any) -> None:
    outcome = execute(
        runner, "import os\nprint('a')\nos.write(1, b'b\\n')\nos.write(2, b'c\\n')\nprint('d')\nos._exit(4)"
    )
    assert outcome.output == "a\nd\nb\nc\n"
    assert outcome.run.output_so_far()[0] == "a\nd\nb\nc\n"
    assert execute(runner, "import os\nos.write(1, b'x')").output == "x"


@pytest.mark.parametrize("name", ["app", "app.runner", "jax", "flask", "pip", "tkinter", "stepgraph_zygote"])
def test_what_cannot_be_imported(runner: Runner, execute: Any, name: str) -> None:
    outcome = execute(runner, f"import {name}")
    top = name.partition(".")[0]
    assert outcome.error.startswith(f"ModuleNotFoundError: No module named '{top}'")
    assert "standard library, numpy, torch and tensorflow" in outcome.error
    assert "inside" not in outcome.output  # none of our own frames


def test_optional_imports_are_looked_for_as_usual(runner: Runner, execute: Any) -> None:
    source = """
    from importlib.util import find_spec
    print(find_spec("jax"), find_spec("json") is not None)
    try:
        import pandas
    except ImportError as error:
        print(error.name)
    """
    source = "\n".join(line.strip(" ") if "import pandas" not in line else line[4:] for line in source.split("\n"))
    assert execute(runner, source.replace("print(error", " print(error")).output == "None True\npandas\n"


def test_the_standard_library_is_there(runner: Runner, execute: Any) -> None:
    names = [
        "json",
        "csv",
        "re",
        "statistics",
        "dataclasses",
        "typing",
        "collections",
        "itertools",
        "heapq",
        "pathlib",
        "wave",
        "sqlite3",
        "xml.dom.minidom",
    ]
    assert execute(runner, f"import {', '.join(names)}\nprint('all')").output == "all\n"


def test_nothing_of_the_server_is_reachable(runner: Runner, execute: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPGRAPH_SECRET", "treasure")
    source = """
import gc, os, sys
print(dict(os.environ).get("STEPGRAPH_SECRET"), os.getcwd())
print([name for name in sys.modules if name.split(".")[0] in ("app", "flask", "stepgraph_zygote", "package")])
print([number for number in range(3, 64) if not closed(number)])
""".replace(
        "print([number",
        """
def closed(number):
    try:
        os.fstat(number)
    except OSError:
        return True
    return False
print([number""",
    )
    lines = execute(runner, source).output.splitlines()
    assert lines[:2] == ["None /home/student", "[]"]
    assert len(eval(lines[2])) <= 1  # the journal's own, at most


def test_runs_never_meet(runner: Runner, execute: Any) -> None:
    execute(runner, "import builtins, json, numpy\nbuiltins.left = json.left = numpy.left = 1\nnumpy.random.seed(7)")
    source = (
        "import builtins, json, numpy\nprint(hasattr(builtins, 'left'), hasattr(json, 'left'), hasattr(numpy, 'left'))"
    )
    assert execute(runner, source).output == "False False False\n"


def test_every_run_has_its_own_randomness(runner: Runner, execute: Any) -> None:
    source = "import random, numpy\nprint(random.random(), numpy.random.rand(), numpy.random.default_rng().random())"
    seen = {word for _ in range(4) for word in execute(runner, source).output.split()}
    assert len(seen) == 12
    seeded = "import random, numpy\nrandom.seed(1); numpy.random.seed(1)\nprint(random.random(), numpy.random.rand())"
    assert len({execute(runner, seeded).output for _ in range(2)}) == 1


def test_blas_does_not_hang(runner: Runner, execute: Any) -> None:
    source = "import numpy as np\na = np.ones((300, 300))\nprint((a @ a).sum())\nprint(np.linalg.det(a + np.eye(300)))"
    total, determinant = execute(runner, source).output.split()
    assert (float(total), round(float(determinant))) == (27e6, 301)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import threading\nthreading.Thread(target=print).start()", "one thread"),
        ("import concurrent.futures as f\nf.ThreadPoolExecutor().submit(print)", "one thread"),
        ("import os\nos.fork()", "cannot start other processes"),
        ("import subprocess\nsubprocess.run(['id'])", "cannot start other processes"),
        ("import multiprocessing as m\nm.Process(target=print).start()", "cannot start other processes"),
        ("import urllib.request as u\nu.urlopen('http://127.0.0.1/')", "has no network"),
    ],
)
def test_denials_say_why(runner: Runner, execute: Any, source: str, words: str) -> None:
    outcome = execute(runner, source)
    assert outcome.run.exit_status == 1
    assert words in outcome.error
    assert "denials" not in outcome.output


def test_a_warm_run_is_answered_in_tens_of_milliseconds(runner: Runner, execute: Any) -> None:
    taken = []
    for _ in range(7):
        begun = time.perf_counter()
        execute(runner, "print('hello')")
        taken.append(time.perf_counter() - begun)
    assert statistics.median(taken) < 0.25  # about 15 ms on an idle machine; this one may be busy


def test_with_bubblewrap_no_path_tells_where_the_server_is(runner: Runner, execute: Any) -> None:
    if not any("bubblewrap" in layer for layer in runner.isolation().layers):
        pytest.skip("without bubblewrap the packages are where they are installed")
    outcome = execute(
        runner,
        "import sys, numpy, engine, torch\n"
        "print(numpy.__file__, engine.__file__, sys.orig_argv, sys.path)\n"
        "print([str(getattr(module, '__file__', '')) for module in list(sys.modules.values())])\n"
        "frame = sys._getframe()\n"
        "while frame:\n"
        "    print(frame.f_code.co_filename)\n"
        "    frame = frame.f_back\n",
    )
    assert "/stepgraph/engine/recording/entry.py" in outcome.output
    assert str(Path(__file__).resolve().parents[2]) not in outcome.output
    assert "site-packages" not in outcome.output

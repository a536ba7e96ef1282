"""The backend for systems without a zygote, made to work here."""

from __future__ import annotations

import glob
import os
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import pytest

from app.runner import Request, Runner


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """With a folder of its own for temporary files, so that what is left there is its own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))
        runner = Runner(backend="plain", spares=2, workers=1)
        yield runner
        runner.close()


def test_it_says_that_it_is_no_isolation(plain: Runner) -> None:
    isolation = plain.isolation()
    assert not isolation.isolated
    assert isolation.text.startswith("Not isolated: ")
    assert isolation.missing


@pytest.mark.parametrize(
    ("source", "status", "output"),
    [
        ("print('hello')", 0, "hello\n"),
        ("import os\nos.write(1, b'raw')\nos._exit(3)", 3, "raw"),
        ("import sys\nprint(input())\nsys.exit(5)", 5, None),
        ("import os\nprint([k for k in os.environ if k not in ('LC_CTYPE', 'OPENBLAS_NUM_THREADS')])", 0, "[]\n"),
    ],
)
def test_programs(plain: Runner, execute: Any, source: str, status: int, output: str | None) -> None:
    outcome = execute(plain, source, stdin="given\n")
    assert outcome.run.exit_status == status
    if output is not None:
        assert outcome.output == output


def test_the_server_is_not_importable(plain: Runner, execute: Any) -> None:
    assert "No module named 'app'" in execute(plain, "import app").error


def test_the_start_of_python_is_none_of_the_programs_time(execute: Any) -> None:
    cold = Runner(backend="plain", spares=1, workers=1)
    try:
        outcome = execute(cold, "import time\nprint('x')\ntime.sleep(60)", seconds=0.5)
    finally:
        cold.close()
    assert (outcome.end["limit"], outcome.output) == ("time", "x\n")


def test_limits_and_crashes(plain: Runner, execute: Any) -> None:
    outcome = execute(plain, "import time\nprint('x')\ntime.sleep(60)", seconds=0.5)
    assert (outcome.end["limit"], outcome.run.exit_status, outcome.output) == ("time", 124, "x\n")
    outcome = execute(plain, "import os\nos.abort()")
    assert (outcome.end["limit"], outcome.end["error"]["type"]) == ("crash", "SIGABRT")


def test_cancel_and_nothing_is_left(plain: Runner, execute: Any) -> None:
    execute(plain, "1")
    run = plain.submit(Request("import time\nprint('begun', flush=True)\ntime.sleep(60)"))
    end = time.monotonic() + 20
    while run.output_so_far()[0] != "begun\n":
        assert time.monotonic() < end
        time.sleep(0.01)
    run.cancel()
    assert run.wait(5)
    assert run.state == "cancelled"
    time.sleep(0.2)
    assert not glob.glob(os.path.join(tempfile.gettempdir(), "stepgraph-*.journal"))

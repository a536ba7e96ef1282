"""Tracebacks show the program's own frames: none of the engine, NumPy, the standard library, the server."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from engine.recording.config import RunConfig
from engine.recording.entry import run
from engine.recording.journal import anonymous
from engine.trace.build import build

CASES = {
    "NumPy's Python": ("import numpy as np\ndef f():\n    return np.ones(-1)\nf()", [4, 3]),
    "NumPy's C": ("import numpy as np\nnp.zeros((2, 3)) @ np.zeros((2, 3))", [2]),
    "through NumPy's dispatch": ("import numpy as np\nnp.stack([np.zeros(2), np.zeros(3)])", [2]),
    "the standard library": ("import json\njson.loads('{')", [2]),
    "a package of it": ("import asyncio\nasyncio.get_running_loop()", [2]),
    "a module that is missing": ("def f():\n    import nothing_of_this_name\nf()", [3, 2]),
    "the engine": ("import torch\ntorch.ones(2, 3) @ torch.ones(2, 3)", [2]),
    "a function that NumPy calls": (
        "import numpy as np\ndef f(x):\n    return 1 // 0\nnp.apply_along_axis(f, 0, np.zeros((2, 2)))", [4, 3],
    ),
    "a function that the library calls": ("import functools\ndef f(a, b): a.b\nfunctools.reduce(f, [1, 2])", [3, 2]),
    "a decorator of the library": (
        "import contextlib\n@contextlib.contextmanager\ndef c():\n    yield 1 / 0\nwith c():\n    pass", [5, 4],
    ),
    "a task": ("import asyncio\nasync def f(): 1 / 0\nasync def main(): await f()\nasyncio.run(main())", [4, 3, 2]),
    "printed by the program": (
        "import traceback, numpy as np, sys\ntry:\n    np.ones(-1)\nexcept ValueError:\n"
        "    traceback.print_exc()\n    sys.exit(1)", [3],
    ),
}  # fmt: skip


def outcome(source: str) -> dict[str, Any]:
    journal = anonymous()
    config = RunConfig(source)
    run(config, journal, own_process=False)
    document = json.loads(json.dumps(build(journal, config)))
    assert isinstance(document, dict)
    return document


@pytest.mark.parametrize("name", CASES)
def test_only_the_programs_frames_are_shown(name: str) -> None:
    source, lines = CASES[name]
    document = outcome(source)
    shown = document["stdout"]
    assert document["end"]["exit_code"] == 1
    frames = [line.strip() for line in shown.splitlines() if line.lstrip().startswith('File "')]
    assert [frame.split(",")[:2] for frame in frames] == [['File "main.py"', f" line {line}"] for line in lines]
    assert os.path.dirname(os.__file__) not in shown
    if document["end"]["error"]:
        assert document["end"]["error"]["traceback"] == shown
        assert document["end"]["error"]["line"] == lines[-1]


def test_a_cause_inside_a_library_is_told_without_its_frames() -> None:
    shown = outcome("import zoneinfo\nzoneinfo.ZoneInfo('No/Where')")["stdout"]
    assert shown.count("Traceback (most recent call last):") == 1
    assert shown.endswith("No time zone found with key No/Where'\n")
    assert shown.count('File "') == 1


def test_a_warning_when_no_code_runs_names_no_file_of_ours() -> None:
    shown = outcome("async def f(): pass\nf()\nraise ValueError('v')")["stdout"]
    assert "engine" not in shown
    assert "coroutine 'f' was never awaited" in shown

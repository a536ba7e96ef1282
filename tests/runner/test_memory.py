"""Memory errors: caught ones are the program's affair, uncaught ones are the limit."""

from __future__ import annotations

from typing import Any

import pytest

from app.runner import Runner

HUGE = "np.ones(1 << 31)"


def test_a_caught_memory_error_goes_on(runner: Runner, execute: Any) -> None:
    source = f"import numpy as np\ntry:\n    {HUGE}\nexcept MemoryError:\n    print('caught')\nprint('goes on')\n"
    outcome = execute(runner, source)
    assert (outcome.run.exit_status, outcome.trace["stdout"]) == (0, "caught\ngoes on\n")
    end = outcome.trace["end"]
    assert (end["kind"], end["limit"], end["line"], end["error"]) == ("ok", None, None, None)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (f"import numpy as np\nprint('a')\n{HUGE}\n", 3),
        ("import torch\nprint('a')\nx = torch.ones(3)\ny = torch.ones(1 << 31)\n", 4),
        ("print('a')\nkept = []\nwhile True:\n    kept.append(bytes(1 << 24))\n", 4),
        ("print('a')\ndef f():\n    try:\n        return bytes(1 << 33)\n    finally:\n        f.x = 1\nf()\n", 4),
    ],
)
def test_an_uncaught_one_is_the_limit(runner: Runner, execute: Any, source: str, line: int) -> None:
    outcome = execute(runner, source)
    end = outcome.trace["end"]
    assert (outcome.run.exit_status, end["kind"], end["limit"], end["exit_code"]) == (124, "limit", "memory", 124)
    assert (end["line"], end["error"]["line"], end["error"]["type"]) == (line, line, "MemoryError")
    assert outcome.trace["stdout"].startswith("a\n")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("print('a')\ntry:\n    raise MemoryError\nexcept ValueError:\n    pass\n", 3),
        ("print('a')\ndef f():\n    for i in [1]:\n        raise MemoryError('own')\nf()\n", 4),
        ("class Full(MemoryError): pass\ntry:\n    [][0]\nexcept IndexError as e:\n    raise Full('no') from e\n", 5),
    ],
)
def test_one_that_the_program_raises_is_its_own(runner: Runner, execute: Any, source: str, line: int) -> None:
    outcome = execute(runner, source)
    end = outcome.trace["end"]
    assert (outcome.run.exit_status, end["kind"], end["limit"], end["line"]) == (1, "error", None, line)


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("x = 1\nfrom tensorflow import nonsense\n", "ImportError", 2),
        ("x = 1\n\nimport nonsense\n", "ModuleNotFoundError", 3),
        ("import torch\nfrom torch import nonsense\n", "ImportError", 2),
    ],
)
def test_what_cannot_be_imported_is_the_programs_error(
    runner: Runner, execute: Any, source: str, kind: str, line: int
) -> None:
    end = execute(runner, source).trace["end"]
    assert (end["kind"], end["exit_code"], end["limit"]) == ("error", 1, None)
    assert (end["error"]["type"], end["error"]["line"]) == (kind, line)

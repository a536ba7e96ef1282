"""``stepgraph measure``: the table, the document, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def test_the_table_and_the_document(here: Command, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nw = torch.ones(2)\nfor i in range(5):\n    w = w + 1\nprint(w)\n")
    found = here("measure", "--repeats", "2", "--line", "4", "--json", "m.json", "a.py")
    assert found.returncode == 0
    text = found.stdout.decode()
    assert "2 repeats" in text
    assert "an iteration of the loop in line 3" in text
    assert "statement in line 4" in text
    assert "tensor" not in text  # what the program prints is its own affair
    document = json.loads((tmp_path / "m.json").read_text())
    assert document["parts"]["iteration"]["count"] == 2 * 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--repeats", "0"), "1 to 25 repeats"),
        (("--line", "3"), "line 3"),
        (("--json", "no/such/folder"), "cannot write"),
    ],
)
def test_what_is_refused(here: Command, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "a.py").write_text("print(1)\n")
    found = here("measure", *words, "a.py")
    assert found.returncode == 2
    assert said in found.stderr.decode()


def test_a_program_that_fails_is_told(here: Command, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\nx / 0\n")
    found = here("measure", "--repeats", "1", "a.py")
    assert found.returncode == 0
    assert "ended by error in line 2: ZeroDivisionError" in " ".join(found.stdout.decode().split())

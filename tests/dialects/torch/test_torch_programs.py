"""Whole programs: what they print is, byte for byte, what PyTorch 2.13 prints (``programs/*.out`` are its answers)."""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialects import importer

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@pytest.fixture(autouse=True)
def served() -> Iterator[None]:
    with warnings.catch_warnings():
        importer.install("torch")
        yield
    importlib.import_module("torch").set_printoptions(profile="default")
    importer.uninstall({"torch"})


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_the_framework_prints(path: Path) -> None:
    output = io.StringIO()
    scope: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(path.read_text(), path.name, "exec"), scope)
    assert output.getvalue() == path.with_suffix(".out").read_text()


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 8

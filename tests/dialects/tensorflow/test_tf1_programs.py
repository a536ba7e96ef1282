"""Programs whose output is, byte for byte, that of TensorFlow 2.21 (``compat.v1`` under the name ``tensorflow``).

Each runs twice: as it is, and with a recorder attached, which must not change a character.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialects.importer import install, uninstall
from engine.recording.inprocess import record

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@pytest.fixture
def tensorflow() -> Iterator[Any]:
    """``import tensorflow`` means 1.x."""
    install("tf1")
    try:
        import tensorflow  # type: ignore[import-not-found]

        yield tensorflow
    finally:
        uninstall({"tensorflow"})
        for name in [n for n in sys.modules if n.partition(".")[0] == "tensorflow"]:
            del sys.modules[name]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_unrecorded_output(path: Path, tensorflow: Any) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(path.read_text(), path.name, "exec"), {"__name__": "__main__"})
    assert out.getvalue() == path.with_suffix(".out").read_text()


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_recorded_output(path: Path) -> None:
    trace = record(path.read_text(), path.name)
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert trace["program"]["dialect"] == "tf1"
    assert trace["stdout"] == path.with_suffix(".out").read_text()

"""Programs of both versions whose output is, byte for byte, that of TensorFlow 2.21 (1.x through ``compat.v1`` under
the name ``tensorflow``).

Each runs twice: as it is, and with a recorder attached, which must not change a character.
"""

from __future__ import annotations

import contextlib
import io
import linecache
from pathlib import Path
from typing import Any

import pytest

from engine.recording.inprocess import record

HERE = Path(__file__).parent
PROGRAMS = [
    pytest.param(dialect, path, id=f"{dialect}-{path.stem}")
    for dialect, folder in (("tf1", "programs"), ("tf2", "eager_programs"))
    for path in sorted((HERE / folder).glob("*.py"))
]


@pytest.fixture(autouse=True)
def folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Some programs write files."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("dialect", "path"), PROGRAMS)
def test_unrecorded_output(dialect: str, path: Path, serving: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    # AutoGraph reads a function's source where Python looks for it.
    source = path.read_text()
    monkeypatch.setitem(linecache.cache, path.name, (len(source), None, source.splitlines(True), path.name))
    with serving(dialect), contextlib.redirect_stdout(out):
        exec(compile(source, path.name, "exec"), {"__name__": "__main__"})
    assert out.getvalue() == path.with_suffix(".out").read_text()


@pytest.mark.parametrize(("dialect", "path"), PROGRAMS)
def test_recorded_output(dialect: str, path: Path) -> None:
    trace = record(path.read_text(), path.name)
    assert trace["end"]["kind"] == "ok", trace["end"]
    assert trace["program"]["dialect"] == dialect
    assert trace["stdout"] == path.with_suffix(".out").read_text()

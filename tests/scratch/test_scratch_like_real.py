"""Programs that write and read files say the same on the scratch as on a real file system."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.scratch import installed, tree_for

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_same_words_as_real_files(path: Path, tmp_path: Path) -> None:
    (tmp_path / path.name).write_text(path.read_text())
    real = subprocess.run(
        [sys.executable, "-X", "utf8", "-B", path.name], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert real.returncode == 0, real.stderr
    source = path.read_text()
    out, warnings = io.StringIO(), io.StringIO()
    before, cwd = sorted(os.listdir(".")), os.getcwd()
    tree, folder = tree_for(source, path.name, {})
    modules, places = set(sys.modules), list(sys.path)
    try:
        with installed(tree, folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(warnings):
            exec(compile(source, path.name, "exec"), {"__name__": "__main__", "__file__": path.name})
    finally:
        sys.path[:] = places
    assert out.getvalue().splitlines() == real.stdout.splitlines()
    assert sorted(os.listdir(".")) == before
    assert os.getcwd() == cwd
    assert not {"helper", "pack", "far"} & (set(sys.modules) - modules)

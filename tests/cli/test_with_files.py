"""``stepgraph run --with``: files and modules beside a program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PROGRAM = """
import helper
from package.part import NAME
with open("data.csv") as file:
    print(helper.rows(file), NAME)
with open("out.txt", "w") as file:
    file.write("written")
print(open("out.txt").read())
"""


def test_data_modules_and_folders(here: Any, tmp_path: Path) -> None:
    folder, other = tmp_path / "lesson", tmp_path / "other"
    (folder / "package" / "__pycache__").mkdir(parents=True)
    other.mkdir()
    (folder / "main.py").write_text(PROGRAM)
    (folder / "helper.py").write_text("def rows(file):\n    return [line.strip() for line in file]\n")
    (folder / "package" / "__init__.py").write_text("")
    (folder / "package" / "part.py").write_text("NAME = 'part'\n")
    (folder / "package" / "__pycache__" / "junk").write_bytes(bytes(1 << 20))
    (other / "data.csv").write_text("1\n2\n")
    words = ("--with", "lesson/helper.py", "--with=lesson/package", "--with", "other/data.csv")
    result = here("run", "lesson/main.py", *words)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == b"['1', '2'] part\nwritten\n"
    assert not list(tmp_path.rglob("out.txt"))


def test_what_cannot_be_read(here: Any, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print(1)")
    result = here("run", "main.py", "--with", "absent.csv")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"cannot read absent.csv: No such file or directory" in result.stderr
    with (tmp_path / "big").open("wb") as file:
        file.truncate(16 << 20)
    result = here("run", "main.py", "--with", "big")
    assert result.returncode == 2
    assert b"15 MB in all" in result.stderr
    for name in ("a", "b"):
        (tmp_path / "far" / name).mkdir(parents=True)
        (tmp_path / "far" / name / "x").write_text(name)
    (tmp_path / "lesson").mkdir()
    (tmp_path / "lesson" / "main.py").write_text("print(1)")
    result = here("run", "lesson/main.py", "--with", "far/a/x", "--with", "far/b/x")
    assert result.returncode == 2
    assert b"two different files would be x" in result.stderr

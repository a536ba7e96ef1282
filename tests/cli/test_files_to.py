"""Files that a program leaves, written where the user says; names come from the program."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from app.cli.left import write_files


def left(*names: str) -> dict[str, object]:
    return {"files": [{"name": name, "size": 2, "data": base64.b64encode(b"hi").decode()} for name in names]}


def test_files_and_folders_are_written(tmp_path: Path) -> None:
    assert write_files(left("a.txt", "runs/one/b.txt"), tmp_path / "new") == []
    assert (tmp_path / "new" / "runs" / "one" / "b.txt").read_bytes() == b"hi"


@pytest.mark.parametrize("name", ["../a.txt", "/etc/a.txt", "x/../../a.txt", "", "c:/a.txt", "a\\..\\b", "a\0b", ".."])
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "inside"
    (problem,) = write_files(left(name), folder)
    assert "no name for a file" in problem
    assert [*tmp_path.rglob("*")] == [folder]


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "outside").mkdir()
    (folder / "door").symlink_to(tmp_path / "outside")
    (folder / "file").symlink_to(tmp_path / "outside" / "x")
    problems = write_files(left("door/a.txt", "file"), folder)
    assert len(problems) == 2
    assert [*(tmp_path / "outside").iterdir()] == []


def test_what_was_too_large_is_said(tmp_path: Path) -> None:
    assert "too large" in write_files({"files": [{"name": "a", "size": 9, "data": None}]}, tmp_path)[0]

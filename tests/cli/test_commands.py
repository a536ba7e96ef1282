"""``schema``, ``doctor``, ``--version``, and where the data lies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from app import places
from app.cli import main
from app.cli.doctor import dot_version
from app.cli.run import split


def test_the_schema_is_a_json_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.validators.validator_for(schema).check_schema(schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"format": "other"}, schema)


def test_the_doctor_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor"])
    said = capsys.readouterr().out
    assert re.search(r"^isolation +(Isolated|Not isolated): ", said, re.MULTILINE)
    assert re.search(r"^numpy +\d+\.\d+", said, re.MULTILINE)
    assert status == (0 if "\nisolation      Isolated" in said and dot_version() else 1)


def test_the_doctor_misses_dot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert dot_version() is None


@pytest.mark.parametrize("folder", [places.static_folder, places.templates_folder, places.examples_folder])
def test_the_folders_of_data_are_there(folder: Any) -> None:
    assert folder().is_dir()
    assert folder().is_relative_to(places.ROOT)


@pytest.mark.parametrize(
    ("words", "ours", "program"),
    [
        (["a.py"], ["--", "a.py"], []),
        (["a.py", "--json=o", "x"], ["--json=o", "--", "a.py"], ["x"]),
        (["--seconds", "3", "a.py", "-v"], ["--seconds", "3", "--", "a.py"], ["-v"]),
        (["-", "--json", "o"], ["--json", "o", "--", "-"], []),
        (["--", "-odd.py", "--json", "o"], ["--", "-odd.py"], ["--json", "o"]),
        (["a.py", "--", "--", "x"], ["--", "a.py"], ["--", "x"]),
        (["-h", "a.py"], ["-h", "--", "a.py"], []),
        (["a.py", "--seconds"], ["--seconds", "--", "a.py"], []),
        ([], [], []),
    ],
)
def test_options_may_stand_behind_the_file(words: list[str], ours: list[str], program: list[str]) -> None:
    assert split(["run", *words]) == (["run", *ours], program)

"""The player's bundle is served only while it is what its sources say."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from app.web.assets import Assets


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "js").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "js" / "main.js").write_text('import "./other.js";\n')
    (tmp_path / "js" / "other.js").write_text("1;\n")
    (tmp_path / "build" / "play.js").write_text("1;")
    names = ("js/main.js", "js/other.js")
    sources = {name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in names}
    (tmp_path / "build" / "play.sources.json").write_text(json.dumps(sources))
    return tmp_path


def served(folder: Path) -> str:
    return Assets(folder, fresh=0).script("js/main.js", "build/play.js")


def test_a_fresh_bundle_is_served(folder: Path) -> None:
    assert served(folder) == "build/play.js"


@pytest.mark.parametrize("record", [None, "", "[]", '{"js/main.js": 3}', '{"js/gone.js": "00"}', "{}"])
def test_a_record_that_does_not_fit_gives_the_modules(folder: Path, record: str | None) -> None:
    file = folder / "build" / "play.sources.json"
    file.unlink()
    if record is not None:
        file.write_text(record)
    assert served(folder) == "js/main.js"


def test_a_changed_source_gives_the_modules(folder: Path) -> None:
    (folder / "js" / "other.js").write_text("2;\n")
    assert served(folder) == "js/main.js"


def test_a_missing_bundle_gives_the_modules(folder: Path) -> None:
    (folder / "build" / "play.js").unlink()
    assert served(folder) == "js/main.js"

"""Visual regression: states of the page against what they looked like when last looked at (`tools/looks.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import looks
import pytest
from readers import Readers
from screenshots import SHOTS, Shot, reach

pytestmark = pytest.mark.browser
KNOWN: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "looks.json").read_text())
# One of each kind in every run, all of them in `make test-all`.
ALWAYS = {"dynamic-backward", "dynamic-phone", "static-optimised", "error-dark"}
STATES = [pytest.param(shot, id=shot.name, marks=[] if shot.name in ALWAYS else pytest.mark.slow) for shot in SHOTS]


@pytest.mark.parametrize("shot", STATES)
def test_it_looks_as_it_did(readers: Readers, shot: Shot) -> None:
    page = readers.page()
    reach(page, readers.origin, shot)
    found = looks.differences(KNOWN[shot.name], looks.look(page, readers.page()))
    assert not found, f"{shot.name}: {found[:6]}; if this is meant, look at it and run tools/screenshots.py --looks"


def test_every_known_look_is_compared() -> None:
    assert set(KNOWN) == {shot.name for shot in SHOTS}

"""axe-core on whole pages, in every theme: the player in its states, the start page, the side-by-side."""

from __future__ import annotations

import pytest
from axe import violations_in_every_theme
from playwright.sync_api import expect
from readers import Readers
from screenshots import SHOTS, Shot, reach

pytestmark = pytest.mark.browser
# What differs in what is on the page; the themes are tried on each.
STATES = [shot for shot in SHOTS if shot.theme == "light" and shot.name not in ("dynamic-1920", "static-built")]
ALWAYS = {"static-running", "error-torch"}


@pytest.mark.parametrize(
    "shot", [pytest.param(s, id=s.name, marks=[] if s.name in ALWAYS else pytest.mark.slow) for s in STATES]
)
def test_the_player_is_clean(readers: Readers, shot: Shot) -> None:
    page = readers.page()
    reach(page, readers.origin, shot)
    assert violations_in_every_theme(page, "html") == []


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", ".duet .node"),
        pytest.param("/compare", "#counter", marks=pytest.mark.slow),
        pytest.param("/compare#left=compiled-function-torch&right=same-model-torch", ".again", marks=pytest.mark.slow),
    ],
)
def test_the_other_pages_are_clean(readers: Readers, path: str, ready: str, width: int) -> None:
    page = readers.open(path, width=width, height=844)
    expect(page.locator(ready).first).to_be_attached(timeout=30_000)
    assert violations_in_every_theme(page, "html") == []

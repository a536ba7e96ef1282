"""axe-core on whole pages, in every theme: the player in its states, the start page, the side-by-side."""

from __future__ import annotations

import pytest
from axe import violations
from playwright.sync_api import Browser, expect
from screenshots import SHOTS, Shot, reach

pytestmark = pytest.mark.browser
THEMES = ("light", "dark", "contrast")
# What differs in what is on the page; the themes are tried on each.
STATES = [shot for shot in SHOTS if shot.theme == "light" and shot.name not in ("dynamic-1920", "static-built")]
ALWAYS = {"static-running", "error-torch"}


@pytest.mark.parametrize(
    "shot", [pytest.param(s, id=s.name, marks=[] if s.name in ALWAYS else pytest.mark.slow) for s in STATES]
)
def test_the_player_is_clean(browser: Browser, server: str, shot: Shot) -> None:
    context = browser.new_context(reduced_motion="reduce")
    try:
        page = context.new_page()
        reach(page, server, shot)
        found = {}
        for theme in THEMES:
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            found[theme] = violations(page, "html")
    finally:
        context.close()
    assert found == {theme: [] for theme in THEMES}


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", ".duet .node"),
        pytest.param("/compare", "#counter", marks=pytest.mark.slow),
        pytest.param("/compare#left=compiled-function-torch&right=same-model-torch", ".again", marks=pytest.mark.slow),
    ],
)
def test_the_other_pages_are_clean(browser: Browser, server: str, path: str, ready: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(f"{server}{path}")
        expect(page.locator(ready).first).to_be_attached(timeout=30_000)
        found = {}
        for theme in THEMES:
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            found[theme] = violations(page, "html")
    finally:
        context.close()
    assert found == {theme: [] for theme in THEMES}

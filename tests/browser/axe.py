"""axe-core in the page: what it finds wrong with a part of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")
THEMES = ("light", "dark", "contrast")
CHECK = """async ([type, values, parts]) => {
  const include = parts.map((part) => [part]);
  const found = await axe.run({include}, {runOnly: {type, values}, resultTypes: ['violations']});
  const words = (n) => n.html.slice(0, 260) + ' ' + n.failureSummary.slice(0, 200);
  return found.violations.map((v) => [v.id, v.help, v.nodes.slice(0, 3).map(words)]);
}"""


def violations(page: Page, *parts: str, only: Sequence[str] = ()) -> Any:
    """Rule, its words and the first elements of each violation inside the elements that the selectors name.

    ``only``: the names of the rules, all that matter if there are none.
    """
    if not AXE.exists():
        pytest.fail("axe-core is not there: run `npm ci`.")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate("() => {" + AXE.read_text() + "}")
    return page.evaluate(CHECK, ["rule" if only else "tag", list(only or RULES), list(parts)])


def wear(page: Page, theme: str) -> None:
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)


def violations_in_every_theme(page: Page, *parts: str) -> list[Any]:
    """The same in each theme, with the theme's name. A theme changes colours: only their rules are asked again."""
    found = []
    for number, theme in enumerate(THEMES):
        wear(page, theme)
        found += [[theme, *one] for one in violations(page, *parts, only=COLOURS if number else ())]
    return found

"""axe-core in the page: what it finds wrong with a part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CHECK = """async ([tags, parts]) => {
  const found = await axe.run({include: parts.map((part) => [part])}, {runOnly: tags, resultTypes: ['violations']});
  const words = (n) => n.html.slice(0, 260) + ' ' + n.failureSummary.slice(0, 200);
  return found.violations.map((v) => [v.id, v.help, v.nodes.slice(0, 3).map(words)]);
}"""


def violations(page: Page, *parts: str) -> Any:
    """Rule, its words and the first elements of each violation inside the elements that the selectors name."""
    if not AXE.exists():
        pytest.fail("axe-core is not there: run `npm ci`.")
    page.evaluate("() => {" + AXE.read_text() + "}")
    return page.evaluate(CHECK, [RULES, list(parts)])

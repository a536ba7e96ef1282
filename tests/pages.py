"""A real Chromium for pages that are files, or in frames of others."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect, sync_playwright

sys.path[:0] = [str(Path(__file__).parents[1] / "tools")]

import browser as chromium  # noqa: E402 - found by the line above


@pytest.fixture
def open_file() -> Iterator[Callable[[Path], Page]]:
    """Opens a file without any network. What a page says to its console that is no failed download fails the test."""
    said: list[str] = []
    with sync_playwright() as playwright:
        path = chromium.find(playwright)
        if path is None:
            pytest.fail("No Chromium: `python tools/browser.py` says how to get one.")
        browser = playwright.chromium.launch(executable_path=path or None, args=list(chromium.FLAGS))

        def open_(file: Path) -> Page:
            page = browser.new_page(viewport={"width": 1100, "height": 1000}, reduced_motion="reduce")
            page.route("**/*", lambda route: route.continue_() if route.request.url[:5] == "file:" else route.abort())
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
            page.goto(file.as_uri())
            return page

        yield open_
        browser.close()
    assert [text for text in said if "ERR_FAILED" not in text] == []


def step_through(player: FrameLocator, first: str, second: str) -> None:
    """The player stands where the sentence is ``first``; one step on it is ``second``."""
    expect(player.locator("#caption")).to_contain_text(first)
    player.get_by_role("button", name=re.compile(r"^Next .*\(→\)$")).first.click()
    expect(player.locator("#caption")).to_contain_text(second)
    expect(player.locator("#graph svg").first).to_be_visible()

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

_ELSEWHERE = re.compile(r"^https?://(?!127\.0\.0\.1)")


@pytest.fixture
def open_page_at() -> Iterator[Callable[[str], Page]]:
    """Opens an address of a file or of this machine. What a page says to its console fails the test, but for downloads
    from elsewhere, which it does not get."""
    said: list[str] = []
    with sync_playwright() as playwright:
        path = chromium.find(playwright)
        if path is None:
            pytest.fail("No Chromium: `python tools/browser.py` says how to get one.")
        browser = playwright.chromium.launch(executable_path=path or None, args=list(chromium.FLAGS))

        def open_(address: str) -> Page:
            page = browser.new_page(viewport={"width": 1100, "height": 1000}, reduced_motion="reduce")
            page.route(_ELSEWHERE, lambda route: route.abort())
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
            page.goto(address)
            return page

        yield open_
        browser.close()
    assert [text for text in said if "ERR_FAILED" not in text] == []


@pytest.fixture
def open_file(open_page_at: Callable[[str], Page]) -> Callable[[Path], Page]:
    """The same for a file."""
    return lambda file: open_page_at(file.as_uri())


def step_through(player: FrameLocator, first: str, second: str) -> None:
    """The player stands where the sentence is ``first``; one step on it is ``second``."""
    expect(player.locator("#caption")).to_contain_text(first)
    player.get_by_role("button", name=re.compile(r"^Next .*\(→\)$")).first.click()
    expect(player.locator("#caption")).to_contain_text(second)
    expect(player.locator("#graph svg").first).to_be_visible()

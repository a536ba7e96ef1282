"""What was typed is there again: by program, over reloads and restarts of the server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]


def type_first(page: Page, words: str) -> None:
    """Type at the very beginning of the program."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(words)


def test_each_program_keeps_its_draft(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    type_first(page, "# of the first\n")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="Linear regression").first.click()
    expect(page.locator(".cm-content")).not_to_contain_text("# of the first")
    type_first(page, "# of the second\n")
    page.reload()  # at once: nothing waits for a moment of quiet
    expect(page.locator(".cm-content")).to_contain_text("# of the second")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="edited").filter(has_text="XOR").click()
    expect(page.locator(".cm-content")).to_contain_text("# of the first")


def test_a_run_that_the_server_no_longer_knows_is_offered_again(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    page.route("**/events", lambda route: route.fulfill(status=204))
    type_first(page, "# kept\n")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#message-words")).to_contain_text("The server was started anew")
    expect(page.locator(".cm-content")).to_contain_text("# kept")
    page.unroute("**/events")
    page.get_by_role("button", name="Run it again").click()
    expect(page.locator("#stale-note")).to_be_hidden(timeout=30_000)
    expect(page.locator(".cm-content")).to_contain_text("# kept")

"""Measure in the time pane: progress, a table, a line of its own, stopping."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]


def test_the_program_is_measured_without_the_recorder(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.get_by_role("tab", name="Measure").click()
    panel = page.locator("#timing-panel")
    panel.get_by_role("button", name="Measure", exact=True).click()
    expect(panel.get_by_role("button", name="Stop")).to_be_visible()
    table = panel.locator("table")
    expect(table).to_be_visible(timeout=60_000)
    expect(table).to_contain_text("Whole program")
    expect(table).to_contain_text("A pass of the loop in line 9")
    expect(panel.locator(".how")).to_contain_text("7 runs of this program")
    # The figures stay while the player goes on, and go with the recording.
    page.keyboard.press("End")
    expect(table).to_be_visible()


def test_measuring_can_be_stopped(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("import time\ntime.sleep(3)\n")
    page.keyboard.press("Control+Enter")
    page.get_by_role("tab", name="Measure").click()
    expect(page.locator("#file")).to_be_visible()
    expect(page.locator("#progress")).to_have_text("", timeout=30_000)
    panel = page.locator("#timing-panel")
    panel.get_by_role("button", name="Measure", exact=True).click()
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_role("status")).to_have_text("Stopped.", timeout=20_000)
    expect(panel.locator("table")).to_have_count(0)


def test_stop_counts_before_the_server_has_answered(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    expect(page.locator("#progress")).to_have_text("", timeout=30_000)
    held: list[Route] = []
    page.route("**/api/runs", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.get_by_role("tab", name="Measure").click()
    panel = page.locator("#timing-panel")
    panel.get_by_role("button", name="Measure", exact=True).click()
    expect(panel.get_by_role("status")).to_have_text("Handing in …")
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_role("status")).to_have_text("Stopping …")
    held.pop().continue_()
    expect(panel.get_by_role("status")).to_have_text("Stopped.", timeout=20_000)

    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("import time\ntime.sleep(8)\n")
    page.locator("#run").click()
    expect(page.locator("#progress")).to_have_text("Handing in …")
    page.locator("#run").click()
    held.pop().continue_()
    expect(page.locator("#progress")).to_have_text("Stopped.", timeout=5_000)

"""What was typed is there again: by program, over reloads and restarts of the server."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page, Route, expect

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


def first_line(page: Page) -> str:
    return page.locator(".cm-line").first.inner_text().strip()


def assert_begins(page: Page, line: str | re.Pattern[str], timeout: int = 5_000) -> None:
    expect(page.locator(".cm-line").first).to_have_text(line, timeout=timeout)


def undo(page: Page, key: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press(key)


def test_what_can_be_undone_is_there_after_a_reload(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    given = first_line(page)
    type_first(page, "x = 1; ")
    page.wait_for_timeout(600)  # what is typed within half a second is one step to undo
    type_first(page, "y = 2; ")
    page.reload()
    assert_begins(page, f"y = 2; x = 1; {given}")
    undo(page, "Control+z")
    assert_begins(page, f"x = 1; {given}")
    page.reload()
    assert_begins(page, f"x = 1; {given}")
    undo(page, "Control+y")
    assert_begins(page, f"y = 2; x = 1; {given}")
    undo(page, "Control+z")
    undo(page, "Control+z")
    assert_begins(page, given)


def test_a_draft_of_another_version_is_read(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    page.evaluate(
        """() => {
        localStorage.setItem("stepgraph.draft.example.xor-torch", JSON.stringify({source: "older = 1\\n"}));
        const newer = {source: "newer = 1\\n", name: "n.py", past: '{"tree":[]}', at: Date.now(), colour: "red"};
        localStorage.setItem("stepgraph.draft.file.n.py", JSON.stringify(newer));
        localStorage.setItem("stepgraph.draft.torn", '{"source": "cut o');
    }"""
    )
    for entry, words in (("xor, edited", "older = 1"), ("n.py", "newer = 1")):
        page.get_by_role("button", name="Examples").click()
        page.get_by_role("menuitem", name=re.compile(entry)).first.click()
        assert_begins(page, re.compile(words))
        type_first(page, "# ")  # and can be edited
        assert_begins(page, re.compile("# .*"))


def test_a_crash_of_the_page_loses_nothing(open_page: OpenPage, server: str) -> None:
    page = open_page("xor-torch")
    type_first(page, "x = 1; ")
    page.wait_for_timeout(600)
    type_first(page, "y = 2; ")
    page.wait_for_function("() => localStorage['stepgraph.draft.example.xor-torch']?.includes('y = 2; x = 1')")
    with page.expect_event("crash"), contextlib.suppress(Error):
        page.goto("chrome://crash")
    again = page.context.new_page()  # the crash ended without the page's own last words
    again.goto(f"{server}/play")
    assert_begins(again, re.compile("^y = 2; x = 1; "))
    undo(again, "Control+z")
    assert_begins(again, re.compile("^x = 1; "))


def test_an_editor_that_comes_late_forgets_no_past(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    given = first_line(page)
    type_first(page, "x = 1; ")

    def late(route: Route) -> None:
        page.wait_for_timeout(1500)
        route.continue_()

    page.route("**/build/editor.js", late)
    page.reload()
    assert_begins(page, f"x = 1; {given}", 15_000)
    undo(page, "Control+z")
    assert_begins(page, given)


def edit_lesson(page: Page) -> None:
    expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
    expect(page.locator(".cm-line").first).to_be_attached()
    page.get_by_role("button", name="Edit the program").click()
    expect(page.locator(".cm-content")).to_be_visible()


def test_a_lesson_keeps_what_can_be_undone(open_path: OpenPage) -> None:
    page = open_path("/lessons/memory")
    edit_lesson(page)
    given = first_line(page)
    type_first(page, "x = 1; ")
    page.wait_for_timeout(600)
    type_first(page, "y = 2; ")
    page.reload()
    edit_lesson(page)
    assert_begins(page, f"y = 2; x = 1; {given}")
    undo(page, "Control+z")
    assert_begins(page, f"x = 1; {given}")
    undo(page, "Control+z")
    assert_begins(page, given)


def test_what_is_typed_while_an_example_loads_stays(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    held: list[Route] = []
    page.route("**/api/examples/*/trace", lambda route: held.append(route))
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="Linear regression").first.click()
    expect(page.locator("#progress")).to_have_text("Loading …")
    type_first(page, "# typed meanwhile\n")
    held.pop().continue_()
    expect(page.locator("#stale-note")).to_contain_text("Edited since this run")
    assert_begins(page, "# typed meanwhile")

"""What is typed into a lesson, kept of it, or said by a program in it reaches the page as text."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from test_xss import MARKUP, STRANGE

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
EVERYTHING = "".join(MARKUP)
SEEN = "<img src=x onerror=pwned()>"
ERRS = f"class E(Exception):\n    pass\nE.__name__ = E.__qualname__ = {EVERYTHING!r}\nraise E({EVERYTHING!r})\n"


def open_step(open_path: OpenPage, at: int, **kept: object) -> Page:
    page = open_path("/lessons", width=1440, height=900)
    page.add_init_script("window.told = 0; window.pwned = () => { window.told++; };")
    state = json.dumps({"at": at - 1, "reached": at - 1, **kept})
    page.evaluate("(kept) => localStorage.setItem('stepgraph.lesson.what-is-a-graph', kept)", state)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(page.url + "/what-is-a-graph")
    expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
    expect(page.locator(".cm-content")).to_be_attached()
    return page


def unharmed(page: Page) -> None:
    assert page.locator(STRANGE).count() == 0
    assert page.evaluate("() => window.told") == 0


def test_a_typed_answer_and_what_is_kept_of_it(open_path: OpenPage) -> None:
    page = open_step(open_path, 5)
    field = page.get_by_label("Your answer")
    field.fill(EVERYTHING)
    field.press("Enter")
    expect(page.locator(".quiz .lead")).to_have_text("Not that one. Try again.")
    field.fill(EVERYTHING + "!")
    page.reload()
    expect(field).to_have_value(EVERYTHING + "!")
    unharmed(page)
    # Somebody else has written into what this browser keeps.
    forged = {"4": [EVERYTHING], "0": {"a": EVERYTHING}, EVERYTHING: [EVERYTHING]}
    page = open_step(open_path, 5, answered=forged, typed={"4": EVERYTHING}, code={"4/loop_torch.py": EVERYTHING})
    expect(page.locator(".cm-content")).to_contain_text(SEEN)
    expect(page.get_by_label("Your answer")).to_have_value(EVERYTHING)
    unharmed(page)


def test_a_program_edited_in_a_lesson_and_its_error(open_path: OpenPage) -> None:
    page = open_step(open_path, 7)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(ERRS)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Run and check").click()
    expect(page.locator(".quiz .result")).to_contain_text("0 of 4 checks hold.", timeout=30_000)
    expect(page.locator("#app")).to_contain_text("What Python said")
    assert SEEN in page.evaluate("() => document.getElementById('app').innerText")
    # The reader's program beside a solution.
    page.get_by_role("button", name="Show a solution").click()
    expect(page.locator(".solution .mine").last).to_contain_text(SEEN)
    for tab in page.locator("[role=tab]").all():
        if tab.is_visible():
            tab.click()
    unharmed(page)
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text(SEEN)
    unharmed(page)

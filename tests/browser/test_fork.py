"""A fork: an edit that is run at a step keeps the place and the selection; the run before stays beside it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe import violations
from page_programs import HEALTHY
from player_page import press, run, seek, sentence, step
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]


def test_an_edited_line(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, HEALTHY)
    seek(page, r"^relu")
    at = seek(page, r"^relu", home=False)
    page.locator('.nodes [aria-label^="W1"]').first.click()
    expect(page.locator("#fork")).to_be_hidden()
    run(page, HEALTHY.replace("W -= 0.1", "W -= 0.5"))
    fork = page.locator("#fork")
    expect(fork).to_be_visible()
    assert step(page) == at
    assert sentence(page).startswith("relu")  # with other numbers than before
    assert "is now" in (fork.text_content() or "")
    expect(fork).to_contain_text("In line 15")
    assert page.locator(".nodes .mark-changed").count() > 1
    press(page, "End")
    assert page.locator(".nodes .mark-changed", has_text=re.compile(r"was \d")).count() == 1  # the loss
    seek(page, r"^relu")
    seek(page, r"^relu", home=False)
    fork.get_by_role("button", name="First difference").click()
    first = step(page)
    assert first < at
    press(page, "ArrowLeft")
    assert page.locator(".nodes .mark-changed").count() == 0
    fork.get_by_role("button", name="Show the run before").click()
    expect(page.locator(".cm-content")).to_contain_text("W -= 0.1")
    fork.get_by_role("button", name="Back to the new run").click()
    expect(page.locator(".cm-content")).to_contain_text("W -= 0.5")
    expect(page.locator("#stale-note")).to_be_hidden()
    assert violations(page, "#fork") == []
    fork.get_by_role("button", name="Forget it").click()
    expect(fork).to_be_hidden()


def test_another_value_at_a_step(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, HEALTHY + "a = 1\nfor k in range(3):\n    a = a * 2\n    print(k, a)\n")
    seek(page, r"prints 1 4")
    page.locator("#variables .name", has_text="a").and_(page.locator("[title=a]")).click()
    page.get_by_role("button", name="set …").click()
    field = page.get_by_label("Another value of a")
    field.fill("")
    field.press("Enter")
    expect(page.locator(".set-line .problem")).to_contain_text("one Python expression")
    field.fill("100")
    field.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text("if k == 1: a = 100")
    expect(page.locator("#fork")).to_be_visible(timeout=30_000)
    expect(page.locator("#message")).to_contain_text("Line 22 is new")
    press(page, "End")
    expect(page.locator("#output")).to_contain_text("2 200")
    expect(page.locator("#output")).to_contain_text("1 4")


def test_another_program_is_no_fork(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    press(page, "ArrowRight", 5)
    run(page, "print(1)\n")
    expect(page.locator("#fork")).to_be_hidden()

"""A program that asks for input: a line in the output pane, answered, ended, cancelled, at every width."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

PROGRAM = """print("Hello <b>you</b>")
n = int(input("How many? "))
try:
    print("again", 2 * n, input())
except EOFError:
    print("no more")
"""


def start(page: Page, source: str) -> None:
    """Put a program into the editor and run it."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Enter")


def test_a_question_is_answered_in_the_output_pane(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    start(page, PROGRAM)
    field = page.get_by_label("How many?")
    expect(field).to_be_focused()
    expect(page.locator("#output-pane .out").last).to_have_text("Hello <b>you</b>\n")
    expect(page.locator("#output")).to_be_hidden()
    expect(page.locator("#progress")).to_have_text("Waiting for your input")
    page.keyboard.type("21")
    page.keyboard.press("Enter")
    second = page.get_by_label("Input:")
    expect(second).to_be_focused()
    expect(second).to_have_value("")
    expect(page.locator(".asking .out")).to_have_text("Hello <b>you</b>\nHow many? 21\n")
    page.keyboard.press("Escape")
    expect(page.locator(".asking")).to_be_hidden()
    expect(page.locator("#run")).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator("#output .out")).to_have_text("Hello <b>you</b>\nHow many? 21\nno more\n")


def test_a_question_can_be_cancelled(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    start(page, "input('? ')\n")
    expect(page.get_by_label("?", exact=True)).to_be_focused()
    page.locator("#run").click()
    expect(page.locator("#run-word")).to_have_text("Run")
    page.keyboard.press("End")
    expect(page.locator("#inspector")).to_contain_text("You stopped the program.")
    expect(page.locator(".asking")).to_be_hidden()
    expect(page.locator("#output")).to_be_visible()


def test_on_a_phone_the_output_comes_into_view(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", width=390, height=844)
    page.get_by_role("tab", name="Code").click()
    start(page, "print(int(input('Zahl: ')) + 1)\n")
    expect(page.get_by_label("Zahl:")).to_be_in_viewport()
    page.keyboard.type("4")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".asking")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#output .out")).to_contain_text("5")

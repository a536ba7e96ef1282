"""Answering a lesson's question in a browser, first wrongly and then rightly."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect


def plain(html: str) -> str:
    """The first words of a rendered text, as the page shows them."""
    for mark, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        html = html.replace(mark, sign)
    return re.sub(r"<[^>]+>", "", html)[:40].strip()


def answer(page: Page, question: dict[str, Any]) -> None:
    lead = page.locator(".quiz .lead")
    options = question["options"]
    if options:
        wrong = next(n for n, option in enumerate(options) if not option["right"])
        right = next(n for n, option in enumerate(options) if option["right"])
        page.locator(".opts button").nth(wrong).click()
        expect(lead).to_have_text("Not that one. Try again.")
        expect(page.locator(".says")).to_contain_text(plain(options[wrong]["says"]))
        page.locator(".opts button").nth(right).click()
    else:
        expected = question["answer"]
        field = page.get_by_label("Your answer")
        field.fill("7654321")
        field.press("Enter")
        expect(lead).to_have_text("Not that one. Try again.")
        field.fill(expected.get("text") or str(expected.get("number")))
        field.press("Enter")
    expect(lead).to_have_text("Right at try 2.")
    if question.get("explain"):
        expect(page.locator(".says")).to_contain_text(plain(question["explain"]))

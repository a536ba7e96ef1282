"""What the page's tests do again and again."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

PRESS = """([key, times, shift]) => {
  const event = () => new KeyboardEvent('keydown', {key, shiftKey: shift, bubbles: true, cancelable: true});
  for (let i = 0; i < times; i++) document.dispatchEvent(event());
}"""
SEEK = """([pattern, most]) => {
  const wanted = new RegExp(pattern);
  for (let i = 0; i < most; i++) {
    if (wanted.test(document.querySelector('#sentence').textContent)) return true;
    document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true, cancelable: true}));
  }
  return false;
}"""
WALK = """([key, times]) => {
  const kept = (name) => name.replace(/ is-(fresh|changed)/g, '');
  const look = () => Object.fromEntries([...document.querySelectorAll('.nodes .node')].map((n) => [n.dataset.slot,
    [n.getAttribute('transform'), kept(n.getAttribute('class')), n.getAttribute('aria-label'), n.textContent]]));
  const seen = [];
  for (let i = 0; i <= times; i++) {
    const words = document.querySelector('#sentence').textContent;
    seen.push([look(), words, document.querySelectorAll('.node.is-now').length]);
    document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  }
  return seen;
}"""


def walk(page: Page, key: str) -> list[tuple[dict[str, list[str]], str, int]]:
    """What every step shows, walking from one end to the other: nodes by slot, the sentence, how many are current."""
    seen: list[tuple[dict[str, list[str]], str, int]] = page.evaluate(WALK, [key, steps(page) - 1])
    return seen


def step(page: Page) -> int:
    """The current step, counted from 1."""
    match = re.search(r"Step (\d+) of", page.locator("#counter").text_content() or "")
    assert match
    return int(match[1])


def steps(page: Page) -> int:
    match = re.search(r"of (\d+)", page.locator("#counter").text_content() or "")
    assert match
    return int(match[1])


def press(page: Page, key: str, times: int = 1, *, shift: bool = False) -> None:
    """A key of the player, many times in one go."""
    page.evaluate(PRESS, [key, times, shift])


def go_to(page: Page, number: int) -> None:
    """Go to a step, counted from 1."""
    press(page, "Home")
    press(page, "ArrowRight", number - 1)
    assert step(page) == number


def seek(page: Page, pattern: str, *, home: bool = True) -> int:
    """Step forward, from the beginning or from the step after this, until the sentence matches; gives the step."""
    press(page, "Home" if home else "ArrowRight")
    assert page.evaluate(SEEK, [pattern, steps(page)]), f"no step says {pattern!r}"
    return step(page)


def sentence(page: Page) -> str:
    return page.locator("#sentence").text_content() or ""


def node(page: Page, label: str) -> Locator:
    """The nodes of the graph whose spoken name begins with ``label``."""
    return page.locator(f'.nodes [aria-label^="{label}"]')


def run(page: Page, source: str) -> None:
    """Type a program over the one that is there and run it."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    expect(page.locator("#stale-note")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#run-word")).to_have_text("Run", timeout=30_000)
    expect(page.locator("#progress")).to_have_text("")
    expect(page.locator("#stale-note")).to_be_hidden()
    page.keyboard.press("Escape")


def places(page: Page) -> dict[str, Any]:
    """Where every node of the graph stands, by slot."""
    found: dict[str, Any] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.nodes .node')]"
        ".map(n => [n.dataset.slot, n.getAttribute('transform')]))"
    )
    return found

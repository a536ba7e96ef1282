"""5,000 nodes: the page opens soon, steps on time, and paints what SVG could not. Limits are generous."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from statistics import median
from typing import cast

import pytest
from player_page import press, run, step
from playwright.sync_api import Page, expect
from programs import LARGE

# Times of a whole machine: `make test-all`, where nothing else runs beside them.
pytestmark = [pytest.mark.browser, pytest.mark.slow]
OpenPage = Callable[..., Page]
# Times of single steps in ms, a frame apart.
STEPS = """async ([key, times]) => {
  const spent = [];
  for (let i = 0; i < times; i++) {
    const begin = performance.now();
    document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    spent.push(performance.now() - begin);
    await new Promise((done) => requestAnimationFrame(done));
  }
  return spent;
}"""


@pytest.fixture
def large(open_page: OpenPage) -> Page:
    page = open_page("plain-python")
    run(page, LARGE)
    press(page, "End")
    return page


def open_all(page: Page) -> None:
    page.get_by_role("button", name="Scopes").click()
    page.get_by_role("menuitem", name="Open all").click()


def spent(page: Page, key: str) -> float:
    return median(cast("list[float]", page.evaluate(STEPS, [key, 40])))


def test_5000_nodes_open_in_time_with_few_boxes(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    done = re.compile(r"/api/runs/[^/]+$")
    with page.expect_response(
        lambda answer: answer.request.method == "GET" and bool(done.search(answer.url)), timeout=30_000
    ) as answer:
        run(page, LARGE)
    recording = answer.value.body()
    assert page.locator(".nodes .node").count() <= 300
    page.route("**/api/examples/*/trace", lambda route: route.fulfill(body=recording, content_type="application/json"))
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    begin = time.perf_counter()
    page.goto(page.url.split("#")[0])
    expect(page.locator("#counter")).to_contain_text(re.compile(r"of \d{4}"), timeout=20_000)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    # The page opens such a recording in less than half of this on a machine that does nothing else.
    assert time.perf_counter() - begin < 6
    press(page, "End")
    scope = page.locator(".node.scope").first
    expect(scope).to_have_attribute("aria-label", re.compile("^for × 840 2520 ops: loop for × 840, closed, "))


def test_steps_are_on_time(large: Page) -> None:
    press(large, "Home")
    press(large, "ArrowRight", 400)
    assert spent(large, "ArrowRight") < 60
    open_all(large)
    assert spent(large, "ArrowRight") < 90


def test_what_svg_could_not_draw_is_painted(large: Page) -> None:
    begin = time.perf_counter()
    open_all(large)
    expect(large.locator("canvas.paint").first).to_be_visible()
    assert time.perf_counter() - begin < 6
    assert large.locator(".nodes .node").count() < 70
    painted = """() => {
      const [lines, boxes] = [...document.querySelectorAll('canvas.paint')];
      const seen = (c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0);
      return [seen(lines), seen(boxes)];
    }"""
    large.evaluate("() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
    assert large.evaluate(painted) == [True, True]


def test_painted_nodes_can_be_clicked_and_walked(large: Page) -> None:
    open_all(large)
    large.keyboard.press("/")
    large.keyboard.type("tanh")
    large.keyboard.press("ArrowDown")
    large.keyboard.press("Enter")
    focused = large.locator(".nodes .node:focus")
    expect(focused).to_have_count(1)
    expect(large.locator(".node.is-selected")).to_have_count(1)
    at = step(large)
    first = focused.get_attribute("data-slot")
    large.keyboard.press("ArrowLeft")
    expect(focused).not_to_have_attribute("data-slot", first or "")
    box = focused.bounding_box()
    assert box is not None
    large.keyboard.press("Escape")
    expect(large.locator(".node.is-selected")).to_have_count(0)
    large.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(large.locator(".node.is-selected")).to_have_count(1)
    assert step(large) == at

"""The X-ray in the page: the cut is marked in the graph, said in the pane, reached by key, command and inspector."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe import violations
from page_programs import DETACHED, HEALTHY
from player_page import places, press, run, step
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]


def test_the_cut_is_marked_and_said(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, DETACHED)
    press(page, "End")
    before = places(page)
    press(page, "y")
    words = page.locator(".xray-words")
    expect(words).to_contain_text("h is detached in line 10")
    expect(words).to_contain_text("Leave .detach() out")
    expect(page.locator(".xray-list [aria-current]")).to_contain_text("W1")
    cut = page.locator(".nodes .mark-cut")
    assert cut.count() == 1
    assert "cut here, detached" in (cut.get_attribute("aria-label") or "")
    assert page.locator(".edge.mark-cut").count() == 1
    # The gradient's size stands on its own edge as in the pane.
    size = page.locator(".xray-way .size").first.text_content()
    assert size
    assert page.locator(".edgelabel", has_text=size).count() == 1
    assert places(page) == before
    page.get_by_role("button", name="W2 learns").click()
    expect(words).to_contain_text("W2 learns")
    assert page.locator(".nodes .mark-cut").count() == 0
    page.locator("#time-lanes").click()
    assert page.locator(".nodes [class*='mark-']").count() == 0


def test_ways_to_it(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, DETACHED)
    press(page, "End")
    page.locator('.nodes [aria-label^="W1"]').first.click()
    page.locator("#inspector").get_by_role("button", name="does it learn?").click()
    expect(page.locator(".xray-list [aria-current]")).to_contain_text("W1")
    here = step(page)
    page.locator(".xray-words").get_by_role("button", name="Go to step").click()
    assert step(page) != here
    page.locator(".xray-words").get_by_role("button", name="Show line 10").click()
    assert "detach" in page.evaluate("getSelection().anchorNode.parentElement.closest('.cm-line').textContent")
    page.keyboard.press("Escape")
    page.locator("#time-lanes").click()
    page.keyboard.press("Control+k")
    page.keyboard.insert_text("loss not fall")
    page.locator(".find li", has_text="X-ray").click()
    expect(page.locator(".xray-words")).to_be_visible()


@pytest.mark.parametrize("width", [1366, 390])
def test_a_healthy_program_learns_and_axe_is_content(open_page: OpenPage, width: int) -> None:
    page = open_page("linear-regression-torch", width=width)
    if width < 1000:
        page.locator("#tabs [data-pane=code]").click()
    run(page, HEALTHY)
    press(page, "End")
    press(page, "y")
    expect(page.locator(".xray-list")).to_contain_text("learns")
    expect(page.locator(".xray-words")).to_contain_text("A gradient arrives")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, ".time") == []


@pytest.mark.parametrize("lines", [(40, 3), (3, 40)], ids=["long then short", "short then long"])
def test_another_program_while_the_lanes_are_hidden(open_page: OpenPage, lines: tuple[int, int]) -> None:
    """A recording that ends with an error is shown at its end at once; the page's console stays empty."""
    page = open_page("linear-regression-torch")
    press(page, "y")
    for many in lines:
        run(page, "import torch\nx = torch.ones(2)\n" + "x = x + 1\n" * many + "x @ torch.ones(3)\n")
        expect(page.locator("#inspector")).to_contain_text("Stopped at line")
    page.locator("#time-lanes").click()
    expect(page.locator(".lanes .captext")).to_have_text(re.compile(r"^\d+$"))

"""axe-core on the graph and the inspector, in every theme and state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe import violations_in_every_theme
from player_page import press, run, seek
from playwright.sync_api import Page
from programs import CONTROL, LARGE, MODULES

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
PARTS = ("#graph", "#inspector")


@pytest.mark.parametrize(
    ("example", "sentence"),
    [
        ("xor-torch", r"^W2.grad exists"),
        ("linear-regression-tf1", r"leaves through its door"),
        ("optimiser-tf1", r"^Run 1 of the plan.* 2 fetches"),
        ("shape-mismatch-torch", r"ended the program|cannot"),
    ],
)
def test_graph_and_inspector_are_clean(open_page: OpenPage, example: str, sentence: str) -> None:
    page = open_page(example)
    seek(page, sentence)
    assert violations_in_every_theme(page, *PARTS) == []


def test_scopes_regions_search_and_canvas_are_clean(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, MODULES)
    press(page, "End")
    page.keyboard.press("/")
    page.keyboard.type("addmm")
    assert violations_in_every_theme(page, *PARTS) == []
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Scopes").click()
    page.get_by_role("menuitem", name="Open one level").click()
    assert violations_in_every_theme(page, *PARTS) == []
    run(page, CONTROL)
    press(page, "End")
    assert violations_in_every_theme(page, *PARTS) == []


def test_a_painted_graph_is_clean(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, LARGE)
    press(page, "End")
    page.get_by_role("button", name="Scopes").click()
    page.get_by_role("menuitem", name="Open all").click()
    page.keyboard.press("g")
    assert violations_in_every_theme(page, *PARTS) == []

"""The graph: scopes, search, control flow, fused steps, walking by keyboard, the card on hover."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from player_page import node, places, press, run, seek, step, walk
from playwright.sync_api import Page, expect
from programs import CONTROL, MODULES, RECURRENT

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]


def on_screen(page: Page, label: str) -> tuple[int, int]:
    box = node(page, label).first.bounding_box()
    assert box is not None
    return round(box["x"]), round(box["y"])


def menu(page: Page, item: str) -> None:
    page.get_by_role("button", name="Scopes").click()
    page.get_by_role("menuitem", name=item).click()


def test_a_module_closes_and_opens_again(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, MODULES)
    press(page, "End")
    before = places(page)
    title = page.locator('.region-title[aria-label^="module body"]')
    expect(title).to_have_attribute("aria-expanded", "true")
    title.focus()
    page.keyboard.press("Enter")
    closed = page.locator('.node.scope[aria-label*=": module body, closed"]')
    expect(closed).to_have_attribute("aria-expanded", "false")
    expect(closed).to_be_focused()
    expect(page.locator('.node.scope[aria-label*=": gradients of module body"]')).to_have_count(1)
    expect(node(page, "body.0.weight")).to_have_count(0)
    assert len(places(page)) < len(before)
    page.keyboard.press("Enter")
    assert places(page) == before


def test_what_one_looks_at_stays_where_it_is(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, MODULES)
    press(page, "End")
    node(page, "loss").first.focus()
    page.keyboard.press("Enter")
    at = on_screen(page, "loss")
    for item in ("Close all", "Open one level", "Open all"):
        menu(page, item)
        found = on_screen(page, "loss")
        assert abs(found[0] - at[0]) <= 1, item
        assert abs(found[1] - at[1]) <= 1, item


@pytest.mark.parametrize("source", [MODULES, CONTROL], ids=["modules", "control"])
def test_no_node_moves_over_the_steps_whatever_is_closed(open_page: OpenPage, source: str) -> None:
    page = open_page("xor-torch")
    run(page, source)
    for item in ("Close all", "Open one level", "Open all"):
        menu(page, item)
        press(page, "Home")
        stands: dict[str, str] = {}
        for nodes, words, _ in walk(page, "ArrowRight"):
            assert words, item
            for slot, (where, *_) in nodes.items():
                assert stands.setdefault(slot, where) == where, item
        assert len(stands) > 3, item


def test_a_long_loop_opens_with_its_passes_closed(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, RECURRENT)
    press(page, "End")
    assert page.locator(".nodes .node").count() <= 300
    expect(page.locator('.region-title:not(.region-values)[aria-label^="loop for × 60"]')).to_have_count(1)
    first = node(page, "pass 1").first
    expect(first).to_contain_text("3 ops")
    first.focus()
    page.keyboard.press("Enter")
    expect(node(page, "tanh").or_(node(page, "h, tanh"))).to_have_count(1)


def test_the_step_is_seen_in_a_closed_scope(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, RECURRENT)
    seek(page, r"^tanh")
    expect(page.locator(".node.scope.is-now")).to_have_count(1)
    expect(page.locator(".node.scope.is-now")).to_have_attribute("aria-label", re.compile("now "))
    expect(page.locator(".halos .halo")).to_have_count(1)


def test_search_finds_by_name_op_and_line_and_shows_what_is_closed(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, MODULES)
    press(page, "End")
    menu(page, "Close all")
    page.locator("#graph").focus()
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search the graph")
    expect(box).to_be_focused()
    box.fill("relu")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("relu")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(box).to_be_hidden()
    expect(page.locator("#inspector h2")).to_contain_text("relu")
    expect(page.locator(".node.is-selected")).to_be_focused()
    page.keyboard.press("/")
    box.fill("line 16")
    expect(options.first).to_contain_text("line 16")
    box.fill("nothing of that name")
    expect(page.locator(".found-count")).to_contain_text("Nothing is called so")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()


def test_search_goes_to_the_step_at_which_a_node_is_made(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    press(page, "Home")
    page.keyboard.press("/")
    page.keyboard.type("mse_loss")
    page.keyboard.press("Enter")
    assert step(page) > 1
    expect(page.locator(".node.is-selected")).to_have_attribute("aria-label", re.compile("mse_loss"))


def test_branches_and_loops_say_what_they_do(open_page: OpenPage) -> None:
    page = open_page("optimiser-tf1")
    run(page, CONTROL)
    press(page, "End")
    titles = page.locator(".region-title text")
    expect(titles.filter(has_text="if true: not taken")).to_have_count(1)
    expect(titles.filter(has_text="if false: taken")).to_have_count(1)
    expect(titles.filter(has_text="while: pass 3 of 3")).to_have_count(1)
    expect(page.locator(".node.is-skipped")).to_have_count(2)
    expect(page.locator(".loop-back")).to_have_count(1)
    expect(page.locator(".e-enters.is-on").first).to_be_attached()
    seek(page, r"^Run 1")
    seek(page, r"^(Mul|Tanh) ", home=False)
    expect(titles.filter(has_text="if true: taken")).to_have_count(1)


def test_a_fused_step_is_a_hull_round_its_chain(open_page: OpenPage) -> None:
    page = open_page("optimiser-tf1")
    press(page, "End")
    expect(page.locator(".hull")).to_have_count(1)
    words = page.locator(".hull-words")
    expect(words).to_have_text(re.compile(r"^\d ops fused: 1 step, \d NumPy calls, 1 buffer$"))
    many = int((words.text_content() or "0")[0])
    assert page.locator(".seam").count() == many - 1
    assert page.locator(".node.is-inner").count() == many - 1


def test_arrows_walk_along_edges_and_enter_selects(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named loss")
    page.keyboard.press("g")
    focused = page.locator(".nodes .node:focus")
    expect(focused).to_have_attribute("aria-label", re.compile("^loss"))
    page.keyboard.press("ArrowLeft")
    expect(focused).to_have_attribute("aria-label", re.compile("mul"))
    page.keyboard.press("Enter")
    expect(focused).to_have_class(re.compile("is-selected"))
    order = page.evaluate("[...document.querySelectorAll('.nodes .node')].map((n) => n.getAttribute('aria-label'))")
    first = [next(i for i, o in enumerate(order) if o.startswith(name)) for name in ("prediction", "loss")]
    assert first == sorted(first)


def test_a_card_tells_what_a_node_holds(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named prediction")
    node(page, "prediction").hover()
    card = page.locator(".hovercard")
    expect(card).to_be_visible()
    expect(card).to_contain_text("prediction")
    expect(card).to_contain_text("[4, 1] float32")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_the_inspector_shows_spread_and_the_gradient_that_arrived(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    seek(page, r"^W1.grad exists")
    node(page, "h, relu").click()
    inspector = page.locator("#inspector")
    expect(inspector).to_contain_text("Gradient that arrived")
    picture = inspector.get_by_role("img", name=re.compile(r"^12 numbers from 0 to"))
    expect(picture).to_be_visible()
    assert sum(int(t.split(" ")[0]) for t in picture.locator("title").all_text_contents()) == 12


def test_the_map_shows_where_one_is(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, RECURRENT)
    press(page, "End")
    small = page.locator(".minimap")
    expect(small).to_be_visible()
    before = page.locator("svg.g:not(.ground) .world").get_attribute("transform")
    box: Any = small.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    expect(page.locator("svg.g:not(.ground) .world")).not_to_have_attribute("transform", before or "")


LONG = "import torch\nw = torch.ones(2, 2)\nh = torch.ones(1, 2)\n" + "h = torch.tanh(h @ w + 0.1)\n" * 50
DRAWN = """() => {
  const pane = document.querySelector('svg.g:not(.ground)').getBoundingClientRect();
  const nodes = [...document.querySelectorAll('.nodes .node')];
  const at = (n) => n.getCTM().e + n.ownerSVGElement.getBoundingClientRect().left;
  return [nodes.length, nodes.filter((n) => n.children.length).length,
    nodes.filter((n) => at(n) > pane.left && at(n) < pane.right).every((n) => n.children.length)];
}"""


def test_a_large_graph_is_drawn_where_one_looks(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    run(page, LONG)
    press(page, "End")
    nodes, drawn, all_seen = page.evaluate(DRAWN)
    assert nodes == 152
    assert 0 < drawn < 80
    assert all_seen
    # Its turn for the Tab key, its name and its place are there all the same.
    first = page.locator(".nodes .node").nth(2)
    expect(first).to_have_attribute("aria-label", re.compile("^mm, "))
    assert first.locator("*").count() == 0
    first.focus()
    expect(first.locator(".body")).to_be_visible()
    expect(first).to_be_in_viewport()
    assert page.evaluate(DRAWN)[2]
    page.get_by_role("button", name="Fit", exact=True).first.click()
    assert page.evaluate(DRAWN)[2]

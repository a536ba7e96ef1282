"""The player on the recorded examples, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from player_page import node, places, press, run, seek, step, steps, walk
from playwright.sync_api import Page, expect
from programs import FAILS_LATER

from app import examples

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
EXAMPLES = [example.id for example in examples.load()]


def test_the_page_opens_and_plays(open_page: OpenPage) -> None:
    page = open_page(still=False)
    expect(page.locator("#counter")).to_have_text(re.compile(r"Step ([3-9]|\d\d+) of \d+"))
    expect(page.locator(".nodes .node").first).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play (Space)")).to_be_visible()
    assert steps(page) > 50


def test_who_wants_no_motion_gets_a_still_page(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    assert step(page) == 1
    expect(page.get_by_role("button", name="Play (Space)")).to_be_visible()


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_node_ever_moves(open_page: OpenPage, example: str) -> None:
    page = open_page(example)
    press(page, "Home")
    stands: dict[str, str] = {}
    for nodes, words, _ in walk(page, "ArrowRight"):
        assert words
        for slot, (where, *_) in nodes.items():
            assert stands.setdefault(slot, where) == where
    assert step(page) == steps(page)
    assert stands or example == "plain-python"


@pytest.mark.parametrize("example", ["linear-regression-torch", "linear-regression-tf1"])
def test_back_is_the_mirror_of_forward(open_page: OpenPage, example: str) -> None:
    page = open_page(example)
    press(page, "Home")
    there = walk(page, "ArrowRight")
    assert walk(page, "ArrowLeft") == there[::-1]


def test_keys_of_the_transport(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    last = steps(page)
    page.keyboard.press("End")
    assert step(page) == last
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert step(page) == 2
    before = page.locator(".cm-line.now").text_content()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".cm-line.now")).not_to_have_text(before or "")
    page.keyboard.press("Control+ArrowRight")
    expect(page.locator("#where")).to_contain_text(", 1 of")
    page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageDown")
    assert 1 <= step(page) < last


def test_question_mark_lists_every_key(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    for key in ("Space", "Home", "PageDown", "F", "G", "C", "I", "V", "O", "T", "P"):
        expect(dialog.locator("kbd", has_text=re.compile(f"^{key}$"))).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_torch_graph_appears_with_its_values(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named prediction")
    expect(page.locator("#graph-title")).to_contain_text("iteration 1")
    expect(node(page, "prediction, add, holds a value")).to_have_count(1)
    expect(node(page, "loss")).to_have_count(0)
    pending = page.locator(".node.is-pending")
    assert pending.count() >= 2
    seek(page, r"^backward starts at loss")
    expect(node(page, "AddBackward0, gradient not computed yet")).to_have_count(1)
    expect(node(page, "weight.grad, gradient not computed yet")).to_have_count(1)
    seek(page, r"^weight.grad exists now")
    expect(node(page, "weight.grad, holds a value")).to_have_count(1)
    seek(page, r"lets? go of what")
    expect(node(page, "MmBackward0, freed")).to_have_count(1)
    seek(page, r"^weight.grad is cleared")
    expect(node(page, "weight.grad, cleared")).to_have_count(1)


def test_the_second_iteration_makes_new_nodes(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named loss")
    first = places(page)
    seek(page, r"named loss", home=False)
    assert places(page) == first
    expect(page.locator("#graph-title")).to_contain_text("iteration 2")
    expect(page.locator("#graph-title")).to_contain_text("new nodes")


def test_a_static_graph_is_outline_then_plan_then_values(open_page: OpenPage) -> None:
    page = open_page("linear-regression-tf1")
    seek(page, r"^The optimiser copies")
    press(page, "ArrowLeft")
    assert page.locator(".node.is-value").count() == 0
    assert page.locator(".node").count() > 10
    expect(page.locator(".wall").first).to_be_visible()
    expect(page.get_by_role("button", name="Plan", exact=True)).to_be_hidden()
    seek(page, r"is compiled")
    expect(page.locator("#graph-title")).to_contain_text("made from the graph")
    ghosts = page.locator(".node.is-ghost").count()
    assert ghosts > 0
    page.get_by_role("button", name="Graph", exact=True).click()
    expect(page.locator(".node.is-ghost")).to_have_count(0)
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page.locator(".node.is-ghost")).to_have_count(ghosts)
    seek(page, r"^x is fed")
    expect(page.locator(".node.is-feeding")).to_have_count(1)
    seek(page, r"leaves through its door")
    assert page.locator(".node.is-value").count() >= 6


def test_what_the_optimiser_did_is_drawn(open_page: OpenPage) -> None:
    page = open_page("optimiser-tf1")
    seek(page, r"^Run 1 of the plan.* 2 fetches")
    expect(page.locator(".node.is-merged")).to_have_count(1)
    expect(page.locator(".node.is-folded").first).to_be_visible()
    expect(page.locator(".e-origin.is-on").first).to_be_attached()
    expect(page.locator(".e-rewired.is-off, .e-rewired.is-on").first).to_be_attached()
    expect(page.locator("#inspector")).to_contain_text("What the optimiser did")


def test_a_while_on_a_tensor_grows_one_graph(open_page: OpenPage) -> None:
    page = open_page("data-decides-torch")
    press(page, "Home")
    sizes = [len(nodes) for nodes, _, current in walk(page, "ArrowRight") if current]
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0] + 10


@pytest.mark.parametrize(("example", "line"), [("shape-mismatch-torch", 10), ("shape-mismatch-tf1", 10)])
def test_an_error_is_the_last_step_and_explained(open_page: OpenPage, example: str, line: int) -> None:
    page = open_page(example)
    assert step(page) == steps(page)
    expect(page.locator(".node.is-error")).to_have_count(1)
    card = page.locator("#inspector [role=alert]")
    expect(card).to_contain_text(f"Stopped at line {line}")
    expect(card).to_contain_text("A row of hidden has 3 numbers. A column of second has 4.")
    expect(card).to_contain_text("What Python said")
    expect(page.locator(".cm-line.errline")).to_have_count(1)
    expect(page.locator("#counter + span")).to_have_text("ended with an error")


def test_a_run_that_fails_is_not_shown_in_the_plan_of_the_run_before(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    run(page, FAILS_LATER)
    press(page, "End")
    expect(page.locator(".node.is-error")).to_have_attribute("aria-label", re.compile("^b, MatMul"))
    expect(page.locator(".node.is-ghost")).to_have_count(0)
    expect(page.locator("#inspector h2")).to_have_text("MatMul cannot take [?, 2] with [?, 3].")


def test_no_graph_teaches(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    expect(page.locator(".graph .empty")).to_contain_text("No graph")
    press(page, "End")
    expect(page.locator("#output")).to_contain_text("it takes")


def test_tab_goes_past_the_program_until_something_is_typed(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    program = page.locator(".cm-content")
    first = page.locator(".cm-line").first
    page.locator("#run").focus()
    page.keyboard.press("Tab")
    expect(program).to_be_focused()
    page.keyboard.press("Tab")
    expect(program).not_to_be_focused()
    expect(first).to_have_text("import torch")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("#")
    page.keyboard.press("Tab")
    expect(program).to_be_focused()
    expect(first).to_have_text(re.compile(r"^ {4}#import torch$"))
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(program).not_to_be_focused()

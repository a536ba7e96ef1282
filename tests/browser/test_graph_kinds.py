"""Kinds of graphs and what tells their parts apart: batches, traces of functions, composite ops, gradients, doors."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from player_page import node, press, run, seek, step
from playwright.sync_api import Page, expect
from programs import BATCHED, COMPOSITES, EDITED, HELD, TRACED

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

BOXES = """() => [...document.querySelectorAll('.nodes .node')].map((n) => {
  const {x, y, width, height} = n.querySelector('.body').getBoundingClientRect();
  return {label: n.getAttribute('aria-label'), texts: [...n.querySelectorAll('.label')].map((t) => t.textContent),
    style: n.getAttribute('class'), x, y, width, height};
})"""


def boxes(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(BOXES)
    return found


def test_calls_that_ran_as_one_stand_in_a_hull_with_their_number(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    run(page, BATCHED)
    press(page, "End")
    titles = page.locator(".region-title text")
    for words in ("depth 1: embed × 6", "depth 2: cell × 2", "depth 3: cell × 1"):
        expect(titles.filter(has_text=words)).to_have_count(1)
    assert page.locator("rect.hull.batch").count() >= 3
    # What the rows were taken from is an input of the batch: six numbers of words.
    assert any("[6]" in str(box["label"]) for box in boxes(page) if "f-input" in box["style"])
    page.locator('.region-title[aria-label^="batch at depth 2"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('.node.scope[aria-label*=": batch at depth 2: cell × 2, closed"]')).to_have_count(1)


def test_each_trace_of_a_function_is_a_graph_with_its_key(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    run(page, TRACED)
    press(page, "End")
    title = page.locator("#graph-title")
    expect(title).to_contain_text("Plan of square(float32 [3]), trace 2 of 2")
    page.get_by_role("button", name="Graphs").click()
    expect(page.get_by_role("menuitemradio")).to_have_text(
        ["The one of this step", "ops run at once", "square(float32 [2])", "square(float32 [3])"]
    )
    page.get_by_role("menuitemradio", name="square(float32 [2])").click()
    expect(title).to_contain_text("Graph of square(float32 [2]), trace 1 of 2")
    expect(node(page, "relu")).to_have_count(1)


def test_composite_ops_are_one_node_with_one_gradient(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, COMPOSITES)
    press(page, "End")
    for op, gradient in (("batch_norm", "NativeBatchNorm"), ("silu", "Silu"), ("layer_norm", "NativeLayerNorm")):
        expect(node(page, op)).to_have_count(1)
        expect(page.locator(".node.f-grad", has_text=gradient)).to_have_count(1)


def test_gradients_mirror_their_op_and_say_when_they_are_not_there_yet(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    seek(page, r"^backward starts")
    found = boxes(page)
    gradients = [box for box in found if "f-grad" in box["style"]]
    assert len(gradients) == 6
    assert all("is-pending" in box["style"] for box in gradients)
    ops = [box for box in found if "f-op" in box["style"]]
    low = max(box["y"] + box["height"] for box in ops if box["y"] < gradients[0]["y"])
    for box in gradients:
        assert box["y"] > low
        assert any(abs(box["x"] + box["width"] / 2 - op["x"] - op["width"] / 2) < 1 for op in ops), box["label"]
        assert box["texts"][-1] == "Backward0", box["texts"]
        assert not any("…" in text for text in box["texts"])
    seek(page, r"^W2.grad exists")
    expect(page.locator(".e-grad.is-now")).to_have_count(1)
    expect(page.locator(".node.is-now.f-storage")).to_have_count(1)


def test_a_gradient_that_is_added_to_keeps_its_place_and_the_sentence_says_so(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, "import torch\nw = torch.ones(2, requires_grad=True)\nfor i in range(2):\n    (w * 3).sum().backward()\n")
    seek(page, r"^w\.grad")
    where = node(page, "w.grad").get_attribute("transform")
    expect(node(page, "w.grad")).to_contain_text("[2]")
    seek(page, r"^w\.grad.*(added|adds)", home=False)
    assert node(page, "w.grad").get_attribute("transform") == where
    expect(page.locator(".halos .halo")).to_have_count(1)


def test_an_edit_of_the_graph_leaves_the_old_edge_as_a_ghost(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    run(page, EDITED)
    seek(page, r"^The program edits the graph")
    expect(page.locator(".e-data.is-ghost")).to_have_count(1)
    expect(page.locator(".e-data.is-now")).to_have_count(1)
    where = {box["label"].split(",")[0]: (box["x"], box["y"]) for box in boxes(page)}
    press(page, "ArrowLeft")
    expect(page.locator(".e-data.is-ghost")).to_have_count(0)
    expect(page.locator(".e-data:not([visibility=hidden])")).to_have_count(2)
    assert {box["label"].split(",")[0]: (box["x"], box["y"]) for box in boxes(page)} == where


def test_gradients_that_no_backward_reached_say_so(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, HELD)
    seek(page, r"^backward starts")
    expect(page.locator(".node.f-grad", has_text="not reached")).to_have_count(0)
    press(page, "End")
    passed = page.locator(".node.f-grad.is-pending")
    expect(passed.first).to_contain_text("not reached")
    assert passed.count() == page.locator(".node.f-grad", has_text="not reached").count() == 2


def test_the_card_tells_a_nodes_life(open_page: OpenPage) -> None:
    page = open_page("optimiser-tf1")
    press(page, "End")
    page.locator(".node.is-ghost").first.hover()
    expect(page.locator(".hovercard")).to_contain_text(re.compile(r"born at step \d+, removed, plan \d+.*never ran"))
    page.locator('.nodes .node.f-op[aria-label^="loss"]').first.hover()
    expect(page.locator(".hovercard")).to_contain_text(re.compile(r"born at step \d+.*ran 3 times"))


def test_feeds_come_in_and_fetches_leave_through_their_doors(open_page: OpenPage) -> None:
    page = open_page("linear-regression-tf1")
    seek(page, r"^x is fed|^y is fed")
    expect(page.locator('.port.is-now[data-door="feed"]')).to_have_count(1)
    expect(page.locator(".node.is-feeding.is-now")).to_have_count(1)
    seek(page, r"^loss leaves")
    expect(page.locator('.port.is-now[data-door="fetch"]')).to_have_count(1)
    assert page.locator('.port[data-door="variable"]').count() >= 2
    assert page.locator(".node.f-variable .shelfline").count() == 2


def test_names_that_do_not_fit_are_whole_in_the_card_of_the_focused_node(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    name = "a_very_long_name_for_what_is_only_a_weight_of_a_layer"
    run(page, f"import torch\n{name} = torch.ones(2, requires_grad=True)\nloss = ({name} * 2).sum()\nloss.backward()\n")
    press(page, "End")
    first = node(page, f"{name}.grad")
    shown = first.locator(".label").all_text_contents()
    assert shown[-1] == ".grad"
    assert re.fullmatch(r"a_very.*….*layer", shown[0])
    page.locator("#graph").focus()
    page.keyboard.press("g")
    first.focus()
    expect(page.locator(".hovercard")).to_contain_text(f"{name}.grad")


@pytest.mark.parametrize("example", ["xor-torch", "linear-regression-torch", "linear-regression-tf1", "optimiser-tf1"])
def test_on_a_phone_nothing_overlaps_and_no_name_is_cut(open_page: OpenPage, example: str) -> None:
    page = open_page(example, width=390, height=844)
    press(page, "End")
    found = boxes(page)
    assert len(found) > 8
    for a, b in combinations(found, 2):
        across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
        along = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
        assert across < 1 or along < 1, (a["label"], b["label"])
    # Only what is longer than two lines of a phone's box is shortened, in its middle.
    cut = [box for box in found if any("…" in text for text in box["texts"])]
    assert all(max(map(len, box["label"].split(",")[0].split())) > 13 for box in cut), cut


def test_on_a_phone_forward_and_backward_are_seen_at_once(open_page: OpenPage) -> None:
    page = open_page("xor-torch", width=390, height=844)
    for pattern in (r"named loss", r"^W2.grad exists", r"^W1.grad exists"):
        seek(page, pattern)
        found = [box for box in boxes(page) if re.search(r"f-(op|grad|variable|storage)", box["style"])]
        inside = [box for box in found if box["x"] >= 0 and box["x"] + box["width"] <= 390]
        # The column of updates may lie beside the screen.
        assert len(inside) >= len([box for box in found if "k-variable" in box["style"] or "f-grad" in box["style"]])
        assert all(box["x"] >= 0 for box in found)
    assert step(page) > 20

"""What the page says besides the steps: the card of an error, hints, notes of the recording and of the layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from player_page import press, run, seek
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
DIVERGES = """import torch
w = torch.ones(3, requires_grad=True)
for step in range(2):
    loss = torch.log(w).sum()
    loss.backward()
    w = torch.zeros(3, requires_grad=True)
"""
HOSTILE = "<img src=x onerror=alert(1)>"


def test_an_error_has_its_card(open_page: OpenPage) -> None:
    page = open_page("shape-mismatch-torch")
    press(page, "End")
    card = page.locator("#inspector .card")
    for words in ("A row of hidden has 3 numbers", "The shapes do not fit together.", "Each op has a rule"):
        expect(card).to_contain_text(words)
    expect(card.locator("h3", has_text="Try one of these")).to_be_visible()
    expect(card.locator(".tries li").first).to_have_text("Compare the two shapes above, from the right.")


def test_an_error_without_shapes_is_headed_by_its_card(open_page: OpenPage) -> None:
    page = open_page("shape-mismatch-torch")
    run(page, "value = 3\nprint(valeu)\n")
    card = page.locator("#inspector .card")
    expect(card.locator(".tries li").first).to_have_text("You may have meant value.")
    expect(card.locator("h2")).not_to_contain_text("NameError")
    expect(card.locator("pre").first).to_contain_text("NameError")


def test_a_hint_is_a_quiet_note(open_page: OpenPage) -> None:
    page = open_page("gradients-tf1")
    hint = page.locator("#notes details")
    expect(hint.locator("summary")).to_have_text("A node was printed, not its value.")
    expect(hint.locator("li")).to_be_hidden()
    hint.locator("summary").click()
    expect(hint.locator("li")).to_have_text("Print what sess.run(node) returns.")


def test_a_loss_that_is_no_number_any_more_leads_to_where_that_began(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, DIVERGES)
    page.locator("#notes summary", has_text="The loss stopped being a number.").click()
    page.get_by_role("button", name="Show the first: line 4").click()
    expect(page.locator("#caption")).to_contain_text("log takes the logarithm")
    expect(page.locator("#inspector")).to_contain_text("all 3 infinite")


def test_notes_of_the_recording_and_the_layout_are_text(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    expect(page.locator("#notes")).to_be_hidden()
    expect(page.locator("#graph-note")).to_be_hidden()

    def change(route: Route) -> None:
        answer = route.fetch()
        trace: dict[str, Any] = answer.json()
        trace["program"]["notes"] = [HOSTILE, "The values of 8 passes are summaries."]
        trace["layout"]["note"] = "One graph is missing."
        for graph in trace["layout"]["graphs"]:
            graph["note"] = f"Only the first 5 of 9 nodes are drawn. {HOSTILE}"
        route.fulfill(status=200, content_type="application/json", body=json.dumps(trace))

    page.route("**/api/examples/*/trace*", change)
    page.reload()
    expect(page.locator("#notes p")).to_have_text([HOSTILE, "The values of 8 passes are summaries."])
    seek(page, "named loss")
    expect(page.locator("#graph-note")).to_have_text(
        f"Only the first 5 of 9 nodes are drawn. {HOSTILE} One graph is missing."
    )
    assert page.locator("#notes img, #graph-note img").count() == 0


def test_fit_shows_the_whole_graph(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    press(page, "End")
    page.get_by_role("button", name="Fit").click()
    pane = page.locator("#graph").bounding_box()
    boxes = [one.bounding_box() for one in page.locator(".nodes .node").all()]
    assert pane
    assert len(boxes) > 15
    for box in boxes:
        assert box
        assert pane["x"] <= box["x"]
        assert box["x"] + box["width"] <= pane["x"] + pane["width"]
        assert pane["y"] + 40 <= box["y"]
        assert box["y"] + box["height"] <= pane["y"] + pane["height"]


def test_the_plan_lists_what_the_optimiser_did(open_page: OpenPage) -> None:
    page = open_page("optimiser-tf1")
    seek(page, r"^The optimiser planned the memory: \d+ values share")
    did = page.locator("#inspector .did")
    expect(did.filter(has_text="Planned the memory: ")).to_have_count(1)
    expect(did.filter(has_text="Fused 4 nodes into one step: 4 NumPy calls, 1 buffer")).to_have_count(1)

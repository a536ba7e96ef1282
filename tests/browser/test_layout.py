"""Panes: their sizes, what scrolls, full screen; the timeline's zoom; breakpoints; what a lecture needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from player_page import press, run, seek, step, steps
from playwright.sync_api import FloatRect, Locator, Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

LOOP = """import torch
w = torch.ones(1, requires_grad=True)
for i in range(40):
    loss = (w * 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
"""


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


def drag(page: Page, handle: Locator, x: float, y: float) -> None:
    at = box(handle)
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    page.mouse.move(at["x"] + at["width"] / 2 + x, at["y"] + at["height"] / 2 + y, steps=3)
    page.mouse.up()


def test_output_keeps_its_lines_and_carets_stand_under_their_words(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, "import torch\nprint(torch.zeros(2, 12))\nvalue = torch.ones(2, 3) @ torch.ones(2, 3) + torch.ones(3)\n")
    press(page, "End")
    pane = page.locator("#output-pane")
    assert box(pane)["width"] > 350
    shown = page.locator("#output .out").inner_text().splitlines()
    at = next(i for i, line in enumerate(shown) if line.strip().startswith("value = "))
    assert set(shown[at + 1].strip()) <= {"^", "~"}
    assert shown[at + 1].index("~") == shown[at].index("torch.ones(2, 3) @")
    assert pane.evaluate("e => e.scrollWidth > e.clientWidth")
    height = page.locator("#output .out").evaluate("e => e.getBoundingClientRect().height / 18")
    assert height == pytest.approx(len(shown), abs=1)


def test_the_output_fills_the_screen(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    press(page, "End")
    page.keyboard.press("o")
    page.keyboard.press("f")
    expect(page.locator("#output-pane")).to_be_visible()
    assert box(page.locator("#output-pane"))["width"] == 1366
    for other in ("#code", "#variables-pane", "#graph", "header.bar"):
        expect(page.locator(other)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#code")).to_be_visible()
    page.get_by_role("button", name="Full screen").last.focus()
    page.locator("#output-full").click()
    expect(page.locator("#code")).to_be_hidden()


def test_panes_are_resized_and_stay_so(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    before = box(page.locator("#left"))["width"]
    drag(page, page.get_by_role("separator", name="Width of the program"), 120, 0)
    assert box(page.locator("#left"))["width"] == pytest.approx(before + 120, abs=2)
    output = page.get_by_role("separator", name="Height of the output")
    tall = box(page.locator("#output-pane"))["height"]
    output.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert box(page.locator("#output-pane"))["height"] == pytest.approx(tall + 32, abs=2)
    assert step(page) == 1
    page.reload()
    expect(page.locator("#counter")).to_contain_text("Step")
    assert box(page.locator("#left"))["width"] == pytest.approx(before + 120, abs=2)
    page.get_by_role("separator", name="Width of the program").dblclick()
    assert box(page.locator("#left"))["width"] == before


def test_the_program_never_scrolls_sideways(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    long = "print(" + " + ".join(f"number_{i}" for i in range(20)) + ", number_3.bit_length())\n"
    run(page, "".join(f"number_{i} = {i}\n" for i in range(20)) + long + "print(1)\n")
    for _ in range(steps(page)):
        press(page, "ArrowRight")
        assert page.locator(".cm-scroller").evaluate("e => [e.scrollLeft, e.scrollWidth - e.clientWidth]") == [0, 0]
    expect(page.locator(".cm-line.now")).to_be_in_viewport()


def test_a_breakpoint_stops_play_at_every_visit(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", still=False)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play (Space)")).to_be_visible()
    press(page, "Home")
    page.locator(".cm-lineNumbers .cm-gutterElement", has_text="13").click()
    expect(page.locator(".cm-gutterElement.brk")).to_have_text("13")
    for _ in range(4):
        press(page, "s")
    page.keyboard.press("Space")
    expect(page.locator(".cm-line.now")).to_contain_text("loss.backward()")
    expect(page.get_by_role("button", name="Play (Space)")).to_be_visible()
    first = step(page)
    press(page, "B", shift=True)
    assert step(page) > first
    expect(page.locator(".cm-line.now")).to_contain_text("loss.backward()")
    press(page, "b")
    expect(page.locator(".cm-gutterElement.brk")).to_have_count(0)


def test_the_timeline_is_zoomed_and_follows_the_head(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, LOOP)
    press(page, "Home")
    bands = "() => Math.max(...[...document.querySelectorAll('#lanes .band')].map(b => b.getBBox().width))"
    narrow = page.evaluate(bands)
    lanes = box(page.locator("#lanes .lanes"))
    page.mouse.move(lanes["x"] + lanes["width"] / 2, lanes["y"] + 60)
    for _ in range(6):
        page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    assert page.evaluate(bands) > 2 * narrow
    seen = (
        "() => { const b = document.querySelector('#lanes .head').getBoundingClientRect(); return [b.left, b.right]; }"
    )
    for key in ("End", "Home"):
        press(page, key)
        left, right = page.evaluate(seen)
        assert lanes["x"] + 60 < left
        assert right < lanes["x"] + lanes["width"]
    number = steps(page) // 2
    page.get_by_role("button", name="Whole").click()
    page.wait_for_timeout(100)
    assert page.evaluate(bands) == pytest.approx(narrow, rel=0.05)
    assert number > 100


def test_every_lane_of_a_session_has_room(open_page: OpenPage) -> None:
    page = open_page("linear-regression-tf1")
    seek(page, r"^x is fed")
    pane = page.locator(".lanes-scroll")
    assert pane.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    for lane in ("Python builds", "optimiser", "compiler", "session", "worker 1"):
        name = box(page.locator("#lanes text", has_text=lane).first)
        assert name["y"] + name["height"] <= box(pane)["y"] + box(pane)["height"] + 1
    expect(page.locator(".how")).to_contain_text("bar length: kernel time")
    expect(page.locator(".how")).to_be_in_viewport()


def test_nothing_jumps_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", width=390, height=844)
    seek(page, r"named loss")
    places = {str([box(page.locator(pane)) for pane in (".keys", "#sentence", ".scrub")])}
    for tab in ("Code", "Node", "Variables", "Output", "Times", "Graph"):
        page.get_by_role("tab", name=tab).click()
        places.add(str([box(page.locator(pane)) for pane in (".keys", "#sentence", ".scrub")]))
    assert len(places) == 1


def test_a_lecture_has_a_pointer_and_a_blank_screen(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.keyboard.press("p")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    assert step(page) == 2
    page.mouse.move(300, 200)
    page.keyboard.press(".")
    page.mouse.move(500, 300)
    spot = box(page.locator(".pointer"))
    assert (spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2) == (500, 300)
    page.keyboard.press(".")
    expect(page.locator(".pointer")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator(".blank")).to_have_count(0)
    expect(page.locator(".cm-gutterElement.brk")).to_have_count(0)


def test_a_message_is_whole_and_can_be_closed(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", width=390, height=844)
    page.get_by_role("tab", name="Code").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("x = 1  # \0\n")
    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('offline')); }")
    page.locator("#run").click()
    message = page.get_by_role("alert")
    expect(message).to_contain_text("The server cannot be reached. Look whether the server still runs")
    assert page.locator("#message-words").evaluate("e => e.scrollWidth <= e.clientWidth")
    message.get_by_role("button", name="Close this message").click()
    expect(message).to_be_hidden()


def test_a_program_without_an_end_is_told_what_fits_it(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, "import torch\nn = 0\nwhile True:\n    n += 1\n")
    card = page.locator("#inspector [role=alert]")
    expect(card).to_contain_text("The program ran out of time.")
    expect(card).to_contain_text("If the loop has no end, give it one.")
    expect(card).not_to_contain_text("graph")
    expect(page.locator("#sentence")).to_have_text("The time limit ended the program in this line.")
    expect(page.locator(".graph .empty")).to_contain_text("the program ended before it made anything")


def test_a_heading_is_whole(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    words = "the first thing that one has to know about this mistake is that it is long, " * 3
    run(page, f"raise ValueError({words!r})\n")
    heading = page.locator("#inspector h2")
    expect(heading).to_have_text("ValueError")
    expect(page.locator("#inspector pre").first).to_contain_text(words.strip())
    run(page, "raise MemoryError\n")
    expect(heading).to_have_text("The program asked for too much memory.")
    expect(page.locator("#inspector pre").first).to_have_text("MemoryError")

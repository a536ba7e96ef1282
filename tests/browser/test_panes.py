"""Selecting, inspecting, the program, themes, small screens."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from player_page import node, press, run, seek, sentence, step, steps
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]


def test_selecting_a_node_marks_its_counterparts(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named loss")
    node(page, "prediction").click()
    expect(node(page, "prediction").locator(".ticks")).to_have_count(1)
    inspector = page.locator("#inspector")
    for words in ("Named prediction", "line 10", "[4, 1]", "float32", "Kernel time", "Held by", "History"):
        expect(inspector).to_contain_text(words)
    expect(inspector.locator(".heat td")).to_have_count(4)
    expect(page.locator(".cm-content .cause")).to_contain_text("x @ weight + bias")
    expect(page.locator(".vars tr.selected")).to_contain_text("prediction")
    expect(page.locator(".lanes .is-picked")).to_have_attribute("d", re.compile("^M"))
    page.keyboard.press("Escape")
    expect(page.locator(".ticks")).to_have_count(0)


def test_a_click_in_the_program_selects_what_it_makes(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named loss")
    page.locator(".cm-line", has_text="loss = ").locator(".makes", has_text="mean").click()
    expect(page.locator("#inspector h2")).to_have_text("mean")


def test_variables_and_output_follow_the_step(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    press(page, "Home")
    expect(page.locator("#output")).to_contain_text("Nothing printed yet")
    seek(page, r"^The program prints step 0")
    expect(page.locator("#output .new")).to_contain_text("step 0  loss")
    expect(page.locator(".vars")).to_contain_text("weight.grad")
    press(page, "End")
    assert (page.locator("#output").text_content() or "").count("loss") == 4


def test_the_graph_is_walked_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    seek(page, r"named loss")
    number = step(page)
    page.keyboard.press("g")
    expect(page.locator(".node:focus")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".node.is-selected:focus")).to_have_count(1)
    assert step(page) == number


def test_the_timeline_seeks(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    expect(page.locator(".lanes .phase").first).to_have_text("init")
    box = page.locator("#lanes .lanes").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 32)
    middle = step(page)
    assert steps(page) * 0.3 < middle < steps(page) * 0.8
    expect(page.locator(".lanes .captext")).to_have_text(str(middle))


def test_edit_run_and_back(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, "import torch\na = torch.ones(3, requires_grad=True)\nb = (a * 2).sum()\nb.backward()\nprint(a.grad)\n")
    seek(page, r"^a.grad exists now: 3 numbers")
    press(page, "End")
    expect(page.locator("#output")).to_contain_text("tensor([2., 2., 2.])")


def test_what_a_program_prints_is_never_markup(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    bad = "<img src=x onerror=alert(1)><b>bold</b>"
    run(page, f"import torch\ntext = '{bad}'\nprint(text)\nraise ValueError(text)\n")
    press(page, "End")
    expect(page.locator("#output")).to_contain_text(bad)
    assert page.locator("img[src='x'], img[onerror], .app b:has-text('bold')").count() == 0
    expect(page.locator("#inspector")).to_contain_text(bad)


def test_a_run_can_be_stopped_and_is_kept(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("import torch\nx = torch.ones(2)\nwhile True:\n    pass\n")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#progress")).to_contain_text("Running line")
    page.locator("#run").click()
    expect(page.locator("#run-word")).to_have_text("Run")
    press(page, "End")
    expect(page.locator("#sentence")).to_have_text("A press of Stop ended the program in this line.")
    expect(page.locator("#inspector")).to_contain_text("You stopped the program.")
    expect(page.locator("#inspector")).to_contain_text("If the loop has no end, give it one.")
    press(page, "Home")
    press(page, "ArrowRight")
    expect(page.locator("#sentence")).to_contain_text("x holds")


def test_a_refused_program_says_what_to_do(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Backspace")
    page.keyboard.press("Control+Enter")
    message = page.get_by_role("alert")
    expect(message).to_contain_text("The program is empty")
    message.get_by_role("button", name="Close this message").click()
    expect(message).to_be_hidden()


def test_the_picker_opens_another_example(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name=re.compile("What the optimiser takes out")).click()
    expect(page.locator("#file")).to_have_text("optimiser_tf1.py")
    expect(page.locator("#mode")).to_contain_text("static graph")


def test_themes_are_chosen_and_kept(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    for words, theme in (("Dark", "dark"), ("High contrast", "contrast"), ("Light", "light"), ("Dark", "dark")):
        page.get_by_role("button", name="Theme").click()
        page.get_by_role("menuitemradio", name=words).click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_projector_shows_large_text_and_no_chrome(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", width=1920, height=1080)
    seek(page, r"named prediction")
    page.keyboard.press("p")
    expect(page.locator("header.bar")).to_be_hidden()
    expect(page.locator("#inspector")).to_be_hidden()
    size = page.evaluate(
        "() => document.querySelector('.world').getBoundingClientRect && "
        "12 * document.querySelector('.world').getCTM().a"
    )
    assert size >= 24
    page.keyboard.press("Escape")
    expect(page.locator("header.bar")).to_be_visible()


def test_a_pane_fills_the_screen(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.keyboard.press("f")
    expect(page.locator("#graph")).to_be_visible()
    expect(page.locator("#left")).to_be_hidden()
    page.keyboard.press("f")
    expect(page.locator("#left")).to_be_visible()


def test_on_a_phone_panes_are_tabs_and_forward_runs_down(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", width=390, height=844)
    seek(page, r"named loss")
    first, second = (node(page, name).bounding_box() for name in ("prediction", "error"))
    assert first is not None
    assert second is not None
    assert second["y"] > first["y"] + 30
    assert abs(second["x"] - first["x"]) < 20
    for tab, pane in (
        ("Code", "#code"),
        ("Node", "#inspector"),
        ("Variables", "#variables"),
        ("Output", "#output"),
        ("Times", "#lanes"),
        ("Graph", "#graph"),
    ):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(pane)).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    for key in ("Back one step (←)", "Next step (→)", "Play (Space)"):
        box = page.get_by_role("button", name=key).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48
    before = sentence(page)
    page.get_by_role("button", name="Next step (→)").click()
    expect(page.locator("#sentence")).not_to_have_text(before)


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080), (390, 844), (683, 384)])
def test_nothing_sticks_out(open_page: OpenPage, width: int, height: int) -> None:
    page = open_page("linear-regression-tf1", width=width, height=height)
    seek(page, r"is compiled")
    outside = page.evaluate(
        "() => [...document.querySelectorAll('.bar > *, .caption > p:not(.sr), .transport button, .tabs button')]"
        ".filter(e => e.offsetParent).map(e => [e.id || e.className, e.getBoundingClientRect()])"
        ".filter(([, r]) => r.left < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1).map(([n]) => n)"
    )
    assert outside == []


def test_the_step_is_spoken(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    press(page, "Home")
    press(page, "ArrowRight", 3)
    expect(page.locator("#live")).to_have_text(sentence(page))
    expect(page.locator("#live")).to_have_attribute("aria-live", "polite")
    expect(page.locator('.cm-line[aria-current="step"]')).to_have_count(1)

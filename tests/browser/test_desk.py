"""The program on the desk: kept over a reload, carried by links that run nothing, called by its own name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from player_page import press, run, seek, step, steps
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

PROGRAM = "import torch\nmine = torch.ones(3)\nprint(mine * 2)\n"


def text(page: Page) -> str:
    """The program in the editor."""
    lines: list[str] = page.evaluate("() => [...document.querySelectorAll('.cm-line')].map(line => line.innerText)")
    return "\n".join(line.replace("\n", "") for line in lines)


def reload(page: Page) -> None:
    """Reload once what is kept has been written."""
    page.wait_for_timeout(700)
    page.reload()
    expect(page.locator(".cm-content")).to_be_attached()


def runs_of(page: Page) -> list[str]:
    """Addresses of runs that the page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/runs" in request.url else None)
    return asked


def test_a_reload_keeps_the_program_and_runs_nothing(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    run(page, PROGRAM)
    asked = runs_of(page)
    reload(page)
    expect(page.locator(".cm-content")).to_contain_text("mine = torch.ones(3)")
    expect(page.locator("#file")).to_have_text("program.py")
    expect(page.locator("#stale-note")).to_contain_text("has not been run")
    expect(page.locator("#sentence")).to_contain_text("Press Run")
    assert asked == []
    page.locator("#run").click()
    expect(page.locator("#counter")).to_contain_text(re.compile(r"of \d"))
    press(page, "End")
    expect(page.locator("#output")).to_contain_text("tensor([2., 2., 2.])")


def test_one_can_go_back_to_the_example_and_to_ones_own(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    page.locator(".cm-content").click()
    page.keyboard.type("# more\n")
    page.get_by_role("button", name="Back to the example").click()
    expect(page.locator("#file")).to_have_text("xor_torch.py")
    expect(page.locator("#stale-note")).to_be_hidden()
    page.get_by_role("button", name="Bring mine back").click()
    expect(page.locator(".cm-content")).to_contain_text("# more")
    page.get_by_role("button", name="Back to the example").click()
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="Your last program").click()
    expect(page.locator(".cm-content")).to_contain_text("# more")
    expect(page.locator("#file")).to_have_text("program.py")


def test_a_program_that_came_from_no_example_is_not_taken_back_to_one(open_page: OpenPage) -> None:
    page = open_page("xor-torch")
    run(page, PROGRAM)
    page.locator(".cm-content").click()
    page.keyboard.type("# more\n")
    expect(page.locator("#stale-note")).to_contain_text("Edited since this run")
    expect(page.get_by_role("button", name="Back to the example")).to_have_count(0)


def test_an_edited_program_has_its_own_name_in_the_bar_and_in_tracebacks(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    expect(page.locator("#file")).to_have_text("linear_regression_torch.py")
    page.locator(".cm-content").click()
    page.keyboard.type("#")
    expect(page.locator("#file")).to_have_text("program.py")
    page.keyboard.press("Backspace")
    expect(page.locator("#file")).to_have_text("linear_regression_torch.py")
    run(page, "def f():\n    return 1 / 0\n\nf()\n")
    expect(page.locator("#file")).to_have_text("program.py")
    press(page, "End")
    expect(page.locator("#output")).to_contain_text('File "program.py", line 4, in <module>')


def test_the_address_holds_the_step_and_the_selection(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    number = seek(page, r"named loss")
    page.locator('.nodes [aria-label^="prediction"]').click()
    expect(page).to_have_url(re.compile(rf"/play#example=linear-regression-torch&step={number}&node=\d+$"))
    page.reload()
    expect(page.locator("#counter b")).to_have_text(str(number))
    expect(page.locator("#inspector")).to_contain_text("Named prediction")
    page.evaluate("() => { location.hash = '#example=xor-torch&step=9'; }")
    expect(page.locator("#file")).to_have_text("xor_torch.py")
    expect(page.locator("#counter b")).to_have_text("9")


def test_a_shared_link_shows_the_program_and_goes_to_the_step_once_it_is_run(open_page: OpenPage, server: str) -> None:
    page = open_page("linear-regression-torch")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
    run(page, PROGRAM)
    number = seek(page, r"^mul ")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".share-said")).to_contain_text("copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{server}/play#program=")
    assert len(link) < 200
    other = open_page("xor-torch")
    asked = runs_of(other)
    other.goto("about:blank")
    other.goto(link)
    expect(other.locator("#stale-note")).to_contain_text("came with the link. Nothing of it has run")
    expect(other.locator(".cm-content")).to_contain_text("mine = torch.ones(3)")
    assert asked == []
    other.locator("#run").click()
    expect(other.locator("#counter b")).to_have_text(str(number))
    expect(other.locator("#stale-note")).to_be_hidden()


def test_a_browser_without_a_clipboard_shows_the_link(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copy the link").click()
    field = page.get_by_label("Link to this program")
    expect(field).to_have_value(re.compile("#example=linear-regression-torch"))
    expect(field).to_be_focused()


def test_a_program_too_long_for_a_link_is_said_to_be(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("".join(f"x{i * 7919 % 100_003} = {i * i * 104_729}\n" for i in range(1500)))
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_contain_text("at most 8,000 arrive everywhere")
    expect(page.get_by_role("button", name="Copy the link")).to_have_count(0)
    page.get_by_role("button", name="Make a short link").click()
    expect(page.get_by_label("Markup of the frame")).to_have_value(re.compile(r"/embed\?link=[a-z2-7]{12}"))
    page.keyboard.press("Escape")
    page.wait_for_timeout(700)
    assert "program=" not in page.url


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("#program=AAAA&step=3", "cannot be read"),
        ("#example=of-the-past&step=3", "no example called of-the-past"),
        ("#%E0%A4%A&step=", ""),
        ("#example=xor-torch&step=99999&node=99999&view=77.88", ""),
    ],
)
def test_a_bad_address_never_breaks_the_page(open_page: OpenPage, server: str, place: str, words: str) -> None:
    page = open_page("linear-regression-torch")
    page.goto("about:blank")
    page.goto(f"{server}/play{place}")
    expect(page.locator("#counter")).to_contain_text(re.compile(r"of \d\d"))
    if words:
        expect(page.get_by_role("alert")).to_contain_text(words)
    else:
        expect(page.locator("#message")).to_be_hidden()
    press(page, "End")
    assert step(page) == steps(page)


def test_the_examples_are_grouped_once_under_the_bar(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.get_by_role("button", name="Examples").click()
    groups = page.locator(".menu .group").all_text_contents()
    assert groups[:2] == ["PyTorch", "TensorFlow 1"]
    assert len(groups) == len(set(groups))
    menu, bar = page.locator(".menu").bounding_box(), page.locator("header.bar").bounding_box()
    assert menu is not None
    assert bar is not None
    assert menu["y"] >= bar["y"] + bar["height"]
    expect(page.get_by_role("menuitem", name="A small network learns xor")).to_be_visible()

"""A lesson walked through as a reader does: predicts, errs, is shown, runs, solves; what is kept of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe import violations
from player_page import press, run, step
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
FOLDER = Path(__file__).parents[2] / "lessons" / "01-what-is-a-graph"


def open_lesson(open_path: OpenPage, *, width: int = 1440, height: int = 900, at: int = 1) -> Page:
    """The first lesson, at a step that was reached before."""
    page = open_path("/lessons", width=width, height=height)
    kept = f'{{"at":{at - 1},"reached":{at - 1},"answered":{{}},"solved":{{}},"code":{{}},"done":false}}'
    page.evaluate("(kept) => localStorage.setItem('stepgraph.lesson.what-is-a-graph', kept)", kept)
    page.goto(page.url + "/what-is-a-graph")
    expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)  # the recording may have to be made
    expect(page.locator(".cm-content")).to_be_attached()
    return page


def type_program(page: Page, name: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text((FOLDER / name).read_text())
    page.keyboard.press("Escape")


def check(page: Page) -> str:
    """Run and check; what the lesson says to it."""
    page.get_by_role("button", name="Run and check").click()
    expect(page.locator("#check")).to_have_text("Running …")
    expect(page.locator("#check")).to_have_text("Run and check", timeout=30_000)
    return page.locator(".quiz .result").inner_text()


def test_a_prediction(open_path: OpenPage) -> None:
    page = open_lesson(open_path, at=1)
    expect(page.locator("#lesson-no")).to_have_text("1 of 7")
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-title")).to_have_text("Arrows give the order")
    expect(page.locator("#lesson-title")).to_be_focused()
    expect(page.locator("#lesson-next")).to_be_disabled()
    # The future is hidden: keys and scrubber stop, the lanes show nothing of it.
    asked = step(page)
    for key in ("ArrowRight", "End"):
        press(page, key)
        assert step(page) == asked
    expect(page.locator("#progress")).to_have_text("What comes next is hidden until you answer.")
    strip = page.locator(".scrub").bounding_box()
    assert strip is not None
    page.mouse.click(strip["x"] + strip["width"] - 12, strip["y"] + 18)
    assert step(page) == asked
    # Nor is anything of it found.
    page.keyboard.press("Control+k")
    page.keyboard.insert_text("mul")
    expect(page.locator(".found-note")).to_have_text("What comes next is hidden until you answer.")
    expect(page.locator(".find li .place")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert step(page) == asked
    page.keyboard.press("t")
    expect(page.locator(".bars-later")).to_be_hidden()
    expect(page.locator("#time-phases")).to_be_hidden()
    page.keyboard.press("Escape")
    # The options stand in the picture, also those that nothing has been made of yet.
    options = page.locator(".opts button")
    numbers = [one.strip() for one in page.locator(".choice-number").all_text_contents()]
    assert sorted(numbers) == [str(n + 1) for n in range(options.count())]
    assert page.locator(".choice.is-absent").count() == 2
    assert violations(page, "body") == []
    # Wrong, by its number: it says why, and stays tried.
    wrong = next(n for n in range(options.count()) if (options.nth(n).text_content() or "").endswith("s (add)"))
    page.keyboard.press(str(wrong + 1))
    expect(page.locator(".quiz .lead")).to_have_text("Not that one. Try again.")
    expect(page.locator(".says")).to_contain_text("It has its value already.")
    expect(options.nth(wrong)).to_be_disabled()
    # Right, by pointing at its place in the picture.
    page.locator(".choice", has_text="t (add)").click()
    expect(page.locator(".quiz .lead")).to_have_text("Right at try 2.")
    expect(page.locator(".choice")).to_have_count(0)
    expect(page.locator("#sentence")).to_contain_text("named t")
    assert step(page) > asked
    press(page, "End")
    assert step(page) == 7
    # The way on is open, and the answers are kept.
    page.reload()
    expect(page.locator("#lesson-title")).to_have_text("Arrows give the order")
    expect(page.locator(".quiz .lead")).to_have_text("Right at try 2.")
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-no")).to_have_text("3 of 7")


def test_a_table_of_times_hides_what_comes_too(open_path: OpenPage) -> None:
    page = open_path("/lessons/price-of-change", width=1440, height=900)
    rows = page.locator(".timing-panel tbody tr")
    expect(rows.first).to_contain_text("Build the graph", timeout=30_000)
    before = rows.all_inner_texts()
    assert not [row for row in before if row.startswith("All")]
    page.get_by_role("button", name="Show me").click()
    expect(rows.first).to_contain_text("All")
    assert rows.count() > len(before) + 1


def test_hints_numbers_and_what_is_shown(open_path: OpenPage) -> None:
    page = open_lesson(open_path, at=5)
    expect(page.locator(".hint-text")).to_be_hidden()
    page.get_by_role("button", name="Give me a hint").click()
    expect(page.locator(".hint-text")).to_contain_text("Count the doublings")
    field = page.get_by_label("Your answer")
    field.fill("5")
    page.reload()  # typed, and not given yet
    expect(field).to_have_value("5")
    field.press("Enter")
    expect(page.locator(".quiz .lead")).to_have_text("Not that one. Try again.")
    field.fill("4")
    field.press("Enter")
    expect(page.locator(".quiz .lead")).to_have_text("Right at try 2.")
    page.locator("#lesson-next").click()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".quiz .lead")).to_have_text("Shown.")
    expect(page.locator(".opts .correct")).to_contain_text("while loop has a cycle")


def test_two_programs(open_path: OpenPage) -> None:
    page = open_lesson(open_path, at=4)
    page.get_by_role("button", name="formula.py", exact=True).click()
    expect(page.locator(".cm-content")).to_contain_text("torch")
    page.get_by_role("button", name="formula_tf1.py").click()
    expect(page.locator(".cm-content")).to_contain_text("tensorflow")
    expect(page.get_by_role("button", name="Play this part")).to_be_visible()
    expect(page.locator("#playground")).to_have_attribute("href", re.compile("^/play#program="))
    page.get_by_role("link", name="Side by side").click()
    expect(page.get_by_role("combobox", name="Right program")).to_contain_text("right program of the link")


def test_the_program_is_edited_in_place_and_kept(open_path: OpenPage) -> None:
    page = open_lesson(open_path, at=3)
    code, stale = page.locator(".cm-content"), page.locator("#stale-note")
    back = page.locator("#lesson-tools").get_by_role("button", name="Back to the lesson’s program")
    expect(back).to_be_hidden()
    page.get_by_role("button", name="Edit the program").click()
    code.click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nprint(y * 100)\n")
    expect(stale).to_contain_text("Back to the lesson’s program")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#output")).to_contain_text("2000", timeout=30_000)
    # It stays with its step: the next one has the lesson's program, and so has the one before.
    page.locator("#lesson-back").click()
    expect(code).not_to_contain_text("100")
    expect(back).to_be_hidden()
    page.get_by_role("button", name="Step 3").click()
    expect(code).to_contain_text("print(y * 100)")
    page.reload()
    expect(code).to_contain_text("print(y * 100)")
    expect(stale).to_contain_text("Edited since this run")
    expect(page.locator("#counter")).to_contain_text("of 7")
    # To answer brings the lesson's recording back, and leaves the reader's text alone.
    page.get_by_role("button", name="Show me").click()
    expect(code).to_contain_text("print(y * 100)")
    back.click()
    expect(code).not_to_contain_text("100")
    expect(page.locator("#counter")).to_contain_text("of 7")
    expect(back).to_be_hidden()
    page.reload()
    expect(page.locator("#counter")).to_contain_text("of 7")
    expect(code).to_contain_text("y = s * t")
    expect(code).not_to_contain_text("100")


def test_an_exercise(open_path: OpenPage) -> None:
    page = open_lesson(open_path, at=7)
    assert "1 of 4 checks hold" in check(page)
    for number in (1, 2, 3):
        page.locator(".quiz .helps button").first.click()
        expect(page.locator(".hints li")).to_have_count(number)
    expect(page.get_by_role("button", name="No more hints")).to_be_disabled()
    # Each worked mistake is known by what it does.
    type_program(page, "mistake_python.py")
    assert "Python computed it" in check(page)
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text(
        (FOLDER / "mistake_python.py").read_text().strip().splitlines()[-1]
    )
    type_program(page, "mistake_order.py")
    assert "mean first and the square afterwards" in check(page)
    type_program(page, "solution.py")
    said = check(page)
    assert "Solved. Every check holds." in said
    assert "((pred - target) ** 2).mean()" in said
    assert violations(page, "body") == []
    page.get_by_role("button", name="Start again").click()
    expect(page.locator(".cm-content")).to_contain_text("loss = None")
    page.get_by_role("button", name="Show a solution").click()
    expect(page.locator(".solution .theirs")).to_contain_text("mean()")
    expect(page.locator(".solution .mine")).to_contain_text("None")
    page.get_by_role("button", name="Put it into the editor").click()
    expect(page.locator(".cm-content")).to_contain_text("mean()")
    page.get_by_role("button", name="Next lesson").click()
    expect(page).to_have_url(re.compile("/lessons/define-then-run"))
    page.goto(page.url.rsplit("/", 1)[0])
    entry = page.locator("[data-lesson=what-is-a-graph]")
    expect(entry.locator(".state")).to_have_text("✓ done")
    expect(entry.locator(".minutes")).to_have_text(re.compile(r"^13 min(you: \d min)?$"))
    page.evaluate("""() => {
        const kept = JSON.parse(localStorage.getItem('stepgraph.lesson.what-is-a-graph'));
        localStorage.setItem('stepgraph.lesson.what-is-a-graph', JSON.stringify({ ...kept, spent: 754321.5 }));
    }""")
    page.reload()
    expect(entry.locator(".yours")).to_have_text("you: 13 min")


def test_the_clinic_is_near_every_failed_run(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    for program in ("1 / 0\n", "import torch\ntorch.ones(2) @ torch.ones(3)\n", "raise SystemExit(3)\n"):
        run(page, program)
        press(page, "End")
        expect(page.locator(".card .clinic a")).to_have_attribute("href", "/lessons/clinic")
    page.locator(".card .clinic a").click()
    expect(page.locator("#lesson-title")).to_have_text("1. The result is a riddle")


@pytest.mark.parametrize("path", ["/lessons", "/teach", "/teach/what-is-a-graph"])
def test_pages_round_the_lessons(open_path: OpenPage, path: str) -> None:
    page = open_path(path, width=390, height=844)
    assert violations(page, "body") == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone(open_path: OpenPage) -> None:
    page = open_lesson(open_path, width=390, height=844, at=2)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, "body") == []
    text, player = page.locator("#lesson-text").bounding_box(), page.locator("#app").bounding_box()
    assert text is not None
    assert player is not None
    assert player["y"] >= text["y"] + text["height"] - 1
    page.locator(".opts button", has_text="t (add)").click()
    expect(page.locator(".quiz .lead")).to_have_text("Right.")
    expect(page.locator("#run-here")).to_be_in_viewport(ratio=1)
    playground = page.locator("#lesson-tools .playground")
    expect(playground).to_have_attribute("href", re.compile("^/play#"))
    playground.scroll_into_view_if_needed()
    expect(playground).to_be_in_viewport()

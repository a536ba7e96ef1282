"""Every lesson walked through to its end: each question answered wrongly and then rightly, each worked mistake told its
own message, each exercise solved. One lesson in `make test`, all of them with the full matrices."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.lessons import Lesson, load
from tests.answers import answer

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
LESSONS = [
    pytest.param(lesson, id=lesson.id, marks=() if lesson.id == "define-by-run" else pytest.mark.slow)
    for lesson in load().lessons
]


def run_and_check(page: Page, source: str) -> str:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    expect(page.locator(".cm-content")).to_contain_text(source.strip().splitlines()[-1].strip())
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Run and check").click()
    expect(page.locator("#check")).not_to_have_text("Run and check")
    expect(page.locator("#check")).to_have_text("Run and check", timeout=60_000)
    return page.locator(".quiz .result").inner_text()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_to_its_end(open_path: OpenPage, lesson: Lesson) -> None:
    page = open_path(f"/lessons/{lesson.id}", width=1440, height=900)
    origin = page.url.partition("/lessons/")[0]
    told = page.request.get(f"{origin}/api/lessons/{lesson.id}", timeout=120_000).json()
    expect(page.locator("#counter")).to_contain_text("of", timeout=60_000)
    solved = 0
    for number, (written, step) in enumerate(zip(lesson.steps, told["steps"], strict=True), 1):
        expect(page.locator("#lesson-no")).to_have_text(f"{number} of {len(lesson.steps)}")
        expect(page.locator("#lesson-title")).to_have_text(step["title"])
        if "question" in step:
            answer(page, step["question"])
        if written.exercise is not None:
            first = lesson.programs[written.exercise.program].source.strip().splitlines()[-1].strip()
            expect(page.locator(".cm-content")).to_contain_text(
                first, timeout=30_000
            )  # its recording may have to be made
            expect(page.locator("#code[inert]")).to_have_count(0)
            for mistake in written.exercise.mistakes:
                result = run_and_check(page, lesson.programs[mistake.program].source)
                assert re.sub(r"[`*]", "", mistake.says)[:30] in result.replace("\n", " ")
            result = run_and_check(page, lesson.programs[written.exercise.solution].source)
            assert "Every check holds" in result
            solved += 1
        expect(page.locator("#lesson-next")).to_be_enabled()
        page.locator("#lesson-next").click()
    assert solved == len(lesson.exercises()) >= 1
    expect(page).to_have_url(re.compile(r"/lessons(/[a-z-]+)?(#step=1)?$"))
    kept = page.evaluate("(id) => JSON.parse(localStorage.getItem('stepgraph.lesson.' + id))", lesson.id)
    assert kept["done"] is True

"""A claim about speed in a lesson: measured by the reader's own runs, judged with its spread, told as it came out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from app.lessons import load

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]
LESSON = load().get("sequences")
assert LESSON is not None
AT = next(at for at, step in enumerate(LESSON.steps) if step.measure)
QUICK, SLOW = "print(1)\n", "import time\ntime.sleep(0.1)\n"


def open_step(open_path: OpenPage) -> Page:
    page = open_path("/lessons", width=1440, height=900)
    kept = json.dumps({"at": AT, "reached": AT})
    page.evaluate("(kept) => localStorage.setItem('stepgraph.lesson.sequences', kept)", kept)
    page.goto(page.url + "/sequences")
    expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
    return page


def run_instead(page: Page, programs: dict[str, str]) -> None:
    """The two programs of the step are exchanged for others on their way to the server, and measured twice each."""

    def hand_on(route: Route) -> None:
        body = route.request.post_data_json
        route.continue_(post_data=json.dumps({**body, "source": programs[body["name"]], "measure": {"repeats": 2}}))

    page.route("**/api/runs", lambda route: hand_on(route) if route.request.method == "POST" else route.fallback())


@pytest.mark.parametrize(
    ("padded", "true", "verdict", "words"),
    [
        pytest.param(QUICK, SLOW, "fails", "× It does not hold here.", id="fails"),
        pytest.param(SLOW, QUICK, "holds", "✓ It holds here.", id="holds", marks=pytest.mark.slow),
    ],
)
def test_a_claim_is_judged_by_the_readers_own_runs(
    open_path: OpenPage, padded: str, true: str, verdict: str, words: str
) -> None:
    page = open_step(open_path)
    run_instead(page, {"padded_work.py": padded, "true_work.py": true})
    expect(page.locator(".measure .claim")).to_contain_text("Padding wastes work, so the padded program is slower.")
    expect(page.locator(".measure .result")).to_be_empty()
    page.get_by_role("button", name="Measure it here").click()
    expect(page.locator(".progress-words")).to_contain_text("padded_work.py: ")
    told = page.locator(f".verdict.{verdict}")
    expect(told).to_have_text(words, timeout=60_000)
    rows = page.locator(".measured tbody tr")
    expect(rows).to_have_count(2)
    for row in rows.all_inner_texts():
        # The median, and from where to where the middle half of the runs lies.
        assert re.search(r"the whole program\s+[\d.]+ [nµm]?s\s+[\d.]+ [nµm]?s to [\d.]+ [nµm]?s", row), row
    expect(page.locator(".measure .how")).to_contain_text("It is not the speed of TensorFlow or PyTorch.")
    expect(page.get_by_role("button", name="Measure again")).to_be_visible()


def test_where_the_spreads_leave_it_open_it_says_so(open_path: OpenPage) -> None:
    page = open_step(open_path)
    run_instead(page, {"padded_work.py": QUICK, "true_work.py": QUICK})
    # Whether spreads overlap is chance; that the judge sees it is tried in tests/lessons/test_verdicts.py.
    undecided = {"verdict": "undecided", "words": "Not decided here: the spreads overlap.", "rows": []}
    page.route("**/measures", lambda route: route.fulfill(json=undecided))
    page.get_by_role("button", name="Measure it here").click()
    expect(page.locator(".verdict.undecided")).to_have_text("≈ Not decided here: the spreads overlap.", timeout=60_000)
    # A measurement can be broken off, and says so.
    run_instead(page, {"padded_work.py": SLOW * 20, "true_work.py": QUICK})
    page.get_by_role("button", name="Measure again").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".progress-words")).to_have_text("Stopped.", timeout=30_000)
    expect(page.get_by_role("button", name="Measure it here")).to_be_visible()

"""The start page and the side-by-side, in a real browser: both play real recordings over one scrubber."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from axe import violations, violations_in_every_theme
from playwright.sync_api import Page, ViewportSize, expect
from readers import Readers

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
SIDES = ("#side-a", "#side-b")


@pytest.fixture
def visit(readers: Readers) -> Visit:
    """``visit(path, width=…, height=…, still=True)``: a page of the server."""

    def visit_(path: str, *, width: int = 1440, height: int = 900, still: bool = True) -> Page:
        page = readers.page(width=width, height=height, still=still, patience=20_000)
        page.goto(readers.origin + path)
        return page

    return visit_


@pytest.fixture
def compare(visit: Visit) -> Visit:
    """The side-by-side, once both recordings are there."""

    def compare_(place: str = "", **how: Any) -> Page:
        page = visit(f"/compare{place}", **how)
        expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)
        return page

    return compare_


def moment(page: Page) -> tuple[int, int]:
    match = re.search(r"Moment (\d+) of (\d+)", page.locator("#counter").text_content() or "")
    assert match
    return int(match[1]), int(match[2])


def positions(page: Page) -> list[dict[str, str]]:
    """Where every node stands, by its place, for each side."""
    found: list[dict[str, str]] = page.evaluate(
        "(sides) => sides.map((side) => Object.fromEntries([...document.querySelectorAll(side + ' .nodes .node')]"
        ".map((n) => [n.dataset.slot, n.getAttribute('transform')])))",
        list(SIDES),
    )
    return found


def test_something_moves_on_the_start_page_before_anything_is_pressed(visit: Visit) -> None:
    page = visit("/", still=False)
    for side in SIDES:
        expect(page.locator(f"{side} .nodes .node").first).to_be_visible(timeout=30_000)
    before = page.locator(".duet").inner_html()
    page.wait_for_function("(old) => document.querySelector('.duet').innerHTML !== old", arg=before)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


def test_the_ways_on_lead_to_pages_that_exist(visit: Visit, server: str) -> None:
    page = visit("/")
    targets = [link.get_attribute("href") or "" for link in page.locator(".ways a").all()]
    assert len(targets) == 3
    for target in targets:
        answer = page.goto(server + target)
        assert answer is not None
        assert answer.ok
        expect(page.locator("main")).to_be_visible()


@pytest.mark.parametrize("place", ["/?example=xor-torch", "/#example=xor-torch&step=12"])
def test_addresses_from_when_the_player_stood_here_lead_to_it(visit: Visit, place: str) -> None:
    page = visit(place)
    expect(page).to_have_url(re.compile(r"/play[?#].*example=xor-torch"))
    expect(page.locator("#file")).to_have_text(re.compile(r"xor\w*\.py"))


def test_static_holds_nothing_while_it_is_prepared(compare: Visit) -> None:
    """Which side is ahead is measured and differs from run to run; that words and picture agree does not."""
    page = compare("#left=same-model-tf1&right=same-model-torch&lock=clock")
    page.keyboard.press("Home")
    computed = ".nodes .is-value:not(.f-variable, .f-control, .f-input)"
    preparing = re.compile(r"TensorFlow 1 is still \w+ and has computed nothing")
    said = most = 0
    for _ in range(moment(page)[1]):
        page.keyboard.press("ArrowRight")
        if preparing.search(page.locator(".together .sentence").inner_text()):
            said += 1
            assert page.locator(f"#side-a {computed}").count() == 0
        most = max(most, page.locator(f"#side-b {computed}").count())
    assert said > 10
    assert most > 1


@pytest.mark.parametrize("lock", ["clock", "line", "phase"])
def test_nothing_ever_moves_and_both_sides_arrive(compare: Visit, lock: str) -> None:
    page = compare(f"#left=linear-regression-tf1&right=linear-regression-torch&lock={lock}")
    page.keyboard.press("Home")
    known: list[dict[str, str]] = [{}, {}]
    _, last = moment(page)
    for _ in range(0, last, 7):
        for places, now in zip(known, positions(page), strict=True):
            for slot, where in now.items():
                assert places.setdefault(slot, where) == where
        page.evaluate(
            "() => { for (let i = 0; i < 7; i++) document.dispatchEvent(new KeyboardEvent('keydown', "
            "{key: 'ArrowRight', bubbles: true, cancelable: true})); }"
        )
    page.keyboard.press("End")
    assert moment(page) == (last, last)
    for side in SIDES:
        expect(page.locator(f"{side} header p")).to_contain_text("at its end")


def test_counterparts_are_linked_by_focus_and_by_click(compare: Visit) -> None:
    page = compare("#left=same-model-tf1&right=same-model-torch")
    page.keyboard.press("End")
    page.locator('#side-b .node[aria-label*="relu"]').focus()
    expect(page.locator(".link-words")).to_have_text(
        "h (relu) does what h (Relu) does in TensorFlow 1, fused by the pass fusion in a plan."
    )
    expect(page.locator(".links path")).to_have_count(3)
    page.keyboard.press("Enter")
    expect(page.locator('#side-a .node.is-selected[aria-label*="Relu"]')).to_be_attached()


def test_what_has_no_counterpart_says_why(compare: Visit) -> None:
    page = compare("#left=optimiser-tf1&right=linear-regression-torch&at=9999")
    page.keyboard.press("End")
    page.locator('#side-a .node[aria-label^="half"]').focus()
    expect(page.locator(".link-words")).to_contain_text("no counterpart, and folded by the pass constant folding")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("#left=optimiser-tf1&diff=plan.a.1", ["folded by the pass constant folding", "fused into one step", "merged"]),
        ("#left=xor-torch&right=xor-torch&diff=passes.a.0.1", ["other values, mean", ", then "]),
        ("#left=linear-regression-tf1&right=linear-regression-torch&show=difference", ["no counterpart"]),
    ],
)
def test_a_difference_is_a_list_and_marks_on_both_graphs(compare: Visit, place: str, words: list[str]) -> None:
    page = compare(place)
    if "diff=" not in place:
        page.keyboard.press("End")
    table = page.locator(".differences")
    for word in words:
        expect(table).to_contain_text(word)
    kinds = {
        row.split()[0] for row in page.locator(".differences tbody tr").evaluate_all("(r) => r.map(x => x.className)")
    }
    assert kinds <= {"is-added", "is-removed", "is-changed"}
    expect(page.locator("#side-a .nodes [class*=mark-]").first).to_be_attached()


def test_the_address_holds_the_position(compare: Visit, server: str) -> None:
    page = compare("#left=xor-torch&right=linear-regression-torch&lock=phase&at=20&show=memory")
    assert moment(page)[0] == 20
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash.includes('at=21')")
    where = page.url
    page.goto("about:blank")
    page.goto(where)
    expect(page.locator("#counter")).to_contain_text("Moment 21 of", timeout=30_000)
    expect(page.locator("#tab-memory")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#lock input[value=phase]")).to_be_checked()


def test_a_linked_program_runs_only_when_that_is_asked_for(visit: Visit) -> None:
    source = "import torch\nx = torch.ones(2)\nfor k in range(3):\n    y = (x * 2).sum()\nprint(y)\n"
    packed = base64.urlsafe_b64encode(zlib.compress(source.encode())).rstrip(b"=").decode()
    page = visit(f"/compare#left-program={packed}&right=same-model-torch")
    expect(page.locator("#progress")).to_have_text("Press Run to record both programs.")
    assert page.locator("#counter").text_content() == ""
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#counter")).to_contain_text("Moment", timeout=30_000)
    expect(page.locator("#side-a h2")).to_have_text("program.py")
    expect(page.locator("#side-b h2")).to_have_text("same_model_torch.py")
    page.wait_for_function("() => location.hash.includes('left-program=')")


def test_a_break_even_is_measured_and_has_its_table(compare: Visit) -> None:
    page = compare("#left=same-model-tf1&right=same-model-torch")
    page.get_by_role("button", name="Measure both").click()
    expect(page.locator(".verdict")).to_be_visible(timeout=60_000)
    expect(page.locator(".plot path.line")).to_have_count(2)
    expect(page.locator("#chart .how").first).to_contain_text("not TensorFlow or PyTorch")
    rows = page.locator('[aria-label="The same as a table"] tbody tr')
    assert rows.count() >= 4
    page.get_by_label("Distinct shapes").fill("5")
    expect(page.locator("#chart .how").first).to_contain_text("Each further shape")
    assert violations(page, "html") == []


@pytest.mark.parametrize(
    "place", ["/", "/compare#at=40", "/compare#left=optimiser-tf1&diff=plan.a.1", "/compare#left=xor-torch&show=memory"]
)
def test_the_pages_are_clean_in_every_theme_and_fit_every_screen(visit: Visit, place: str) -> None:
    page = visit(place)
    expect(page.locator(".strip rect").first).to_be_attached(timeout=30_000)
    assert violations_in_every_theme(page, "html") == []
    for width in (1920, 768, 360):
        page.set_viewport_size(ViewportSize(width=width, height=780))
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, width


@pytest.mark.parametrize(
    ("example", "step", "words"),
    [("optimiser-tf1", 75, "no slack"), ("xor-torch", 60, "Critical path")],
)
def test_the_critical_path_is_on_the_graph_and_in_a_table(visit: Visit, example: str, step: int, words: str) -> None:
    page = visit(f"/play#example={example}&step={step}")
    expect(page.locator("#counter")).to_contain_text(f"Step {step} of", timeout=30_000)
    page.locator("#time-critical").click()
    expect(page.locator(".timing-head")).to_contain_text("Critical path")
    assert page.locator(".timing-table tr.is-critical").count() >= 1
    assert words in (page.locator("body").text_content() or "")
    page.locator(".timing-head select").select_option("10")
    expect(page.locator(".timing-table tbody tr").first).to_contain_text("%")
    assert violations(page, "#time") == []
    page.locator("#time-phases").click()
    expect(page.locator(".timing-table")).to_contain_text("framework, Python")
    page.locator("#time-memory").click()
    expect(page.locator(".timing-panel .plot")).to_be_visible()
    assert violations(page, "#time") == []
    page.locator("#time-lanes").click()
    expect(page.get_by_role("slider", name="Timeline")).to_be_visible()

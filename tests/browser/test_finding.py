"""Finding things: breakpoints, the find box, stepping over calls and by grain, watches, values under the pointer."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe import violations_in_every_theme
from player_page import press, run, seek, sentence, step
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

SPOILT = """import torch

def scale(x, k):
    y = x * k
    return y

config = {"rate": 0.1}
x = torch.tensor([1.0, 0.5])
for i in range(3):
    z = scale(x, 1 - i)
    loss = torch.log(z).sum()
    print(i, loss.item())
"""
PRINTED = """import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
a = tf.constant(2.0)
c = a * 3.0
print(c)
with tf.Session() as sess:
    print(sess.run(c))
"""


def ask(page: Page, words: str) -> Locator:
    """Type into the find box; gives its rows."""
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Find in this recording")
    expect(box).to_be_focused()
    box.fill(words)
    return page.get_by_role("listbox", name="Found").get_by_role("option")


def line(page: Page) -> str:
    return (page.locator(".cm-line.now").text_content() or "").strip()


def under(page: Page, number: int, word: str) -> tuple[float, float]:
    """Where a word of the program stands on the screen."""
    place: list[float] = page.evaluate(
        """([number, word]) => {
          const line = document.querySelectorAll('.cm-line')[number - 1];
          line.scrollIntoView({block: 'center'});
          const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const at = node.textContent.indexOf(word);
            if (at < 0 || node.parentElement.closest('.val')) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
          }
          return [];
        }""",
        [number, word],
    )
    assert place, f"line {number} has no {word}"
    return place[0], place[1]


@pytest.fixture
def spoilt(open_page: OpenPage) -> Page:
    """A page whose program makes a NaN in its third pass."""
    page = open_page("linear-regression-torch")
    run(page, SPOILT)
    press(page, "Home")
    return page


def test_where_the_nan_came_from(spoilt: Page) -> None:
    spoilt.get_by_role("button", name="Find", exact=True).click()
    row = spoilt.get_by_role("option", name=re.compile("First NaN or infinity"))
    expect(row).to_contain_text("log holds 2 infinities")
    expect(row).to_contain_text("y is 0")
    spoilt.keyboard.press("Enter")
    expect(spoilt.locator(".find")).to_be_hidden()
    assert sentence(spoilt).startswith("log takes the logarithm of y")
    assert line(spoilt).startswith("loss = torch.log(z).sum()")
    expect(spoilt.locator("#inspector h2")).to_contain_text("log")
    expect(spoilt.locator("#inspector")).to_contain_text("2 infinite")


def test_which_op_takes_longest(spoilt: Page) -> None:
    rows = ask(spoilt, "longest")
    rows.filter(has_text="Which op takes longest?").click()
    expect(rows.first).to_contain_text("of all kernel time")
    expect(rows).to_have_count(3)  # mul, log, sum
    spoilt.keyboard.press("Enter")
    assert step(spoilt) > 1


def test_why_a_static_program_prints_a_node(open_page: OpenPage) -> None:
    page = open_page("linear-regression-tf1")
    run(page, PRINTED)
    rows = ask(page, "Tensor(")
    expect(rows).to_have_count(1)
    page.keyboard.press("Enter")
    assert sentence(page).startswith('The program prints Tensor("')
    ask(page, "printed").filter(has_text="A node was printed").click()
    expect(page.locator("#notes details")).to_have_attribute("open", "")
    expect(page.locator("#notes details p").first).to_be_visible()


def test_search_lists_counts_and_goes_from_match_to_match(spoilt: Page) -> None:
    expect(ask(spoilt, "logarithm")).to_have_count(3)
    expect(spoilt.locator(".found-note")).to_have_text("3 steps.")
    spoilt.keyboard.press("ArrowDown")
    expect(spoilt.locator('.find [aria-selected="true"]')).to_have_attribute("id", "found-row-1")
    spoilt.keyboard.press("Enter")
    second = step(spoilt)
    spoilt.keyboard.press("n")
    third = step(spoilt)
    assert third > second
    spoilt.keyboard.press("n")
    first = step(spoilt)
    assert first < second
    spoilt.keyboard.press("Shift+N")
    assert step(spoilt) == third
    ask(spoilt, "logarithm")
    spoilt.get_by_role("button", name="Match before").click()
    assert step(spoilt) == second
    expect(spoilt.locator(".found-where")).to_have_text("2 of 3")
    spoilt.keyboard.press("Escape")
    expect(spoilt.locator(".find")).to_be_hidden()
    ask(spoilt, "<img src=x onerror=alert(1)>")
    expect(spoilt.locator(".found-note")).to_contain_text("Nothing is called so")


def test_a_breakpoint_has_a_condition(spoilt: Page) -> None:
    spoilt.locator(".cm-lineNumbers .cm-gutterElement", has_text=re.compile("^11$")).click()
    strip = spoilt.get_by_role("region", name="Breakpoints")
    expect(strip).to_contain_text("3 times")
    field = strip.get_by_label("Condition of line 11")
    field.fill("z.min <")
    field.press("Enter")
    expect(strip).to_contain_text("missing at the end")
    expect(strip).to_contain_text("never")
    field.fill("z.min < 0 and i > 0")
    field.press("Enter")
    expect(strip).to_contain_text("1 time")
    field.blur()
    press(spoilt, "B", shift=True)
    assert line(spoilt).startswith("loss =")
    hit = step(spoilt)
    press(spoilt, "End")
    strip.get_by_role("button", name="Visit before of a breakpoint").click()
    assert step(spoilt) == hit
    press(spoilt, "Home")
    for _ in range(4):
        press(spoilt, "s")
    spoilt.keyboard.press("Space")
    expect(spoilt.locator("#counter b")).to_have_text(str(hit))
    expect(spoilt.get_by_role("button", name="Play (Space)")).to_be_visible()
    strip.get_by_role("button", name="Do not stop at line 11").click()
    expect(strip).to_be_hidden()


def test_breakpoints_on_ops_and_nodes(spoilt: Page) -> None:
    ask(spoilt, "stop log").filter(has_text="Stop at every log").click()
    expect(spoilt.locator("#stops")).to_contain_text("every log")
    press(spoilt, "B", shift=True)
    assert sentence(spoilt).startswith("log takes")
    spoilt.locator("#inspector").get_by_role("button", name="stop here").click()
    expect(spoilt.locator("#inspector").get_by_role("button", name="stop here")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(spoilt.locator("#stops li")).to_have_count(2)
    spoilt.locator("#inspector").get_by_role("button", name="stop at every log").click()
    expect(spoilt.locator("#stops li")).to_have_count(1)
    expect(spoilt.locator("#stops")).to_contain_text("node log")


def test_over_a_call_out_of_it_and_to_the_cursor(spoilt: Page) -> None:
    seek(spoilt, "Python runs this line")
    while not line(spoilt).startswith("z = scale"):
        press(spoilt, "ArrowRight")
    press(spoilt, "j")
    assert line(spoilt).startswith("loss =")
    press(spoilt, "J", shift=True)
    assert line(spoilt).startswith("z = scale")
    press(spoilt, "ArrowRight", shift=True)
    assert line(spoilt).startswith("y = x * k")
    press(spoilt, "u")
    assert line(spoilt).startswith("loss =")
    x, y = under(spoilt, 5, "return")
    spoilt.mouse.click(x, y)
    spoilt.keyboard.press("Escape")
    before = step(spoilt)
    press(spoilt, "r")
    assert line(spoilt).startswith("return y")
    assert step(spoilt) > before


def test_the_grain_of_a_press(spoilt: Page) -> None:
    spoilt.get_by_label("How far one press goes").select_option("iteration")
    press(spoilt, "ArrowRight")
    assert line(spoilt).startswith(("for i in range(3)", "z = scale"))
    first = step(spoilt)
    press(spoilt, "ArrowRight")
    assert line(spoilt).startswith(("for i in range(3)", "z = scale"))
    assert step(spoilt) > first + 3
    expect(spoilt.get_by_role("button", name="Next iteration (→)")).to_be_visible()
    loss = spoilt.locator("#variables tr", has_text="loss")
    press(spoilt, "ArrowRight")
    expect(loss).to_have_class(re.compile("changed"))
    expect(loss.locator("td").nth(2)).to_have_text("−0.6931 → −∞")
    press(spoilt, "e")
    expect(spoilt.get_by_label("How far one press goes")).to_have_value("phase")


def test_a_variable_says_when_it_changes_who_made_it_and_who_uses_it(spoilt: Page) -> None:
    press(spoilt, "End")
    spoilt.locator("#variables tr", has_text="loss").click()
    deeds = spoilt.locator("#variables .deeds")
    expect(deeds.get_by_role("button", name="Next change of loss")).to_be_disabled()
    deeds.get_by_role("button", name="Change before of loss").click()
    deeds.get_by_role("button", name="Change before of loss").click()
    expect(spoilt.locator("#variables tr", has_text="loss").first).to_contain_text("−0.6931 → −∞")
    press(spoilt, "x")
    expect(spoilt.locator("#variables tr", has_text="loss").first).to_contain_text("−∞ → NaN")
    deeds.get_by_role("button", name="Who made loss").click()
    rows = spoilt.get_by_role("listbox", name="Found").get_by_role("option")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("log makes log, from which it is made")
    rows.nth(1).click()
    assert sentence(spoilt).startswith("log takes")
    spoilt.keyboard.press("Shift+M")
    expect(rows.first).to_contain_text("sum")


def test_a_watch_shows_old_and_new_and_survives_a_reload(spoilt: Page) -> None:
    spoilt.keyboard.press("w")
    field = spoilt.get_by_label("Expression to watch")
    field.fill("loss.nan >")
    field.press("Enter")
    expect(spoilt.locator("#watches .problem")).to_contain_text("missing at the end")
    field.fill("config['rate'] * i")
    field.press("Enter")
    spoilt.keyboard.press("w")
    field.fill("loss.nan")
    field.press("Enter")
    rows = spoilt.locator("#watches tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("not known at this step")
    press(spoilt, "End")
    expect(rows.nth(0)).to_contain_text("0.2")
    expect(rows.nth(1)).to_contain_text("1")
    spoilt.locator("#watches").get_by_role("button", name="loss.nan", exact=True).click()
    spoilt.locator("#watches").get_by_role("button", name="Change before of loss.nan").click()
    expect(rows.nth(1)).to_contain_text("0 → 1")
    expect(spoilt).to_have_url(re.compile(r"watch=config.*watch=loss\.nan.*name=loss\.nan"))
    spoilt.reload()
    spoilt.get_by_role("button", name="Run").click()
    expect(spoilt.locator("#counter")).to_contain_text("of", timeout=30_000)
    expect(rows.nth(1)).to_contain_text("0 → 1")
    spoilt.get_by_role("button", name="Watch loss.nan no more").click()
    expect(rows.first).to_contain_text("config")
    expect(spoilt.get_by_role("button", name="loss.nan", exact=True)).to_have_count(0)


def test_the_value_under_the_pointer_and_at_the_cursor(spoilt: Page) -> None:
    seek(spoilt, "log takes the logarithm")
    card = spoilt.locator(".codecard")
    spoilt.mouse.move(*under(spoilt, 11, "log"))
    expect(card).to_contain_text("float32")
    expect(card).to_contain_text("−0.6931")
    spoilt.mouse.move(600, 300)
    expect(card).to_have_count(0)
    spoilt.mouse.move(*under(spoilt, 4, "k"))
    expect(card).to_contain_text("1")
    spoilt.mouse.move(600, 300)
    expect(card).to_have_count(0)
    spoilt.mouse.click(*under(spoilt, 9, "i"))
    spoilt.mouse.move(600, 300)
    spoilt.keyboard.press("Control+.")
    expect(card).to_contain_text("int")
    spoilt.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_an_address_brings_everything_back(open_page: OpenPage) -> None:
    page = open_page(
        "linear-regression-torch",
        query="#example=linear-regression-torch&step=30&by=line&stop=13:step%20%3E%201&stop=op:mm&watch=loss&find=backward",
    )
    expect(page.locator("#counter b")).to_have_text("30")
    expect(page.get_by_label("How far one press goes")).to_have_value("line")
    expect(page.locator("#stops li")).to_have_count(2)
    expect(page.get_by_label("Condition of line 13")).to_have_value("step > 1")
    expect(page.locator("#watches")).to_contain_text("loss")
    page.keyboard.press("n")
    assert "backward" in sentence(page).lower()
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem").nth(1).click()
    expect(page.locator("#stops")).to_be_hidden(timeout=30_000)  # it may have to be recorded
    expect(page.locator("#watches tr")).to_have_count(0)


def test_nonsense_in_an_address_is_no_error(open_page: OpenPage) -> None:
    page = open_page(
        "linear-regression-torch",
        query="#example=linear-regression-torch&step=30&by=x&stop=13:(&stop=node99999999&stop=op:none&watch=(((&name=)(&find=%5B(",
    )
    expect(page.locator("#counter b")).to_have_text("30")
    expect(page.locator("#stops li")).to_have_count(2)
    expect(page.locator("#stops .problem").first).to_contain_text("missing")
    expect(page.locator("#watches")).to_contain_text("missing")
    for key in ("x", "n", "m"):
        page.keyboard.press(key)
    expect(page.get_by_role("combobox", name="Find in this recording")).to_be_focused()


def test_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch", width=390, height=844)
    expect(page.get_by_label("How far one press goes")).to_be_visible()
    page.get_by_role("button", name="Find").click()
    box = page.locator(".find").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.get_by_role("combobox", name="Find in this recording").fill("loss")
    page.get_by_role("option").filter(has_text="Watch loss").click()
    page.get_by_role("tab", name="Variables").click()
    expect(page.locator("#watches")).to_contain_text("loss")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_boxes_strips_and_cards_are_clean(spoilt: Page) -> None:
    ask(spoilt, "stop log").filter(has_text="Stop at every log").click()
    spoilt.locator(".cm-lineNumbers .cm-gutterElement", has_text=re.compile("^11$")).click()
    spoilt.get_by_label("Condition of line 11").fill("z.min <")
    spoilt.get_by_label("Condition of line 11").press("Enter")
    ask(spoilt, "watch loss.nan").first.click()
    press(spoilt, "End")
    spoilt.locator("#variables tr", has_text="loss").click()
    spoilt.locator("#watches").get_by_role("button", name="loss.nan", exact=True).click()
    spoilt.keyboard.press("w")
    assert violations_in_every_theme(spoilt, "#stops", "#watches", "#variables", "#transport", "#inspector") == []
    spoilt.keyboard.press("Escape")
    spoilt.mouse.move(*under(spoilt, 11, "log"))
    expect(spoilt.locator(".codecard")).to_be_visible()
    assert violations_in_every_theme(spoilt, ".codecard") == []
    for words in ("", "loss", "slowest", "no such words"):
        ask(spoilt, words)
        assert violations_in_every_theme(spoilt, ".find") == []

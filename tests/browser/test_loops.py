"""A loop pass by pass: the table beside its region, in static graphs and in programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from player_page import press, run
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

STATIC = """import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
loop = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * 2.0), [tf.constant(0), tf.constant(1.0)])
with tf.Session() as sess:
    print(sess.run(loop))
"""
UNROLLED = """import torch
h = torch.tensor(1.0, requires_grad=True)
for t in range(3):
    h = torch.tanh(h * 2.0)
    s = h + 1.0
    u = s * s
"""
CELLS = "() => [...document.querySelectorAll('.passes tr')].map((row) => [...row.cells].map((c) => c.textContent))"


@pytest.mark.parametrize(
    ("program", "names", "first", "last"),
    [
        (STATIC, ["i", "s"], ["0", "1"], ["2", "4"]),
        (UNROLLED, ["t", "h", "s", "u"], ["0", "0.964", "1.964", "3.857"], ["2", "0.9577", "1.958", "3.833"]),
    ],
    ids=["static while", "unrolled for"],
)
def test_what_a_loop_held_in_each_pass(
    open_page: OpenPage, program: str, names: list[str], first: list[str], last: list[str]
) -> None:
    page = open_page("plain-python")
    run(page, program)
    press(page, "End")
    page.locator(".region-values").first.focus()
    page.keyboard.press("Enter")
    head, *rows = page.evaluate(CELLS)
    order = [head.index(name) for name in names]
    assert [[row[at] for at in order] for row in (rows[0], rows[-1])] == [first, last]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    press(page, "Home")
    press(page, "End")
    page.locator(".passes").get_by_role("button", name="Pass 2").click()
    expect(page.locator(".passes [aria-current=step]")).to_contain_text("2")
    expect(page.locator("#inspector h2")).to_contain_text("pass 2 of 3")
    rows = page.evaluate(CELLS)[1:]
    assert set(rows[2][1:]) == {"–"}, "what is still to come is not told"
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".passes")).to_have_count(0)


def test_a_reload_during_a_run_is_said(open_page: OpenPage) -> None:
    page = open_page("plain-python")
    page.evaluate("() => sessionStorage.setItem('stepgraph.running', '1')")
    page.reload()
    expect(page.locator("#message")).to_contain_text("that run is over")
    page.get_by_role("button", name="Run it again").click()
    expect(page.locator("#message")).to_be_hidden()
    page.reload()
    expect(page.locator("#counter")).to_contain_text("of", timeout=30_000)

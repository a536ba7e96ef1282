"""Whatever a program says reaches the page as text: each place that shows some of it is tried with markup."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from player_page import press, run
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

MARKUP = (
    "<img src=x onerror=pwned()>", "<script>pwned()</script>", "<svg onload=pwned()>",
    "</script><script>pwned()</script>",
    "\"><b onmouseover=pwned()>x</b>", "javascript:pwned()", "&lt;i&gt;&#60;b&#62;", "<iframe srcdoc='<p>'></iframe>",
    "{{7*7}}${7*7}", "\u202e<u>\u2066",
)  # fmt: skip
STRANGE = "img[src=x], svg[onload], [onerror], [onmouseover], #app b[onmouseover], iframe, [href^='javascript:']"

PROGRAMS = {
    "output and its text": "print(M)\nimport sys\nprint(M, file=sys.stderr)",
    "an error": "raise ValueError(M)",
    "a class of errors": "raise type(M, (Exception,), {})(M)",
    "values": "held = {M: [M, (M,)]}\nother = M\nprint(len(held))",
    "a name of a tensor": "import tensorflow as tf\n"
    "try:\n    a = tf.constant([1.0], name=M)\n    print(a)\nexcept Exception as e:\n    print(e)",
    "names of parameters": "import torch\nm = torch.nn.Module()\n"
    "m.register_module(M.replace('.', '_'), torch.nn.Linear(2, 1))\n"
    "print(m)\nprint(getattr(m, M.replace('.', '_'))(torch.ones(1, 2)))",
    "files": "open(M.replace('/', '_'), 'w').write(M)\nprint('written')",
    "a question": "try:\n    input(M)\nexcept EOFError:\n    pass",
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_markup_is_text(open_page: OpenPage, kind: str) -> None:
    page = open_page("linear-regression-torch")
    page.evaluate("() => { window.told = 0; window.pwned = () => { window.told++; }; }")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    everything = "".join(MARKUP)
    program = PROGRAMS[kind].replace("input(M)", f"print({everything!r})")
    run(page, f"M = {everything!r}\n{program}\n# {everything}\n")
    press(page, "End")
    for tab in page.locator("[role=tab]").all():
        if tab.is_visible():
            tab.click()
    for node in page.locator(".nodes .node").all()[:4]:
        node.dispatch_event("click")
    expect(page.locator(".cm-content")).to_contain_text("<img src=x onerror=pwned()>")
    assert page.locator(STRANGE).count() == 0
    assert page.evaluate("() => window.told") == 0
    shown = page.evaluate("() => document.body.innerText")
    assert "<script>pwned()" in shown


def _is_text(page: Page) -> None:
    expect(page.locator(".cm-content")).to_contain_text("<img src=x onerror=pwned()>")
    assert page.locator(STRANGE).count() == 0
    assert page.evaluate("() => typeof window.told") == "undefined"


def test_markup_in_what_is_passed_on_is_text(open_page: OpenPage, browser: Browser, tmp_path: Path) -> None:
    """A link, a notebook, a file and a page that plays alone, with markup wherever somebody may write."""
    everything = "".join(MARKUP)
    armed = "window.pwned = () => { window.told = 1; };"
    page = open_page("linear-regression-torch")
    page.add_init_script(armed)
    run(page, f"M = {everything!r}\nprint(M)\nopen('<b>.txt', 'w').write(M)\n# {everything}\n")

    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this program").input_value()
    page.keyboard.press("Escape")
    assert "%3Cimg" not in link
    assert "<img" not in link

    name = "<img src=x onerror=pwned()>"
    cells = [
        {"cell_type": "markdown", "metadata": {name: name}, "source": [everything]},
        {"cell_type": "code", "metadata": {}, "source": f"print({everything!r})\n", "outputs": [
            {"output_type": "display_data", "metadata": {}, "data": {"text/html": everything}}]},
    ]  # fmt: skip
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"title": everything}, "cells": cells}
    for file, text in ((f"{name}.ipynb", json.dumps(notebook)), (f"{name}.py", f"print({everything!r})\n")):
        page.evaluate(
            """([text, name]) => {
              const data = new DataTransfer();
              data.items.add(new File([text], name));
              const options = { dataTransfer: data, bubbles: true, cancelable: true };
              document.body.dispatchEvent(new DragEvent("drop", options));
            }""",
            [text, file],
        )
        expect(page.locator("#message")).to_contain_text("has not been run")
        _is_text(page)

    other = page.context.new_page()
    other.add_init_script(armed)
    other.goto(link)
    expect(other.locator("#stale-note")).to_contain_text("Nothing of it has run")
    _is_text(other)

    run(other, f"M = {everything!r}\nprint(M)\n# {everything}\n")
    other.locator("#file-button").click()
    with other.expect_download() as waiting:
        other.get_by_role("menuitem", name=re.compile("^Page that plays it")).click()
    waiting.value.save_as(tmp_path / "alone.html")
    other.close()
    alone = browser.new_page()
    alone.add_init_script(armed)
    alone.goto((tmp_path / "alone.html").as_uri())
    expect(alone.locator("#counter")).to_contain_text("of")
    _is_text(alone)
    alone.close()

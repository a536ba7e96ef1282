"""Whatever a program says reaches the page as text: each place that shows some of it is tried with markup."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from player_page import press, run
from playwright.sync_api import Page, expect

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

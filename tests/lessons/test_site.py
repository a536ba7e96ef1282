"""``stepgraph export COURSE DIR``: the lessons as files, played by any web server."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.cli import main

LESSON = """\
---
title: "Tape <b>"
claims: []
needs: []
summary: How it goes back.
---

## It goes back

Watch it.

```player
program: tape.py
at: {line: "backward()"}
```

## Your turn

```exercise
id: three
program: tape.py
task: Make it three.
checks:
  - that: ended == "ok"
    else: It ends badly.
hints: [first]
solution: tape.py
why: So.
```
"""
PROGRAM = "import torch\nw = torch.ones(2, requires_grad=True)\n(w * 3.0).sum().backward()\nprint('<script>')\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "course" / "01-tape"
    folder.mkdir(parents=True)
    (folder / "lesson.md").write_text(LESSON)
    (folder / "tape.py").write_text(PROGRAM)
    (folder / "teacher.md").write_text("---\naims: [a]\ntime: ['10: all']\nroom: [b]\n---\n\n## Say\n\nThis.\n")
    assert main(["export", str(tmp_path / "course"), str(tmp_path / "site")]) == 0
    return tmp_path / "site"


def test_everything_a_page_asks_for_lies_beside_it(site: Path) -> None:
    page = (site / "lessons" / "tape.html").read_text()
    assert '<h1 id="lesson-title" tabindex="-1">Tape &lt;b&gt;</h1>' in page
    links = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert links
    for link in links:
        assert not link.startswith(("/", "http")), "the site may lie in any folder of a host"
        assert (site / "lessons" / link).is_file(), link
    lesson = json.loads((site / "data" / "tape.json").read_text())
    assert lesson["steps"][0]["player"]["at"] > 0
    assert "stepgraph serve" in lesson["steps"][1]["exercise"]["task"]
    recording = json.loads((site / "data" / "tape" / "tape.py.json").read_text())
    assert recording["stdout"] == "<script>\n"
    assert recording["layout"]["graphs"]
    # Into nobody else's folder.
    assert main(["export", str(site.parent / "course"), str(site.parent / "course")]) == 2
    assert (site.parent / "course" / "01-tape" / "tape.py").is_file()


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site.parent))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/site"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
def test_a_lesson_plays_and_says_what_needs_a_server(address: str, open_page_at: Callable[[str], Page]) -> None:
    page = open_page_at(f"{address}/index.html")
    page.get_by_role("link", name="Tape <b>").click()
    expect(page.locator("#caption")).to_contain_text("mul multiplies w")
    expect(page.locator(".cm-content")).to_contain_text("requires_grad")
    page.get_by_role("button", name=re.compile(r"^Next .*\(→\)$")).first.click()
    expect(page.locator("#caption")).to_contain_text("sum adds")
    page.click("#lesson-next")
    expect(page.locator(".exercise")).to_contain_text("This copy of the lesson runs nothing")
    expect(page.locator("#check, #run-here").first).to_be_hidden()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#message")).to_contain_text("has no server")
    page.click("#lesson-next")
    expect(page).to_have_url(f"{address}/index.html")

"""A book with programs: its pages play them, its paper shows them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.pages import step_through

PROGRAM = """\
import torch
w = torch.ones(2, requires_grad=True)
(w * 3.0).sum().backward()
print('</iframe><script>alert(1)</script>')
"""
CONF = 'project = "A book"\nextensions = ["stepgraph", "myst_parser"]\nnumfig = True\n'
INDEX = """\
A book
======

See :numref:`back`.

.. stepgraph:: back.py
   :caption: The *gradient* goes back.
   :at: {phase: backward}
   :name: back

.. toctree::

   sub/more
"""
MORE = "# More\n\n```{stepgraph} ../back.py\n:at: '{phase: backward}'\n:caption: The same again\n:height: 480\n```\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name, text in {"conf.py": CONF, "index.rst": INDEX, "sub/more.md": MORE, "back.py": PROGRAM}.items():
        (tmp_path / name).write_text(text)
    # Names that other people's packages have: the build must not take ours for them, nor theirs for ours.
    for name in ("app.py", "engine.py"):
        (tmp_path / name).write_text("raise RuntimeError('this is not the module that Stepgraph means')\n")
    return tmp_path


def build(book: Path, builder: str) -> tuple[Path, str]:
    out = book / "_build" / builder
    command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, "-d", book / "_build" / "doctrees", book, out]
    done = subprocess.run([str(word) for word in command], cwd=book, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return out, done.stderr


@pytest.mark.slow
def test_pages_play_and_paper_shows(book: Path, open_file: Callable[[Path], Page]) -> None:
    html, said = build(book, "html")
    assert said == ""
    [recording] = (html / "_stepgraph").glob("*.html")  # both pages play the same one
    made = recording.read_text()
    text = (html / "index.html").read_text()
    assert "The <em>gradient</em> goes back." in text
    assert "Fig. 1" in text
    assert "alert(1)" not in text
    for name in ("index.html", "sub/more.html"):
        page = open_file(html / name)
        player = page.locator("iframe.stepgraph-player")
        player.scroll_into_view_if_needed()
        step_through(page.frame_locator("iframe.stepgraph-player"), "backward starts", "SumBackward0")
        picture = page.locator("img.stepgraph-print")
        expect(picture).to_be_hidden()
        page.emulate_media(media="print")
        expect(player).to_be_hidden()
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.naturalWidth") > 300
    latex, _ = build(book, "latex")
    [source] = latex.glob("*.tex")
    names = re.findall(r"\\sphinxincludegraphics\{\{([\w-]+)\}\.png\}", source.read_text())
    assert len(names) == 2
    assert all((latex / f"{name}.png").read_bytes().startswith(b"\x89PNG") for name in names)
    words, _ = build(book, "text")
    assert "[The graph of back.py, recorded with Stepgraph]" in (words / "index.txt").read_text()
    epub, _ = build(book, "epub")
    page_of_epub = (epub / "index.xhtml").read_text()
    assert "<iframe" not in page_of_epub
    assert re.search(r'<img src="_stepgraph/stepgraph-\w+\.png" alt="The graph of back.py', page_of_epub)
    # Nothing ran again for another kind of output.
    [kept] = (book / "_build" / "doctrees" / "_stepgraph").glob("*.html")
    assert kept.read_text() == made


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("missing.py", "cannot read"),
        ("back.py\n   :at: {line: nowhere}", "no line of back.py holds 'nowhere'"),
        ("back.py\n   :height: 3", "from 100 to 10000"),
        ("back.py\n\n   print(1)", "either the file of a program or the program itself"),
        ("back.py\n   :picture: none.png", "cannot read"),
    ],
)
@pytest.mark.slow
def test_what_is_wrong_is_said_where_it_stands(book: Path, body: str, words: str) -> None:
    (book / "index.rst").write_text(f"A book\n======\n\n.. stepgraph:: {body}\n")
    (book / "sub" / "more.md").unlink()
    _, said = build(book, "html")
    assert "index.rst:4" in said
    assert words in said

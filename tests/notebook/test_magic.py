"""``%%stepgraph``: the cell runs in the sandbox, and its recording is shown in a frame."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import RichOutput, capture_output
from playwright.sync_api import Page

from tests.pages import step_through

PROGRAM = """\
import torch
w = torch.ones(2, requires_grad=True)
(w * 3.0).sum().backward()
print('</iframe><script>alert(1)</script>', w.grad)
raise SystemExit("left, on purpose")
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        shell = InteractiveShell.instance()
        shell.history_manager.enabled = False  # type: ignore[union-attr]
        shell.run_line_magic("load_ext", "stepgraph")
        yield shell
        InteractiveShell.clear_instance()


def test_the_player_appears_under_the_cell(shell: InteractiveShell) -> None:
    modules = set(sys.modules)
    with capture_output() as said:
        shell.run_cell_magic("stepgraph", "--at '{phase: backward}' --height 480 --name back.py", PROGRAM)
    assert said.stdout == "</iframe><script>alert(1)</script> tensor([3., 3.])\n"
    assert said.stderr == "left, on purpose\n"
    [output] = said.outputs
    assert isinstance(output, RichOutput)
    data: dict[str, Any] = output.data
    assert data["text/plain"] == "A recording of back.py"
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    frame = data["text/html"]
    assert frame.startswith("<iframe ")
    assert frame.count("<") == 2, "what a cell prints is text in the frame's page and nothing in this one"
    assert 'sandbox="allow-scripts allow-downloads"' in frame
    assert "height: 480px" in frame
    page = unescape(frame.split('srcdoc="')[1].split('"')[0])
    assert "<title>back.py, recorded with Stepgraph</title>" in page
    assert 'data-step="0"' not in page
    assert not {name for name in set(sys.modules) - modules if name.split(".")[0] in ("torch", "tensorflow", "app")}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--heigth 3", "unrecognized arguments: --heigth 3"),
        ("--height 3", "--height is from 100"),
        ("--at nowhere", "start, end, error"),
        ("--name ../x.py", "is no name for a program"),
        ("--with there/is/none", "cannot read"),
        ("'", "No closing quotation"),
    ],
)
def test_what_is_wrong_is_said(shell: InteractiveShell, line: str, words: str) -> None:
    with capture_output() as said, pytest.raises(BaseException, match=words) as raised:
        shell.run_cell_magic("stepgraph", line, "x = 1\n")
    assert type(raised.value).__name__ == "UsageError"
    assert not said.outputs


@pytest.mark.slow
def test_a_notebook_is_executed_and_played(tmp_path: Path, open_file: Callable[[Path], Page]) -> None:
    book = nbformat.v4.new_notebook()
    book.cells = [
        nbformat.v4.new_code_cell(source)
        for source in (
            "%load_ext stepgraph",
            f"%%stepgraph --at '{{phase: backward}}'\n{PROGRAM}",
            "from stepgraph import engine\n"
            "w = engine.tensor([1.0, 2.0], requires_grad=True)\n"
            "with engine.record() as run:\n    loss = engine.sum(w * w)\n    loss.backward()\nrun",
        )
    ]
    nbformat.write(book, tmp_path / "book.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "book.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    page = open_file(tmp_path / "book.html")
    frames = page.locator("iframe.stepgraph-player")
    assert frames.count() == 2
    for at, before, after in ((0, "backward starts", "SumBackward0"), (1, "w", "mul")):
        frames.nth(at).scroll_into_view_if_needed()
        step_through(page.frame_locator("iframe.stepgraph-player").nth(at), before, after)
    # Of an origin of its own: the notebook's page is out of reach.
    assert page.frames[1].evaluate(
        "() => { try { return parent.document.title } catch { return 'out of reach' } }"
    ) == ("out of reach")
    saved = json.loads((tmp_path / "book.ipynb").read_text())
    assert [cell["cell_type"] for cell in saved["cells"]] == ["code"] * 3

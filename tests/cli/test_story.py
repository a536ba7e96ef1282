"""The story in the terminal: the page's sentences, nothing that a terminal obeys, every part of an ending."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.story.recording import Recording
from app.story.sentences import sentence
from app.story.show import show
from engine.recording import record

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((ROOT / "lessons" / "examples").glob("*.py"))
TELL = f"""
import fs from "node:fs";
const {{ decodeTrace }} = await import("{(ROOT / "static/js/trace/decode.js").as_uri()}");
const {{ TraceIndex }} = await import("{(ROOT / "static/js/trace/index.js").as_uri()}");
const {{ sentence }} = await import("{(ROOT / "static/js/trace/sentences.js").as_uri()}");
const index = new TraceIndex(decodeTrace(JSON.parse(fs.readFileSync(0, "utf-8"))));
const told = Array.from({{ length: index.stepCount }}, (_, k) => sentence(index, k).map((part) => part.text).join(""));
console.log(JSON.stringify(told));
"""


def story(program: str, **options: Any) -> str:
    out = io.StringIO()
    show(record(program), file=out, **options)
    return out.getvalue()


@pytest.mark.skipif(shutil.which("node") is None, reason="compares with the page's own code, which node runs")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_sentences_are_the_pages(example: Path) -> None:
    trace = record(example.read_text(encoding="utf-8"))
    command = ["node", "--input-type=module", "-e", TELL]
    page = json.loads(subprocess.run(command, input=json.dumps(trace).encode(), capture_output=True, check=True).stdout)
    recording = Recording(trace)
    assert ["".join(sentence(recording, step)) for step in range(recording.count)] == page


def test_an_error_ends_with_its_card() -> None:
    text = story("import torch\na = torch.ones(2, 3)\nb = a @ a\n")
    assert "3: b = a @ a" in text
    assert "Stopped in line 3" in text
    assert "The shapes do not fit together." in text
    assert text.count("a: float32 [2, 3]") == 2
    assert "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)" in text


def test_a_static_error_has_two_places() -> None:
    text = story(
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2])\ny = x * 2\n"
        "with tf.Session() as sess:\n    sess.run(y)\n"
    )
    assert "The op was defined in line 2 and failed when it ran, asked for in line 5." in text


def test_passes_are_told_once_unless_all_are_wanted() -> None:
    program = (
        "import torch\nw = torch.ones(1, requires_grad=True)\nfor i in range(30):\n    (w * w).sum().backward()\n"
        "    w.grad = None\n"
    )
    some, every = story(program), story(program, every_pass=True)
    assert "steps of passes like these" in some
    assert "pass 2 " in some
    assert "pass 17 " not in some
    assert "pass 30 " in some
    assert "pass 17 " in every
    assert "passes like these" not in every


def test_nothing_reaches_the_terminal_that_it_obeys() -> None:
    text = story(
        "x = '\\x1b]0;title\\x07'\n"
        "print('\\x1b[31mred\\x9b [bold]not markup[/bold]')\nraise ValueError('\\x1b[2J\\n\\x1b[H')\n"
    )
    assert not [c for c in text if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f"]
    assert "␛[31mred\ufffd [bold]not markup[/bold]" in text


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(record("print(1 + 1)")), encoding="utf-8")
    assert main(["show", str(file)]) == 0
    assert "The program prints 2." in capsys.readouterr().out
    for content, words in (
        ("{}", "no Stepgraph trace"),
        ("nothing", "is no recording"),
        ("[" * 100_000, "is no recording"),
    ):
        file.write_text(content, encoding="utf-8")
        assert main(["show", str(file)]) == 2
        assert words in capsys.readouterr().err
    assert main(["show", str(tmp_path / "none.json")]) == 2
    assert "cannot read" in capsys.readouterr().err

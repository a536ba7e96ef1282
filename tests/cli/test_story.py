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
from app.story.rewrites import batched, rewritten
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


DONE = """
const { rewritten, batched } = await import("file://ROOT/static/js/trace/rewrites.js");
const plain = (parts) => parts.map((part) => part.text).join("");
const { actions, rows } = JSON.parse(process.argv[1]);
const own = actions.map(([action, old, fresh, reason]) => plain(rewritten(index, { action, old, new: fresh, reason })));
console.log(JSON.stringify([...own, plain(batched(index, rows, 0)), plain(batched(index, rows, 1))]));
""".replace("ROOT", str(ROOT))


@pytest.mark.skipif(shutil.which("node") is None, reason="compares with the page's own code, which node runs")
def test_every_action_has_the_same_sentence_here_and_on_the_page() -> None:
    trace = record(
        "import tensorflow as tf\na = tf.constant(2.0)\nb = tf.exp(a)\nc = tf.sqrt(b)\nd = c + b\n"
        "with tf.Session() as sess:\n    sess.run([a, d])\n"
    )
    recording = Recording(trace)
    named = {recording.variable(node): node for node in range(len(recording.nodes["graph"]))}
    a, b, c, d = (named[name] for name in "abcd")
    short = "1 plan step: 3 NumPy calls, 1 buffer; 2 values in between are not kept"
    actions: dict[tuple[str, tuple[int, ...], tuple[int, ...], str], str] = {
        ("planned", (), (), "5 values share 2 buffers: 2,000 bytes instead of 5,000"): (
            "The optimiser planned the memory: 5 values share 2 buffers, 2,000 bytes instead of 5,000."
        ),
        ("scheduled", (), (), "there is one worker"): (
            "The optimiser chose how the plan runs: there is one worker."
        ),
        ("skipped", (), (), "constant_folding was skipped, the plan is as it was before: bad\nworse"): (
            "The optimiser skipped constant folding and left the plan as it was: bad."
        ),
        ("skipped", (), (), "constant_folding was skipped, the plan is as it was before: "): (
            "The optimiser skipped constant folding and left the plan as it was."
        ),
        ("skipped", (), (), "nobody knows why"): "The optimiser skipped a pass: nobody knows why.",
        ("extended", (), (), "1 new node joins the 4"): "The optimiser takes in what is new: 1 new node joins the 4.",
        ("moved", (b,), (b,), "Exp is the same in every iteration of while: it reads a"): (
            "The optimiser moved b out of the loop: it is the same in every iteration of while, it reads a."
        ),
        ("fused", (b, c, d), (d,), f"Exp, Sqrt and add are {short}"): (
            "The optimiser fused b, c and d into one step: 3 NumPy calls, 1 buffer; 2 values in between are not kept."
        ),
        ("merged", (b,), (c,), "computes the same as c"): "The optimiser merged b into c: same inputs, same result.",
        ("folded", (b,), (a,), "Exp only depends on a, which never changes"): (
            "The optimiser folded b into the constant 2: nothing that it depends on ever changes."
        ),
        ("removed", (a, b, c, d), (), ""): "The optimiser removed 4 nodes.",
        ("rewired", (b,), (a,), "add reads a instead of b"): "The program edits the graph: add reads a instead of b.",
        ("rewired", (), (), "add reads the same in another order"): (
            "The program edits the graph: add reads the same in another order."
        ),
    }  # fmt: skip
    add, nodes = trace["strings"].index("b"), len(trace["lists"])
    trace["lists"].append([b, c])
    rows = {"function": [add, add], "depth": [0, 3], "rows": [1, 4], "nodes": [nodes, nodes]}
    expected = [
        *actions.values(),
        "b is batched at depth 0: 1 call ran, in 2 nodes.", "b is batched at depth 3: 4 calls ran as one, in 2 nodes.",
    ]  # fmt: skip
    recording = Recording(trace)
    own = [rewritten(recording, action, [*old], [*fresh], reason) for action, old, fresh, reason in actions]
    own += [batched(recording, rows, 0), batched(recording, rows, 1)]
    assert ["".join(parts) for parts in own] == expected
    command = ["node", "--input-type=module", "-e", TELL.rsplit("const told", 1)[0] + DONE,
               json.dumps({"actions": [*actions], "rows": rows})]  # fmt: skip
    said = subprocess.run(command, input=json.dumps(trace).encode(), capture_output=True, check=True).stdout
    assert json.loads(said) == expected


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


WHERE = """
import torch
x = torch.randn(300, 300)
for i in range(3):
    y = torch.relu(x)
    y = y @ x @ x
    y = (y + 1).sum()
"""


def test_the_end_names_the_ops_that_took_longest() -> None:
    lines = story(WHERE).splitlines()
    heading = next(i for i, line in enumerate(lines) if line.startswith("Longest, all runs together"))
    name, _line, number, runs, *_ = lines[heading + 1].split()
    assert (name, number, runs) == ("mm", "6", "6")
    assert lines[heading + 4].startswith("End")
    assert "Longest" not in story("import torch\nprint(torch.ones(2) + 1)\n")

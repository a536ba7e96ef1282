"""Notebooks as programs: the command line and the page make the same of them; their own lines become comments."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.cli.errors import CommandError
from app.cli.notebook import program_of

PAGE = Path(__file__).parents[2] / "static" / "js" / "file" / "notebook.js"


def book(*cells: str | list[str], **more: Any) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4, **more})


BOOKS = {
    "lines": (
        book(["!pip install x\n", "import os\n", "%matplotlib inline"]),
        "# !pip install x\nimport os\n# %matplotlib",
        2,
    ),
    "indented": (book("for i in range(2):\n    !echo {i}\n"), "    pass  # !echo {i}", 1),
    "assigned": (book("files = !ls\nn = 7 % 3\nx = %timeit 1"), "# files = !ls\nn = 7 % 3\n# x = %timeit 1", 2),
    "help": (book("len?\nlen??\n?len"), "# len?\n# len??\n# ?len", 3),
    "bash": (book("%%bash\nls\nrm x", "print(1)"), "# %%bash\n# ls\n# rm x\n\n# --- cell 2\nprint(1)", 3),
    "time": (book("%%time\nprint(1)"), "# %%time\nprint(1)", 1),
    "text": (book('s = """\n% kept\n!kept\n"""\n# """\n!gone'), '% kept\n!kept\n"""\n# """\n# !gone', 1),
    "old": (
        json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": ["print(2)"]}]}]}),
        "# --- cell 1\nprint(2)\n",
        0,
    ),
    "odd": (
        json.dumps(
            {"cells": [None, 3, {"cell_type": "code", "source": 5}, {"cell_type": "code", "source": ["a = 1", 7]}]}
        ),
        "a = 1",
        0,
    ),
    "carriage returns": (book("a = 1\r\n!x\r\n"), "a = 1\n# !x", 1),
}


@pytest.mark.parametrize("name", BOOKS)
def test_cells_become_a_program(name: str) -> None:
    text, part, left = BOOKS[name]
    source, notice = program_of(text)
    assert part in source
    assert notice.startswith(f"{left} line" if left else "")
    assert bool(notice) == bool(left)
    compile(source, name, "exec")


@pytest.mark.skipif(shutil.which("node") is None, reason="compares with the page's own code, which node runs")
def test_the_page_makes_the_same() -> None:
    script = f"""
      import {{ programOf }} from {json.dumps(PAGE.as_uri())};
      const books = JSON.parse(await new Promise((done) => {{
        let text = ""; process.stdin.on("data", (piece) => (text += piece)).on("end", () => done(text));
      }}));
      process.stdout.write(JSON.stringify(books.map((text) => Object.values(programOf(text)))));
    """
    texts = [text for text, *_ in BOOKS.values()]
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [list(program_of(text)) for text in texts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "no notebook"),
        ('{"cells": []}', "no code"),
        (book("1", metadata={"kernelspec": {"language": "julia"}}), "julia"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_notebook(text: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        program_of(text)


def test_a_notebook_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lesson.ipynb"
    file.write_text(book("%matplotlib inline\nx = 20", "print(x + 1)"))
    assert main(["run", str(file)]) == 0
    out, err = capfd.readouterr()
    assert out == "21\n"
    assert "1 line is kept as comments" in err

"""Questions to PyTorch and its answers: ``answers/*.txt`` hold them in the form of an interactive session.

Blocks are separated by blank lines; each begins anew, seeded with 0. To write the answers again, in an environment that
has PyTorch 2.13 (the project never depends on it): ``python tests/dialects/torch/ask.py answers/*.txt``.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROMPT, MORE = ">>> ", "... "


def blocks(text: str) -> Iterator[list[str]]:
    """The questions of each block, without prompts; several lines of one question are joined by line ends."""
    for block in re.split(r"\n\s*\n", text):
        questions: list[str] = []
        for line in block.splitlines():
            if line.startswith(PROMPT):
                questions.append(line[len(PROMPT) :])
            elif line.startswith(MORE.rstrip()) and questions:
                questions[-1] += "\n" + line[len(MORE) :]
        if questions:
            yield questions


def begin() -> dict[str, Any]:
    """The names that a block starts with."""
    names = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim", "np": "numpy"}
    scope: dict[str, Any] = {short: importlib.import_module(full) for short, full in names.items()}
    scope["torch"].manual_seed(0)
    scope["torch"].set_printoptions(profile="default")
    return scope


def answer(question: str, scope: dict[str, Any]) -> str:
    """What an interactive session prints, without addresses and tracebacks."""
    tree = ast.parse(question)
    end = tree.body[-1]
    last = end.value if isinstance(end, ast.Expr) else None
    if last is not None:
        del tree.body[-1]
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(tree, "<question>", "exec"), scope)
            if last is not None:
                value = eval(compile(ast.Expression(last), "<question>", "eval"), scope)
                if value is not None:
                    print(repr(value))
        except Exception as error:
            message = (str(error).splitlines() or [""])[0]
            print(f"{type(error).__name__}: {message}".rstrip())
    return re.sub(r" at 0x[0-9a-f]+", " at 0x", output.getvalue())


def session(questions: list[str]) -> str:
    """A block with its answers. Blank lines of an answer are marked, as they would end the block."""
    scope = begin()
    lines = []
    for question in questions:
        first, *rest = question.split("\n")
        lines += [PROMPT + first, *((MORE + line).rstrip() for line in rest)]
        lines += [line or "<BLANKLINE>" for line in answer(question, scope).splitlines()]
    return "\n".join(lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text("\n\n".join(session(block) for block in blocks(path.read_text())) + "\n")

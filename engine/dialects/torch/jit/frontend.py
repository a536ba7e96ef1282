"""The source of what is to be compiled, and the words for what cannot be."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class NotSupportedError(RuntimeError):
    """A function is not in the subset of Python that TorchScript has."""

    __module__ = "torch.jit.frontend"


class UnsupportedNodeError(NotSupportedError):
    """A statement or expression that TorchScript does not have."""

    __module__ = "torch.jit.frontend"


@dataclass
class Text:
    """The source of one function: ``lines`` from line ``first`` of ``file`` on, ``shift`` columns further left than
    there."""

    file: str
    first: int
    lines: list[str]
    tree: ast.FunctionDef

    def marked(self, node: Any) -> str:
        """Where ``node`` is, as messages show it: the file, the line, and the line underlined."""
        start, end = node.lineno - 1, getattr(node, "end_lineno", node.lineno) - 1
        column, stop = node.col_offset, getattr(node, "end_col_offset", node.col_offset + 1)
        shown = [f'  File "{self.file}", line {self.first + start}']
        for place in range(max(0, start - 3), min(len(self.lines), end + 4)):
            line = self.lines[place]
            shown.append(line)
            if start <= place <= end:
                left = column if place == start else len(line) - len(line.lstrip())
                right = stop if place == end else len(line)
                mark = " " * left + "~" * max(1, right - left)
                shown.append(mark + (" <--- HERE" if place == end else ""))
        return "\n".join(shown) + "\n"


def text_of(function: Callable[..., Any]) -> Text:
    """The source of a function.

    :raises OSError: there is none.
    """
    function = inspect.unwrap(function)
    code = function.__code__
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise OSError(
            f"Can't get source for {function}. TorchScript requires source access in order to carry out compilation, "
            "make sure original .py files are available."
        ) from None
    source = textwrap.dedent("".join(lines))
    tree = ast.parse(source).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise RuntimeError(f"Expected a single top-level function: {code.co_filename}:{first}")
    return Text(code.co_filename, first, source.rstrip("\n").split("\n"), tree)


_NAMES = {
    ast.Lambda: "Lambda", ast.Yield: "Yield", ast.YieldFrom: "YieldFrom", ast.Await: "Await", ast.Set: "Set",
    ast.SetComp: "SetComp", ast.NamedExpr: "NamedExpr", ast.GeneratorExp: "GeneratorExp",
}  # fmt: skip
_STATEMENTS = {
    ast.Try: "try blocks", ast.FunctionDef: "function definitions", ast.ClassDef: "class definitions",
    ast.Global: "global variables", ast.Nonlocal: "nonlocal variables", ast.Import: "import statements",
    ast.ImportFrom: "import statements", ast.AsyncFunctionDef: "async function definitions", ast.Match: "match",
    ast.AsyncFor: "async for loops", ast.AsyncWith: "async with statements",
}  # fmt: skip


def check(text: Text) -> None:
    """
    :raises NotSupportedError: the function has ``*arguments``, or a statement or expression that TorchScript lacks.
    """
    starred = text.tree.args.vararg or text.tree.args.kwarg
    if starred is not None:
        raise NotSupportedError(
            "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults:\n"
            + text.marked(starred)
        )
    for node in ast.walk(text.tree):
        if node is text.tree:
            continue
        word = _STATEMENTS.get(type(node)) or _NAMES.get(type(node))
        if word is not None:
            where: Any = node
            marked: Any = ast.Name("_", lineno=where.lineno, col_offset=where.col_offset)
            first = text.lines[marked.lineno - 1][marked.col_offset :].split(" ")[0].rstrip(":")
            width = len(first) if isinstance(node, ast.stmt) else 1
            marked.end_lineno, marked.end_col_offset = marked.lineno, marked.col_offset + width
            raise UnsupportedNodeError(f"{word} aren't supported:\n" + text.marked(marked))

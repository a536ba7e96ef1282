"""Marks in a program's source: where passes of loops begin, and where the target begins and ends."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

Loop = ast.For | ast.AsyncFor | ast.While
Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Place:
    """A loop, by its number in the order of the source, or the target."""

    line: int
    end_line: int
    what: str
    name: str


class Marker:
    """Puts calls of constants into a tree, as :mod:`engine.recording.probes` does: ``marker`` + the name of a mark,
    which :func:`engine.recording.instrument.compile_with` replaces by the function itself.

    ``loops`` are the numbers of the loops to mark (None: all), ``line`` is that of the target (0: none). Afterwards
    ``places`` has all loops, ``target`` what was found at that line; ``marks`` names the marks that were put in.
    """

    def __init__(self, loops: Collection[int] | None, line: int) -> None:
        self._wanted = loops
        self._line = line
        self._marker = ""
        self.places: list[Place] = []
        self.target: Place | None = None
        self.marks: set[str] = set()

    def rewrite(self, tree: ast.Module, marker: str) -> None:
        """Mark ``tree`` in place."""
        self._marker = marker
        tree.body = self._block(tree.body)

    def _call(self, at: ast.stmt, mark: str) -> ast.stmt:
        self.marks.add(mark)
        call = ast.Call(ast.Constant(self._marker + mark), [], [])
        made = ast.copy_location(ast.Expr(call), at)
        made.end_lineno, made.end_col_offset = at.lineno, at.col_offset
        return ast.fix_missing_locations(made)

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for statement in body for new in self._statement(statement)]

    def _statement(self, statement: ast.stmt) -> list[ast.stmt]:
        found = self._line in _beginnings(statement) and self.target is None
        if isinstance(statement, Loop):
            return self._loop(statement, found)
        if found and not _runs_nothing(statement):
            return self._targeted(statement)
        self._inside(statement)
        return [statement]

    def _inside(self, statement: ast.stmt) -> None:
        for part in ("body", "orelse", "finalbody"):
            if isinstance(body := getattr(statement, part, None), list):
                setattr(statement, part, self._block(body))
        for part in ("handlers", "cases"):
            for block in getattr(statement, part, ()):
                block.body = self._block(block.body)

    def _loop(self, loop: Loop, found: bool) -> list[ast.stmt]:
        number = len(self.places)
        place = Place(loop.lineno, loop.end_lineno or loop.lineno, "loop", "")
        self.places.append(place)
        if found:
            self.target = place
        self._inside(loop)
        if not found and self._wanted is not None and number not in self._wanted:
            return [loop]
        loop.body.insert(0, self._call(loop, f"lap:{number}"))
        return [self._call(loop, f"begin:{number}"), loop, self._call(loop, f"end:{number}")]

    def _targeted(self, statement: ast.stmt) -> list[ast.stmt]:
        defined = isinstance(statement, Definition)
        name = statement.name if isinstance(statement, Definition) else ""
        what = "function" if defined else "statement"
        self.target = Place(statement.lineno, statement.end_lineno or statement.lineno, what, name)
        self._inside(statement)
        if not isinstance(statement, Definition):
            return [self._timed(statement, [statement])]
        head = 1 if ast.get_docstring(statement, clean=False) is not None else 0
        statement.body[head:] = [self._timed(statement, statement.body[head:] or [ast.Pass()])]
        return [statement]

    def _timed(self, at: ast.stmt, body: list[ast.stmt]) -> ast.stmt:
        timed = ast.Try([self._call(at, "enter"), *body], [], [], [self._call(at, "leave")])
        return ast.fix_missing_locations(ast.copy_location(timed, at))


def _beginnings(statement: ast.stmt) -> set[int]:
    """The lines at which a reader may say that ``statement`` begins: its own, and those of its decorators."""
    return {statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))}


def _runs_nothing(statement: ast.stmt) -> bool:
    """Whether it stands for the compiler, or only for what is in it: putting it into a block would change it."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)  # a docstring, perhaps
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Global | ast.Nonlocal | ast.ClassDef)

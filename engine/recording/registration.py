"""Numbers for what probes name: statements, loops, functions, variables. All are known before the program runs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from engine.recording.rows import Kind
from engine.recording.scopes import bound_by

if TYPE_CHECKING:
    from engine.recording.program import Program


class Registration:
    """Fills the tables of a :class:`Program` while its source is being rewritten."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._recorder = program.recorder
        self._names: dict[str, int] = {}

    def _span(self, first: ast.AST, last: ast.AST) -> tuple[int, int]:
        line: int = first.lineno  # type: ignore[attr-defined]
        column: int = first.col_offset  # type: ignore[attr-defined]
        end_line: int = last.end_lineno  # type: ignore[attr-defined]
        end_column: int = last.end_col_offset  # type: ignore[attr-defined]
        return line, self._recorder.positions.span_of(line, column, end_line, end_column)

    def statement(self, statement: ast.stmt | ast.match_case, header: ast.AST | None) -> int:
        """A statement's number; of a compound statement only the header (from its start to the end of ``header``)."""
        if header is None and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            place = self._definition(statement)
        elif header is not None and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            place = self._span(header, header)
        else:
            place = self._span(statement, header or statement)
        self._program.statements.append(place)
        return len(self._program.statements) - 1

    def _definition(self, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[int, int]:
        keyword = {"FunctionDef": "def", "AsyncFunctionDef": "async def", "ClassDef": "class"}[type(statement).__name__]
        width = len(f"{keyword} {statement.name}".encode())
        line, column = statement.lineno, statement.col_offset
        return line, self._recorder.positions.span_of(line, column, line, column + width)

    def loop(self, statement: ast.While | ast.For | ast.AsyncFor, header: ast.AST) -> int:
        """A loop's number."""
        number = len(self._program.loops)
        self._program.loops.append(self._span(statement, header))
        end = statement.end_lineno or statement.lineno
        targets = [] if isinstance(statement, ast.While) else bound_by(statement.target)
        names = self._recorder.journal.put_bytes("\n".join(targets).encode()) if targets else -1
        self._recorder.journal.append(Kind.LOOP_SOURCE, a=number, b=statement.lineno, c=end, blob=names)
        return number

    def function(self, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
        """A function's number."""
        self._program.functions.append((self._recorder.tables.string(statement.name), statement.lineno))
        return len(self._program.functions) - 1

    def part(self, name: str, line: int) -> int:
        """A lambda's or comprehension's number among the functions."""
        self._program.functions.append((self._recorder.tables.string(name), line))
        return len(self._program.functions) - 1

    def name(self, name: str) -> int:
        """A variable's number."""
        number = self._names.get(name)
        if number is None:
            number = self._names[name] = len(self._program.names)
            self._program.names.append((self._recorder.tables.string(name), name))
        return number

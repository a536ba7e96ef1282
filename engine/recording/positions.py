"""Where the user's program stands: the exact expression behind an event of the engine.

An event walks the stack to the first frame of the program's own file and looks its instruction up in the code's
position table. Each (code, instruction) is looked up once.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import _getframe
from types import CodeType, FrameType

Position = tuple[int, int, int, int]
"""Line, column, end line, end column; lines from 1, columns from 0 in characters."""


class Positions:
    """Spans of one program. ``new_span`` is called once for each new position and gives its id.

    >>> spans: list[Position] = []
    >>> def remember(position: Position) -> int:
    ...     spans.append(position)
    ...     return len(spans) - 1
    >>> Positions("main.py", "é = 1", remember).span_of(1, 0, 1, 2)
    0
    >>> spans
    [(1, 0, 1, 1)]
    """

    def __init__(self, file: str, source: str, new_span: Callable[[Position], int]) -> None:
        self.file = file
        self._lines = source.splitlines()
        self._new_span = new_span
        self._spans: dict[Position, int] = {}
        self._by_code: dict[int, tuple[CodeType, dict[int, tuple[int, int]]]] = {}
        self._tables: dict[int, list[tuple[int | None, ...]]] = {}

    def here(self, depth: int = 1) -> tuple[int, int]:
        """(line, span) of the innermost frame of the program, (-1, -1) if there is none on the stack."""
        frame: FrameType | None = _getframe(depth)
        file = self.file
        while frame is not None:
            code = frame.f_code
            if code.co_filename == file:
                known = self._by_code.get(id(code))
                if known is None:
                    # The code is kept, so that its id() stays its own.
                    known = self._by_code[id(code)] = (code, {})
                instruction = frame.f_lasti
                place = known[1].get(instruction)
                if place is None:
                    place = known[1][instruction] = self._look_up(code, instruction, frame.f_lineno)
                return place
            frame = frame.f_back
        return (-1, -1)

    def _look_up(self, code: CodeType, instruction: int, current: int | None) -> tuple[int, int]:
        # Read once: Python unpacks the table from its beginning, which a long program would pay for at every new place.
        table = self._tables.get(id(code))
        if table is None:
            table = self._tables[id(code)] = list(code.co_positions())
        place = max(instruction, 0) // 2
        line, end_line, column, end_column = table[place] if place < len(table) else (None,) * 4
        if line is None:
            return (current or -1, -1)
        if end_line is None or column is None or end_column is None:
            return (line, self.span_of(line, 0, line, len(self._text(line).encode("utf-8", "replace"))))
        return (line, self.span_of(line, column, end_line, end_column))

    def _text(self, line: int) -> str:
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

    def _characters(self, line: int, column: int) -> int:
        """``column`` in UTF-8 bytes, as Python counts, in characters."""
        text = self._text(line)
        if text.isascii():
            return column
        return len(text.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))

    def span_of(self, line: int, column: int, end_line: int, end_column: int) -> int:
        """The id of a span given in Python's own terms (columns in UTF-8 bytes)."""
        position = (line, self._characters(line, column), end_line, self._characters(end_line, end_column))
        span = self._spans.get(position)
        if span is None:
            span = self._spans[position] = self._new_span(position)
        return span

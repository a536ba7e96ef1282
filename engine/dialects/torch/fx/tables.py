"""Rows as a table of text, as the package ``tabulate`` sets them when it is asked for nothing special."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_GAP = "  "


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def table(rows: Sequence[Sequence[Any]], headers: Sequence[str]) -> str:
    """Columns as wide as their widest cell, under a line; columns of numbers stand to the right.

    >>> print(table([["placeholder", "x", 1], ["output", "y", 20]], ["opcode", "name", "n"]))
    opcode       name      n
    -----------  ------  ---
    placeholder  x         1
    output       y        20
    """
    columns = [[str(cell) for cell in column] for column in zip(*rows, strict=True)] or [[] for _ in headers]
    right = [bool(column) and all(map(_is_number, column)) for column in columns]
    widths = [
        max([len(header) + 2, *map(len, column)]) for header, column in zip(headers, columns, strict=True)
    ]  # a heading has room for two more

    def line(cells: Sequence[str]) -> str:
        placed = zip(cells, widths, right, strict=True)
        return _GAP.join(
            cell.rjust(width) if is_right else cell.ljust(width) for cell, width, is_right in placed
        ).rstrip()

    return "\n".join(
        [line(headers), _GAP.join("-" * width for width in widths), *map(line, zip(*columns, strict=True))]
    )

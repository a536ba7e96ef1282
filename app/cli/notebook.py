"""A notebook as a program: its code cells, one after the other; lines that only a notebook knows become comments.

``static/js/file/notebook.js`` does the same for the page.
"""

from __future__ import annotations

import json
import re
from typing import Any

from app.cli.errors import CommandError

_OWN_MAGICS = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics that run the cell as it is; every other one hands it to someone else."""
_SPECIAL = (
    re.compile(r"^(\s*)(?:%|!|\?)"),
    re.compile(r"^(\s*)[\w.]+\s*=\s*(?:!|%\w)"),
    re.compile(r"^(\s*)[\w.]+\?{1,2}\s*$"),
)


def program_of(text: str, name: str = "notebook.ipynb") -> tuple[str, str]:
    """The program in a notebook's JSON, and a sentence about what was left out (empty if nothing was).

    Raises :class:`CommandError` when it is no notebook, or one without Python code.

    >>> program_of('{"cells": [{"cell_type": "code", "source": ["!pip install x\\\\n", "print(1)"]}]}')[0]
    '# --- cell 1\\n# !pip install x\\nprint(1)\\n'
    """
    try:
        book = json.loads(text)
    except (ValueError, RecursionError):
        raise CommandError(f"{name} cannot be read: it is not JSON; save it again in Jupyter") from None
    cells = _cells(book)
    if cells is None:
        raise CommandError(f"{name} is JSON and no notebook: it has no cells")
    language = _language(book.get("metadata"))
    if not language.lower().startswith("python"):
        raise CommandError(f"{name} is in {language[:30]}: Stepgraph runs Python")
    parts: list[str] = []
    left = number = 0
    for cell in cells:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        number += 1
        lines = _text(cell).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
        if not "".join(lines).strip():
            continue
        kept, away = _plain(lines)
        left += away
        parts.append("\n".join([f"# --- cell {number}", *kept]))
    if not parts:
        raise CommandError(f"{name} has no code")
    notice = (
        f"{left} {'line is' if left == 1 else 'lines are'} kept as comments: only a notebook knows what begins with % "
        "or !, or asks with ?."
        if left
        else ""
    )
    return "\n\n".join(parts) + "\n", notice


def _cells(book: Any) -> list[Any] | None:
    if not isinstance(book, dict):
        return None
    if isinstance(book.get("cells"), list):
        return list(book["cells"])
    sheets = book.get("worksheets")  # until version 3 of the format
    if isinstance(sheets, list) and sheets and isinstance(sheets[0], dict) and isinstance(sheets[0].get("cells"), list):
        return list(sheets[0]["cells"])
    return None


def _language(metadata: Any) -> str:
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        found = metadata.get(part) if isinstance(metadata, dict) else None
        if isinstance(found, dict) and isinstance(found.get(key), str):
            return str(found[key])
    return "python"


def _text(cell: dict[str, Any]) -> str:
    text = cell.get("source", cell.get("input", ""))
    if isinstance(text, list):
        return "".join(one for one in text if isinstance(one, str))
    return text if isinstance(text, str) else ""


def _plain(lines: list[str]) -> tuple[list[str], int]:
    """Lines as Python knows them, and how many became comments."""
    first = next((line for line in lines if line.strip()), "")
    magic = re.match(r"\s*%%(\w*)", first)
    if magic and magic[1] not in _OWN_MAGICS:
        return [f"# {line}".rstrip() for line in lines], len(lines)
    kept: list[str] = []
    away = 0
    fence = ""
    for line in lines:
        inside, fence = fence, _fence_after(line, fence)
        special = None if inside else next((match for one in _SPECIAL if (match := one.match(line))), None)
        if special is None:
            kept.append(line)
            continue
        away += 1
        # A block may consist of it: then Python needs something to do.
        kept.append(f"{special[1]}pass  # {line.strip()}" if special[1] else f"# {line}")
    return kept, away


def _fence_after(line: str, fence: str) -> str:
    """The triple quotes that a line leaves open."""
    for match in re.finditer(r'"""|\'\'\'|#', line):
        if match[0] == "#":
            if not fence:
                break
        elif not fence:
            fence = match[0]
        elif fence == match[0]:
            fence = ""
    return fence

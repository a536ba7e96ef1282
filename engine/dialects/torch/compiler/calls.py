"""How a program wrote a call: as a function of a module, or as a method of a tensor."""

from __future__ import annotations

import ast
import dis
import linecache
import textwrap
from types import FrameType, ModuleType
from typing import Any

_known: dict[tuple[Any, int], ast.expr | None] = {}


def program_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame that is not the engine's."""
    while frame is not None and ("/engine/" in frame.f_code.co_filename or frame.f_code.co_filename.startswith("<op ")):
        frame = frame.f_back
    return frame


def is_method(frame: FrameType | None, name: str) -> bool:
    """Whether the call that ``frame`` is at is ``tensor.name(…)``."""
    if frame is None:
        return False
    key = frame.f_code, frame.f_lasti
    if key not in _known:
        _known[key] = _call_at(frame)
    found = _known[key]
    if not isinstance(found, ast.Call) or not isinstance(found.func, ast.Attribute) or found.func.attr != name:
        return False
    root: Any = found.func.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return True
    held = frame.f_locals.get(root.id, frame.f_globals.get(root.id))
    return not isinstance(held, ModuleType)


def _call_at(frame: FrameType) -> ast.expr | None:
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    line, end, column, stop = positions
    if line is None or end is None or column is None or stop is None:
        return None
    lines = [linecache.getline(frame.f_code.co_filename, n).rstrip("\n") for n in range(line, end + 1)]
    if not lines[0]:
        return None
    lines[-1] = lines[-1].encode()[:stop].decode(errors="replace")
    lines[0] = lines[0].encode()[column:].decode(errors="replace")
    try:
        tree = ast.parse(textwrap.dedent("\n".join(lines)).strip(), mode="eval").body
    except SyntaxError:
        return None
    return tree


def live_names(frame: FrameType) -> list[str]:
    """The local names that the program may still read."""
    steps = list(dis.get_instructions(frame.f_code))
    loops = any("JUMP_BACKWARD" in s.opname and s.offset >= frame.f_lasti for s in steps)
    reads = [s for s in steps if s.opname in ("LOAD_FAST", "LOAD_CLOSURE", "LOAD_DEREF")]
    names = {s.argval for s in reads if loops or s.offset > frame.f_lasti}
    found = [n for n in frame.f_code.co_varnames if n in names]
    return found + sorted(names.difference(found))

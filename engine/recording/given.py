"""What an expression was given that failed before any op was tried: tensors among a call's arguments, arrays by name.

Of the engine's own frames only the parameters are looked at, of the program's only what its failing expression names;
nothing of the program is run.
"""

from __future__ import annotations

import ast
import linecache
from itertools import islice
from types import FrameType, TracebackType
from typing import Any

from numpy import ndarray

from engine.recording.tensors import TensorReader
from engine.recording.tracebacks import HOME

MOST = 4
"""Tensors that are told of one call."""
POSITIONALS = 0x04
"""The flag of code that takes any number of positional arguments."""


def given(error: BaseException, file: str) -> list[tuple[str, int | str]]:
    """Name and node for each tensor that the refusing function of the engine was called with; without any, name and
    type for each array in the program's expression.

    Of the functions below the program's last line it is the innermost of those that had most tensors, by name if any.
    """
    frames: list[FrameType] = []
    own: TracebackType | None = None
    tb = error.__traceback__
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if name == file:
            frames.clear()
            own = tb
        elif name.startswith(HOME):
            frames.append(tb.tb_frame)
        tb = tb.tb_next
    reader = TensorReader()
    best: list[tuple[str, int]] = []
    for frame in frames:
        found = [(name, node) for name, one in _arguments(frame) if (node := reader.node_of(one, type(one))) >= 0]
        if _worth(found) >= _worth(best):
            best = found
    return [*best[:MOST]] or _arrays(own, file)


def _arrays(tb: TracebackType | None, file: str) -> list[tuple[str, int | str]]:
    """The arrays that the expression names at which the program's innermost frame stopped."""
    expression = _expression(tb, file)
    if tb is None or expression is None:
        return []
    named = sorted((node.col_offset, node.id) for node in ast.walk(expression) if isinstance(node, ast.Name))
    # The namespace of a class body may be a mapping of the program's own.
    spaces = [space for space in (tb.tb_frame.f_locals, tb.tb_frame.f_globals) if type(space) is dict]
    values = {name: next((space[name] for space in spaces if name in space), None) for _, name in named}
    found = [(name, value) for name, value in values.items() if type(value) is ndarray]
    return [(name, f"{array.dtype} {[*array.shape]}") for name, array in found[:MOST] if array.dtype.kind in "biufc"]


def _expression(tb: TracebackType | None, file: str) -> ast.AST | None:
    if tb is None:
        return None
    places = tb.tb_frame.f_code.co_positions()
    line, end_line, column, end_column = next(islice(places, tb.tb_lasti // 2, None), (None, None, None, None))
    if line is None or line != end_line or column is None or end_column is None:
        return None
    text = linecache.getline(file, line).encode()[column:end_column].decode(errors="replace")
    try:
        return ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _worth(found: list[tuple[str, int]]) -> tuple[int, int]:
    return len(found), sum(name != "" for name, _ in found)


def _arguments(frame: FrameType) -> list[tuple[str, Any]]:
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    named = [*code.co_varnames[:count]]
    held = frame.f_locals
    found = [(name, held[name]) for name in named if name in held]
    if code.co_flags & POSITIONALS:
        rest = held.get(code.co_varnames[count])
        found += [("", one) for one in rest] if type(rest) is tuple else []
    flat: list[tuple[str, Any]] = []
    for name, one in found:
        flat += [("", part) for part in one[: MOST + 1]] if type(one) is list or type(one) is tuple else [(name, one)]
    return flat

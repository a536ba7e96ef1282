"""What the engine was given when it refused before any op was tried: the tensors among a call's arguments.

Only frames of the engine itself are looked into, and only for their parameters; nothing of the program is run.
"""

from __future__ import annotations

from types import FrameType
from typing import Any

from engine.recording.tensors import TensorReader
from engine.recording.tracebacks import HOME

MOST = 4
"""Tensors that are told of one call."""
POSITIONALS = 0x04
"""The flag of code that takes any number of positional arguments."""


def given(error: BaseException, file: str) -> list[tuple[str, int]]:
    """Name of the parameter and node, for each tensor that the refusing function of the engine was called with.

    Of the functions below the program's last line it is the innermost of those that had most tensors, by name if any.
    """
    frames: list[FrameType] = []
    tb = error.__traceback__
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if name == file:
            frames.clear()
        elif name.startswith(HOME):
            frames.append(tb.tb_frame)
        tb = tb.tb_next
    reader = TensorReader()
    best: list[tuple[str, int]] = []
    for frame in frames:
        found = [(name, node) for name, one in _arguments(frame) if (node := reader.node_of(one, type(one))) >= 0]
        if _worth(found) >= _worth(best):
            best = found
    return best[:MOST]


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

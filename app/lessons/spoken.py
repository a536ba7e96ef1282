"""A moment as it is given to a command: ``end``, ``12``, ``{line: loss.backward(), pass: 2}``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from app.lessons import blocks
from app.lessons.anchors import resolve
from app.lessons.lookup import Lookup
from app.lessons.marked import Fields
from app.lessons.model import LessonError


class MomentError(ValueError):
    """What was given is no moment, or does not happen in the recording."""


def step_at(text: str, trace: dict[str, Any]) -> int:
    """The step of ``trace``, from 0, that ``text`` means: the number that the page shows (from 1), or a moment as in
    lessons (``docs/lessons.md``). Raises :class:`MomentError`.

    >>> from engine.recording import record
    >>> trace = record("a = 1\\nprint(a)")
    >>> step_at("start", trace), step_at("2", trace), step_at("{line: print}", trace)
    (0, 1, 1)
    >>> step_at("{line: sum}", trace)
    Traceback (most recent call last):
    app.lessons.spoken.MomentError: this moment is not in the recording: no line of main.py holds 'sum'
    """
    count = len(Lookup(trace).record.steps["seq"])
    text = text.strip()
    if text.isascii() and text.isdigit():
        if not 1 <= int(text[:9]) <= count:
            raise MomentError(f"there is no step {text[:9]}: this recording has {count}")
        return int(text) - 1
    try:
        node = yaml.compose(f"at: {text}\n", Loader=yaml.SafeLoader)
        if not isinstance(node, yaml.MappingNode):
            raise MomentError(f"{text[:60]!r} is no moment")
        found = blocks.moment(Fields(Path("--at"), node, 1, "moment"), "at")
        if found is None:
            raise MomentError(
                "a moment is start, end, a step's number, or {line: …}, {node: …}, {phase: …}, {prints: …}"
            )
        return min(resolve(found, Lookup(trace)), max(0, count - 1))
    except LessonError as error:
        raise MomentError(error.what) from None
    except yaml.YAMLError:
        raise MomentError(f"{text[:60]!r} is no moment: write for example {{line: loss.backward(), pass: 2}}") from None

"""A moment as it is given to a command: ``end``, ``12``, ``{line: loss.backward(), pass: 2}``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from app.lessons import blocks
from app.lessons.anchors import resolve
from app.lessons.lookup import Lookup
from app.lessons.marked import Fields
from app.lessons.model import LessonError, Moment


class MomentError(ValueError):
    """What was given is no moment, or does not happen in the recording."""


def read(text: str) -> int | Moment:
    """The number of a step as the page shows it, from 1, or a moment as in lessons (``docs/lessons.md``).

    Raises :class:`MomentError`.

    >>> read("12")
    12
    >>> read("{lime: 3}")
    Traceback (most recent call last):
    app.lessons.spoken.MomentError: at holds one of line, node, phase, prints
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    try:
        node = yaml.compose(f"at: {text}\n", Loader=yaml.SafeLoader)
        found = blocks.moment(Fields(Path(), node, 1, "moment"), "at") if isinstance(node, yaml.MappingNode) else None
    except LessonError as error:
        raise MomentError(error.what) from None
    except yaml.YAMLError:
        found = None
    if found is None:
        raise MomentError(f"{text[:60]!r} is no moment: write for example {{line: loss.backward(), pass: 2}}")
    return found


def step_at(moment: int | Moment, trace: dict[str, Any]) -> int:
    """The step of ``trace``, from 0, that ``moment`` means. Raises :class:`MomentError`: there is none.

    >>> from engine.recording import record
    >>> trace = record("a = 1\\nprint(a)")
    >>> step_at(read("start"), trace), step_at(2, trace), step_at(read("{line: print}"), trace)
    (0, 1, 1)
    >>> step_at(read("{line: sum}"), trace)
    Traceback (most recent call last):
    app.lessons.spoken.MomentError: this moment is not in the recording: no line of main.py holds 'sum'
    """
    look = Lookup(trace)
    count = look.record.count
    if isinstance(moment, int):
        if not 1 <= moment <= count:
            raise MomentError(f"there is no step {moment}: this recording has {count}")
        return moment - 1
    try:
        return max(0, min(resolve(moment, look), count - 1))
    except LessonError as error:
        raise MomentError(error.what) from None

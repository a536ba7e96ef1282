"""A class's polls and hands as CSV, for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from typing import Any

from app.classroom.polls import normal
from app.classroom.room import Room
from app.classroom.views import shown_name

COLUMNS = ("question", "type", "step", "name", "answer", "right")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(room: Room) -> str:
    """One line a vote: what was asked, who answered (as far as names are shown), what, and whether it was right."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["class", _cell(room.title), "opened", datetime.fromtimestamp(room.opened, UTC).isoformat()])
    writer.writerow(["members", len(room.members), "polls", len(room.polls)])
    writer.writerow([])
    writer.writerow(COLUMNS)
    for poll in room.polls.values():
        right = None if poll.answer is None else normal(poll.type, poll.answer)
        for member, value in poll.votes.items():
            typed = poll.type in ("shape", "value", "text")
            shown = "(hidden)" if typed and member in room.hidden else value
            verdict = "" if right is None else str(normal(poll.type, value) == right).lower()
            name = shown_name(room, member)
            writer.writerow([_cell(poll.question), poll.type, poll.step + 1, _cell(name), _cell(shown), verdict])
    return out.getvalue()


def _cell(value: Any) -> str:
    """Text that a spreadsheet takes as text: what begins like a formula and is no number gets an apostrophe.

    >>> _cell("=1+1"), _cell(-3), _cell("-0.5"), _cell("loss")
    ("'=1+1", '-3', '-0.5', 'loss')
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return str(value)
    return f"'{value}" if value.startswith(_FORMULA) else value

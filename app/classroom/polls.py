"""A poll: a question about the player, the votes, and how they are counted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"\s+")


@dataclass
class Poll:
    """``number`` is that of the event that asked; ``answer`` the right one, None if there is none."""

    number: int
    type: str
    question: str
    program: int
    step: int
    answer: Any
    choices: list[str] | None
    votes: dict[str, Any] = field(default_factory=dict)
    revealed: bool = False

    def counts(self, hidden: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
        """The histogram, most frequent first: ``{"value", "count", "right"}``; without what ``hidden`` members typed
        (a click and true or false are no text and stay)."""
        typed = self.type in ("shape", "value", "text")
        kept = [value for member, value in self.votes.items() if not (typed and member in hidden)]
        spelled: dict[str, Any] = {}
        for value in kept:
            spelled.setdefault(normal(self.type, value), value)
        counted = Counter(normal(self.type, value) for value in kept)
        right = None if self.answer is None else normal(self.type, self.answer)
        order = sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))
        return [{"value": spelled[key], "count": count, "right": key == right} for key, count in order]


def normal(type: str, value: Any) -> str:
    """What two answers share that mean the same.

    >>> normal("shape", "(3, 4)"), normal("shape", "[3,4]"), normal("shape", "3x4"), normal("value", "0.50")
    ('3,4', '3,4', '3,4', '0.5')
    >>> normal("text", " The  Loss"), normal("truth", True), normal("node", 7)
    ('the loss', 'true', '7')
    """
    if isinstance(value, bool):
        return str(value).lower()
    plain = str(value).strip()
    if type == "shape":
        return ",".join(re.findall(r"-?\w+|\?", plain.replace("x", ",").replace("×", ",")))
    if type == "value":
        try:
            return f"{float(plain):.6g}"
        except ValueError:
            pass
    return _SPACE.sub(" ", plain).casefold()

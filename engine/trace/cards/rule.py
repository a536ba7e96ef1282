"""One card and when it fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.trace.cards.facts import Facts

Tries = tuple[str, ...] | Callable[[Facts], list[str]]


@dataclass(frozen=True)
class Rule:
    """``fits`` decides; ``title`` and ``explanation`` are sentences, ``tries`` what to do, the likeliest first."""

    id: str
    fits: Callable[[Facts], bool]
    title: str
    explanation: str
    tries: Tries

    def card(self, facts: Facts) -> dict[str, Any] | None:
        """The card, None if it does not fit."""
        if not self.fits(facts):
            return None
        tries = self.tries(facts) if callable(self.tries) else [*self.tries]
        return {"id": self.id, "title": self.title, "explanation": self.explanation, "tries": tries}

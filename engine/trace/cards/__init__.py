"""Cards: what an error means and what to try, in plain words; and hints about what runs but is rarely meant.

A card is chosen by what happened (the kind of error, the op that failed, what it was given, which events came before)
together with what the message is about, never by one exact sentence.
"""

from __future__ import annotations

from typing import Any

from engine.trace.cards.facts import Facts
from engine.trace.cards.frameworks import RULES as FRAMEWORKS
from engine.trace.cards.hints import HINTS
from engine.trace.cards.plain import RULES as PLAIN
from engine.trace.cards.rule import Rule

RULES: tuple[Rule, ...] = (*FRAMEWORKS, *PLAIN)
"""The first that fits is the card: frameworks first, then what is true of Python anywhere."""


def card_for(facts: Facts) -> dict[str, Any] | None:
    """``{"id", "title", "explanation", "tries"}`` for an error, None where nothing is known about it.

    >>> found = card_for(Facts(type="NameError", message="name 'torhc' is not defined", source="import torch"))
    >>> found["id"], found["tries"][0]
    ('name', 'You may have meant torch.')
    """
    rules = PLAIN if facts.raised_here() else RULES
    return next((card for rule in rules if (card := rule.card(facts)) is not None), None)


def hints_for(facts: Facts) -> list[dict[str, Any]]:
    """Cards about a run that did not fail by them."""
    return [card for rule in HINTS if (card := rule.card(facts)) is not None]


__all__ = ["RULES", "Facts", "Rule", "card_for", "hints_for"]

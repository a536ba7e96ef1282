"""Gradients: which arrived, which piled up, what was let go."""

from __future__ import annotations

from typing import Any

from app.lessons.facts.table import fact
from app.lessons.lookup import Lookup


@fact("the last gradient of a parameter, if it is one number", "variable")
def gradient(look: Lookup, name: str) -> Any:
    return look.single(look.last_gradient(name))


@fact("whether a gradient has arrived at a parameter", "variable")
def gradient_arrives(look: Lookup, name: str) -> bool:
    return look.last_gradient(name) is not None


@fact("how often a gradient was added to one that was there already", "variable")
def accumulated(look: Lookup, name: str) -> int:
    return look.accumulated(name)


@fact("how many nodes belong to a backward pass")
def gradient_nodes(look: Lookup) -> int:
    return sum(look.record.definition(node)["role"] == "gradient" for node in look.own_nodes())


@fact("how often backward was called")
def backwards(look: Lookup) -> int:
    return len(look.rows("backward").get("seq", ()))


@fact("how often a graph was freed")
def freed(look: Lookup) -> int:
    return len(look.rows("freed").get("seq", ()))


@fact("how often gradients of a parameter were cleared: set to None or to zero", "variable")
def cleared(look: Lookup, name: str) -> int:
    return look.cleared(name)


@fact("how many ops of this name ran without a note on the tape: under no_grad, or far from any parameter", "op")
def off_tape(look: Lookup, name: str) -> int:
    return look.off_tape(name)


@fact("how many nodes of the tape still hold at the end what they saved for backward")
def still_saved(look: Lookup) -> int:
    return look.still_saved()

"""Answers that come from the recording, and the options that are offered beside the right one."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from app.lessons.anchors import node_at, resolve
from app.lessons.lookup import Lookup
from app.lessons.model import Question

_MOST_OPTIONS = 4


@dataclass(frozen=True)
class Answered:
    """What the page needs of a question: the options of a choice, or the text or number that is right."""

    options: tuple[dict[str, Any], ...]
    text: str | None = None
    number: float | None = None


def answered(question: Question, look: Lookup, at: int) -> Answered:
    """The answer to ``question`` at step ``at``. Raises :class:`LessonError`: this recording has none.

    A value or a shape is that of the moment where the answer is revealed, or of the end.
    """
    if question.options:
        return Answered(tuple({"text": o.text, "right": o.right, "says": o.says} for o in question.options))
    answer = question.answer
    if not isinstance(answer, dict):
        if isinstance(answer, (int, float)) and not isinstance(answer, bool):
            return Answered((), number=float(answer))
        return Answered((), text=str(answer))
    ((kind, name),) = answer.items()
    if kind == "next":
        return _next_node(question, look, at)
    if kind == "count":
        return Answered((), number=float(len(look.ops(str(name)))))
    if kind == "nodes":
        return Answered((), number=float(len(look.own_nodes(plumbing=False))))
    if kind == "prints":
        return Answered((), text=_next_output(question, look, at))
    if kind == "has value":
        held = node_at(str(name), at, look)
        seen = held >= 0 and any(look.step_of(seq) <= at for seq, _ in look.record.values_of(held))
        return Answered(_yes_or_no(seen))
    value = asked_value(question, look)[1]
    if kind == "shape":
        if "shape" not in value:
            raise question.place.error(f"{name!r} is no tensor, so it has no shape")
        return Answered((), text=f"[{', '.join(map(str, value['shape']))}]")
    number = look.single(value)
    if not isinstance(number, (int, float)):
        holds = f"holds {value['size']} numbers; ask for its shape instead" if "size" in value else "is no number"
        raise question.place.error(f"{name!r} {holds}")
    return Answered((), number=float(number))


def asked_value(question: Question, look: Lookup) -> tuple[int, dict[str, Any]]:
    """When the thing that a question of a value or a shape is about gets that value, and the value."""
    ((_, name),) = question.answer.items()
    history = look.history(str(name))
    if not history:
        raise question.place.error(f"{name!r} has no value in this recording")
    if question.reveal is None:
        return history[-1]
    end = resolve(question.reveal, look)
    return next((one for one in reversed(history) if one[0] <= end), history[0])


def _yes_or_no(right: bool) -> tuple[dict[str, Any], ...]:
    return (
        {"text": "Yes", "right": right, "says": "There is a value by now." if right else "The box is still empty."},
        {"text": "No", "right": not right, "says": "The box is filled." if right else "Nothing has computed it yet."},
    )


def _next_node(question: Question, look: Lookup, at: int) -> Answered:
    """Which node computes next; beside it others that are still to come, or have been."""
    order = _computed(look)
    coming = [node for step, node in order if step > at]
    if not coming:
        raise question.place.error("nothing is computed after this moment")
    right = coming[0]
    others = [node for node in dict.fromkeys(coming) if node != right]
    before = [node for node in dict.fromkeys(node for step, node in order if step <= at) if node != right]
    chosen = [*others[: _MOST_OPTIONS - 2], *reversed(before)][: _MOST_OPTIONS - 1]
    names = {node: _called(node, look) for node in (right, *chosen)}
    options = [right, *(node for node in chosen if names[node] != names[right])]
    # The same lesson gives the same order, and the right one is not always the first.
    random.Random(question.ask).shuffle(options)
    return Answered(
        tuple(
            {"text": names[node], "node": node, "right": node == right, "says": _says(node, right, before, look)}
            for node in options
        )
    )


def _says(node: int, right: int, before: list[int], look: Lookup) -> str:
    if node == right:
        return "Everything that it needs is there."
    if node in before:
        return "It has its value already."
    return "It has to wait: something that points at it is not there yet, or its turn comes later."


def _computed(look: Lookup) -> list[tuple[int, int]]:
    """(step, node) of what the picture shows being computed, in order."""
    found = []
    for table in ("ran", "gradient", "accumulated"):
        rows = look.rows(table)
        for seq, node in zip(rows.get("seq", ()), rows.get("node", ()), strict=True):
            role = look.record.definition(node)["role"]
            if look.record.nodes["serves"][node] < 0 and role not in ("variable", "input", "constant"):
                found.append((look.step_of(seq), node))
    return sorted(found)


def _called(node: int, look: Lookup) -> str:
    record = look.record
    definition = record.definition(node)
    if definition["role"] == "gradient":
        mirrored = record.nodes["mirrors"][node]
        return f"{record.label(node)}, under {record.called(mirrored)}" if mirrored >= 0 else record.label(node)
    name = record.variable(node)
    return f"{name} ({record.label(node)})" if name else record.label(node)


def _next_output(question: Question, look: Lookup, at: int) -> str:
    table = look.rows("output")
    for seq, offset, length in zip(*(table.get(key, ()) for key in ("seq", "offset", "length")), strict=True):
        if look.step_of(seq) > at:
            return str(look.trace["stdout"])[offset : offset + length].strip()
    raise question.place.error("nothing is printed after this moment")

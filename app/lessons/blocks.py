"""The fenced blocks of a step: player, question, exercise, measure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.lessons.expressions import Expression, ExpressionError, parse
from app.lessons.facts import FACTS
from app.lessons.marked import Fields
from app.lessons.model import (
    Check,
    Exercise,
    Measure,
    Mistake,
    Moment,
    Option,
    Place,
    PlayerBlock,
    Program,
    Question,
    Step,
)
from app.lessons.verdicts import PARTS

PHASES = ("build", "init", "optimise", "compile", "run", "forward", "backward", "update")
EVENTS = ("created", "value", "run", "gradient", "freed", "merged", "folded", "fused", "removed", "error")
OPENS = ("graph", "lanes", "phases", "critical", "memory", "measure", "xray", "variables", "output")
KINDS = ("node", "shape", "value", "prints", "number", "choice", "text")
ANSWERS = ("next", "shape", "value", "has value", "prints", "count", "nodes")
_CALLS = {name: int(bool(fact.argument)) for name, fact in FACTS.items()}
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass
class Shown:
    """Which programs the player holds: a step that names none keeps those of the step before."""

    program: str
    beside: str


def step(
    place: Place, title: str, text: str, found: dict[str, Fields], programs: dict[str, Program], shown: Shown
) -> Step:
    """A step from its blocks. Raises :class:`LessonError`."""
    player = _player(found["player"], programs, shown) if "player" in found else None
    if "question" in found and not shown.program:
        raise found["question"].place.error(
            "a question is about a recording: give this step or one before a player block"
        )
    return Step(
        title, text, place, player,
        _question(found["question"]) if "question" in found else None,
        _exercise(found["exercise"], programs) if "exercise" in found else None,
        _measure(found["measure"], programs) if "measure" in found else None,
    )  # fmt: skip


def _named(fields: Fields, key: str, programs: dict[str, Program], default: str | None = None) -> str:
    name = fields.text(key, default)
    if name and name not in programs:
        raise fields.where(key).error(f"there is no program {name!r} in this folder; there are {', '.join(programs)}")
    return name


def _player(fields: Fields, programs: dict[str, Program], shown: Shown) -> PlayerBlock:
    if fields.has("program"):
        shown.program, shown.beside = _named(fields, "program", programs), _named(fields, "beside", programs, "")
    elif not shown.program:
        raise fields.place.error("the first player block names its program: …")
    elif fields.has("beside"):
        shown.beside = _named(fields, "beside", programs, "")
    at = moment(fields, "at", before=fields.flag("before")) or Moment(fields.place, {"at": "start"})
    opened = fields.text("open", "")
    if opened and opened not in OPENS:
        raise fields.where("open").error(f"open is one of {', '.join(OPENS)}")
    block = PlayerBlock(
        fields.place, shown.program, shown.beside, at, moment(fields, "until"), fields.text("select", ""), opened,
        fields.flag("hide"),
    )  # fmt: skip
    fields.done()
    return block


def moment(fields: Fields, key: str, *, before: bool = False) -> Moment | None:
    """A moment, checked as far as it can be without a recording."""
    found = fields.any(key)
    place = fields.where(key)
    if found is None:
        return None
    if isinstance(found, str):
        if found not in ("start", "end", "error"):
            raise place.error(
                f"{key} is start, end, error, or says what happens: {{line: …}}, {{node: …}}, {{phase: …}}"
            )
        return Moment(place, {"at": found, "before": before})
    if not isinstance(found, dict):
        raise place.error(f"{key} is start, end, error, or says what happens: {{line: …}}")
    kinds = [kind for kind in ("line", "node", "phase", "prints") if kind in found]
    allowed = {"line": ("pass",), "node": ("event", "nth"), "phase": ("nth",), "prints": ("nth",)}
    if len(kinds) != 1:
        raise place.error(f"{key} holds one of line, node, phase, prints")
    (kind,) = kinds
    for extra in found:
        if extra not in (kind, "before", *allowed[kind]):
            raise place.error(f"{key} has no {extra!r}; beside {kind} it may have before, {', '.join(allowed[kind])}")
    if kind == "phase" and found["phase"] not in PHASES:
        raise place.error(f"phase is one of {', '.join(PHASES)}")
    if kind == "node" and found.get("event", "created") not in EVENTS:
        raise place.error(f"event is one of {', '.join(EVENTS)}")
    for counter in ("nth", "pass"):
        number = found.get(counter, 1)
        if number != "last" and not (isinstance(number, int) and not isinstance(number, bool) and number >= 1):
            raise place.error(f"{counter} counts from 1, or is last")
    return Moment(place, {**found, "before": before or bool(found.get("before"))})


def _question(fields: Fields) -> Question:
    kind = fields.text("kind", "choice")
    if kind not in KINDS:
        raise fields.where("kind").error(f"kind is one of {', '.join(KINDS)}")
    options = []
    for row in fields.rows("options"):
        options.append(Option(row.text("text"), row.flag("right"), row.text("says")))
        row.done()
    answer = fields.any("answer")
    if kind == "choice":
        if len(options) < 2 or not any(option.right for option in options) or all(option.right for option in options):
            raise fields.where("options").error(
                "a choice has two options or more; at least one is right: true, and one is not"
            )
    elif options or answer is None:
        raise fields.place.error(f"a question of the kind {kind} has an answer, and no options")
    if isinstance(answer, dict) and (len(answer) != 1 or next(iter(answer)) not in ANSWERS):
        raise fields.where("answer").error(f"answer is a number, a text, or one of {{{', '.join(ANSWERS)}: …}}")
    question = Question(
        fields.place, fields.text("ask"), kind, answer, fields.number("tolerance", 0.0), tuple(options),
        fields.text("hint", ""), fields.text("explain", ""), moment(fields, "reveal"),
    )  # fmt: skip
    fields.done()
    return question


def _exercise(fields: Fields, programs: dict[str, Program]) -> Exercise:
    name = fields.text("id")
    if not _ID.fullmatch(name):
        raise fields.where("id").error("an id is small letters, digits and dashes")
    checks, mistakes = [], []
    for row in fields.rows("checks"):
        checks.append(Check(row.place, _expression(row, "that", _CALLS), row.text("else")))
        row.done()
    for row in fields.rows("mistakes"):
        when = _expression(row, "when", _CALLS)
        mistakes.append(Mistake(row.place, _named(row, "program", programs), when, row.text("says")))
        row.done()
    if not checks:
        raise fields.place.error("an exercise has checks: each with that: and else:")
    exercise = Exercise(
        fields.place, name, _named(fields, "program", programs), fields.text("task"), tuple(checks),
        fields.texts("hints"), tuple(mistakes), _named(fields, "solution", programs), fields.text("why", ""),
    )  # fmt: skip
    fields.done()
    return exercise


def _measure(fields: Fields, programs: dict[str, Program]) -> Measure:
    names = fields.texts("programs")
    for name in names:
        if name not in programs:
            raise fields.where("programs").error(f"there is no program {name!r} in this folder")
    if not 1 <= len(names) <= 4:
        raise fields.where("programs").error("one to four programs are measured")
    also = fields.text("also", "table")
    if also not in ("table", "break-even"):
        raise fields.where("also").error("also is table or break-even")
    known = {f"{name.removesuffix('.py')}.{part}": 0 for name in names for part in PARTS}
    measure = Measure(fields.place, names, fields.text("claim"), _expression(fields, "holds", known), also)
    fields.done()
    return measure


def _expression(fields: Fields, key: str, known: Mapping[str, int]) -> Expression:
    text: Any = fields.text(key)
    try:
        return parse(text, known)
    except ExpressionError as error:
        raise fields.where(key).error(str(error)) from None

"""The events of a class, and what each may hold: the one table that what comes from a browser is read by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.classroom.errors import ClassroomError

TEACHER = "teacher"
"""Who sends what steers a class; everybody else is the random id of a follower."""

MOST_NAME, MOST_TEXT, MOST_SOURCE, MOST_OPS, MOST_INPUTS, MOST_CHOICES = 40, 200, 100_000, 500, 50, 12
MOST_FILES, MOST_FILE = 100, 8 << 20
_MOST_STEP = 10_000_000


@dataclass(frozen=True)
class Event:
    """One line of the log: ``number`` from 1 without gaps, ``time`` in seconds since the epoch, ``who`` sent it."""

    number: int
    time: float
    kind: str
    who: str
    data: Mapping[str, Any]


class BadEventError(ClassroomError):
    """What came is no event of a class: says what is wrong with it."""

    def __init__(self, message: str) -> None:
        super().__init__("bad", message)


Reader = Callable[[str, Any], Any]
"""Gives the value that may be kept; raises :class:`BadEventError`."""


def text(most: int, *, lines: bool = False) -> Reader:
    """Text of at most ``most`` characters, without control characters; ``lines``: of several lines, as it is."""

    def read(key: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > most or any("\ud800" <= c <= "\udfff" for c in value):
            raise BadEventError(f'"{key}" must be text of at most {most:,} characters.')
        if lines:
            if "\0" in value:
                raise BadEventError(f'"{key}" holds a NUL character.')
            return value
        # Without what turns a line round or hides it: a name must not repaint the page about it.
        return " ".join("".join(c if c.isprintable() else " " for c in value).split())

    return read


def ascii_text(most: int) -> Reader:
    """Text of at most ``most`` ASCII characters, as it is: base64, which may be long."""

    def read(key: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > most or not value.isascii():
            raise BadEventError(f'"{key}" must be base64 of at most {most:,} characters.')
        return value

    return read


def whole(low: int, high: int) -> Reader:
    def read(key: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadEventError(f'"{key}" must be a whole number from {low:,} to {high:,}.')
        return value

    return read


def number(low: float, high: float) -> Reader:
    def read(key: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise BadEventError(f'"{key}" must be a number.')
        return min(high, max(low, float(value)))

    return read


def flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadEventError(f'"{key}" must be true or false.')
    return value


def one_of(*choices: str) -> Reader:
    def read(key: str, value: Any) -> str:
        if value not in choices:
            raise BadEventError(f'"{key}" must be one of {", ".join(choices)}.')
        return str(value)

    return read


def maybe(reader: Reader) -> Reader:
    """The same, or nothing."""
    return lambda key, value: None if value is None else reader(key, value)


def list_of(reader: Reader, most: int) -> Reader:
    def read(key: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise BadEventError(f'"{key}" must be a list of at most {most} entries.')
        return [reader(key, one) for one in value]

    return read


def record(**fields: Reader) -> Reader:
    """An object with these keys and no others; a key whose reader takes None may be left out."""

    def read(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise BadEventError(f'"{key}" must be an object.')
        unknown = sorted(str(name) for name in set(value) - set(fields))
        if unknown:
            raise BadEventError(f"Unknown key {unknown[0][:40]!r}: the keys are {', '.join(fields) or 'none'}.")
        return {name: reader(name, value.get(name)) for name, reader in fields.items()}

    return read


def answer(key: str, value: Any) -> Any:
    """What answers a poll: true or false, a number (of a slot), or a short text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return whole(-1, 10**9)(key, value)
    return text(MOST_TEXT)(key, value)


_STEP, _SLOT = whole(0, _MOST_STEP), whole(-1, _MOST_STEP)
_VIEW = maybe(record(graph=whole(-1, 10**6), plan=whole(-1, 10**6)))
PROGRAM: dict[str, Reader] = {
    "source": text(MOST_SOURCE, lines=True),
    "name": text(100),
    "stdin": maybe(text(MOST_SOURCE, lines=True)),
    "files": maybe(list_of(record(name=text(100), data=ascii_text(MOST_FILE)), MOST_FILES)),
}
"""A program, what it reads as input, and the files beside it (contents in base64)."""
_OP = record(
    slot=_SLOT,
    name=text(60),
    symbol=text(12),
    category=text(20),
    inputs=list_of(whole(0, MOST_OPS - 1), MOST_INPUTS),
)
_SPOT = {"slot": _SLOT, "x": number(-1e6, 1e6), "y": number(-1e6, 1e6)}
POLLS = ("node", "shape", "value", "truth", "text")

BY_TEACHER: dict[str, Reader] = {
    "place": record(program=whole(1, 10**9), step=_STEP, node=_SLOT, view=_VIEW, pane=maybe(text(20))),
    "code": record(**PROGRAM),
    "asked": record(
        type=one_of(*POLLS),
        question=text(MOST_TEXT),
        program=whole(1, 10**9),
        step=_STEP,
        answer=maybe(answer),
        choices=maybe(list_of(text(MOST_NAME), MOST_CHOICES)),
    ),
    "revealed": record(poll=whole(1, 10**9)),
    "dismissed": record(poll=whole(1, 10**9)),
    "shown": record(offer=whole(1, 10**9)),
    "hid": record(member=text(MOST_NAME), hidden=flag),
    "removed": record(member=text(MOST_NAME)),
    "dealt": record(
        mode=one_of("static", "dynamic"),
        ops=list_of(_OP, MOST_OPS),
    ),
    "called": record(op=whole(0, MOST_OPS - 1)),
    "closed": record(),
}
"""What the teacher's key may send."""

BY_FOLLOWER: dict[str, Reader] = {
    "hand": record(up=flag),
    "voted": record(poll=whole(1, 10**9), value=answer),
    "offered": record(**PROGRAM),
    "fired": record(op=whole(0, MOST_OPS - 1)),
}
"""What a follower may send."""

PRESENCE: dict[str, Reader] = {"joined": record(name=maybe(text(MOST_NAME))), "left": record()}
"""What a server notes of a follower: written by itself, or by another instance that follows the class."""

PASSING: dict[str, Reader] = {
    "pointer": maybe(record(**_SPOT)),
    "zoom": maybe(record(**_SPOT, scale=number(0.05, 20))),
    "steer": one_of("next", "back", "first", "last", "play", "iteration", "phase"),
}
"""What the teacher sends that is told and not kept; ``steer`` reaches the teacher's own pages alone."""


def read_event(kind: Any, data: Any, *, teacher: bool) -> dict[str, Any]:
    """``data`` as far as it may be kept. Raises :class:`BadEventError`.

    >>> read_event("hand", {"up": True}, teacher=False)
    {'up': True}
    >>> read_event("place", {"step": 3}, teacher=False)
    Traceback (most recent call last):
    app.classroom.events.BadEventError: "kind" must be one of hand, voted, offered, fired.
    """
    table = BY_TEACHER if teacher else BY_FOLLOWER
    kind = one_of(*table)("kind", kind)
    found: dict[str, Any] = table[kind]("data", data)
    if kind == "dealt":
        _check_order(found["ops"])
    return found


def _check_order(ops: list[dict[str, Any]]) -> None:
    """An op reads only ops before it: so there is no ring, and every op can fire."""
    for at, op in enumerate(ops):
        if any(source >= at for source in op["inputs"]):
            raise BadEventError(f"Op {at} reads an op that does not stand before it.")

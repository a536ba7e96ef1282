"""What a lesson is made of, once its files are read."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from app.lessons.expressions import Expression


class LessonError(Exception):
    """Something in a lesson's files is not as it should be.

    >>> str(LessonError(Path("lessons/01-a/lesson.md"), 12, "unknown key 'colour'"))
    "lessons/01-a/lesson.md:12: unknown key 'colour'"
    """

    def __init__(self, file: Path, line: int, what: str) -> None:
        super().__init__(f"{file}:{line}: {what}")
        self.file, self.line, self.what = file, line, what


@dataclass(frozen=True)
class Place:
    """Where something stands in a lesson's files, for messages."""

    file: Path
    line: int

    def error(self, what: str) -> LessonError:
        return LessonError(self.file, self.line, what)


@dataclass(frozen=True)
class Program:
    """One program of a lesson. ``ends`` is ``"ok"``, ``"limit"``, or ``"error"`` with the exception's name."""

    name: str
    source: str
    ends: str
    file: Path


@dataclass(frozen=True)
class Moment:
    """A moment of a recording, said by what happens: see :mod:`app.lessons.anchors`."""

    place: Place
    what: dict[str, Any]


@dataclass(frozen=True)
class PlayerBlock:
    """Where the player stands in a step of the lesson."""

    place: Place
    program: str
    beside: str
    at: Moment
    until: Moment | None
    select: str
    open: str
    hide: bool


@dataclass(frozen=True)
class Option:
    text: str
    right: bool
    says: str


@dataclass(frozen=True)
class Question:
    """``answer`` is a number, a text, or says what of the recording is the answer; ``options`` for a choice."""

    place: Place
    ask: str
    kind: str
    answer: Any
    tolerance: float
    options: tuple[Option, ...]
    hint: str
    explain: str
    reveal: Moment | None


@dataclass(frozen=True)
class Check:
    place: Place
    that: Expression
    otherwise: str


@dataclass(frozen=True)
class Mistake:
    place: Place
    program: str
    when: Expression
    says: str


@dataclass(frozen=True)
class Exercise:
    place: Place
    id: str
    program: str
    task: str
    checks: tuple[Check, ...]
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    solution: str
    why: str


@dataclass(frozen=True)
class Measure:
    """Programs that the reader measures, and the claim that is judged by the figures."""

    place: Place
    programs: tuple[str, ...]
    claim: str
    holds: Expression
    also: str


@dataclass(frozen=True)
class Step:
    title: str
    text: str
    place: Place
    player: PlayerBlock | None = None
    question: Question | None = None
    exercise: Exercise | None = None
    measure: Measure | None = None


@dataclass(frozen=True)
class TeacherNotes:
    """What a teacher wants beside the lesson. ``sections``: (title, text, where the player stands)."""

    aims: tuple[str, ...]
    time: tuple[str, ...]
    room: tuple[str, ...]
    sections: tuple[Step, ...]


@dataclass(frozen=True)
class Pace:
    """Minutes that each part of a lesson takes, and in how many sittings: see :mod:`app.lessons.pace`.

    >>> pace = Pace(reading=2.0, programs=3.2, pictures=2.0, questions=3.2, exercise=2.5, measuring=0.0, sittings=1)
    >>> pace.minutes, pace.words
    (13, 'reading 2, programs 3, pictures 2, questions 3, exercise 2.5')
    """

    reading: float
    programs: float
    pictures: float
    questions: float
    exercise: float
    measuring: float
    sittings: int

    @property
    def parts(self) -> dict[str, float]:
        """Those parts that the lesson has, in minutes."""
        named = ((field.name, float(getattr(self, field.name))) for field in fields(self) if field.name != "sittings")
        return {name: minutes for name, minutes in named if minutes}

    @property
    def minutes(self) -> int:
        """Of the whole lesson."""
        return round(sum(self.parts.values()))

    @property
    def told(self) -> str:
        """For a list: ``13 min``, or ``2 × 11 min`` where it is taken in two sittings."""
        each = round(self.minutes / self.sittings)
        return f"{self.sittings} × {each} min" if self.sittings > 1 else f"{each} min"

    @property
    def words(self) -> str:
        """Where the minutes go, to half a minute."""
        return ", ".join(f"{name} {max(round(2 * minutes), 1) / 2:g}" for name, minutes in self.parts.items())


@dataclass(frozen=True)
class Lesson:
    id: str
    number: int
    folder: Path
    title: str
    pace: Pace
    summary: str
    claims: tuple[int, ...]
    needs: tuple[str, ...]
    steps: tuple[Step, ...]
    programs: dict[str, Program] = field(repr=False)
    teacher: TeacherNotes | None = None

    def exercises(self) -> dict[str, Exercise]:
        """Exercises by their id."""
        return {step.exercise.id: step.exercise for step in self.steps if step.exercise}

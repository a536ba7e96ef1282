"""All lessons in their order, the paths through them, and the claims that they show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app import places
from app.lessons.marked import read
from app.lessons.model import Lesson, LessonError, Place
from app.lessons.reader import read_lesson


@dataclass(frozen=True)
class Route:
    """A ready way through some lessons; ``home`` if the exercises are not for the time in class."""

    place: Place
    id: str
    title: str
    minutes: int
    home: bool
    words: str
    lessons: tuple[str, ...]


@dataclass(frozen=True)
class Claim:
    """Something that people are told, and what the lessons show of it."""

    number: int
    claim: str
    shown: str


@dataclass(frozen=True)
class Course:
    lessons: tuple[Lesson, ...]
    paths: tuple[Route, ...]
    claims: tuple[Claim, ...]

    def get(self, id: str) -> Lesson | None:
        return next((lesson for lesson in self.lessons if lesson.id == id), None)

    def showing(self, claim: int) -> list[Lesson]:
        """The lessons that show a claim."""
        return [lesson for lesson in self.lessons if claim in lesson.claims]


def lesson_folders(folder: Path | None = None) -> list[Path]:
    """The folders of lessons, in order."""
    root = folder or places.lessons_folder()
    return sorted(entry for entry in root.iterdir() if entry.is_dir() and entry.name[:1].isdigit())


def load(folder: Path | None = None) -> Course:
    """Read the whole course. Raises :class:`LessonError` at the first thing that is wrong."""
    root = folder or places.lessons_folder()
    lessons = [read_lesson(entry) for entry in lesson_folders(root)]
    numbers: dict[int, Lesson] = {}
    for lesson in lessons:
        other = numbers.setdefault(lesson.number, lesson)
        if other is not lesson:
            raise LessonError(lesson.folder, 1, f"has the number of {other.folder.name}")
    known = {lesson.id for lesson in lessons}
    claims = _claims(root / "claims.yaml")
    told = {claim.number for claim in claims}
    for lesson in lessons:
        file = lesson.folder / "lesson.md"
        for need in lesson.needs:
            if need not in known:
                raise LessonError(file, 1, f"needs the lesson {need!r}, which is not there")
        for claim in lesson.claims:
            if claims and claim not in told:
                raise LessonError(file, 1, f"there is no claim {claim} in claims.yaml")
    return Course(tuple(lessons), _paths(root / "paths.yaml", known), claims)


def _claims(file: Path) -> tuple[Claim, ...]:
    if not file.exists():
        return ()
    fields = read(file, file.read_text(encoding="utf-8"), 1, "claims.yaml")
    found = []
    for row in fields.rows("claims"):
        found.append(Claim(int(row.number("number")), row.text("claim"), row.text("shown")))
        row.done()
    fields.done()
    return tuple(found)


def _paths(file: Path, known: set[str]) -> tuple[Route, ...]:
    if not file.exists():
        return ()
    fields = read(file, file.read_text(encoding="utf-8"), 1, "paths.yaml")
    found = []
    for row in fields.rows("paths"):
        lessons = row.texts("lessons")
        for lesson in lessons:
            if lesson not in known:
                raise row.where("lessons").error(f"there is no lesson {lesson!r}")
        where = row.text("exercises", "class")
        if where not in ("class", "home"):
            raise row.where("exercises").error("exercises is class or home")
        minutes, place = int(row.number("minutes")), row.where("minutes")
        home, words = where == "home", row.text("words")
        found.append(Route(place, row.text("id"), row.text("title"), minutes, home, words, lessons))
        row.done()
    fields.done()
    return tuple(found)

"""From a folder to a :class:`Lesson`. Everything that is wrong is an error that names file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from app.lessons import blocks
from app.lessons.marked import Fields, read
from app.lessons.model import Lesson, LessonError, Place, Program, Step, TeacherNotes
from app.lessons.pace import pace

_FOLDER = re.compile(r"(\d\d)-([a-z0-9]+(?:-[a-z0-9]+)*)")
_ENDS = re.compile(r"# ends: (ok|limit|error [A-Za-z_]\w*)\s*")
_BLOCKS = ("player", "question", "exercise", "measure")
_MOST_BYTES = 100_000


def read_lesson(folder: Path) -> Lesson:
    """Read one lesson. Raises :class:`LessonError`."""
    match = _FOLDER.fullmatch(folder.name)
    if match is None:
        raise LessonError(folder, 1, "the folder of a lesson is called NN-name, for example 07-gradients")
    programs = {file.name: _program(file) for file in sorted(folder.glob("*.py"))}
    file = folder / "lesson.md"
    head, steps = _document(file, programs, "a lesson")
    title, summary = head.text("title"), head.text("summary")
    sittings = int(head.number("sittings", 1))
    if not 1 <= sittings <= 3:
        raise head.where("sittings").error("a lesson is taken in 1 to 3 sittings")
    claims = tuple(int(claim) for claim in head.texts("claims"))
    needs = head.texts("needs")
    head.done()
    if not steps:
        raise LessonError(file, 1, "a lesson has steps: begin each with '## Title'")
    lesson = Lesson(
        match[2], int(match[1]), folder, title, pace(steps, programs, sittings), summary, claims, needs,
        tuple(steps), programs, _teacher(folder / "teacher.md", programs),
    )  # fmt: skip
    _check_ids(lesson)
    return lesson


def _program(file: Path) -> Program:
    source = file.read_text(encoding="utf-8")
    if len(source) > _MOST_BYTES:
        raise LessonError(file, 1, f"a program has at most {_MOST_BYTES:,} characters")
    first, _, rest = source.partition("\n")
    ends = "ok"
    if first.startswith("# ends"):
        match = _ENDS.fullmatch(first)
        if match is None:
            raise LessonError(file, 1, "write '# ends: error RuntimeError', '# ends: limit' or nothing")
        ends, source = match[1], rest
    return Program(file.name, source, ends, file)


def _teacher(file: Path, programs: dict[str, Program]) -> TeacherNotes | None:
    if not file.exists():
        return None
    head, sections = _document(file, programs, "a teacher's page")
    notes = TeacherNotes(head.texts("aims"), head.texts("time"), head.texts("room"), tuple(sections))
    head.done()
    return notes


def _document(file: Path, programs: dict[str, Program], what: str) -> tuple[Fields, list[Step]]:
    if not file.exists():
        raise LessonError(file, 1, f"{what} needs this file")
    lines = file.read_text(encoding="utf-8").split("\n")
    try:
        end = lines.index("---", 1) if lines[0] == "---" else -1
    except ValueError:
        end = -1
    if end < 0:
        raise LessonError(file, 1, f"{what} begins with a line '---', keys, and another line '---'")
    head = read(file, "\n".join(lines[1:end]), 2, what)
    return head, list(_steps(file, lines, end + 1, programs))


def _steps(file: Path, lines: list[str], begin: int, programs: dict[str, Program]) -> Iterator[Step]:
    """The parts under each second-level heading."""
    text = "\n".join(lines[begin:])
    tokens = MarkdownIt("commonmark", {"html": False}).parse(text)
    starts = [
        (token.map[0], tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.markup == "##" and token.level == 0 and token.map
    ]
    if tokens and (not starts or tokens[0].map != [starts[0][0], starts[0][0] + 1]):
        raise LessonError(file, begin + 1, "the text begins with a step: '## Title'")
    shown = blocks.Shown("", "")
    ends = [at for at, _ in starts[1:]] + [len(lines) - begin]
    for (start, title), after in zip(starts, ends, strict=False):  # no step, no end
        place = Place(file, begin + start + 1)
        found: dict[str, Fields] = {}
        kept: list[str] = [""] * (begin + start + 1)
        body = lines[begin + start + 1 : begin + after]
        kept += body
        for token in tokens:
            if token.type != "fence" or token.map is None or not start < token.map[0] < after:
                continue
            name = token.info.strip()
            at = begin + token.map[0]
            if name not in _BLOCKS:
                continue  # code that is shown
            if name in found:
                raise LessonError(file, at + 1, f"a step has at most one {name} block; begin another step with '## '")
            found[name] = read(file, token.content, at + 2, f"a {name} block")
            for line in range(at, begin + token.map[1]):
                kept[line] = ""
        words = "\n".join(kept[begin + start + 1 :]).strip()
        yield blocks.step(place, title, words, found, programs, shown)


def _check_ids(lesson: Lesson) -> None:
    seen: set[str] = set()
    for step in lesson.steps:
        if step.exercise is not None:
            if step.exercise.id in seen:
                raise step.exercise.place.error(f"there are two exercises called {step.exercise.id!r}")
            seen.add(step.exercise.id)

"""Everything a lesson says, tried: each program runs, each moment happens, each answer is there, each exercise tells
right from wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from app.lessons.anchors import node_at, resolve
from app.lessons.course import Course
from app.lessons.lookup import Lookup
from app.lessons.model import Exercise, Lesson, LessonError, Measure, Moment, Place, PlayerBlock, Question, Step
from app.lessons.pace import LEAST, MOST
from app.lessons.questions import answered, asked_value
from app.lessons.records import Recorder, Result, wrong_end
from app.lessons.verdicts import NEEDS, wanted


def problems(lesson: Lesson, record: Recorder) -> Iterator[LessonError]:
    """What is wrong with a lesson, in the order of its text; nothing if all of it holds."""
    ends_badly = {name for name, program in lesson.programs.items() if wrong_end(program, record(program))}
    for name in sorted(ends_badly):
        found = wrong_end(lesson.programs[name], record(lesson.programs[name]))
        if found is not None:
            yield found
    looks: dict[str, Lookup] = {}

    def look(name: str) -> Lookup:
        if name not in looks:
            looks[name] = Lookup(record(lesson.programs[name]))
        return looks[name]

    at: PlayerBlock | None = None
    for step in (*lesson.steps, *(lesson.teacher.sections if lesson.teacher else ())):
        at = step.player or at
        yield from _of_step(step, at, look)
        if step.exercise is not None:
            yield from _of_exercise(step.exercise, lesson, record)
        if step.measure is not None:
            yield from _of_measure(step.measure, look)
    if lesson.teacher is None:
        yield LessonError(lesson.folder / "teacher.md", 1, "a lesson has a page for teachers")
    yield from _unused(lesson)


def lengths(course: Course, lessons: Iterable[Lesson]) -> Iterator[LessonError]:
    """Of ``lessons`` those that are too short or too long, and the ready paths that do not fit into their time."""
    for lesson in lessons:
        found = lesson.pace
        each = round(found.minutes / found.sittings)
        if not LEAST <= each <= MOST:
            sittings = f" in {found.sittings} sittings" if found.sittings > 1 else ""
            mend = "say, ask or try more" if each < LEAST else "make two lessons of it, or say sittings: 2"
            yield LessonError(
                lesson.folder / "lesson.md", 1,
                f"takes about {found.minutes} minutes{sittings} ({found.words}); "
                f"it should be {LEAST} to {MOST}: {mend}",
            )  # fmt: skip
    for route in course.paths:
        known = [one.pace for one in map(course.get, route.lessons) if one]
        takes = sum(sum(one.parts.values()) - one.exercise * route.home for one in known)
        if takes > route.minutes:
            without = " without the exercises" if route.home else ""
            yield route.place.error(f"its lessons take about {round(takes)} minutes{without}; leave some out")


def _of_step(step: Step, at: PlayerBlock | None, look: Callable[[str], Lookup]) -> Iterator[LessonError]:
    if at is None:
        return
    recording = look(at.program)
    here = 0
    moments: list[Moment] = [at.at, *([at.until] if at.until else [])]
    if step.question is not None and step.question.reveal is not None:
        moments.append(step.question.reveal)
    wrong = False
    for moment in moments:
        try:
            found = resolve(moment, recording)
        except LessonError as error:
            if step.player is not None or moment is not at.at:
                wrong = True
                yield error
            continue
        if moment is at.at:
            here = found
        elif moment is at.until and found < here:
            yield moment.place.error(f"until comes before at (steps {found} and {here})")
    if step.player is not None and at.select and node_at(at.select, here, recording) < 0:
        yield at.place.error(f"no node is called {at.select!r} in {at.program}")
    if step.question is not None and not wrong:
        try:
            answered(step.question, recording, here)
            if step.player is not None and step.player.hide:
                yield from _given_away(step.question, recording, here)
        except LessonError as error:
            yield error


def _given_away(question: Question, recording: Lookup, here: int) -> Iterator[LessonError]:
    """A value that is asked for must not be there yet, where what comes is hidden until it is answered."""
    if isinstance(question.answer, dict) and next(iter(question.answer)) in ("shape", "value"):
        there, _ = asked_value(question, recording)
        if there <= here:
            yield question.place.error("the answer can be seen at this moment already: add before: true to the player")


def _of_exercise(exercise: Exercise, lesson: Lesson, record: Recorder) -> Iterator[LessonError]:
    solution = Result(exercise, record(lesson.programs[exercise.solution]))
    for check, (passed, _) in zip(exercise.checks, solution.checks, strict=True):
        if not passed:
            yield check.place.error(f"the solution {exercise.solution} does not pass: {check.that.text}")
    if Result(exercise, record(lesson.programs[exercise.program])).passed:
        yield exercise.place.error(f"the program {exercise.program} passes every check before anything was done")
    for mistake in exercise.mistakes:
        result = Result(exercise, record(lesson.programs[mistake.program]))
        if result.passed:
            yield mistake.place.error(f"{mistake.program} passes every check: nobody would hear what is wrong with it")
        elif result.mistake is not mistake:
            told = "no message" if result.mistake is None else f"that of {result.mistake.program}"
            yield mistake.place.error(f"{mistake.program} gets {told} in place of its own: {mistake.when.text}")


def _of_measure(measure: Measure, look: Callable[[str], Lookup]) -> Iterator[LessonError]:
    for program, part in wanted(measure):
        table, least = NEEDS.get(part, ("line", 1))
        if len(look(program).rows(table).get("seq", ())) < least:
            yield measure.place.error(f"{program} has no {part} that could be measured")


def _unused(lesson: Lesson) -> Iterator[LessonError]:
    used: set[str] = set()
    for step in (*lesson.steps, *(lesson.teacher.sections if lesson.teacher else ())):
        if step.player:
            used |= {step.player.program, step.player.beside}
        if step.exercise:
            exercise = step.exercise
            used |= {exercise.program, exercise.solution, *(mistake.program for mistake in exercise.mistakes)}
        if step.measure:
            used |= set(step.measure.programs)
    for name in lesson.programs:
        if name not in used:
            yield Place(lesson.folder / name, 1).error("no part of the lesson uses this program")

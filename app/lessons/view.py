"""A lesson as the page gets it: texts rendered, moments resolved in the recordings that are there."""

from __future__ import annotations

import logging
from typing import Any

from markdown_it import MarkdownIt

from app.lessons.anchors import node_at, resolve
from app.lessons.course import Course
from app.lessons.lookup import Lookup
from app.lessons.model import Exercise, Lesson, LessonError, Measure, Moment, PlayerBlock, Question, Step
from app.lessons.questions import answered
from app.lessons.records import Recorder, Result

log = logging.getLogger(__name__)

_markdown = MarkdownIt("commonmark", {"html": False, "typographer": False})


def html(text: str) -> str:
    """Markdown as HTML; what looks like HTML in it is text.

    >>> html("a <b> and `c`")
    '<p>a &lt;b&gt; and <code>c</code></p>'
    """
    return str(_markdown.render(text)).strip()


def inline(text: str) -> str:
    """One line of Markdown, without a paragraph round it.

    >>> inline("the op `mul`")
    'the op <code>mul</code>'
    """
    return str(_markdown.renderInline(" ".join(text.split())))


def summary(lesson: Lesson) -> dict[str, Any]:
    """What the list of lessons shows."""
    return {
        "id": lesson.id,
        "number": lesson.number,
        "title": lesson.title,
        "minutes": lesson.pace.minutes,
        "summary": lesson.summary,
        "claims": list(lesson.claims),
        "needs": list(lesson.needs),
    }


class View:
    """One lesson, with the recordings that ``record`` gives."""

    def __init__(self, lesson: Lesson, course: Course, record: Recorder) -> None:
        self._lesson, self._course, self._record = lesson, course, record
        self._looks: dict[str, Lookup] = {}

    def page(self) -> dict[str, Any]:
        lesson, order = self._lesson, [one.id for one in self._course.lessons]
        at = order.index(lesson.id)
        current: PlayerBlock | None = None
        steps = []
        for step in lesson.steps:
            current = step.player or current
            steps.append(self._step(step, current))
        return {
            **summary(lesson),
            "previous": order[at - 1] if at else None,
            "next": order[at + 1] if at + 1 < len(order) else None,
            "programs": {
                name: {
                    "name": name,
                    "source": program.source,
                    "ends": program.ends,
                    "trace": f"/api/lessons/{lesson.id}/programs/{name}/trace",
                }
                for name, program in lesson.programs.items()
                if name not in self._mistakes()
            },
            "steps": steps,
        }

    def teacher(self) -> list[dict[str, Any]]:
        """The sections of the teacher's page."""
        current: PlayerBlock | None = None
        sections = []
        for section in self._lesson.teacher.sections if self._lesson.teacher else ():
            current = section.player or current
            sections.append(self._step(section, current))
        return sections

    def _mistakes(self) -> set[str]:
        return {mistake.program for one in self._lesson.exercises().values() for mistake in one.mistakes}

    def _look(self, program: str) -> Lookup:
        if program not in self._looks:
            self._looks[program] = Lookup(self._record(self._lesson.programs[program]))
        return self._looks[program]

    def _step(self, step: Step, current: PlayerBlock | None) -> dict[str, Any]:
        found: dict[str, Any] = {"title": step.title, "html": html(step.text)}
        here = 0
        if current is not None:
            look = self._look(current.program)
            here = self._at(current.at, look)
            if step.player is not None:
                found["player"] = self._player(step.player, here, look)
            if step.question is not None:
                found["question"] = self._question(step.question, here, look)
        if step.exercise is not None:
            found["exercise"] = self._exercise(step.exercise)
        if step.measure is not None:
            found["measure"] = _measure(step.measure)
        return found

    @staticmethod
    def _at(moment: Moment, look: Lookup) -> int:
        try:
            return resolve(moment, look)
        except LessonError as error:
            # `stepgraph lessons check` finds it at home; a reader can still read on from the start.
            log.warning("%s", error)
            return 0

    def _player(self, block: PlayerBlock, here: int, look: Lookup) -> dict[str, Any]:
        found: dict[str, Any] = {"program": block.program, "at": here, "hide": block.hide}
        if block.beside:
            found["beside"] = block.beside
        if block.until is not None:
            found["until"] = max(here, self._at(block.until, look))
        if block.select:
            found["select"] = node_at(block.select, here, look)
        if block.open:
            found["open"] = block.open
        return found

    def _question(self, question: Question, here: int, look: Lookup) -> dict[str, Any]:
        answer = answered(question, look, here)
        found: dict[str, Any] = {"ask": inline(question.ask), "kind": question.kind, "options": [
            {**option, "html": inline(option["text"]), "says": inline(option["says"])} for option in answer.options
        ]}  # fmt: skip
        if answer.text is not None:
            found["answer"] = {"text": answer.text}
        if answer.number is not None:
            found["answer"] = {"number": answer.number, "tolerance": question.tolerance}
        for key in ("hint", "explain"):
            if getattr(question, key):
                found[key] = inline(getattr(question, key))
        if question.reveal is not None:
            found["reveal"] = self._at(question.reveal, look)
        return found

    @staticmethod
    def _exercise(exercise: Exercise) -> dict[str, Any]:
        return {
            "id": exercise.id,
            "program": exercise.program,
            "task": html(exercise.task),
            "hints": [inline(hint) for hint in exercise.hints],
            "solution": {"program": exercise.solution, "html": inline(exercise.why)},
            "checks": len(exercise.checks),
        }


def _measure(measure: Measure) -> dict[str, Any]:
    return {
        "programs": list(measure.programs),
        "claim": inline(measure.claim),
        "holds": measure.holds.text,
        "also": measure.also,
    }


def result(found: Result) -> dict[str, Any]:
    """The outcome of the checks of an exercise."""
    return {
        "passed": found.passed,
        "checks": [{"passed": passed, "html": "" if passed else inline(words)} for passed, words in found.checks],
        "mistake": inline(found.mistake.says) if found.mistake else None,
    }

"""How long a lesson takes, counted from what is in it. Every rate stands here, with where it comes from.

Nobody was timed for this: it is an estimate for a reader who knows Python, reads everything once and answers rightly.
What is our own guess is called one; whoever times readers replaces it by a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from app.lessons.model import Pace, Program, Step

LEAST, MOST = 10, 15
"""Minutes of one sitting: short enough to be taken in one go, long enough to have seen something."""

WORDS_A_MINUTE = 238
"""Silent reading of English non-fiction by adults; most read 175 to 300. Brysbaert, How many words do we read per
minute?, Journal of Memory and Language 109 (2019), 190 studies."""
QUESTION_SECONDS = 39
"""One question with options, reading it included. Kennette, Best practice for online tests, Teaching & Learning Inquiry
13 (2025): what students used on average."""
LINE_SECONDS = 6
"""One line of a program, read to be understood. Our own guess: a little slower than the same words as prose."""
PICTURE_SECONDS = 20
"""The player at another moment: find what changed, play some steps (one takes 1.1 s). Our own guess."""
EXERCISE_SECONDS = 120
"""An exercise: look into the program with the player, run it twice, read what the checks say. Our own guess."""
CHANGE_SECONDS = 30
"""And for each line of it that a solution has and the program to begin with has not. Our own guess."""
MEASURE_SECONDS = 30
"""Two programs measured, ten runs each: 20 to 45 s on two busy cores."""

_WORD = re.compile(r"\S*\w\S*")


def pace(steps: Iterable[Step], programs: Mapping[str, Program], sittings: int) -> Pace:
    """Counts a lesson. A line that stood in an earlier program of the lesson is not read again."""
    steps = list(steps)
    questions = [step.question for step in steps if step.question]
    exercises = [step.exercise for step in steps if step.exercise]
    changes = sum(len(_lines(programs[one.solution]) - _lines(programs[one.program])) for one in exercises)
    shown = set().union(*(_lines(programs[name]) for step in steps for name in _shown(step)))
    return Pace(
        reading=sum(len(_WORD.findall(text)) for step in steps for text in _texts(step)) / WORDS_A_MINUTE,
        programs=len(shown) * LINE_SECONDS / 60,
        pictures=sum(step.player is not None for step in steps) * PICTURE_SECONDS / 60,
        questions=len(questions) * QUESTION_SECONDS / 60,
        exercise=(len(exercises) * EXERCISE_SECONDS + changes * CHANGE_SECONDS) / 60,
        measuring=sum(step.measure is not None for step in steps) * MEASURE_SECONDS / 60,
        sittings=sittings,
    )


def _lines(program: Program) -> set[str]:
    return {line.strip() for line in program.source.splitlines()} - {""}


def _shown(step: Step) -> Iterator[str]:
    """The programs that a step puts before the reader."""
    if step.player is not None:
        yield step.player.program
        if step.player.beside:
            yield step.player.beside
    if step.exercise is not None:
        yield step.exercise.program
    if step.measure is not None:
        yield from step.measure.programs


def _texts(step: Step) -> Iterator[str]:
    """What is read of a step by one who answers rightly. The time of a question has its own words and options in it."""
    yield from (step.title, step.text)
    if step.question is not None:
        yield step.question.explain
        yield from (option.says for option in step.question.options if option.right)
    if step.exercise is not None:
        yield from (step.exercise.task, step.exercise.why)
    if step.measure is not None:
        yield step.measure.claim

"""Recordings of a lesson's programs, whoever makes them."""

from __future__ import annotations

from typing import Any, Protocol

from app.lessons.facts import Facts
from app.lessons.lookup import Lookup
from app.lessons.model import Exercise, LessonError, Program


class Recorder(Protocol):
    """Gives the trace of a program, made once."""

    def __call__(self, program: Program) -> dict[str, Any]: ...


class Result:
    """What the checks of an exercise say about one run: ``checks`` (passed, words if not), and the first mistake that
    is recognised."""

    def __init__(self, exercise: Exercise, trace: dict[str, Any]) -> None:
        facts = Facts(trace)
        self.checks = [(bool(check.that.value(facts)), check.otherwise) for check in exercise.checks]
        self.passed = all(passed for passed, _ in self.checks)
        self.mistake = None
        if not self.passed:
            self.mistake = next((one for one in exercise.mistakes if bool(one.when.value(facts))), None)


def wrong_end(program: Program, trace: dict[str, Any]) -> LessonError | None:
    """What is wrong with how a program ended, ``None`` if it ended as its first line says."""
    end = trace["end"]
    kind = "ok" if end["kind"] == "exit" and not end["exit_code"] else str(end["kind"])
    if kind == "error":
        kind = f"error {str(end['error']['type']).rpartition('.')[2]}"
    if kind == program.ends:
        return None
    said = f": {end['error']['message']}" if end.get("error") else ""
    wanted = f"its first line says {program.ends!r}" if program.ends != "ok" else "it should end well"
    return LessonError(program.file, int(end.get("line") or 1), f"ends with {kind!r}{said}; {wanted}")


__all__ = ["Lookup", "Recorder", "Result", "wrong_end"]

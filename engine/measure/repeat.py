"""One run of a program that is measured: marks in its source, sessions timed, no recorder."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, Protocol

from engine.events import Listener, clock
from engine.measure.kernels import Kernels
from engine.measure.marks import Marker
from engine.measure.sessions import SessionTimes
from engine.measure.stopwatch import Laps, Times, mark_cost
from engine.recording.config import Measuring
from engine.recording.instrument import RewriteError, compile_with

LOOPS = 20
"""So many loops are told of, those that took longest."""


class Deadline(Protocol):
    """What a mark needs of a recorder: when it is too late, and what to raise then."""

    base: int
    deadline: int
    finished: int

    def late(self) -> BaseException: ...


class Repeat:
    """Everything that is timed in one run; a context manager around it. In a survey all loops are marked, and
    :attr:`listener` adds up kernels."""

    def __init__(self, asked: Measuring, run: Deadline) -> None:
        self._asked = asked
        self._run = run
        self._kernels = Kernels() if asked.survey else None
        self._sessions = SessionTimes()
        self._marker = Marker(None if asked.survey else asked.loops, asked.line)
        self._laps: dict[int, Laps] = {}
        self._worked: dict[int, int] = {}
        self._target = Times()
        self._entered: list[int] = []
        self._mark_cost = mark_cost()
        self.note = ""

    @property
    def listener(self) -> Listener | None:
        """What the engine tells of its work: nobody, unless this is a survey."""
        return self._kernels  # type: ignore[return-value]

    def __enter__(self) -> Repeat:
        self._sessions.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._sessions.__exit__()

    # -- marks -------------------------------------------------------------------------------------------------------
    def compile(self, source: str, file: str, plain: CodeType) -> CodeType:
        """The program with its marks, or ``plain`` if it has none."""
        marks: dict[str, Callable[[], None]] = {}

        def rewrite(tree: Any, marker: str) -> None:
            self._marker.rewrite(tree, marker)
            marks.update((mark, self._mark(mark)) for mark in self._marker.marks)

        try:
            code = compile_with(source, file, rewrite, marks)
        except RewriteError as error:
            self.note = f"Loops are not timed: {error}."
            return plain
        return code if marks else plain

    def _mark(self, mark: str) -> Callable[[], None]:
        if mark in ("enter", "leave"):
            return self._enter if mark == "enter" else self._leave
        action, _, text = mark.partition(":")
        number = int(text)
        laps = self._laps.setdefault(number, Laps())
        if action != "lap":
            return laps.begin if action == "begin" else laps.end
        lap, run, kernels, worked = laps.lap, self._run, self._kernels, self._worked

        def timely() -> None:
            if clock() > run.deadline:
                raise run.late()
            lap()

        def noticing() -> None:
            """The same, and whether the engine has worked since this loop last came by."""
            assert kernels is not None
            if laps.begun and kernels.events > seen.get(number, 0):
                worked[number] = worked.get(number, 0) + 1
            seen[number] = kernels.events
            timely()

        seen: dict[int, int] = {}
        return timely if kernels is None else noticing

    def _enter(self) -> None:
        if clock() > self._run.deadline:
            raise self._run.late()
        self._entered.append(clock())

    def _leave(self) -> None:
        now = clock()
        if self._entered:
            self._target.add(now - self._entered.pop())

    # -- what came of it ---------------------------------------------------------------------------------------------
    def plain(self) -> dict[str, Any]:
        """Everything that was timed until now, as JSON."""
        sessions, base = self._sessions, self._run.base
        places = self._marker.places
        target = self._marker.target
        loops = sorted(self._laps.items(), key=lambda item: -item[1].times.total)
        signatures = sorted(sessions.signatures.values(), key=lambda one: -one.times.total)
        times = self._target
        if target is not None and target.what == "loop":
            times = self._laps[places.index(target)].times
        return {
            "total": (self._run.finished or clock()) - base,
            "build": sessions.first - base - sessions.prepared_before if sessions.first else None,
            "optimise": sessions.optimise if sessions.plans else None,
            "compile": sessions.compile if sessions.plans else None,
            "compiled": sessions.kernels,
            "eager": self._kernels.time if self._kernels is not None else None,
            "mark_ns": self._mark_cost,
            "note": self.note,
            "worked": [number for number, passes in self._worked.items() if passes],
            "runs": [signature.plain() for signature in signatures],
            "loops": [
                {
                    "number": number, "line": places[number].line, "end_line": places[number].end_line,
                    "count": laps.times.count, "total": laps.times.total, "passes": laps.times.kept,
                }
                for number, laps in loops[:LOOPS] if laps.times.count
            ],
            "target": None if target is None else {
                "line": target.line, "what": target.what, "name": target.name,
                "count": times.count, "times": times.kept,
            },
        }  # fmt: skip

"""What sessions spend on preparing plans and on running them, without a listener.

The engine's own functions are replaced for as long as a repeat lasts, by ones that read the clock before and after. So
a run that nobody measures pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.events import clock
from engine.measure.stopwatch import Times
from engine.static import plan as planning
from engine.static import session as sessions
from engine.static.node import Node

SIGNATURES = 20
"""So many combinations of fetches and feeds are told apart."""
NAMES = 20


class Signature:
    """The runs of one combination: ``prepared`` are (number of the run, nanoseconds) where a plan was made."""

    def __init__(self, fetches: tuple[Node, ...], feeds: tuple[Node, ...]) -> None:
        self.fetches = [node.name for node in fetches[:NAMES]]
        self.feeds = [node.name for node in feeds[:NAMES]]
        self.times = Times()
        self.prepared: list[tuple[int, int]] = []

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "fetches": self.fetches, "feeds": self.feeds, "count": self.times.count, "total": self.times.total,
            "calls": self.times.kept, "prepared": self.prepared[:100],
        }  # fmt: skip


class SessionTimes:
    """Use it as a context manager around a program. All times are nanoseconds.

    ``first`` is when the first run began (0: none did), ``optimise`` and ``compile`` what preparing plans took in all,
    ``kernels`` the time inside compiled plans.
    """

    def __init__(self) -> None:
        self.first = 0
        self.prepared_before = 0
        self.optimise = 0
        self.compile = 0
        self.kernels = 0
        self.plans = 0
        self.signatures: dict[Any, Signature] = {}
        self._saved: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> SessionTimes:
        for owner, name, timed in (
            (planning, "optimise", self._optimising),
            (sessions, "build", self._building),
            (sessions.Session, "_run", self._running),
        ):
            before = getattr(owner, name)
            self._saved.append((owner, name, before))
            setattr(owner, name, timed(before))
        return self

    def __exit__(self, *error: object) -> None:
        for owner, name, before in self._saved:
            setattr(owner, name, before)

    def _optimising(self, optimise: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **options: Any) -> Any:
            started = clock()
            try:
                return optimise(*arguments, **options)
            finally:
                passed = clock() - started
                self.optimise += passed
                self.compile -= passed  # it is a part of what building a plan takes

        return timed

    def _building(self, build: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **options: Any) -> Any:
            started = clock()
            try:
                plan = build(*arguments, **options)
            finally:
                self.compile += clock() - started
            self.plans += 1
            plan.function = self._inside(plan.function)
            return plan

        return timed

    def _inside(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arrays: Any) -> Any:
            started = clock()
            try:
                return function(*arrays)
            finally:
                self.kernels += clock() - started

        return timed

    def _running(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def timed(session: Any, fetches: tuple[Node, ...], feeds: Any) -> Any:
            before = self.optimise + self.compile
            started = clock()
            if not self.first:
                self.first, self.prepared_before = started, before
            try:
                return run(session, fetches, feeds)
            finally:
                passed = clock() - started
                self._note(tuple(fetches), tuple(feeds or ()), passed, self.optimise + self.compile - before)

        return timed

    def _note(self, fetches: tuple[Node, ...], feeds: tuple[Node, ...], passed: int, prepared: int) -> None:
        key = (fetches, feeds)
        signature = self.signatures.get(key)
        if signature is None:
            if len(self.signatures) >= SIGNATURES:
                return
            signature = self.signatures[key] = Signature(fetches, feeds)
        if prepared:
            signature.prepared.append((signature.times.count, prepared))
        signature.times.add(passed)

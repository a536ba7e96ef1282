"""What could run at the same time: levels, critical path, work, span, and the best that k workers can do.

Every figure is of one plan: what its steps wait for (values, writes, order that was asked for) and what each costs, by
the op table's count of operations or by measured times. Memory that a serial plan uses again is no obstacle here: a
parallel plan gives every value memory of its own.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

from engine.errors import GraphError
from engine.passes.draft import Draft, Step
from engine.static.costs import FREE, Rates, cost_of
from engine.static.silence import silently

if TYPE_CHECKING:
    from engine.static.node import Node
    from engine.static.session import Session


@dataclass(frozen=True)
class Slot:
    """Where a schedule puts a step: ``worker`` from ``start`` to ``end`` (seconds)."""

    index: int
    worker: int
    start: float
    end: float


@dataclass(frozen=True)
class Analysis:
    """``steps`` in order; ``costs[i]`` seconds; ``before[i]`` what step ``i`` waits for.

    ``levels[i]`` is the earliest round in which step ``i`` could run if every step took one round. ``work`` is the sum
    of all costs (one worker's time), ``span`` the cost of ``critical``, the longest path (any number of workers' time).
    """

    steps: tuple[Step, ...]
    costs: tuple[float, ...]
    before: tuple[frozenset[int], ...]
    levels: tuple[int, ...] = field(init=False)
    critical: tuple[int, ...] = field(init=False)
    work: float = field(init=False)
    span: float = field(init=False)

    def __post_init__(self) -> None:
        levels: list[int] = []
        finish: list[float] = []
        through: list[int] = []
        for index, waits in enumerate(self.before):
            levels.append(max((levels[w] for w in waits), default=-1) + 1)
            last = max(waits, key=lambda w: (finish[w], -w), default=-1)
            through.append(last)
            finish.append((finish[last] if last >= 0 else 0.0) + self.costs[index])
        path: list[int] = []
        at = max(range(len(finish)), key=lambda i: finish[i], default=-1)
        while at >= 0:
            path.append(at)
            at = through[at]
        put = object.__setattr__
        put(self, "levels", tuple(levels))
        put(self, "critical", tuple(reversed(path)))
        put(self, "work", sum(self.costs))
        put(self, "span", max(finish, default=0.0))

    @property
    def widest(self) -> int:
        """The most steps on one level."""
        return max(Counter(self.levels).values(), default=0)

    def schedule(self, workers: int) -> tuple[Slot, ...]:
        """A list schedule for so many workers: whoever is free takes the ready step with the longest way to the end."""
        return list_schedule(self.costs, self.before, workers)

    def speedup(self, workers: int) -> float:
        """``work`` over the time of that schedule; handing work over costs nothing here.

        No schedule at all is faster than ``max(span, work / workers)``; a list schedule takes less than twice that.
        """
        end = max((slot.end for slot in self.schedule(workers)), default=0.0)
        return self.work / end if end else 1.0


def list_schedule(
    costs: Sequence[float], before: Sequence[frozenset[int] | set[int]], workers: int
) -> tuple[Slot, ...]:
    """Who does what when. Of the ready steps the one with the longest way to the end goes first.

    >>> [(s.index, s.worker, s.end) for s in list_schedule([1, 2, 2, 1], [set(), {0}, {0}, {1, 2}], 2)]
    [(0, 0, 1.0), (1, 0, 3.0), (2, 1, 3.0), (3, 0, 4.0)]

    :raises GraphError: there is no worker.
    """
    if workers < 1:
        raise GraphError(f"a schedule needs at least 1 worker, not {workers}")
    way = remaining(costs, before)
    after: list[list[int]] = [[] for _ in costs]
    missing = [len(waits) for waits in before]
    for index, waits in enumerate(before):
        for earlier in waits:
            after[earlier].append(index)
    ready = [(-way[i], i) for i, count in enumerate(missing) if count == 0]
    heapq.heapify(ready)
    free = list(range(workers))
    running: list[tuple[float, int, int]] = []
    now, slots = 0.0, []
    while ready or running:
        while ready and free:
            _, index = heapq.heappop(ready)
            worker = heapq.heappop(free)
            end = now + costs[index]
            slots.append(Slot(index, worker, now, end))
            heapq.heappush(running, (end, index, worker))
        now, index, worker = heapq.heappop(running)
        done = [(index, worker)]
        while running and running[0][0] == now:
            _, index, worker = heapq.heappop(running)
            done.append((index, worker))
        for index, worker in done:
            heapq.heappush(free, worker)
            for later in after[index]:
                missing[later] -= 1
                if not missing[later]:
                    heapq.heappush(ready, (-way[later], later))
    return tuple(slots)


def remaining(costs: Sequence[float], before: Sequence[frozenset[int] | set[int]]) -> list[float]:
    """For each step the cost of the longest path from it (itself included) to the end."""
    way = list(costs)
    for index in range(len(costs) - 1, -1, -1):
        for earlier in before[index]:
            way[earlier] = max(way[earlier], costs[earlier] + way[index])
    return way


def analyse(draft: Draft, seconds: Mapping[Step, float] | None = None, rates: Rates | None = None) -> Analysis:
    """The analysis of a plan's draft; ``seconds`` are measured times (default: estimates by op table and ``rates``).

    :raises GraphError: there is control flow (what runs is only known when it runs), or a step's cost is not known.
    """
    chosen: list[Step] = []
    costs: list[float] = []
    place: dict[Step, int] = {}
    stands: dict[Step, frozenset[int]] = {}
    before: list[frozenset[int]] = []
    shown: dict[int, list[int]] = {}
    writer: dict[int, int] = {}
    for step in draft.steps:
        waits = frozenset().union(*(stands[read] for read in step.reads())) if step not in draft.fed else frozenset()
        if step in draft.fed or step.op in FREE:
            stands[step] = waits
            continue
        if step.blocks:
            raise GraphError(f"{step.name!r} decides while it runs what is computed: there is no fixed critical path")
        # A write waits for everything that reads the variable before it; a read for the write before it.
        variables = {root.key for root in map(_variable, (read for read, _ in step.inputs)) if root is not None}
        extra = {writer[key] for key in variables if key in writer}
        if step.op.startswith("assign") and (target := _variable(step.inputs[0][0])) is not None:
            extra.update(shown.pop(target.key, ()))
            writer[target.key] = len(chosen)
        else:
            for key in variables:
                shown.setdefault(key, []).append(len(chosen))
        place[step] = len(chosen)
        stands[step] = frozenset({place[step]})
        before.append(waits | (frozenset(extra) - {place[step]}))
        chosen.append(step)
        costs.append(_seconds(step, seconds, rates or Rates()))
    return Analysis(tuple(chosen), tuple(costs), tuple(before))


def _variable(step: Step) -> Step | None:
    from engine.passes.fusion import memory_of

    root = memory_of(step)
    return root if root.op == "variable" else None


def _seconds(step: Step, measured: Mapping[Step, float] | None, rates: Rates) -> float:
    if measured is not None:
        return measured.get(step, 0.0)
    cost = cost_of(step)
    if cost is None:
        raise GraphError(f"the shape of {step.name!r} is not known before the run: measure times instead")
    return cost.seconds(rates)


def measured(
    session: Session, fetches: Any, feeds: Mapping[Node, Any] | None = None, repeats: int = 7
) -> dict[Step, float]:
    """Seconds of each step of the plan for these fetches and feeds: the median of ``repeats`` serial runs on this
    machine. Variables are as they were when this returns.

    :raises StateError: a variable has no value.
    """
    session.run(fetches, feeds)
    plan, arrays = session.prepared(fetches, feeds)
    function = plan.recorded()
    times: dict[Step, list[float]] = {}
    lines = plan.emitter.lines
    saved = [(variable, variable.array.copy()) for variable in map(session.hold, plan.writes)]
    try:
        for _ in range(repeats + 1):
            taken: dict[Step, float] = {}

            def ran(index: int, _value: Any, start: int, end: int, taken: dict[Step, float] = taken) -> None:
                step = lines[index].step
                taken[step] = taken.get(step, 0.0) + (end - start) / 1e9

            silently(function, [*arrays, ran])
            for step, spent in taken.items():
                times.setdefault(step, []).append(spent)
    finally:
        for variable, array in saved:
            variable.array[...] = array
    return {step: median(spent[1:]) for step, spent in times.items()}

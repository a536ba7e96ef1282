"""Parallel plans: independent steps run at the same time on a few threads, where that pays.

The lines of a plan are put together into tasks (a line that only waits for one other goes on where that one ends), each
a function of the generated text. In a parallel plan no buffer is used again, so that memory orders nothing; writes to
variables keep the order that the graph gives them. Results are those of the serial plan, to the bit: the same calls on
the same operands.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.ops import TABLE
from engine.passes.draft import Draft, Step
from engine.static.analysis import list_schedule, remaining
from engine.static.costs import Cost, Rates, cost_of
from engine.static.crew import Crew, Job, crew_of
from engine.static.emit import Emitter, comment
from engine.static.machine import Machine, cores, machine
from engine.static.tasks import Waits, between, chains

Mode = bool | Literal["auto"]
Function = Callable[..., tuple[Any, ...]]
_WORTH = 2e-4
"""Seconds of estimated work below which nothing is measured: handing a task over costs some 10 microseconds."""
_MARGIN = 0.85
"""What a parallel plan must be estimated at, as a part of the serial one, to be chosen."""


@dataclass(frozen=True)
class Decision:
    """How a plan runs: on so many ``workers``, and why. ``serial`` and ``parallel`` are estimated seconds (0: not
    estimated)."""

    workers: int
    reason: str
    serial: float = 0.0
    parallel: float = 0.0


@dataclass(eq=False)
class Parallel:
    """The tasks of one plan. ``source`` can be read; ``lines[i]`` is what line ``i`` of the emitter computes."""

    emitter: Emitter
    tasks: list[list[int]]
    before: list[set[int]]
    priority: list[float]
    source: str
    feeds: int
    crew: Crew
    where: dict[int, Step]
    recorded_where: dict[int, Step] = field(default_factory=dict)

    def step_at(self, line: int, recorded: bool) -> Step | None:
        """The step that a line of the generated text computes."""
        return (self.recorded_where if recorded else self.where).get(line)

    def function(self, compiled: Callable[[str, dict[str, object]], Any]) -> Function:
        """The function that a session calls with the fed arrays."""
        return self._running(*compiled(self.source, dict(self.emitter.names)))

    def _running(self, feed: Any, tasks: Any, result: Any) -> Function:
        job, run = Job(tasks, self.before, self.priority), self.crew.run

        def parallel(*arrays: Any) -> tuple[Any, ...]:
            feed(*arrays)
            run(job)
            return result()  # type: ignore[no-any-return]

        return parallel

    def recorded(self, compiled: Callable[[str, dict[str, object]], Any], clock: Any) -> Function:
        """The same with a timestamp around each line: a further argument is called with (line, value, start, end,
        worker), in the worker's own thread."""
        text, self.recorded_where = source_of(self.emitter, self.tasks, self.feeds, recorded=True)
        return self._running(*compiled(text, {**self.emitter.names, "clock": clock}))


def decide(draft: Draft, mode: Mode, workers: int) -> tuple[Decision, Crew | None]:
    """Whether the plan of ``draft`` runs on a crew. ``"auto"`` measures this machine once, when a plan looks large
    enough; ``True`` runs in parallel wherever threads can be started."""
    if mode is False:
        return Decision(1, "parallel running is off"), None
    if any(step.blocks for step in draft.steps):
        return Decision(1, "what decisions and loops run is only known when they run, so this plan runs serially"), None
    if workers < 2:
        return Decision(1, "there is one worker"), None
    costs = {step: cost_of(step) for step in draft.steps if step not in draft.fed}
    rates = Rates()
    serial = sum(cost.seconds(rates) for cost in costs.values() if cost is not None)
    if mode == "auto":
        if serial < _WORTH:
            return Decision(
                1, f"the whole plan is about {serial * 1e6:.0f} µs of work: too little to share", serial
            ), None
        longest = _longest(draft, costs, rates)
        if longest > _MARGIN * serial:
            share = f"{longest / serial:.0%} of the work"
            return Decision(1, f"runs serially: steps that wait for each other are {share}", serial, longest), None
        if cores() < 2:
            return Decision(1, "this process may use one processor only", serial), None
    try:
        return Decision(workers, "parallel running is on", serial), crew_of(workers)
    except RuntimeError as error:
        reason = f"threads cannot be started here, so this plan runs serially: {error}"
        if mode is True:
            warnings.warn(reason, RuntimeWarning, stacklevel=2)
        return Decision(1, reason, serial), None


def _longest(draft: Draft, costs: Mapping[Step, Cost | None], rates: Rates) -> float:
    """The seconds of the longest chain of steps that wait for each other: no number of workers is faster."""
    finish: dict[Step, float] = {}
    for step in draft.steps:
        cost = costs.get(step)
        begun = 0.0 if step in draft.fed else max((finish[read] for read in step.reads()), default=0.0)
        finish[step] = begun + (0.0 if cost is None else cost.seconds(rates))
    return max(finish.values(), default=0.0)


def parallel_plan(
    draft: Draft, emitter: Emitter, feeds: int, mode: Mode, decision: Decision, crew: Crew
) -> tuple[Decision, Parallel | None]:
    """Tasks for ``draft`` (``emitter`` has written it without using memory again), if that pays or must be."""
    waits = Waits(emitter).before
    tasks = chains(waits)
    before = between(tasks, waits)
    costs = [cost_of(line.step) for line in emitter.lines]
    rates = Rates()
    if mode == "auto":
        if len(tasks) < 2:
            return Decision(1, "every step waits for the one before it", decision.serial), None
        found = machine(decision.workers)
        rates = found.rates
    seconds = [cost.seconds(rates) if cost is not None else rates.call for cost in costs]
    weights = [sum(seconds[line] for line in lines) for lines in tasks]
    if mode == "auto":
        serial = sum(weights)
        ideal = max(slot.end for slot in list_schedule(weights, before, decision.workers))
        gain = _gain(found, emitter, seconds)
        share = (gain - 1) / (decision.workers - 1)
        estimate = serial - (serial - ideal) * min(share, 1.0) + found.handing * len(tasks)
        decision = Decision(decision.workers, "", serial, estimate)
        words = f"{serial * 1e6:,.0f} µs on one worker, {estimate * 1e6:,.0f} on {decision.workers}"
        if estimate > _MARGIN * serial:
            return Decision(1, f"runs serially: estimated {words}", serial, estimate), None
        decision = Decision(decision.workers, f"runs in parallel: estimated {words}", serial, estimate)
    text, where = source_of(emitter, tasks, feeds, recorded=False)
    priority = remaining(weights, before)
    return decision, Parallel(emitter, tasks, before, priority, text, feeds, crew, where)


def _gain(found: Machine, emitter: Emitter, seconds: Sequence[float]) -> float:
    """What the crew gains on this mixture of matrix products and other ops."""
    products = others = 0.0
    for line, spent in zip(emitter.lines, seconds, strict=True):
        step = line.step
        if TABLE[step.parts[0].op if step.parts else step.op].category == "matmul":
            products += spent
        else:
            others += spent
    return (products * found.products + others * found.others) / ((products + others) or 1.0)


def source_of(
    emitter: Emitter, tasks: Sequence[Sequence[int]], feeds: int, *, recorded: bool
) -> tuple[str, dict[int, Step]]:
    """The text of a module that makes ``feed``, the tasks and ``result``; and the step of each of its lines."""
    given = [f"f{i}" for i in range(feeds)]
    locals_ = list(
        dict.fromkeys(line.result for line in emitter.lines if line.result and line.result not in emitter.names)
    )
    text = [f"def make({', '.join([*emitter.names, *(['clock'] if recorded else [])])}):"]
    shared = [*given, *locals_, *(["ran"] if recorded else [])]
    text += [f"    {name} = None" for name in shared]
    taken = [*given, *(["ran"] if recorded else [])]
    text.append(f"    def feed({', '.join(f'_{name}' for name in taken)}):")
    if taken:
        text.append(f"        nonlocal {', '.join(taken)}")
        text.append(f"        {', '.join(taken)} = {', '.join(f'_{name}' for name in taken)}")
    else:
        text.append("        pass")
    where: dict[int, Step] = {}
    for number, lines in enumerate(tasks):
        text.append(f"    def task_{number}(worker):")
        made = list(dict.fromkeys(r for r in (emitter.lines[line].result for line in lines) if r in locals_))
        if made:
            text.append(f"        nonlocal {', '.join(str(name) for name in made)}")
        for line in lines:
            one = emitter.lines[line]
            if recorded:
                result = one.result or "None"
                text.append(f"        t = clock(); {one.text}; u = clock(); ran({line}, {result}, t, u, worker)")
            else:
                text.append(f"        {one.text}  # {comment(one.step)}")
            where[len(text)] = one.step
    text.append("    def result():")
    text.append(f"        return {emitter.returns()}")
    text.append(f"    return feed, [{', '.join(f'task_{number}' for number in range(len(tasks)))}], result")
    return "\n".join(text) + "\n", where


__all__ = ["Decision", "Mode", "Parallel", "decide", "parallel_plan"]

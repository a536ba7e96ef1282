"""A run with somebody listening: the instrumented function, and the events around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.events import Listener, clock
from engine.passes.draft import Step
from engine.static.node import Node
from engine.static.noted import run_noted

if TYPE_CHECKING:
    from engine.static.plan import Plan
    from engine.static.session import Session

Array = NDArray[Any]


def run_recorded(
    session: Session, plan: Plan, fetches: Sequence[Node], arrays: Sequence[Array], listener: Listener
) -> tuple[Any, ...]:
    """Run ``plan`` and tell ``listener`` of everything that happens: feeds, ops with their times, writes, fetches."""
    run = listener.run_started(plan.traced, [n.traced for n in dict.fromkeys(fetches)], [n.traced for n in plan.feeds])
    for node, array in zip(plan.feeds, arrays, strict=True):
        listener.fed(node.traced, array, run)
    ran = Teller(session, plan, listener, run)
    try:
        if plan.parallel is not None:
            found = run_noted(session, plan, arrays, ran)
        else:
            found = plan.recorded()(*arrays, ran)
    except BaseException:
        listener.run_ended(run)
        raise
    for step, value in zip(plan.draft.fetches, found, strict=True):
        if value is None:
            if step.key not in ran.told:
                now = clock()
                listener.op_ran(step.traced, None, now, now, run=run)
            continue
        if step.key not in ran.told and step not in plan.draft.fed:
            now = clock()
            ran.tell(step.key, step.traced, np.asarray(value), now, now)
        # A fused step stands for the node that was asked for.
        asked = plan.graph.nodes[step.key].traced if step.parts else step.traced
        listener.fetched(asked, np.asarray(value), run)
    listener.run_ended(run)
    return found


class Teller:
    """What the recorded function calls, after each line and wherever it enters a branch or begins an iteration.

    ``iteration`` is the number of the iteration that the innermost running loop is in, -1 outside loops.
    """

    def __init__(self, session: Session, plan: Plan, listener: Listener, run: int) -> None:
        self._variables = session.variables
        self._nodes = plan.graph.nodes
        self._plan = plan
        self._steps = plan.steps
        self._listener = listener
        self._run = run
        self.iteration = -1
        self.told: set[int] = set()
        self._around: list[tuple[Step, int, int]] = []

    def held(self, step: Step) -> Array | None:
        """The array of a step that needs no computing."""
        return self._plan.emitter.value_of(step)

    def tell(self, key: int, traced: int, value: Any, start: int, end: int, worker: int = 0) -> None:
        """Say that node ``traced`` has ``value``."""
        self.told.add(key)
        node = self._nodes[key] if key >= 0 else None
        held = self._variables.get(node) if node is not None else None
        more: dict[str, int] = {} if self.iteration < 0 else {"iteration": self.iteration}
        if held is not None:
            more.update(storage=held.storage, version=held.version)
        if worker:
            more["worker"] = worker
        self._listener.op_ran(traced, value, start, end, run=self._run, **more)

    def __call__(self, place: int, value: Any, start: int, end: int, worker: int = 0) -> None:
        """Line ``place`` gave ``value``."""
        step = self._steps[place]
        self._read(step)
        array = value if value is None else np.asarray(value)
        self.tell(step.key, step.traced, array, start, end, worker)
        if step.op.startswith("assign"):
            self._wrote(step, array)

    def _read(self, step: Step) -> None:
        """What needs no computing (variables, constants) appears when somebody first reads it."""
        for read, _ in step.inputs:
            if read.key not in self.told and read not in self._plan.draft.fed:
                held = self.held(read)
                if held is not None:
                    now = clock()
                    self.tell(read.key, read.traced, held, now, now)

    def _wrote(self, step: Step, array: Array | None) -> None:
        target = self._nodes[step.inputs[0][0].key]
        storage = self._variables[target]
        first = step.op == "assign" and not storage.initialised
        how = "initial" if first else "assign" if step.op == "assign" else "in-place"
        storage.version += 1
        assert array is not None
        self._listener.variable_written(
            target.traced, array, how, run=self._run, storage=storage.storage, version=storage.version
        )

    # -- decisions and loops -------------------------------------------------------------------------------------------
    def decide(self, place: int, pred: Any) -> bool:
        """The decision at line ``place`` takes the branch that ``pred`` says."""
        step, taken = self._steps[place], bool(pred)
        self._read(step)
        self._around.append((step, clock(), self.iteration))
        block = step.blocks[0 if taken else 1]
        self._listener.region_entered(step.traced, block.traced, self.iteration, run=self._run)
        return taken

    def begin(self, place: int) -> None:
        """The loop at line ``place`` begins."""
        self._read(self._steps[place])
        self._around.append((self._steps[place], clock(), self.iteration))

    def enter(self, place: int, block: int, number: int, values: tuple[Any, ...]) -> None:
        """The loop at line ``place`` enters a block of iteration ``number``, in which its variables have ``values``."""
        step = self._steps[place]
        entered = step.blocks[block]
        self.iteration = int(number)
        self._listener.region_entered(step.traced, entered.traced, self.iteration, run=self._run)
        shown = [one for one in entered.parameters.values() if one.op == "loop_variable"]
        now = clock()
        for one, value in zip(shown, values, strict=True):
            self.tell(one.key, one.traced, np.asarray(value), now, now)

    def ended(self, place: int, values: tuple[Any, ...]) -> None:
        """The decision or loop at line ``place`` is over; ``values`` are those of its ``output`` steps."""
        step, start, self.iteration = self._around.pop()
        assert step is self._steps[place]
        end = clock()
        self.tell(step.key, step.traced, None, start, end)
        for one, value in zip(self._plan.emitter.outputs[step], values, strict=True):
            self.tell(one.key, one.traced, None if value is None else np.asarray(value), end, end)

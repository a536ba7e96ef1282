"""A parallel run with somebody listening: workers note what they did, and a listener hears of it when all are done.

A listener is told from one thread, in the order in which the steps ended; the times and workers are those of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.ops import TABLE
from engine.passes.draft import Step
from engine.passes.fusion import memory_of

if TYPE_CHECKING:
    from engine.static.plan import Plan
    from engine.static.recorded import Teller
    from engine.static.session import Session

Array = NDArray[Any]


def run_noted(session: Session, plan: Plan, arrays: Sequence[Array], ran: Teller) -> tuple[Any, ...]:
    """Run the parallel function of ``plan``, then tell through ``ran`` what happened, even if it failed."""
    steps = plan.steps
    notes: list[tuple[int, int, int, Any, int]] = []
    # What a write changes is noted as it was at that moment: nothing else is written twice in a parallel plan.
    changing = {step for step in steps if memory_of(step).op == "variable"}
    shown = {node.index: session.hold(node).array.copy() for node in plan.writes}

    def note(place: int, value: Any, start: int, end: int, worker: int) -> None:
        kept = value.copy() if steps[place] in changing and value is not None else value
        notes.append((end, start, place, kept, worker))

    def held(step: Step) -> Array | None:
        array = plan.emitter.value_of(step)
        root = memory_of(step)
        if array is None or root.key not in shown:
            return array
        return shown[root.key] if step is root else view(step)

    def view(step: Step) -> Array:
        operands = [held(read) for read, _ in step.inputs]
        return np.asarray(TABLE[step.op].kernel(*operands, **step.attributes))

    try:
        return plan.recorded()(*arrays, note)
    finally:
        ran.held = held  # type: ignore[method-assign]
        for end, start, place, value, worker in sorted(notes, key=lambda note: note[:3]):
            ran(place, value, start, end, worker)
            if steps[place].op.startswith("assign"):
                shown[memory_of(steps[place]).key] = value

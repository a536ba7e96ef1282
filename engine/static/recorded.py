"""A run with somebody listening: the instrumented function, and the events around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.events import Listener, clock
from engine.static.node import Node

if TYPE_CHECKING:
    from engine.static.plan import Plan
    from engine.static.session import Session

Array = NDArray[Any]


def run_recorded(
    session: Session, plan: Plan, fetches: Sequence[Node], arrays: Sequence[Array], listener: Listener
) -> tuple[Any, ...]:
    """Run ``plan`` and tell ``listener`` of everything that happens: feeds, ops with their times, writes, fetches."""
    nodes = plan.graph.nodes
    run = listener.run_started(plan.traced, [n.traced for n in dict.fromkeys(fetches)], [n.traced for n in plan.feeds])
    for node, array in zip(plan.feeds, arrays, strict=True):
        listener.fed(node.traced, array, run)
    steps = plan.steps
    told: set[int] = set()

    def tell(key: int, traced: int, value: Any, start: int, end: int) -> None:
        told.add(key)
        node = nodes[key] if key >= 0 else None
        held = session.variables.get(node) if node is not None else None
        if held is not None:
            listener.op_ran(traced, value, start, end, run=run, storage=held.storage, version=held.version)
        else:
            listener.op_ran(traced, value, start, end, run=run)

    def ran(place: int, value: Any, start: int, end: int) -> None:
        step = steps[place]
        for read, _ in step.inputs:
            # Values that need no computing (variables, constants) appear when somebody first reads them.
            if read.key not in told and read not in plan.draft.fed:
                held = plan.emitter.value_of(read)
                if held is not None:
                    now = clock()
                    tell(read.key, read.traced, held, now, now)
        array = value if value is None else np.asarray(value)
        tell(step.key, step.traced, array, start, end)
        if step.op.startswith("assign"):
            target = nodes[step.inputs[0][0].key]
            storage = session.variables[target]
            how = (
                "initial"
                if step.op == "assign" and not storage.initialised
                else "assign"
                if step.op == "assign"
                else "in-place"
            )
            storage.version += 1
            assert array is not None
            listener.variable_written(
                target.traced, array, how, run=run, storage=storage.storage, version=storage.version
            )

    try:
        found = plan.recorded()(*arrays, ran)
    except BaseException:
        listener.run_ended(run)
        raise
    for step, value in zip(plan.draft.fetches, found, strict=True):
        if value is None:
            if step.key not in told:
                now = clock()
                listener.op_ran(step.traced, None, now, now, run=run)
            continue
        if step.key not in told and step not in plan.draft.fed:
            now = clock()
            tell(step.key, step.traced, np.asarray(value), now, now)
        listener.fetched(step.traced, np.asarray(value), run)
    listener.run_ended(run)
    return found

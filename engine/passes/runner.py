"""Running passes one after the other over a draft, with an event for each thing that they changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import events
from engine.errors import GraphError, words_of
from engine.passes.arithmetic import Arithmetic
from engine.passes.blocks import Block, all_steps, nested
from engine.passes.common_subexpressions import CommonSubexpressions
from engine.passes.constant_folding import ConstantFolding
from engine.passes.dead_code import DeadCode
from engine.passes.draft import Draft, Pass, Step
from engine.passes.fusion import Fusion
from engine.passes.loop_invariants import LoopInvariants
from engine.passes.redundant import Redundant

DEFAULT: tuple[Pass, ...] = (
    DeadCode(),
    Redundant(),
    ConstantFolding(),
    Arithmetic(),
    CommonSubexpressions(),
    LoopInvariants(),
    DeadCode(),
    Fusion(),
)
"""What a session runs, in this order. Folding comes before arithmetic, which would otherwise rewrite what is about to
become a constant; dead code is looked for once more because both leave operands behind."""


_TAKES_AWAY = frozenset({"removed", "merged", "folded", "replaced"})
"""Actions after which the old nodes are no part of the plan."""


def without(*names: str) -> tuple[Pass, ...]:
    """The default passes without those of these names.

    >>> [one.name for one in without("dead code removal", "constant folding")]
    ['redundant step removal', 'arithmetic simplification', 'common subexpression merging', 'loop-invariant motion',
    'fusion']

    :raises GraphError: there is no pass of that name.
    """
    known = {one.name for one in DEFAULT}
    for name in names:
        if name not in known:
            raise GraphError(f"there is no pass {name!r}; the passes are {', '.join(sorted(known))}")
    return tuple(one for one in DEFAULT if one.name not in names)


def optimise(
    draft: Draft,
    passes: Sequence[Pass] = DEFAULT,
    *,
    graph: int = -1,
    plan: int = -1,
    spent: list[int] | None = None,
) -> list[str]:
    """Run ``passes`` over ``draft``; returns the names of those that were skipped because they failed.

    A pass works on the draft and on each block of its decisions and loops, from the outside in (from the inside out if
    it has ``inside_first``). ``graph`` and ``plan`` are the listener's ids, ``spent`` gets the nanoseconds of each
    pass. A pass that raises is skipped and the draft is as it was before it.
    """
    skipped: list[str] = []
    saved: _Saved | None = None
    for one in passes:
        before = _size(draft)
        if saved is None:
            saved = _Saved(draft)
        made: list[Change] = []
        start = events.clock()
        try:
            for part in reversed(list(nested(draft))) if getattr(one, "inside_first", False) else nested(draft):
                one.requires(part)
                one.apply(part, lambda action, old, new, reason, made=made: made.append((action, old, new, reason)))  # type: ignore[misc]
                one.ensures(part)
        except MemoryError:
            raise
        except Exception as error:  # whatever a pass does wrong, the plan without it is right
            saved.restore(draft)
            skipped.append(one.name)
            made = [("skipped", [], [], f"{one.name} was skipped, the plan is as it was before: {words_of(error)}")]
        if made:  # what is saved stays good while passes find nothing to do
            saved = None
        end = events.clock()
        if spent is not None:
            spent.append(end - start)
        listener = events.listener
        if listener is not None and plan >= 0:
            for action, old, new, reason in _seen(made, draft):
                for step in new:
                    if step.traced < 0:
                        _announce(step, listener, graph, plan)
                listener.rewritten(plan, action, [s.traced for s in old], [s.traced for s in new], reason)
            listener.pass_ended(plan, one.name, before, _size(draft), start, end)
    return skipped


Change = tuple[str, Sequence[Step], Sequence[Step], str]


def _seen(made: Sequence[Change], draft: Draft) -> Iterator[Change]:
    """What of a pass's changes can be seen in the graph. A constant, a variable or a captured value has a step in each
    block that reads it: its node is gone when the last of them is."""
    left = {step.key for step in all_steps(draft)}
    for action, old, new, reason in made:
        gone = [step for step in old if step.key not in left] if action in _TAKES_AWAY else old
        if gone or not old:
            yield action, gone, new, reason


def _announce(step: Step, listener: events.Listener, graph: int, plan: int) -> None:
    """A step that a pass made is a node that only this plan owns."""
    step.traced = listener.node_created(
        graph,
        step.op,
        [(read.traced, port) for read, port in step.inputs],
        step.type,
        role="constant" if step.op == "constant" else "op",
        label=step.label,
        name=step.name,
        attributes=step.attributes,
        control=[read.traced for read in step.control],
        plan=plan,
    )


def _size(draft: Draft) -> int:
    """How many steps there are, without those that stand for a value from outside a block."""
    return sum(step.op != "capture" for step in all_steps(draft))


class _Saved:
    """A draft as it was, so that a pass that fails half-way leaves nothing behind."""

    def __init__(self, draft: Draft) -> None:
        self.drafts = [(one, list(one.steps), list(one.fetches), one.fed) for one in nested(draft)]
        self.blocks = [
            (one, dict(one.parameters), dict(one.results), list(one.effects))
            for one in nested(draft)
            if isinstance(one, Block)
        ]
        self.parts = [
            (step, step.op, list(step.inputs), list(step.control), step.attributes, step.origins, list(step.labels))
            for step in all_steps(draft)
        ]

    def restore(self, draft: Draft) -> None:
        for one, steps, fetches, fed in self.drafts:
            one.steps, one.fetches, one.fed = steps, fetches, fed
        for block, parameters, results, effects in self.blocks:
            block.parameters, block.results, block.effects = parameters, results, effects
        for step, op, inputs, control, attributes, origins, labels in self.parts:
            step.op, step.inputs, step.control, step.attributes = op, inputs, control, attributes
            step.origins, step.labels = origins, labels

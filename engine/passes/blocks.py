"""Blocks: what a decision or loop of a draft runs. Each is a draft of its own, so that every pass works inside it
too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.passes.draft import Draft, Step

Label = tuple[str, int]


class Block(Draft):
    """``name`` is ``"true"``, ``"false"``, ``"condition"`` or ``"body"``.

    ``parameters`` are the steps that get their value when the block is entered, by what they are: ``("carried", 0)`` a
    loop variable, ``("slice", 0)`` one entry of a stack, ``("capture", 0)`` a value from outside. The owner's
    ``labels`` say which of its inputs each one is. ``results`` are the steps whose values leave: ``("value", 0)``,
    ``("stack", 0)``. ``effects`` run whenever the block does. Constants and variables are not captured but have a step
    in the block.
    """

    def __init__(self, name: str, root: Draft | None, traced: int = -1) -> None:
        super().__init__([], [], frozenset())
        self.name = name
        self.traced = traced
        self.parameters: dict[Label, Step] = {}
        self.results: dict[Label, Step] = {}
        self.effects: list[Step] = []
        if root is not None:
            self.root = root

    def seal(self) -> None:
        """Make ``fed`` and ``fetches`` say what ``parameters``, ``results`` and ``effects`` say."""
        self.fed = frozenset(self.parameters.values())
        self.fetches = list(dict.fromkeys([*self.results.values(), *self.effects]))


def nested(draft: Draft) -> Iterator[Draft]:
    """``draft`` and every block in it, from the outside in."""
    yield draft
    for step in draft.steps:
        for block in step.blocks:
            yield from nested(block)


def all_steps(draft: Draft) -> Iterator[Step]:
    """Every step of ``draft`` and of the blocks in it."""
    for one in nested(draft):
        yield from one.steps


def written_keys(owner: Draft | Step) -> frozenset[int]:
    """The keys of the variables that some step of a draft, or of the blocks of a control step, writes."""
    drafts: Sequence[Draft] = owner.blocks if isinstance(owner, Step) else [owner]
    return frozenset(
        step.inputs[0][0].key
        for draft in drafts
        for one in nested(draft)
        for step in one.steps
        if step.op.startswith("assign") and step.inputs and step not in one.fed
    )


def prune_results(step: Step, wanted: set[Label]) -> None:
    """Leave a control step only the results ``wanted``, and the loop variables that these and its condition need."""
    labels = set(wanted)
    if step.op != "cond":
        before = -1
        while len(labels) > before:
            before = len(labels)
            for block in step.blocks:
                ends = [one for label, one in block.results.items() if label in labels or block.name == "condition"]
                read = _reached(block, [*ends, *block.effects])
                labels.update(
                    ("value", label[1])
                    for label, one in block.parameters.items()
                    if label[0] == "carried" and one in read
                )
    for block in step.blocks:
        if block.name != "condition" and len(block.results) > len(labels & block.results.keys()):
            block.results = {label: one for label, one in block.results.items() if label in labels}
            block.seal()


def _reached(block: Block, ends: Sequence[Step]) -> set[Step]:
    found: set[Step] = set()
    waiting = list(ends)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            if one not in block.fed:
                waiting.extend(one.reads())
    return found


def drop_operands(step: Step) -> None:
    """Take the inputs from a control step that no block of it has a use for."""
    if not step.blocks:
        return
    used: set[Label] = {("pred", 0), ("count", 0), ("maximum", 0)}
    for block in step.blocks:
        present = set(block.steps)
        block.parameters = {label: one for label, one in block.parameters.items() if one in present}
        block.seal()
        used.update(block.parameters)
        if block.name != "condition":  # whose result is no loop variable
            used.update(("carried", index) for kind, index in block.results if kind == "value")
    kept = [place for place, label in enumerate(step.labels) if label in used]
    if len(kept) < len(step.labels):
        step.inputs = [step.inputs[place] for place in kept]
        step.labels = [step.labels[place] for place in kept]


__all__ = ["Block", "Label", "all_steps", "drop_operands", "nested", "prune_results", "written_keys"]

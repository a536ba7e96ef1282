"""Loop-invariant motion: what is the same in every iteration is computed once, before the loop."""

from __future__ import annotations

from engine.ops import TABLE
from engine.passes.blocks import Block, Label, written_keys
from engine.passes.draft import Draft, Report, Step
from engine.passes.safety import can_fail

_STAYS = frozenset({"constant", "variable", "loop_variable", "capture", "output", "placeholder", "group", "no_op"})


class LoopInvariants:
    """Moves a step out of the condition or body of a loop if all that it reads comes from outside and never changes
    there.

    Never moved: stateful and random ops, decisions and loops themselves, steps that wait for others, reads of a
    variable that this plan writes, and steps that could fail (the loop may not run at all). Nothing is moved out of a
    branch.
    """

    name = "loop-invariant motion"
    inside_first = True

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        written: frozenset[int] | None = None
        for step in list(draft.steps):
            if step.blocks and step.op != "cond" and step not in draft.fed:
                if written is None:
                    written = written_keys(draft.root)
                for block in step.blocks:
                    _Motion(draft, step, block, written).run(report)

    def ensures(self, draft: Draft) -> None:
        draft.check()


class _Motion:
    """Moving steps of one block of ``loop`` into ``draft``, right before the loop."""

    def __init__(self, draft: Draft, loop: Step, block: Block, written: frozenset[int]) -> None:
        self.draft = draft
        self.loop = loop
        self.block = block
        self.written = written
        given = {label: read for label, (read, _) in zip(loop.labels, loop.inputs, strict=True)}
        self.outside: dict[Step, Step] = {}
        """What stands outside for a step of the block that never changes."""
        body = loop.blocks[-1]
        for label, one in block.parameters.items():
            if label[0] == "capture" or (label[0] == "carried" and self._is_kept(body, label)):
                self.outside[one] = given[label]

    @staticmethod
    def _is_kept(body: Block, label: Label) -> bool:
        """Whether the body hands this loop variable on as it is."""
        mine = body.parameters.get(label)
        return mine is not None and body.results.get(("value", label[1])) is mine

    def run(self, report: Report) -> None:
        block = self.block
        moved: list[Step] = []
        for step in block.steps:
            if step in block.fed or not self._is_invariant(step):
                continue
            reads = list(dict.fromkeys(read.name for read, _ in step.inputs))
            step.inputs = [(self._outer(read), port) for read, port in step.inputs]
            self.outside[step] = step
            moved.append(step)
            why = f"what it reads ({', '.join(reads)}) stays" if reads else "it reads nothing that changes"
            report("moved", [step], [step], f"{step.name} is the same in every iteration of {self.loop.name}: {why}")
        if not moved:
            return
        self._insert(moved)
        block.steps = [step for step in block.steps if step not in set(moved)]
        self._capture(moved)

    def _is_invariant(self, step: Step) -> bool:
        if step.op in _STAYS or step.blocks or step.control or step.type is None or TABLE[step.op].stateful:
            return False
        for read, _ in step.inputs:
            if read.op == "variable" and read not in self.outside:
                if read.key in self.written:
                    return False
            elif read not in self.outside and read.op != "constant":
                return False
        return not can_fail(step)

    def _outer(self, step: Step) -> Step:
        """What a moved step reads for ``step``: constants and variables have a step wherever they are read."""
        found = self.outside.get(step)
        if found is None:
            found = next((one for one in self.draft.steps if one.key == step.key and one.op == step.op), None)
            if found is None:
                found = Step(step.key, step.op, [], step.attributes, [], step.type, step.name, step.label, step.traced)
                found.origins = step.origins
                self._insert([found])
            elif self.draft.steps.index(found) > self.draft.steps.index(self.loop):
                self.draft.steps.remove(found)
                self._insert([found])
            self.outside[step] = found
        return found

    def _insert(self, steps: list[Step]) -> None:
        at = self.draft.steps.index(self.loop)
        self.draft.steps[at:at] = steps

    def _capture(self, moved: list[Step]) -> None:
        """The block reads what was moved like everything from outside, where it still reads it."""
        block, loop = self.block, self.loop
        gone = set(moved)
        still = dict.fromkeys(
            read for step in block.steps if step not in block.fed for read, _ in step.inputs if read in gone
        )
        still.update(dict.fromkeys(one for one in [*block.results.values(), *block.effects] if one in gone))
        waited = {read for step in block.steps for read in step.control if read in gone}
        number = 1 + max((index for kind, index in loop.labels if kind == "capture"), default=-1)
        replaced: dict[Step, Step] = {}
        for step in still:
            parameter = Step(
                step.key, "capture", [], step.attributes, [], step.type, step.name, step.label, step.traced
            )
            label = ("capture", number)
            number += 1
            loop.inputs.append((step, 0))
            loop.labels.append(label)
            block.parameters[label] = parameter
            replaced[step] = parameter
        block.steps = [*replaced.values(), *block.steps]
        for one in block.steps:
            if waited:
                one.control = [read for read in one.control if read not in waited]
        block.redirect(replaced)
        block.results = {label: replaced.get(one, one) for label, one in block.results.items()}
        block.effects = [replaced.get(one, one) for one in block.effects]
        block.seal()


__all__ = ["LoopInvariants"]

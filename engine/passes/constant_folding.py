"""Constant folding: what only depends on constants is computed once, while the plan is made."""

from __future__ import annotations

import numpy as np

from engine.errors import GraphError
from engine.ops import TABLE
from engine.passes.draft import Draft, Report, Step
from engine.tensor_type import TensorType

_LARGEST = 1 << 20
"""Results of more elements are left to the run: a plan should not hold what a kernel makes in a moment."""


class ConstantFolding:
    """A step whose operands are all constants becomes a constant. Never folded: stateful and random ops, fed steps,
    fetched steps, steps that wait for others."""

    name = "constant folding"

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        next_key = draft.fresh_key()
        replaced: dict[Step, Step] = {}
        steps: list[Step] = []
        kept = set(draft.fetches) | draft.fed
        for step in draft.steps:
            if replaced and any(read in replaced for read, _ in step.inputs):
                step.inputs = [(replaced.get(read, read), port) for read, port in step.inputs]
            if step in kept or not _foldable(step):
                steps.append(step)
                continue
            value = _compute(step)
            constant = Step(
                next_key,
                "constant",
                [],
                {"value": value},
                [],
                TensorType(value.dtype, value.shape),
                f"{step.name}/folded",
                "Const",
                -1,
            )
            next_key -= 1
            constant.origins = step.origins
            replaced[step] = constant
            steps.append(constant)
            operands = " and ".join(dict.fromkeys(read.name for read, _ in step.inputs)) or "nothing"
            report("folded", [step], [constant], f"{step.name} only depends on {operands}, which never change")
        draft.steps = steps
        if replaced:
            for step in steps:
                if any(read in replaced for read in step.control):
                    step.control = [read for read in step.control if read not in replaced]

    def ensures(self, draft: Draft) -> None:
        draft.check()
        kept = set(draft.fetches) | draft.fed
        left = [step for step in draft.steps if step not in kept and _foldable(step)]
        if left:
            raise GraphError(f"{left[0].name!r} could have been folded and is left")


def _foldable(step: Step) -> bool:
    if step.op in ("constant", "placeholder", "variable", "group", "no_op") or step.type is None or step.control:
        return False
    if TABLE[step.op].stateful or not all(read.op == "constant" for read, _ in step.inputs):
        return False
    if any(not _plain(value) for value in step.attributes.values()):
        return False
    shape = step.type.shape
    return shape is not None and None not in shape and int(np.prod([n or 0 for n in shape])) <= _LARGEST


def _plain(value: object) -> bool:
    """Whether an attribute is a value now (and not, say, the shape of a node that only a run knows)."""
    return value is None or isinstance(value, bool | int | float | str | tuple | list | np.ndarray | np.dtype | slice)


def _compute(step: Step) -> np.ndarray:
    with np.errstate(all="ignore"):
        value = np.array(
            TABLE[step.op].kernel(*(read.attributes["value"] for read, _ in step.inputs), **step.attributes)
        )
    value.flags.writeable = False
    return value

"""What a step costs: floating-point operations and bytes moved, from the op table, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.ops import TABLE
from engine.passes.draft import CHAIN, Step
from engine.static.memory_plan import bytes_of
from engine.tensor_type import TensorType

FREE = frozenset({"constant", "variable", "placeholder", "group", "no_op", "identity", "stop_gradient"})
"""Ops that compute nothing."""


@dataclass(frozen=True)
class Cost:
    """``flops`` floating-point operations, ``bytes`` read and written, NumPy ``calls``."""

    flops: int = 0
    bytes: int = 0
    calls: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flops + other.flops, self.bytes + other.bytes, self.calls + other.calls)

    def seconds(self, rates: Rates) -> float:
        """An estimate: every call's own cost, then whichever takes longer, computing or moving."""
        return self.calls * rates.call + max(self.flops / rates.flops, self.bytes / rates.bytes)


@dataclass(frozen=True)
class Rates:
    """Operations and bytes a second, and the seconds of a NumPy call that has nothing to do."""

    flops: float = 10e9
    bytes: float = 8e9
    call: float = 5e-7


def cost_of(step: Step) -> Cost | None:
    """The cost of ``step``; ``None`` if a shape is not known before the run."""
    if step.op in FREE:
        return Cost()
    if step.parts:
        total = Cost()
        before: TensorType | None = None
        for part in step.parts:
            reads = [before if place == CHAIN else step.inputs[place][0].type for place in part.operands]
            cost = _cost(part.op, part.type, reads, part.attributes)
            if cost is None:
                return None
            total, before = total + cost, part.type
        return total
    return _cost(step.op, step.type, [read.type for read, _ in step.inputs], step.attributes)


def _cost(
    op: str, result: TensorType | None, reads: list[TensorType | None], attributes: Mapping[str, Any]
) -> Cost | None:
    declared = TABLE[op]
    sizes = [bytes_of(kind) for kind in (result, *reads)]
    if None in sizes:
        return None
    if declared.view:
        return Cost(calls=1)
    shapes = [kind.shape for kind in (result, *reads) if kind is not None]
    flops = 0
    if declared.flops is not None:
        flops = int(declared.flops(*shapes, **attributes))
    elif op.startswith("assign_"):
        flops = sum(size or 0 for size in sizes[:1]) // (result.dtype.itemsize if result is not None else 1)
    return Cost(flops, sum(size or 0 for size in sizes), 1)

"""Fusion: a chain of steps whose intermediate results nobody else reads becomes one step with one buffer.

``relu(x @ w + b)`` is then *one* plan step: three NumPy calls, one after the other, in one buffer. That is all that
fusion means here: NumPy still runs each operation over the whole array. What is saved are the buffers in between (and
with them trips to memory), and the plan shows no values between the calls because none are kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from engine.errors import GraphError, StateError
from engine.ops import TABLE
from engine.ops.registry import op
from engine.passes.draft import CHAIN, Draft, Part, Report, Step
from engine.tensor_type import TensorType

CALLS = {"relu": 1, "sigmoid": 4, "softplus": 1, "squared_difference": 2, "rsqrt": 2}
"""NumPy calls of elementwise kernels that are no ufunc themselves and write where they read."""

CHANGING = frozenset({"variable", "capture", "loop_variable"})
"""What shows another value after a write."""


class Fusion:
    """Begins at a matrix product or an elementwise step and follows elementwise steps of the same type. Never fused
    across: fetched steps (only the last of a chain may be one; of a branch or loop body not even that), fed steps,
    steps that wait or are waited for, stateful ops, writes to a variable that a part reads, and from one matrix product
    to what another one gives."""

    name = "fusion"

    def requires(self, draft: Draft) -> None:
        draft.check()

    def apply(self, draft: Draft, report: Report) -> None:
        chains = _chains(draft)
        if not chains:
            return
        inside = {part for chain in chains.values() for part in chain[:-1]}
        replaced: dict[Step, Step] = {}
        steps: list[Step] = []
        for step in draft.steps:
            if step in inside:
                continue
            if replaced and step not in draft.fed:
                step.inputs = [(replaced.get(read, read), port) for read, port in step.inputs]
            if step in chains:
                fused = fuse(chains[step], replaced)
                replaced[step] = fused
                report("fused", chains[step], [fused], _reason(chains[step]))
                step = fused
            steps.append(step)
        draft.steps = steps
        draft.fetches = [replaced.get(step, step) for step in draft.fetches]

    def ensures(self, draft: Draft) -> None:
        draft.check()
        for step in draft.steps:
            if step.op == "fused" and any(part.type != step.type for part in step.parts):
                raise GraphError(f"{step.name!r} is fused from values of different types")


def calls_of(op: str) -> int:
    """How many NumPy calls a part makes."""
    return CALLS.get(op, 1)


def fuse(chain: list[Step], replaced: dict[Step, Step]) -> Step:
    """One step for ``chain``; it has the last one's key, so that a fetch finds it."""
    reads: dict[tuple[Step, int], int] = {}
    parts = []
    for place, step in enumerate(chain):
        operands = []
        for read, port in step.inputs:
            if place and read is chain[place - 1]:
                operands.append(CHAIN)
            else:
                operands.append(reads.setdefault((replaced.get(read, read), port), len(reads)))
        assert step.type is not None
        parts.append(Part(step.op, step.attributes, step.type, tuple(operands)))
    last = chain[-1]
    calls = sum(calls_of(part.op) for part in parts)
    attributes = {"ops": tuple(part.op for part in parts), "calls": calls, "buffers": 1}
    fused = Step(last.key, "fused", list(reads), attributes, [], last.type, f"{last.name}/fused", "", -1)
    fused.label = "+".join(step.label or step.op for step in chain)
    fused.parts = tuple(parts)
    fused.origins = tuple(dict.fromkeys(key for step in reversed(chain) for key in step.origins))
    return fused


def _chains(draft: Draft) -> dict[Step, list[Step]]:
    """Chains of at least two steps, by their last."""
    consumers, places = draft.consumers(), {step: place for place, step in enumerate(draft.steps)}
    waited = {read for step in draft.steps for read in step.control}
    fetched = set(draft.fetches)
    writes = [
        p for p, step in enumerate(draft.steps) if step.op.startswith("assign") or TABLE[step.op].category == "control"
    ]
    products = _products(draft)
    chains: dict[Step, list[Step]] = {}
    for step in draft.steps:
        if (
            step in draft.fed
            or step in waited
            or (step in fetched and draft.root is not draft)
            or step.control
            or not _known(step)
        ):
            continue
        before = _before(step, chains, consumers, fetched, products) if _follows(step) else None
        if before is not None:
            chain = chains[before]
            # All of a chain runs where its last step stands: no part may read a variable later than the graph says.
            late = bisect_right(writes, places[chain[0]]) < bisect_left(writes, places[step])
            if not late or not any(memory_of(read).op in CHANGING for part in chain for read, _ in part.inputs):
                chain.append(step)
                chains[step] = chains.pop(before)
                continue
        if _begins(step):
            chains[step] = [step]
    return {last: chain for last, chain in chains.items() if len(chain) > 1}


def _products(draft: Draft) -> dict[Step, int]:
    """Which matrix products each step waits for, itself included: one bit a product."""
    found: dict[Step, int] = {}
    count = 0
    for step in draft.steps:
        bits = 0
        if step not in draft.fed:
            for read in step.reads():
                bits |= found[read]
            if step.op == "matmul":
                bits |= 1 << count
                count += 1
        found[step] = bits
    return found


def _before(
    step: Step,
    chains: dict[Step, list[Step]],
    consumers: dict[Step, list[Step]],
    fetched: set[Step],
    products: dict[Step, int],
) -> Step | None:
    """The operand whose chain ``step`` can carry on."""
    for read, _ in step.inputs:
        if read in chains and read not in fetched and set(consumers[read]) == {step} and read.type == step.type:
            first = chains[read][0]
            # A fused step waits for all that its parts read. A product waits for no other one that it does not need:
            # the two could run at the same time.
            if first.op != "matmul" or not any(
                products[other] & ~products[first] for other, _ in step.inputs if other is not read
            ):
                return read
    return None


def _known(step: Step) -> bool:
    kind = step.type
    return kind is not None and kind.is_known and bool(kind.shape) and not kind.dtype.hasobject


def _follows(step: Step) -> bool:
    """Whether ``step`` may write over the operand that it reads, whatever its place."""
    declared = TABLE[step.op]
    if not declared.elementwise or not declared.accepts_out or declared.stateful or declared.variadic:
        return False
    if any(read.type is None or not read.type.is_known for read, _ in step.inputs):
        return False
    return step.op in CALLS or (isinstance(declared.kernel, np.ufunc) and not step.attributes)


def _begins(step: Step) -> bool:
    if step.op != "matmul":
        return _follows(step)
    types = [read.type for read, _ in step.inputs]
    return all(t is not None and t.is_known and len(t.shape or ()) == 2 and t.dtype.kind == "f" for t in types) and all(
        t is not None and step.type is not None and t.dtype == step.type.dtype for t in types
    )


def memory_of(step: Step) -> Step:
    """What ``step`` may share memory with."""
    while step.inputs and (step.op.startswith("assign") or TABLE[step.op].view):
        step = step.inputs[0][0]
    return step


def _reason(chain: list[Step]) -> str:
    names = [step.name for step in chain]
    calls = sum(calls_of(step.op) for step in chain)
    between = (
        "the value in between is not kept" if len(chain) == 2 else f"{len(chain) - 1} values in between are not kept"
    )
    return f"{', '.join(names[:-1])} and {names[-1]} are 1 plan step: {calls} NumPy calls, 1 buffer; {between}"


def _in_a_plan(*_arrays: Any, **_attributes: Any) -> Any:
    raise StateError("a fused step has no kernel: the plan writes down the calls of its parts")


def _fused_type(*operands: TensorType, ops: tuple[str, ...], calls: int, buffers: int) -> TensorType:
    raise StateError("a fused step has the type of its last part")


op("fused", "*operands", _in_a_plan, _fused_type, None, stateful=True, category="arith", symbol="∘")

__all__ = ["CALLS", "CHANGING", "Fusion", "calls_of", "fuse", "memory_of"]

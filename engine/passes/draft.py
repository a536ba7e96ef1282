"""What passes work on: a copy of the part of a graph that one plan needs. The graph itself stays whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import GraphError
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.passes.blocks import Block

Report = Callable[[str, "Sequence[Step]", "Sequence[Step]", str], None]
"""``report(action, old, new, reason)``: ``action`` is ``removed``, ``merged``, ``folded``, ``replaced`` or
``fused``."""


CHAIN = -1
"""An operand of a part: the value that the part before it left in the buffer."""


@dataclass(frozen=True)
class Part:
    """One operation of a fused step. ``operands`` are places in the step's inputs, or :data:`CHAIN`."""

    op: str
    attributes: Mapping[str, Any]
    type: TensorType
    operands: tuple[int, ...]


class Step:
    """One op of a draft. ``origins`` are the keys of the graph nodes that it stands for; it has more than one after
    a merge, and keeps those of the nodes that a rewrite replaced. A fused step has ``parts``."""

    __slots__ = (
        "attributes",
        "blocks",
        "control",
        "inputs",
        "key",
        "label",
        "labels",
        "name",
        "op",
        "origins",
        "parts",
        "traced",
        "type",
    )

    def __init__(
        self,
        key: int,
        op: str,
        inputs: list[tuple[Step, int]],
        attributes: Mapping[str, Any],
        control: list[Step],
        type: TensorType | None,
        name: str,
        label: str,
        traced: int,
    ) -> None:
        self.key = key
        self.op = op
        self.inputs = inputs
        self.attributes = attributes
        self.control = control
        self.type = type
        self.name = name
        self.label = label
        self.traced = traced
        self.origins: tuple[int, ...] = (key,)
        self.blocks: tuple[Block, ...] = ()
        """What a decision or loop runs (:mod:`engine.passes.blocks`)."""
        self.labels: list[tuple[str, int]] = []
        """For a decision or loop: what each of ``inputs`` is."""
        self.parts: tuple[Part, ...] = ()

    def reads(self) -> list[Step]:
        """The steps that must come before this one."""
        return [step for step, _ in self.inputs] + self.control

    def __repr__(self) -> str:
        return f"<step {self.name}: {self.op}>"


class Draft:
    """``steps`` in an order in which they can run; ``fetches`` are wanted, ``fed`` steps get their value from outside
    (what they would compute is nobody's business: they are boundaries)."""

    def __init__(self, steps: list[Step], fetches: list[Step], fed: frozenset[Step]) -> None:
        self.steps = steps
        self.fetches = fetches
        self.fed = fed
        self.root: Draft = self
        """The draft of the whole plan; of a block (:mod:`engine.passes.blocks`) the one that it lies in."""

    def fresh_key(self) -> int:
        """A key for a step that a pass makes: negative, below all that there are."""
        return min(0, 0, *(step.key for step in _all_steps(self.root))) - 1

    def consumers(self) -> dict[Step, list[Step]]:
        """Who reads (or waits for) each step."""
        found: dict[Step, list[Step]] = {step: [] for step in self.steps}
        for step in self.steps:
            if step in self.fed:
                continue
            for read in step.reads():
                found[read].append(step)
        return found

    def redirect(self, replaced: Mapping[Step, Step]) -> None:
        """Let every reader of a key of ``replaced`` read its value instead."""
        for step in self.steps:
            if any(read in replaced for read, _ in step.inputs):
                step.inputs = [(replaced.get(read, read), port) for read, port in step.inputs]
            if any(read in replaced for read in step.control):
                step.control = list(dict.fromkeys(replaced.get(read, read) for read in step.control))

    def check(self) -> None:
        """Every read comes before its reader, and every fetch is there.

        :raises GraphError: the draft is broken; a pass has made a mistake.
        """
        seen: set[Step] = set()
        fed, add = self.fed, seen.add
        for step in self.steps:
            if step not in fed:
                for read, _ in step.inputs:
                    if read not in seen:
                        raise GraphError(f"{step.name!r} reads {read.name!r}, which does not come before it")
                for read in step.control:
                    if read not in seen:
                        raise GraphError(f"{step.name!r} waits for {read.name!r}, which does not come before it")
            add(step)
        for step in self.fetches:
            if step not in seen:
                raise GraphError(f"the fetched {step.name!r} is gone")


def _all_steps(draft: Draft) -> Iterator[Step]:
    for step in draft.steps:
        yield step
        for block in step.blocks:
            yield from _all_steps(block)


class Pass(Protocol):
    """One rewriting of a draft, in three parts that the runner calls one after the other."""

    name: str

    def requires(self, draft: Draft) -> None:
        """Raise :class:`GraphError` if the draft is not what this pass can work on."""

    def apply(self, draft: Draft, report: Report) -> None:
        """Change the draft, and say what and why."""

    def ensures(self, draft: Draft) -> None:
        """Raise :class:`GraphError` if what this pass promises does not hold now."""

"""A plan: what one session made of its graph for some fetches, feeds and feed shapes, compiled to one function."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.ops import TABLE
from engine.passes import DEFAULT, Pass, optimise
from engine.passes.draft import Draft, Step
from engine.static.emit import Emitter, source_of
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.specialise import draft_for
from engine.static.state_ops import STATE
from engine.static.storage import Variable
from engine.tensor_type import TensorType

Array = NDArray[Any]
Function = Callable[..., tuple[Any, ...]]
_numbers = count()


@dataclass(eq=False)
class Plan:
    """``function(*feeds)`` returns one entry for each fetch. ``source`` is its text; ``steps[i]`` is what line ``i``
    of the
    body computes, and ``step.origins`` are the graph nodes behind it. ``reads_first`` are the variables that must
    hold a
    value before the run, ``writes`` those that hold one afterwards."""

    number: int
    graph: Graph
    draft: Draft
    feeds: tuple[Node, ...]
    function: Function
    source: str
    emitter: Emitter
    reads_first: tuple[Node, ...]
    writes: tuple[Node, ...]
    restores: bool
    can_fail: bool
    traced: int = -1
    skipped: tuple[str, ...] = ()
    ready: bool = False
    simple: bool = False
    _recorded: Function | None = field(default=None, repr=False)

    @property
    def steps(self) -> list[Step]:
        """What each line of the function computes."""
        return [line.step for line in self.emitter.lines]

    @property
    def buffers(self) -> int:
        """How many buffers the plan owns."""
        return len(self.emitter.pool.made)

    def recorded(self) -> Function:
        """The same function with a timestamp before and after each call; it takes a further argument, ``ran``."""
        if self._recorded is None:
            text = source_of(self.emitter, len(self.feeds), recorded=True)
            self._recorded = _compile(
                text, f"<plan {self.number} recorded>", {**self.emitter.names, "clock": events.clock}
            )
        return self._recorded

    def step_at(self, line: int) -> Step | None:
        """The step that line ``line`` of the generated text computes (text lines count from 1)."""
        place = line - 3
        return self.emitter.lines[place].step if 0 <= place < len(self.emitter.lines) else None


def build(
    graph: Graph,
    fetches: Sequence[Node],
    fed: Mapping[Node, TensorType],
    variables: Callable[[Node], Variable],
    passes: Sequence[Pass] = DEFAULT,
    streams: dict[Any, Any] | None = None,
) -> Plan:
    """Prune, optimise a copy, plan memory, compile.

    ``variables`` gives the session's storage of a variable; the compiled function writes into it. ``streams`` are the
    session's random streams by the generator that the graph names.

    :raises FeedError: a placeholder that the fetches need is not fed.
    :raises ShapeError: the shapes of these feeds cannot go together.
    """
    listener = events.listener
    traced = -1
    draft = draft_for(graph, fetches, fed, whole=listener is not None)
    if listener is not None:
        traced = listener.optimise_started(
            graph.traced, [n.traced for n in dict.fromkeys(fetches)], [n.traced for n in fed]
        )
    if streams is not None:
        _own_streams(draft, streams)
    skipped = optimise(draft, passes, graph=graph.traced, plan=traced)
    start = events.clock()
    nodes = {step.key: graph.nodes[step.key] for step in draft.steps if step.key >= 0}
    arrays = {
        step.key: variables(nodes[step.key]) for step in draft.steps if step.op == "variable" and step not in draft.fed
    }
    by_key = {step.key: step for step in draft.steps}
    emitter = Emitter(draft, [by_key[node.index] for node in fed if node.index in by_key], arrays)
    number = next(_numbers)
    text = source_of(emitter, len(fed), recorded=False)
    function = _compile(text, f"<plan {number}>", emitter.names)
    reads, writes, restores = _effects(draft)
    can_fail = any(_can_fail(line.step) for line in emitter.lines)
    plan = Plan(
        number,
        graph,
        draft,
        tuple(fed),
        function,
        text,
        emitter,
        tuple(nodes[s.key] for s in reads),
        tuple(nodes[s.key] for s in writes),
        restores,
        can_fail,
        traced,
        tuple(skipped),
    )
    if listener is not None:
        listener.compiled(traced, len(draft.steps), emitter.calls, plan.buffers, text, start, events.clock())
    return plan


def _own_streams(draft: Draft, streams: dict[Any, Any]) -> None:
    """A graph says how a random stream begins; each session draws from a stream of its own, from the beginning."""
    for step in draft.steps:
        generator = step.attributes.get("generator")
        if generator is not None and hasattr(generator, "restart"):
            if generator not in streams:
                streams[generator] = generator.restart()
            step.attributes = {**step.attributes, "generator": streams[generator]}


def _effects(draft: Draft) -> tuple[list[Step], list[Step], bool]:
    """Variables read before anything writes them, variables written, and whether something that can fail follows a
    write."""
    reads: dict[Step, None] = {}
    writes: dict[Step, None] = {}
    restores = False
    for step in draft.steps:
        if step in draft.fed:
            continue
        operands = [read for read, _ in step.inputs if read.op == "variable" and read not in draft.fed]
        if step.op in STATE:
            continue
        if step.op == "assign":
            operands = operands[1:] if operands and operands[0] is step.inputs[0][0] else operands
        for read in operands:
            if read not in writes:
                reads[read] = None
        if step.op.startswith("assign"):
            writes[step.inputs[0][0]] = None
        elif writes and step.op not in ("group", "no_op", "constant", "variable", "identity"):
            restores = restores or _can_fail(step)
    for step in draft.fetches:
        if step.op == "variable" and step not in writes and step not in draft.fed:
            reads[step] = None
    return list(reads), list(writes), restores


_SAFE = frozenset(
    {
        "matmul",
        "sum",
        "mean",
        "max",
        "min",
        "relu",
        "relu_grad",
        "sigmoid",
        "softmax",
        "log_softmax",
        "reshape",
        "transpose",
        "expand_dims",
        "squeeze",
        "sum_to",
        "spread",
        "spread_mean",
        "broadcast_to",
        "identity",
        "stop_gradient",
        "cast",
        "zeros_like",
        "ones_like",
        "where",
        "mse_loss",
        "mse_loss_grad",
        "assign",
        "assign_add",
        "assign_sub",
        "getitem",
        "concat",
        "stack",
    }
)
"""Ops that cannot fail on operands whose types were checked when the plan was made."""


def _can_fail(step: Step) -> bool:
    if any(t is None or not t.is_known for t in (step.type, *(read.type for read, _ in step.inputs))):
        return True
    return step.op not in _SAFE and not isinstance(TABLE[step.op].kernel, np.ufunc)


def _compile(text: str, name: str, names: Mapping[str, object]) -> Function:
    # Registered like a file, so that a debugger or a traceback can show the line.
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    return space["make"](**names)  # type: ignore[no-any-return]

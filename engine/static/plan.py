"""A plan: what one session made of its graph for some fetches, feeds and feed shapes, compiled to one function."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from numpy.typing import NDArray

from engine import events
from engine.passes import DEFAULT, DeadCode, Pass, optimise
from engine.passes.blocks import all_steps, written_keys
from engine.passes.draft import Draft, Step
from engine.passes.safety import can_fail
from engine.static.emit import Emitter, source_of
from engine.static.extension import Extension
from engine.static.graph import Graph
from engine.static.memory_plan import Memory
from engine.static.node import Node
from engine.static.parallel import Decision, Mode, Parallel, decide, parallel_plan
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
    generation: int = 0
    decision: Decision = field(default=Decision(1, "parallel running is off"))
    parallel: Parallel | None = field(default=None, repr=False)
    _recorded: Function | None = field(default=None, repr=False)

    @property
    def steps(self) -> list[Step]:
        """What each line of the function computes."""
        return [line.step for line in self.emitter.lines]

    @property
    def keys(self) -> frozenset[int]:
        """The indexes of the graph's nodes that this plan stands for."""
        return frozenset(key for step in all_steps(self.draft) for key in step.origins if key >= 0)

    @property
    def stale(self) -> bool:
        """Whether an edit has changed a node of this plan since it was made: it still computes what it did then."""
        return self.graph.generation > self.generation and any(
            self.graph.nodes[key].changed > self.generation for key in self.keys
        )

    @property
    def buffers(self) -> int:
        """How many buffers the plan owns."""
        return len(self.emitter.pool.made)

    @property
    def memory(self) -> Memory:
        """What its buffers hold, and what they would if each value had one."""
        return self.emitter.ledger.total(self.buffers, self.emitter.pool.held)

    def recorded(self) -> Function:
        """The same function with a timestamp before and after each call; it takes a further argument, ``ran``."""
        if self._recorded is None and self.parallel is not None:
            self._recorded = self.parallel.recorded(_compiler(f"<plan {self.number} recorded>"), events.clock)
        if self._recorded is None:
            text = source_of(self.emitter, len(self.feeds), recorded=True)
            self._recorded = _compile(
                text, f"<plan {self.number} recorded>", {**self.emitter.names, "clock": events.clock}
            )
        return self._recorded

    def step_at(self, line: int, recorded: bool = False) -> Step | None:
        """The step that line ``line`` of the generated text computes (text lines count from 1)."""
        if self.parallel is not None:
            return self.parallel.step_at(line, recorded)
        place = line - 3
        lines = [one for one in self.emitter.lines if recorded or one.text]
        return lines[place].step if 0 <= place < len(lines) else None


def build(
    graph: Graph,
    fetches: Sequence[Node],
    fed: Mapping[Node, TensorType],
    variables: Callable[[Node], Variable],
    passes: Sequence[Pass] = DEFAULT,
    streams: dict[Any, Any] | None = None,
    parallel: Mode = False,
    workers: int = 2,
    extension: Extension | None = None,
) -> Plan:
    """Prune, optimise a copy, plan memory, compile.

    ``variables`` gives the session's storage of a variable; the compiled function writes into it. ``streams`` are the
    session's random streams by the generator that the graph names. ``parallel`` and ``workers`` are a session's
    (:mod:`engine.static.parallel`). A listener is told what ``extension`` cost.

    :raises FeedError: a placeholder that the fetches need is not fed.
    :raises ShapeError: the shapes of these feeds cannot go together.
    """
    listener = events.listener
    traced = -1
    begun = events.clock()
    # Without a pass that takes away what is not needed, nothing else may be in the draft.
    prunes = any(isinstance(one, DeadCode) for one in passes)
    draft = draft_for(graph, fetches, fed, whole=listener is not None and prunes)
    copied = events.clock() - begun
    if listener is not None:
        traced = listener.optimise_started(
            graph.traced, [n.traced for n in dict.fromkeys(fetches)], [n.traced for n in fed]
        )
    if streams is not None:
        _own_streams(draft, streams)
    spent: list[int] = [copied]
    skipped = optimise(draft, passes, graph=graph.traced, plan=traced, spent=spent)
    start = events.clock()
    nodes = {step.key: graph.nodes[step.key] for step in all_steps(draft) if step.key >= 0}
    arrays = {
        step.key: variables(nodes[step.key])
        for step in all_steps(draft)
        if step.op == "variable" and step not in draft.fed
    }
    by_key = {step.key: step for step in draft.steps}
    doors = [by_key.get(node.index) for node in fed]
    emitter = Emitter(draft, doors, arrays)
    number = next(_numbers)
    text = source_of(emitter, len(fed), recorded=False)
    function = _compile(text, f"<plan {number}>", emitter.names)
    reads, writes, restores = _effects(draft)
    fallible = any(can_fail(line.step) for line in emitter.lines if not line.step.blocks)
    plan = Plan(
        number,
        graph,
        draft,
        tuple(fed),
        function,
        text,
        emitter,
        tuple(nodes[key] for key in reads),
        tuple(nodes[key] for key in writes),
        restores,
        fallible,
        traced,
        tuple(skipped),
    )
    plan.generation = graph.generation
    _share(plan, doors, arrays, parallel, workers)
    text, end = plan.source, events.clock()
    if listener is not None:
        if extension is not None and extension.new and extension.known:
            seconds = (sum(spent) + end - start) / 1e9
            listener.rewritten(traced, "extended", [], [], extension.sentence(seconds))
        if parallel is True or plan.decision.parallel:
            listener.rewritten(traced, "scheduled", [], [], plan.decision.reason)
        if plan.memory.values > plan.buffers > 0:
            listener.rewritten(traced, "planned", [], [], plan.memory.sentence())
        count = sum(1 for _ in all_steps(draft))
        listener.compiled(traced, count, plan.emitter.calls, plan.buffers, text, start, end)
    return plan


def _share(plan: Plan, doors: Sequence[Step | None], arrays: dict[int, Variable], mode: Mode, workers: int) -> None:
    """Let ``plan`` run on several workers, if that is wanted and pays."""
    plan.decision, crew = decide(plan.draft, mode, workers)
    if crew is None:
        return
    emitter = Emitter(plan.draft, doors, arrays, reuse=False)
    plan.decision, found = parallel_plan(plan.draft, emitter, len(plan.feeds), mode, plan.decision, crew)
    if found is None:
        return
    plan.emitter, plan.parallel, plan.source = emitter, found, found.source
    plan.function = found.function(_compiler(f"<plan {plan.number}>"))
    # A step that can fail may run after a write that it came before.
    plan.restores = bool(plan.writes) and plan.can_fail


def _compiler(name: str) -> Callable[[str, Mapping[str, object]], Any]:
    return lambda text, names: _compile(text, name, names)


def _own_streams(draft: Draft, streams: dict[Any, Any]) -> None:
    """A graph says how a random stream begins; each session draws from a stream of its own, from the beginning."""
    for step in all_steps(draft):
        generator = step.attributes.get("generator")
        if generator is not None and hasattr(generator, "restart"):
            if generator not in streams:
                streams[generator] = generator.restart()
            step.attributes = {**step.attributes, "generator": streams[generator]}


def _effects(draft: Draft) -> tuple[list[int], list[int], bool]:
    """The keys of variables read before anything writes them, of variables written, and whether something that can
    fail follows a write."""
    found = _Effects()
    found.add(draft)
    for step in draft.fetches:
        if step.op == "variable" and step.key not in found.writes and step not in draft.fed:
            found.reads[step.key] = None
    return list(found.reads), list(found.writes), found.restores


class _Effects:
    """What steps do to variables, collected in the order in which they run."""

    def __init__(self) -> None:
        self.reads: dict[int, None] = {}
        self.writes: dict[int, None] = {}
        self.restores = False

    def add(self, draft: Draft) -> None:
        for step in draft.steps:
            if step not in draft.fed and step.op not in STATE:
                self._step(step, draft)

    def _step(self, step: Step, draft: Draft) -> None:
        operands = [read for read, _ in step.inputs if read.op == "variable" and read not in draft.fed]
        if step.op == "assign":
            operands = operands[1:] if operands and operands[0] is step.inputs[0][0] else operands
        for read in operands:
            if read.key not in self.writes:
                self.reads[read.key] = None
        if step.op.startswith("assign"):
            self.writes[step.inputs[0][0].key] = None
        elif step.blocks:
            self._blocks(step)
        elif self.writes and step.op not in ("group", "no_op", "constant", "variable", "identity"):
            self.restores = self.restores or can_fail(step)

    def _blocks(self, step: Step) -> None:
        """A block may not run at all, so what it writes may be unwritten afterwards; in a loop, writes of one iteration
        come before everything of the next."""
        before = dict(self.writes)
        written: dict[int, None] = {}
        for block in step.blocks:
            if step.op == "cond":
                self.writes = dict(before)
            self.add(block)
            for one in block.results.values():
                if one.op == "variable" and one.key not in self.writes:
                    self.reads[one.key] = None
            written.update(self.writes)
        self.writes = written
        if written_keys(step):
            inner = (one for block in step.blocks for one in all_steps(block))
            self.restores = self.restores or any(can_fail(one) for one in inner if not one.blocks and one.inputs)
        for key in written:
            # Whether it holds a value afterwards depends on the run: it must hold one before.
            if key not in before:
                self.reads[key] = None


def _compile(text: str, name: str, names: Mapping[str, object]) -> Function:
    # Registered like a file, so that a debugger or a traceback can show the line.
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    # In the order of its parameters: CPython looks each keyword up along all of them.
    return space["make"](*names.values())  # type: ignore[no-any-return]

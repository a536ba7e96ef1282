"""Capturing while a program runs: ops wait in a graph until Python needs a value."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os.path import dirname
from typing import Any

from engine import events
from engine.bridges.compile.report import Break, Report
from engine.bridges.function.concrete import Region
from engine.bridges.tracing import Tracer
from engine.bridges.tracing.traced import become_real
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import StepgraphError
from engine.static import Graph, Node, Session
from engine.tensor_type import TensorType

_ENGINE = dirname(dirname(dirname(__file__)))
Segments = dict[tuple[Any, Any], Region]
"""The graphs compiled so far, by what they compute and the sizes of inputs (``None``: any)."""


_METHODS = {"repr": "__repr__", "len": "__len__"} | {
    word: f"__{word}__" for word in ("bool", "int", "float", "complex", "index")
}


@dataclass(frozen=True, slots=True)
class Segment:
    """One graph of a call that ran: what it read, and the arrays that it gave."""

    region: Region
    inputs: list[Tensor]
    outputs: list[Any]
    written: bool


class LazyTracer(Tracer):
    """Ops become nodes; :meth:`flush` runs them and turns the traced tensors that are still in use into ordinary ones.

    Shapes are those of the call, so programs may read them. Each graph is compiled once: ``segments`` has those of
    earlier calls. With ``open_sizes`` a graph takes inputs of any size, as far as its ops do.
    """

    shows_values = True

    def __init__(self, facade: Facade, segments: Segments, report: Report, *, open_sizes: bool) -> None:
        super().__init__(Graph(report.name), facade=facade)
        self.open_sizes = open_sizes
        self.segments = segments
        self.report = report
        self.ran: list[Segment] = []
        self._made: list[weakref.ref[Any]] = []

    def tensor(self, node: Node, value: Any = None) -> Any:
        """A traced tensor, of which the tracer knows as long as the program does."""
        made = super().tensor(node, value)
        self._made.append(weakref.ref(made))
        return made

    def reveal(self, traced: Any, what: str) -> Any:
        """Python needs a value: the graph breaks here."""
        self.break_graph(what)
        if what == "iter":
            return iter([traced[i] for i in range(len(traced))])
        name = _METHODS.get(what, what)
        return getattr(traced, name)()

    def backward(self, traced: Any, *arguments: Any, **more: Any) -> Any:
        """Backward breaks the graph, and runs on the tape."""
        self.break_graph("backward")
        return traced.backward(*arguments, **more)

    def break_graph(self, what: str) -> None:
        """End the graph because Python needs ``what``."""
        file, line = _program_place()
        found = Break(what, file, line, sum(n.op not in _NO_OPS for n in self.graph.nodes))
        self.report.breaks.append(found)
        known = self.report.compiled
        self.flush(f"{self.report.name}, after {what} in line {line}")
        if events.listener is not None and self.report.compiled > known:
            events.listener.specialised(self.report.name, "broken", found.why)

    def flush(self, following: str = "") -> None:
        """Run what waits, if anything does; a new graph begins, called ``following``."""
        live = [x for ref in self._made if (x := ref()) is not None and x._of_tracer is self]
        writes = [c for c in self.captures.values() if c.written]
        captures = list(self.captures.values())
        graph, self.graph = self.graph, Graph(following or self.report.name)
        self.captures, self._made = {}, []
        outputs = list(dict.fromkeys([*(x._of_node for x in live), *(c.current for c in writes)]))
        if not outputs:
            return
        signature = _signature(graph, [c.node for c in captures], outputs)
        region = self.segments.get((signature, None)) if self.open_sizes else None
        if region is None:
            region = self._compiled(graph, signature, [c.node for c in captures], outputs)
        self.report.graphs += 1
        self.report.ops += sum(n.op not in _NO_OPS for n in graph.nodes)
        results = _outside(lambda: region.run([c.tensor for c in captures])[0])
        values = dict(zip(outputs, results, strict=True))
        arrays = [x._array for x in results]
        self.ran.append(Segment(region, [c.tensor for c in captures], arrays, bool(writes)))
        for capture in writes:
            capture.tensor._array[...] = values[capture.current]._array
            capture.tensor._storage.version += 1
        for traced in live:
            become_real(traced, values[traced._of_node])

    def _compiled(self, graph: Graph, signature: Any, inputs: Sequence[Node], outputs: Sequence[Node]) -> Region:
        """The compiled graph for these inputs, made if there is none."""
        key: tuple[Any, Any] = signature, tuple(node.shape for node in inputs)
        region = self.segments.get(key)
        if region is not None:
            return region
        places, results = list(inputs), list(outputs)
        if self.open_sizes:
            with suppress(StepgraphError):  # an op that needs to know a size: this graph is for these sizes only
                graph, known = opened(graph)
                places, results = [known[n] for n in inputs], [known[n] for n in outputs]
                key = signature, None
        self.report.compiled += 1
        region = Region(graph, Session(graph, compile_at_once=True), places, results, self.facade)
        self.segments[key] = region
        return region


def opened(graph: Graph) -> tuple[Graph, dict[Node, Node]]:
    """A copy of a graph for inputs of any size, and the copy of each node.

    :raises StepgraphError: an op needs to know a size.
    """
    copy = Graph(graph.name)
    known: dict[Node, Node] = {}
    for node in graph.nodes:
        kind = node.type if node.op in ("placeholder", "constant") else None
        if kind is not None and node.op == "placeholder":
            kind = TensorType(kind.dtype, (None,) * len(kind.shape or ()))
        inputs = [(known[source], port) for source, port in node.inputs]
        known[node] = copy.add(
            node.op, inputs, node.attributes, type=kind, name=node.name, label=node.label, role=node.role
        )
    return copy, known


_NO_OPS = frozenset({"placeholder", "constant"})


def _outside(run: Callable[[], Sequence[Tensor]]) -> Sequence[Tensor]:
    """Run something as if nothing were traced."""
    from engine.bridges.tracing.hearing import Hearing
    from engine.dynamic import modes

    before = modes.tracer, events.listener
    listener: Any = events.listener
    modes.tracer, events.listener = None, listener.outer if isinstance(listener, Hearing) else listener
    try:
        return run()
    finally:
        modes.tracer, events.listener = before


def _signature(graph: Graph, inputs: Sequence[Node], outputs: Sequence[Node]) -> Any:
    """What a graph computes, whatever the sizes of its inputs: ops, wiring, attributes, dtypes and ranks."""
    nodes = tuple(
        (
            node.op,
            tuple((source.index, port) for source, port in node.inputs),
            tuple((key, _hashable(value)) for key, value in node.attributes.items()),
            None
            if node.type is None
            else (node.type.dtype, len(node.type.shape or ()))
            if node.op == "placeholder"
            else None,
        )
        for node in graph.nodes
    )
    return nodes, tuple(n.index for n in inputs), tuple(n.index for n in outputs)


def _hashable(value: Any) -> Any:
    return (value.dtype.name, value.shape, value.tobytes()) if hasattr(value, "tobytes") else value


def _program_place() -> tuple[str, int]:
    """The innermost frame that is not the engine's."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_ENGINE, "<op ")):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno

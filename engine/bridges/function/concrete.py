"""One trace of a function: a graph, the session that runs it, and its gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.bridges.function.autograph import why_not_converted
from engine.bridges.function.key import Spec, Structure, TensorSpec, flatten, rebuild
from engine.bridges.tracing import Capture, Tracer
from engine.dynamic import modes
from engine.dynamic.facade import Facade
from engine.dynamic.function import attach, hand_node_class, zeros_for
from engine.dynamic.tensor import Tensor, fresh
from engine.errors import StateError
from engine.ops import TABLE
from engine.static import Graph, Node, Session, gradients
from engine.static.control_ops import CONTROL

_gradient_node = hand_node_class("FunctionGradient")


class Region:
    """Outputs of a graph as a function of some of its nodes. ``run`` puts it on the tape as one op."""

    def __init__(
        self, graph: Graph, session: Session, inputs: Sequence[Node], outputs: Sequence[Node], facade: Facade
    ) -> None:
        self.graph = graph
        self.session = session
        self.inputs = list(inputs)
        self.outputs = list(outputs)
        self.facade = facade
        self._backward: dict[tuple[int, ...], tuple[list[int], list[Node], list[Node], list[Node | None]]] = {}
        self._again: dict[tuple[int, ...], Region] = {}

    def run(self, values: Sequence[Tensor], extra: Sequence[Node] = ()) -> tuple[list[Tensor], list[Any]]:
        """The outputs for these inputs, as tensors with a past, and the plain values of ``extra`` nodes."""
        feeds = self._feeds(values)
        wanted = tuple(i for i, x in enumerate(values) if x._requires_grad) if modes.enabled else ()
        if not wanted:
            found = self.session.run([*self.outputs, *extra], feeds)
            return [self._tensor(n, v) for n, v in zip(self.outputs, found, strict=False)], found[len(self.outputs) :]
        _, seeds, kept, slopes = self._derivative(wanted)
        found = self.session.run([*self.outputs, *extra, *kept], feeds)
        count = len(self.outputs)
        results = [self._tensor(n, v) for n, v in zip(self.outputs, found, strict=False)]
        saved = dict(zip(kept, found[count + len(extra) :], strict=True))
        operands = [values[i] for i in wanted]

        def back(given: Sequence[Tensor | None]) -> list[Tensor | None]:
            arrived = [zeros_for(self.facade, node, i) if g is None else g for i, g in enumerate(given)]
            if modes.enabled:
                return self._differentiable(wanted, values, arrived)
            fed = {**saved, **{seed: g._array for seed, g in zip(seeds, arrived, strict=True)}}
            live = [slope for slope in slopes if slope is not None]
            got = iter(self.session.run(live, fed))
            return [None if s is None else fresh(self.facade.tensor, np.asarray(next(got))) for s in slopes]

        node = attach(self.facade, _gradient_node, operands, results, back, "function")
        return results, found[count : count + len(extra)]

    def _feeds(self, values: Sequence[Tensor]) -> dict[Node, Any]:
        """What a run is given for the inputs."""
        return {node: value._array for node, value in zip(self.inputs, values, strict=True)}

    def _tensor(self, node: Node, value: Any) -> Tensor:
        out = fresh(self.facade.tensor, np.asarray(value))
        out._node = node.traced
        return out

    def _derivative(self, wanted: tuple[int, ...]) -> tuple[list[int], list[Node], list[Node], list[Node | None]]:
        """Nodes for the gradients of some inputs: seeds, what they read of the forward part, and the gradients."""
        known = self._backward.get(wanted)
        if known is None:
            start = len(self.graph.nodes)
            seeds = [self.graph.placeholder(n.shape, n.type.dtype, "seed") for n in self.outputs if n.type is not None]
            floating = [i for i, n in enumerate(self.outputs) if n.type is not None and n.type.dtype.kind in "fc"]
            slopes = gradients(
                [self.outputs[i] for i in floating], [self.inputs[i] for i in wanted], [seeds[i] for i in floating]
            )
            read: dict[Node, None] = {}
            for made in self.graph.nodes[start:]:
                if _of_forward_part(made, start):
                    continue
                if made.op == "output" and made.inputs[0][0].index < start:
                    read[made] = None  # what a decision or loop of the forward part hands out for its gradient
                    continue
                for source, _ in made.inputs:
                    if source.index < start and source.op != "constant":
                        read[source] = None
            for slope in slopes:
                if slope is not None and slope.index < start:
                    read[slope] = None
            known = self._backward[wanted] = ([], seeds, list(read), slopes)
        return known

    def _differentiable(
        self, wanted: tuple[int, ...], values: Sequence[Tensor], seeds: Sequence[Tensor]
    ) -> list[Tensor | None]:
        """The gradients as functions of inputs and seeds that are on the tape themselves; the forward part runs
        again."""
        random = next((n for n in self.graph.nodes if TABLE[n.op].stateful and n.op not in CONTROL), None)
        if random is not None:
            raise StateError(
                "the gradient of a traced function cannot be differentiated again where the function draws "
                "random numbers "
                f"({random.name!r} would draw others)"
            )
        _, places, _, slopes = self._derivative(wanted)
        again = self._again.get(wanted)
        if again is None:
            live = [slope for slope in slopes if slope is not None]
            again = self._again[wanted] = type(self)(
                self.graph, self.session, [*self.inputs, *places], live, self.facade
            )
        got = iter(again.run([*values, *seeds])[0])
        return [None if slope is None else next(got) for slope in slopes]


def _of_forward_part(node: Node, start: int) -> bool:
    """Whether a node that came later lies inside a decision or loop that was there before ``start``, which runs it."""
    region = node.region
    while region is not None and region.parent is not None:
        region = region.parent
    return region is not None and region.owner is not None and region.owner.index < start


class ConcreteFunction:
    """A function traced for one kind of arguments. ``graph`` is what was traced, ``guards`` say in words for what it
    holds, ``reason`` why it was made, ``calls`` how often it ran."""

    def __init__(
        self,
        name: str,
        paths: Sequence[str],
        specs: Sequence[Spec],
        structure: Structure,
        reason: str,
        facade: Facade | None,
    ) -> None:
        self.name = name
        self.paths = list(paths)
        self.specs = list(specs)
        self.structure = structure
        self.reason = reason
        self.calls = 0
        self.tracer = Tracer(Graph(name), facade=facade, reveal=_refuse)
        self._structure: Structure = None
        self._results: list[Any] = []
        self._region: Region | None = None
        self._places: list[int] = []

    @property
    def graph(self) -> Graph:
        """The traced graph."""
        return self.tracer.graph

    @property
    def guards(self) -> list[str]:
        """For which arguments this trace holds, one condition a leaf."""
        return [f"{path}: {spec}" for path, spec in zip(self.paths, self.specs, strict=True)]

    @property
    def captures(self) -> list[Capture]:
        """Tensors from outside that it reads or writes."""
        return list(self.tracer.captures.values())

    def takes(self, specs: Sequence[Spec]) -> bool:
        """Whether arguments of these specs can run here."""
        return len(specs) == len(self.specs) and all(a.takes(b) for a, b in zip(self.specs, specs, strict=True))

    @property
    def width(self) -> int:
        """How many dimensions are left open: of several traces that take a call, the one with the fewest runs."""
        return sum(spec.shape.count(None) for spec in self.specs if isinstance(spec, TensorSpec))

    def trace(self, function: Callable[..., Any], leaves: Sequence[Any]) -> None:
        """Run ``function`` once on traced arguments, and keep the graph."""
        traced, inputs = [], []
        for place, (path, spec, leaf) in enumerate(zip(self.paths, self.specs, leaves, strict=True)):
            if isinstance(spec, TensorSpec):
                leaf = self.tracer.placeholder(spec.shape, spec.dtype, _name(path))
                inputs.append(leaf._of_node)
                self._places.append(place)
            traced.append(leaf)
        arguments, more = rebuild(self.structure, iter(traced))
        with self.tracer.active():
            result = function(*arguments, **more)
        found: list[tuple[str, Any]] = []
        self._structure = flatten(result, "result", found)
        outputs: list[Node] = []
        for _, x in found:
            if isinstance(x, Tensor):
                outputs.append(self.tracer.node_of(x))
                self._results.append(len(outputs) - 1)
            else:
                self._results.append(("value", x))
        captures = self.captures
        session = Session(self.graph, compile_at_once=True)
        self._region = Region(self.graph, session, [*inputs, *(c.node for c in captures)], outputs, self.tracer.facade)
        self._writes = [c for c in captures if c.written]

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """Run the graph. ``leaves`` are the flattened arguments of a call that this trace takes."""
        assert self._region is not None
        self.calls += 1
        values = [_as_tensor(leaves[place], self.tracer.facade) for place in self._places]
        values += [capture.tensor for capture in self.tracer.captures.values()]
        results, written = self._region.run(values, [c.current for c in self._writes])
        for capture, value in zip(self._writes, written, strict=True):
            capture.tensor._array[...] = value
            capture.tensor._storage.version += 1
        filled = [x[1] if isinstance(x, tuple) else results[x] for x in self._results]
        return rebuild(self._structure, iter(filled))

    def __repr__(self) -> str:
        return f"<trace of {self.name}({', '.join(self.guards)})>"


def _name(path: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "_" for c in path).strip("_") or "argument"


def _as_tensor(value: Any, facade: Facade) -> Tensor:
    return value if isinstance(value, Tensor) else fresh(facade.tensor, np.asarray(value))


_WORDS = {
    "bool": "using a traced tensor as a Python bool is not allowed: the condition is not known while the "
    "function is traced",
    "iter": "iterating over a traced tensor is not allowed: its rows are not known while the function is traced",
}


def _refuse(traced: Any, what: str) -> Any:
    text = _WORDS.get(what, f"{what} of a traced tensor is not known while the function is traced")
    advice = (
        why_not_converted() if what in ("bool", "iter", "index") else "return the tensor and look at its value outside"
    )
    raise StateError(f"{text} [{traced!r}]; {advice}")


__all__ = ["ConcreteFunction", "Region"]

"""A function as a graph: called with tensors, read as a listing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.bridges.function.concrete import Region
from engine.bridges.function.key import Structure, flatten, rebuild, shape_text
from engine.bridges.script.encoding import encode_graph
from engine.bridges.tracing import Tracer
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import FeedError, StateError
from engine.static import Graph, Node, Session
from engine.static.regions import Region as GraphRegion


class ScriptFunction:
    """A graph with named inputs, tensors that it keeps (``parameters``, by name) and a structure of results.

    ``kind`` is ``"trace"`` or ``"script"``.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        graph: Graph,
        inputs: Sequence[tuple[str, Node]],
        parameters: Sequence[tuple[str, Node, Tensor]],
        results: Sequence[Any],
        structure: Structure,
        facade: Facade,
    ) -> None:
        self.kind = kind
        self.name = name
        self.graph = graph
        self.encoded_graph = encode_graph(graph.nodes)
        self.inputs = list(inputs)
        self.parameters = {key: tensor for key, _, tensor in parameters}
        self.parameter_nodes = {key: node for key, node, _ in parameters}
        self.results = list(results)
        self.structure = structure
        self.facade = facade
        places = [*(node for _, node in inputs), *(node for _, node, _ in parameters)]
        outputs = [x for x in self.results if isinstance(x, Node)]
        self._region = Region(graph, Session(graph, compile_at_once=True), places, outputs, facade)

    @classmethod
    def of(
        cls, kind: str, name: str, tracer: Tracer, inputs: Sequence[tuple[str, Node]], result: Any
    ) -> ScriptFunction:
        """What a tracer wrote down.

        :raises StateError: the function writes into a tensor from outside.
        """
        captures = list(tracer.captures.values())
        for capture in captures:
            if capture.written:
                raise StateError(f"{name} writes in place into a tensor from outside; return the new value instead")
        parameters = [(f"parameter_{i}", c.node, c.tensor) for i, c in enumerate(captures)]
        found: list[tuple[str, Any]] = []
        structure = flatten(result, "result", found)
        results = [tracer.node_of(x) if isinstance(x, Tensor) else x for _, x in found]
        return cls(kind, name, tracer.graph, inputs, parameters, results, structure, tracer.facade)

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != len(self.inputs):
            names = ", ".join(name for name, _ in self.inputs)
            raise FeedError(f"{self.name} takes {len(self.inputs)} arguments ({names}), not {len(arguments)}")
        values = [self._argument(x, node) for x, (_, node) in zip(arguments, self.inputs, strict=True)]
        outputs, _ = self._region.run([*values, *self.parameters.values()])
        given = iter(outputs)
        filled = [next(given) if isinstance(x, Node) else x for x in self.results]
        return rebuild(self.structure, iter(filled))

    def _argument(self, x: Any, node: Node) -> Tensor:
        if isinstance(x, Tensor):
            return x
        assert node.type is not None
        return self.facade.tensor(np.asarray(x, node.type.dtype))

    @property
    def code(self) -> str:
        """The graph as a listing: one line for each node, the blocks of decisions and loops indented."""
        head = ", ".join(f"%{node.name}" for _, node in self.inputs)
        lines = [f"graph {self.name}({head}):"]
        fixed = set(self.parameter_nodes.values()) | {node for _, node in self.inputs}
        needed = _reachable([x for x in self.results if isinstance(x, Node)])
        lines += _listed([n for n in self.graph.nodes if n.region is None and n in needed and n not in fixed], "  ")
        lines.append(f"  return {', '.join(f'%{x.name}' if isinstance(x, Node) else repr(x) for x in self.results)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        word = "scripted" if self.kind == "script" else "traced"
        return f"<{word} function {self.name} of {len(self.graph.nodes)} nodes>"


def _reachable(results: Sequence[Node]) -> set[Node]:
    """What results need; the check of a loop's condition before it became a loop is not part of it."""
    found: set[Node] = set()
    waiting = list(results)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [source for source, _ in node.inputs]
            waiting += node.control
    return found


def _listed(nodes: Sequence[Node], indent: str) -> list[str]:
    lines = []
    for node in nodes:
        if node.op == "constant":
            value = node.attributes["value"]
            text = str(value.item()) if value.size == 1 else f"<{value.dtype} {value.shape}>"
        else:
            operands = ", ".join(f"%{source.name}" for source, _ in node.inputs)
            shown = {
                k: v
                for k, v in node.attributes.items()
                if node.op not in ("output", "loop_variable") and not node.regions
            }
            text = f"({operands})" + (f" {shown}" if shown else "")
        kind = (
            ""
            if node.type is None
            else f" : {node.type.dtype} {shape_text(node.type.shape) if node.type.shape is not None else '?'}"
        )
        lines.append(f"{indent}%{node.name}{kind} = {node.op}{' ' if node.op == 'constant' else ''}{text}")
        for region in node.regions:
            lines.append(f"{indent}  {region.name}:")
            lines += _listed(region.nodes, f"{indent}    ")
            lines.append(f"{indent}    -> {_results(region)}")
    return lines


def _results(region: GraphRegion) -> str:
    return ", ".join(f"%{node.name}" for node in region.results) or "nothing"

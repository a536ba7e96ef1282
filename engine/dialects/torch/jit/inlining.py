"""A module's graph with the graphs of its submodules in the place of calls."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.jit.ir import Block, Graph, Node, Value


def inlined(module: Any) -> Graph:
    """The graph of ``forward`` without calls of methods that have graphs."""
    source = module._methods["forward"].graph
    graph = Graph(source.name, source.file)
    known: dict[Value, Value] = {}
    owners: dict[Value, Any] = {}
    for value in source.parameters:
        known[value] = graph.head.add_output(value.kind, value.name)
    owners[source.parameters[0]] = module
    _copy(source, graph, known, owners)
    for value in source.results:
        graph.tail.add_input(known[value])
    return graph


def _copy(source: Block, target: Block, known: dict[Value, Value], owners: dict[Value, Any]) -> None:
    for node in source.body:
        callee = owners.get(node._inputs[0]) if node._kind == "prim::CallMethod" else None
        method = None if callee is None else callee._methods.get(node.attributes["name"])
        if method is not None:
            inner = method.graph
            given = [known[v] for v in node._inputs]
            known.update(zip(inner.parameters, given, strict=True))
            owners[inner.parameters[0]] = callee
            _copy(inner, target, known, owners)
            known[node._outputs[0]] = known[inner.results[0]]
            continue
        made = _copied(node, target, known, owners)
        if node._kind == "prim::GetAttr" and node._inputs[0] in owners:
            owners[node._outputs[0]] = getattr(owners[node._inputs[0]], node.attributes["name"], None)
        known.update(zip(node._outputs, made._outputs, strict=True))


def _copied(node: Node, target: Block, known: dict[Value, Value], owners: dict[Value, Any]) -> Node:
    made = target.add(node._kind, [known[v] for v in node._inputs], node.attributes, node.line)
    made.scope = node.scope
    for block in node._blocks:
        inner = made.add_block()
        for value in block.parameters:
            known[value] = inner.head.add_output(value.kind, value.name)
        _copy(block, inner, known, owners)
        for value in block.results:
            inner.tail.add_input(known[value])
    for value in node._outputs:
        made.add_output(value.kind, value.name)
    return made

"""A traced function that is called while another is traced: its graph becomes part of the other's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow.function.func_graph import FuncGraph, building
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.static import Node
from engine.static.replicating import Replica, with_regions


def import_function(inner: FuncGraph, name: str, values: Sequence[Tensor], captured: Sequence[Any]) -> list[Tensor]:
    """The outputs of ``inner`` for these arguments, as nodes of the graph that is being built.

    Reads and writes of variables take their place among the effects of the outer graph.
    """
    outer = get_default_graph()
    doors = [tensor._node for tensor in inner.inputs]
    stands: dict[Node, Any] = dict(zip(doors, [*values, *captured], strict=True))
    nodes = [node for node in with_regions(inner.core.nodes[: inner.ended]) if node not in doors and node.op != "group"]
    with outer.core.scope(name) as scope:
        replica = Replica(outer.core, nodes, lambda node: f"{scope}{node.name}")
        found: dict[Node, Node] = {}

        def find(node: Node) -> Node:
            if node in found:
                return found[node]
            if node in stands:
                return _standing(stands[node], node, outer, scope)
            return replica.made[node]

        for node in nodes:
            resources = [read for read, _ in node.inputs if read.op == "variable" and read in stands]
            wait: list[Node] = [replica.made[one] for one in node.control if one in replica.made]
            function = building()
            touched = [find(one) for one in resources] if function is not None else []
            if function is not None and node.region is None:
                for one in touched:
                    wait += function._before(one, node.op.startswith("assign"))
                if node.op in outer.core.effects:
                    wait += function._before(None, True)
            made = replica.add(node, find, dict.fromkeys(wait))
            found[node] = made
            if function is not None and node.region is None:
                if node.regions:
                    function.after_control(made)
                for one in touched if not node.regions else ():
                    function._note(one, made, node.op.startswith("assign"))
                if node.op in outer.core.effects:
                    function._note(None, made, True)
    return [outer.tensor(found[tensor._node]) for tensor in inner.outputs]


def _standing(value: Any, door: Node, outer: Any, scope: str) -> Node:
    if isinstance(value, Tensor):
        return value._node
    if door.op == "variable":
        resource: Node = outer.resource(value._home() if hasattr(value, "_home") else value, "resource")
        return resource
    captured: Node = outer.captured(value)._node
    return captured

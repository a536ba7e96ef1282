"""Whether a graph can run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.dialects.torch.fx.node import OPS, Node
from engine.dialects.torch.nn.module import Module

if TYPE_CHECKING:
    from engine.dialects.torch.fx.graph import Graph


def lint(graph: Graph) -> None:
    """
    :raises RuntimeError: a node reads one that comes later or belongs elsewhere, two have one name, or a module or
        attribute is not there.
    """
    names: set[str] = set()
    seen: set[Node] = set()
    for node in graph.nodes:
        if node.op not in OPS:
            raise RuntimeError(f"Node {node} had unknown opcode {node.op}!")
        if node.graph is not graph:
            raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
        for read in node._input_nodes:
            _check_read(graph, read, node, seen)
        seen.add(node)
        if node.name in names:
            raise RuntimeError(f"Node redefined name {node.name}!")
        names.add(node.name)
    if graph.owning_module is not None:
        for node in graph.nodes:
            _check_target(node, graph.owning_module)


def _check_read(graph: Graph, read: Node, node: Node, seen: set[Node]) -> None:
    who = f"Argument '{read}' of Node '{node}' "
    if read.graph is not graph:
        raise RuntimeError(
            f"{who}does not belong to this Graph, but was used as an argument! If you are copying nodes from another "
            f"graph, make sure to use ``arg_transform`` on node_copy() to remap values\n{graph}"
        )
    if read not in seen:
        raise RuntimeError(
            f"{who}was used before it has been defined! Please check that Nodes in the graph are topologically "
            f"ordered\n{graph}"
        )


def _check_target(node: Node, owner: Any) -> None:
    if node.op == "call_function":
        if not callable(node.target):
            raise ValueError(
                f"Node {node} target {node.target} has type {type(node.target).__name__} but a Callable is expected"
            )
        return
    if not isinstance(node.target, str):
        raise ValueError(
            f"Node {node} target {node.target} has type {type(node.target).__name__} but a str is expected"
        )
    if node.op not in ("get_attr", "call_module"):
        return
    parts = node.target.split(".")
    for i, part in enumerate(parts):
        inner = getattr(owner, part, None)
        where = ".".join(parts[:i])
        if inner is None:
            raise RuntimeError(f"Node {node} target {node.target} references nonexistent attribute {part} of {where}")
        if node.op == "call_module" and not isinstance(inner, Module):
            raise RuntimeError(f"Node {node} target {node.target} {part} of {where} does not reference an nn.Module")
        owner = inner

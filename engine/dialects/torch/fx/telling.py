"""What a recording hears of graphs of a dialect that are made of calls: each is a static graph that grows, and is
edited, while the program looks on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine import events

if TYPE_CHECKING:
    from engine.dialects.torch.fx.graph import Graph
    from engine.dialects.torch.fx.node import Node

NOBODY: tuple[Any, int] = (None, -1)
"""A listener, and the number that it gave."""
_ROLES = {"placeholder": "input", "get_attr": "variable"}


def _graph_id(listener: events.Listener, graph: Graph) -> int:
    if graph.told[0] is not listener:
        graph.told = (listener, listener.graph_created("static", graph.title))
    return graph.told[1]


def node_made(node: Node) -> None:
    """A node joined its graph."""
    listener = events.listener
    if listener is None or not node.graph.is_told:
        return
    graph = _graph_id(listener, node.graph)
    inputs = [(i.told[1], 0) for i in node._input_nodes if i.told[0] is listener and i.told[1] >= 0]
    target = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "call")
    label = {"output": "return", "placeholder": "placeholder"}.get(node.op, target)
    made = listener.node_created(
        graph, node.op, inputs, None, role=_ROLES.get(node.op, "op"), label=label, name=node.name
    )
    node.told = (listener, made)


def rewired(node: Node, old: Sequence[Node], new: Sequence[Node], reason: str) -> None:
    """A node reads other nodes than before."""
    listener = events.listener
    if listener is None or node.told[0] is not listener:
        return
    gone = [n.told[1] for n in old if n not in new and n.told[1] >= 0]
    come = [n.told[1] for n in new if n not in old and n.told[1] >= 0]
    if gone or come:
        listener.rewired(node.told[1], gone, come, reason)

"""What a recording hears of graphs of TorchScript: each is a static graph, decisions and loops with their regions."""

from __future__ import annotations

from typing import Any

from engine import events
from engine.dialects.torch.jit.ir import Block, Graph, Node, Value
from engine.dialects.torch.tensor import Tensor

_ROLES = {"prim::Constant": "constant", "prim::GetAttr": "variable", "prim::If": "control", "prim::Loop": "control"}


def tell(graph: Graph, owner: str = "") -> None:
    """Announce a graph that is complete."""
    listener = events.listener
    if listener is None:
        return
    number = listener.graph_created("static", f"{owner}.{graph.name}" if owner else graph.name)
    known: dict[Value, tuple[int, int]] = {}
    for value in graph.parameters:
        if value.kind.kind != "Module":
            made = listener.node_created(
                number, "placeholder", (), None, role="input", label=value.name, name=value.name
            )
            known[value] = (made, 0)
    _tell_block(listener, number, graph, known, -1)


def _tell_block(
    listener: events.Listener, graph: int, block: Block, known: dict[Value, tuple[int, int]], region: int
) -> None:
    more: dict[str, Any] = {} if region < 0 else {"region": region}
    for node in block.body:
        if node._kind == "prim::Constant" and not isinstance(node.attributes.get("value"), Tensor):
            continue  # a number stands with the node that reads it
        regions = []
        for place, inner in enumerate(node._blocks):
            word = ("true", "false")[place] if node._kind == "prim::If" else "body"
            made = listener.region_created(graph, word, region)
            regions.append(made)
            _tell_block(listener, graph, inner, known, made)
        inputs = [known[v] for v in node._inputs if v in known]
        label = node._kind.partition("::")[2]
        if node._kind == "prim::Constant":
            label = "constant"
        elif "name" in node.attributes:
            label = str(node.attributes["name"])
        number = listener.node_created(
            graph, node._kind, inputs, None, role=_ROLES.get(node._kind, "op"), label=label,
            name=node._outputs[0].name if node._outputs else "", attributes=_numbers(node), **more,
        )  # fmt: skip
        for made in regions:
            listener.region_owned(made, number)
        for port, value in enumerate(node._outputs):
            known[value] = (number, port)


def _numbers(node: Node) -> dict[str, str]:
    """The plain values among what a node reads, by place."""
    found = {}
    for place, value in enumerate(node._inputs):
        source = value.node()
        held = source.attributes.get("value")
        if source._kind == "prim::Constant" and held is not None and not isinstance(held, Tensor):
            found[f"argument {place}"] = str(held)[:40]
    return found

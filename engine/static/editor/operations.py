"""Detaching, connecting and bypassing parts of a graph."""

from __future__ import annotations

from typing import Any

from engine.errors import GraphError
from engine.static.editor.rerouting import exchange, pair, reroute_ts
from engine.static.editor.rewiring import rewire
from engine.static.editor.views import SubGraph, as_view, check_graphs, sgv
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.replicating import with_regions

PREFIX = "geph"


def placeholder_for(node: Node, graph: Graph | None = None, scope: str | None = None) -> Node:
    """A placeholder of the type of ``node``, named ``geph__<name>_0`` (in the scope of ``node``)."""
    home, _, base = node.name.rpartition("/")
    where = home if scope is None else scope
    if node.type is None:
        raise GraphError(f"{node.name!r} has no result that a placeholder could stand for")
    name = base if base.startswith(f"{PREFIX}__") else f"{PREFIX}__{base}_0"
    target = graph or node.graph
    with target.scope(f"{where}/" if where else None):
        return target.placeholder(node.type.shape, node.type.dtype, name=name)


def detach_inputs(part: Any, control_inputs: bool = False) -> tuple[SubGraph, list[Node]]:
    """Let ``part`` read new placeholders instead of its inputs; ``control_inputs``: and wait for nothing outside.

    Returns the part as it is now and the placeholders, in the order of its inputs.
    """
    view = as_view(part)
    _open(view)
    view = sgv(*with_regions(view.nodes))
    made = [placeholder_for(node) for node in view.inputs]
    instead = dict(zip(view.inputs, made, strict=True))
    inputs = {n: tuple((instead.get(read, read), port) for read, port in n.inputs) for n in view.nodes}
    ends = {region: [instead.get(n, n) for n in region.results] for node in view.nodes for region in node.regions}
    control = {n: tuple(c for c in n.control if c in view) for n in view.nodes} if control_inputs else {}
    rewire(view.graph, inputs, control, ends)
    return sgv(*view.nodes), made


def detach_outputs(part: Any) -> tuple[SubGraph, list[Node]]:
    """Let whoever outside reads ``part`` read new placeholders instead. Returns the part and the placeholders, one for
    each output that something outside read."""
    view = as_view(part)
    _open(view)
    outside = [node for node in view.graph.nodes if node not in view]
    read = {source for node in outside for source, _ in node.inputs}
    wanted = [node for node in view.outputs if node in read]
    made = [placeholder_for(node) for node in wanted]
    exchange(dict(zip(wanted, made, strict=True)), can_modify=outside)
    return sgv(*view.nodes), made


def detach(part: Any, control_inputs: bool = False) -> tuple[SubGraph, list[Node], list[Node]]:
    """:func:`detach_inputs` and :func:`detach_outputs`."""
    view, before = detach_inputs(part, control_inputs)
    view, after = detach_outputs(view)
    return view, before, after


def connect(first: Any, second: Any, disconnect_first: bool = False) -> tuple[SubGraph, SubGraph]:
    """Let ``second`` read the outputs of ``first`` in the place of its own inputs, in order.

    With ``disconnect_first`` what else reads ``first`` reads placeholders from then on.

    :raises GraphError: different graphs, or not as many outputs as inputs.
    """
    before, after = as_view(first), as_view(second)
    check_graphs(before.graph, before, after)
    outputs, inputs = pair(before.outputs, after.inputs)
    if disconnect_first:
        detach_outputs(before)
    exchange(dict(zip(inputs, outputs, strict=True)), can_modify=after.nodes)
    return sgv(*before.nodes), sgv(*after.nodes)


def bypass(part: Any) -> tuple[SubGraph, list[Node]]:
    """Let whoever reads the outputs of ``part`` read its inputs instead, in order; ``part`` itself reads placeholders.

    :raises GraphError: not as many outputs as inputs, or types that do not go together.
    """
    view = as_view(part)
    inputs, outputs = pair(view.inputs, view.outputs)
    view, made = detach_inputs(view)
    reroute_ts(inputs, outputs)
    return sgv(*view.nodes), made


def _open(view: SubGraph) -> None:
    if view.graph.finalized:
        raise GraphError("the graph is finalized and cannot be changed; build everything before finalize()")

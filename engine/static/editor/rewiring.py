"""One edit of a graph: everything is checked before anything stays changed."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Mapping, Sequence

from engine import events
from engine.errors import GraphError, StepgraphError
from engine.static.building import infer
from engine.static.control_ops import UNTYPED
from engine.static.graph import Graph
from engine.static.node import Node, Output
from engine.tensor_type import TensorType

_FIXED = UNTYPED | {"placeholder", "variable", "constant", "loop_variable"}
"""Ops whose type does not follow from what they read."""


class StalePlanWarning(UserWarning):
    """An edit that a session will not notice, because it has a plan already."""


def rewire(graph: Graph, inputs: Mapping[Node, tuple[Output, ...]], control: Mapping[Node, tuple[Node, ...]]) -> int:
    """Let nodes read ``inputs`` and wait for ``control`` from now on; returns how many nodes changed.

    :raises GraphError: the graph is finalized; a node would (over others) read itself; a node lies in a branch or loop
        body; the operands' types do not go together. The graph is then as it was.
    """
    if graph.finalized:
        raise GraphError("the graph is finalized and cannot be changed; build everything before finalize()")
    wanted = {node: inputs.get(node, node.inputs) for node in (*inputs, *control)}
    waits = {node: control.get(node, node.control) for node in wanted}
    changed = [node for node in wanted if wanted[node] != node.inputs or waits[node] != node.control]
    if not changed:
        return 0
    for node in changed:
        if node.region is not None or node.regions:
            raise GraphError(
                f"{node.name!r} is part of a decision or loop: what it reads was settled when that was built"
            )
        for read in (*(read for read, _ in wanted[node]), *waits[node]):
            if read.graph is not graph:
                raise GraphError(f"{node.name!r} cannot read {read.name!r}, which belongs to another graph")
            if read.region is not None:
                raise GraphError(f"{node.name!r} cannot read {read.name!r}, which lies in a branch or loop body")
    for session in list(graph.sessions):
        session.settle()
    saved = [(node, node.inputs, node.control) for node in changed]
    types: dict[Node, TensorType | None] = {}
    try:
        for node in changed:
            node.inputs, node.control = wanted[node], waits[node]
        order = sequence(graph)
        types = retyped(order, set(changed))
    except StepgraphError:
        for node, before, waited in saved:
            node.inputs, node.control = before, waited
        raise
    for place, node in enumerate(order):
        node.order = place
    for node, kind in types.items():
        node.type = kind
    graph.generation += 1
    for node in changed:
        node.changed = graph.generation
    _tell(saved)
    return len(changed)


def sequence(graph: Graph) -> list[Node]:
    """All nodes, each after what it needs, as near to the present order as can be.

    :raises GraphError: there is a cycle.
    """
    needs = {node: {*(r for r, _ in node.inputs), *node.control} for node in graph.nodes}
    for node in graph.nodes:
        for region in node.regions:
            needs[node].update(region.nodes)
    after: dict[Node, list[Node]] = {node: [] for node in graph.nodes}
    missing = {}
    for node, reads in needs.items():
        missing[node] = len(reads)
        for read in reads:
            after[read].append(node)
    ready = [(node.order, node.index) for node in graph.nodes if not missing[node]]
    heapq.heapify(ready)
    found: list[Node] = []
    while ready:
        node = graph.nodes[heapq.heappop(ready)[1]]
        found.append(node)
        for later in after[node]:
            missing[later] -= 1
            if not missing[later]:
                heapq.heappush(ready, (later.order, later.index))
    if len(found) < len(graph.nodes):
        raise GraphError(f"this would be a cycle: {' -> '.join(_cycle(needs, set(found)))}")
    return found


def _cycle(needs: Mapping[Node, set[Node]], done: set[Node]) -> list[str]:
    """The names along one cycle, in the direction in which values would flow."""
    at = next(node for node in needs if node not in done)
    path: list[Node] = []
    while at not in path:
        path.append(at)
        at = next(read for read in needs[at] if read not in done)
    return [node.name for node in reversed([*path[path.index(at) :], at])]


def retyped(order: Sequence[Node], changed: set[Node]) -> dict[Node, TensorType | None]:
    """The types that follow from the new operands, of the nodes whose type is another now.

    :raises GraphError: operands do not go together any more, or a dtype would change.
    """
    types: dict[Node, TensorType | None] = {}
    for node in order:
        if node.op in _FIXED or not (node in changed or any(read in types for read, _ in node.inputs)):
            continue
        if node.op.startswith("assign"):
            continue
        kind = infer(node.op, [types.get(read, read.type) for read, _ in node.inputs], node.attributes)
        if node.type is not None and kind.dtype != node.type.dtype:
            raise GraphError(f"{node.name!r} would have dtype {kind.dtype} instead of {node.type.dtype}")
        if kind != node.type:
            types[node] = kind
    return types


def _tell(saved: Sequence[tuple[Node, tuple[Output, ...], tuple[Node, ...]]]) -> None:
    listener = events.listener
    for node, before, waited in saved:
        old = [*(read for read, _ in before), *waited]
        new = [*(read for read, _ in node.inputs), *node.control]
        gone, come = [read for read in old if read not in new], [read for read in new if read not in old]
        if listener is not None and node.traced >= 0:
            words = ", ".join(read.name for read in come) or "nothing"
            reason = f"{node.name} reads {words} instead of {', '.join(read.name for read in gone) or 'nothing'}"
            if not gone and not come:
                reason = f"{node.name} reads the same in another order"
            listener.rewired(node.traced, [r.traced for r in gone], [r.traced for r in come], reason)
        if any(session.has_run(node) for session in node.graph.sessions):
            warnings.warn(
                f"Operation '{node.name}' was changed by updating input tensor after it was run by a session. This "
                "mutation will have no effect, and will trigger an error in the future. Either don't modify nodes "
                "after running them or create a new session.",
                StalePlanWarning,
                stacklevel=4,
            )

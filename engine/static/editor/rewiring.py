"""One edit of a graph: everything is checked before anything stays changed."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Mapping, Sequence

from engine import events
from engine.errors import GraphError, StepgraphError
from engine.static.building import infer
from engine.static.building_control import checked_pred, fits
from engine.static.control_ops import UNTYPED
from engine.static.graph import Graph
from engine.static.needs import operand_labels, result_of
from engine.static.node import Node, Output
from engine.static.regions import Region, captured, check_visible
from engine.static.replicating import operands
from engine.tensor_type import TensorType

_FIXED = UNTYPED | {"placeholder", "variable", "constant", "loop_variable"}
"""Ops whose type does not follow from what they read."""


class StalePlanWarning(UserWarning):
    """An edit that a session will not notice, because it has a plan already."""


def rewire(
    graph: Graph,
    inputs: Mapping[Node, tuple[Output, ...]],
    control: Mapping[Node, tuple[Node, ...]],
    results: Mapping[Region, Sequence[Node]] | None = None,
) -> int:
    """Let nodes read ``inputs`` and wait for ``control``, and regions hand on ``results``, from now on. Returns how
    many nodes changed (the owner of a region among them).

    What a decision or loop reads only for its regions follows from what lies in them: of its inputs, its own operands
    can be changed.

    :raises GraphError: the graph is finalized; a node would (over others) read itself, or what only has a value while a
        region runs that it does not lie in; the operands' types do not go together. The graph is then as it was.
    """
    if graph.finalized:
        raise GraphError("the graph is finalized and cannot be changed; build everything before finalize()")
    ends = {region: list(nodes) for region, nodes in (results or {}).items() if list(nodes) != region.results}
    wanted = {node: inputs.get(node, node.inputs) for node in (*inputs, *control)}
    waits = {node: control.get(node, node.control) for node in wanted}
    changed = [node for node in wanted if wanted[node] != node.inputs or waits[node] != node.control]
    if not changed and not ends:
        return 0
    for node in changed:
        for read in (*(read for read, _ in wanted[node]), *waits[node]):
            _check(graph, node, read)
    for region, nodes in ends.items():
        for read in nodes:
            _check(graph, region.owner, read, region)
    for session in list(graph.sessions):
        session.settle()
    owners = _owners(graph, changed, ends)
    touched = list(dict.fromkeys([*changed, *owners]))
    saved = [(node, node.inputs, node.control) for node in touched]
    before = [(region, region.results) for region in ends]
    captures = {node: captured(node.regions)[1] for node in owners}
    types: dict[Node, TensorType | None] = {}
    try:
        for node in changed:
            node.inputs, node.control = wanted[node], waits[node]
        for region, nodes in ends.items():
            region.results = nodes
        for node in owners:
            _recapture(node, captures[node])
        order = sequence(graph)
        types = retyped(order, set(touched))
        for node in graph.nodes:
            if node.regions:
                _check_owner(node, types)
    except StepgraphError:
        for node, reads, waited in saved:
            node.inputs, node.control = reads, waited
        for region, nodes in before:
            region.results = nodes
        raise
    for place, node in enumerate(order):
        node.order = place
    for node, kind in types.items():
        node.type = kind
    graph.generation += 1
    altered = [entry for entry in saved if entry[0].inputs != entry[1] or entry[0].control != entry[2]]
    handing = {region.owner for region in ends}
    for node in touched:
        if node in handing or any(node is one for one, _, _ in altered):
            node.changed = graph.generation
    _tell(altered)
    return len({node for node, _, _ in altered} | handing)


def _check(graph: Graph, node: Node | None, read: Node, region: Region | None = None) -> None:
    """``node`` (or ``region``, of which it is the owner) may read ``read``."""
    assert node is not None
    if read.graph is not graph:
        raise GraphError(f"{node.name!r} cannot read {read.name!r}, which belongs to another graph")
    check_visible(read, node.region if region is None else region)


def _owners(graph: Graph, changed: Sequence[Node], ends: Mapping[Region, object]) -> list[Node]:
    """The decisions and loops around what changes, from the inside out."""
    found: dict[Node, None] = {node: None for node in changed if node.regions}
    for start in [*(node.region for node in changed), *ends]:
        for region in () if start is None else start.around():
            assert region.owner is not None
            found[region.owner] = None
    return sorted(found, key=lambda node: node.order)


def _recapture(owner: Node, waited_before: Sequence[Node]) -> None:
    """What the regions of ``owner`` read from outside, it reads; what they wait for, it waits for."""
    read, waited = captured(owner.regions)
    owner.inputs = (*owner.inputs[: operands(owner)], *((node, 0) for node in read))
    own = [node for node in owner.control if node not in waited_before]
    owner.control = tuple(dict.fromkeys([*own, *waited]))


def _check_owner(owner: Node, types: Mapping[Node, TensorType | None]) -> None:
    """What goes into the regions of ``owner``, and comes out, is still of the types that they were built for."""

    def of(node: Node) -> TensorType | None:
        return types.get(node, node.type)

    for (read, _), label in zip(owner.inputs, operand_labels(owner), strict=True):
        if label == ("pred", 0):
            checked_pred(owner.graph, read, owner.name)
        for region in owner.regions:
            wanted = region.parameters.get(label)
            if wanted is not None and label[0] == "carried":
                _fits(owner, read, of(read), wanted.type)
    for region in owner.regions:
        if region.name == "condition":
            checked_pred(owner.graph, region.results[0], owner.name)
    for label, pick in owner.regions[-1].picks.items():
        for region in owner.regions:
            result = result_of(region, label)
            if result is not None:
                _fits(owner, result, of(result), pick.type, stacked=label[0] == "stack")


def _fits(owner: Node, read: Node, given: TensorType | None, wanted: TensorType | None, stacked: bool = False) -> None:
    if wanted is None or given is None:
        return
    shape = wanted.shape[1:] if stacked and wanted.shape is not None else wanted.shape
    if given.dtype != wanted.dtype or not fits(given.shape, shape):
        raise GraphError(
            f"{owner.name!r} was built for {wanted.dtype} {shape}, and {read.name!r} is {given.dtype} {given.shape}"
        )


def sequence(graph: Graph) -> list[Node]:
    """All nodes, each after what it needs, as near to the present order as can be.

    :raises GraphError: there is a cycle.
    """
    needs = {node: {*(r for r, _ in node.inputs), *node.control} for node in graph.nodes}
    for node in graph.nodes:
        for region in node.regions:
            needs[node].update(region.nodes)
            needs[node].update(region.results)
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

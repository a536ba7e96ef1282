"""Letting readers of some values read others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import GraphError
from engine.static.editor.rewiring import rewire
from engine.static.editor.views import check_graphs
from engine.static.node import Node, Output
from engine.static.regions import Region
from engine.static.replicating import operands

Nodes = Node | Sequence[Node]


def reroute_ts(
    ts0: Nodes, ts1: Nodes, *, can_modify: Iterable[Node] | None = None, cannot_modify: Iterable[Node] = ()
) -> int:
    """Whoever read ``ts1[i]`` reads ``ts0[i]``; ``ts1`` are left dangling. Returns how many nodes changed.

    ``can_modify`` limits the readers that change to these.

    :raises GraphError: several graphs, dtypes or shapes that do not go together, a cycle, a finalized graph.
    """
    first, second = pair(ts0, ts1)
    return exchange(dict(zip(second, first, strict=True)), can_modify, cannot_modify)


def swap_ts(
    ts0: Nodes, ts1: Nodes, *, can_modify: Iterable[Node] | None = None, cannot_modify: Iterable[Node] = ()
) -> int:
    """Readers of ``ts0[i]`` and readers of ``ts1[i]`` change places. Returns how many nodes changed.

    :raises GraphError: as :func:`reroute_ts`.
    """
    first, second = pair(ts0, ts1)
    together = dict(zip(second, first, strict=True)) | dict(zip(first, second, strict=True))
    return exchange(together, can_modify, cannot_modify)


def pair(ts0: Nodes, ts1: Nodes) -> tuple[list[Node], list[Node]]:
    """Two lists of equal length whose members go together.

    :raises GraphError: they do not.
    """
    first = [ts0] if isinstance(ts0, Node) else list(ts0)
    second = [ts1] if isinstance(ts1, Node) else list(ts1)
    if len(first) != len(second):
        raise GraphError(f"{len(first)} and {len(second)} values cannot be paired: give as many of one as of the other")
    if first:
        check_graphs(first[0].graph, *first, *second)
    for a, b in zip(first, second, strict=True):
        if a.type is None or b.type is None:
            raise GraphError(f"{(a if a.type is None else b).name!r} has no result that could be read")
        if a.type.dtype != b.type.dtype:
            raise GraphError(f"{a.name!r} ({a.type.dtype}) cannot stand for {b.name!r} ({b.type.dtype}): dtypes differ")
        x, y = a.type.shape, b.type.shape
        if x is not None and y is not None:
            fits = len(x) == len(y) and all(m is None or n is None or m == n for m, n in zip(x, y, strict=True))
            if not fits:
                raise GraphError(f"{a.name!r} of shape {x} cannot stand for {b.name!r} of shape {y}")
    return first, second


def exchange(
    instead: dict[Node, Node], can_modify: Iterable[Node] | None = None, cannot_modify: Iterable[Node] = ()
) -> int:
    """Let readers of each key read its value."""
    if not instead:
        return 0
    graph = next(iter(instead)).graph
    allowed = None if can_modify is None else set(can_modify)
    barred = set(cannot_modify)
    inputs: dict[Node, tuple[Output, ...]] = {}
    results: dict[Region, list[Node]] = {}
    for node in graph.nodes:
        if node in barred or (allowed is not None and node not in allowed):
            continue
        own = operands(node) if node.regions else len(node.inputs)
        if any(read in instead for read, _ in node.inputs[:own]):
            # What a decision or loop reads for its regions follows from them.
            changed = tuple((instead.get(read, read), port) for read, port in node.inputs[:own])
            inputs[node] = changed + node.inputs[own:]
        for region in node.regions:
            if any(read in instead for read in region.results):
                results[region] = [instead.get(read, read) for read in region.results]
    return rewire(graph, inputs, {}, results)

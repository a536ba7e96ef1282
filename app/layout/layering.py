"""Columns for the forward ops without Graphviz: longest paths, and rows by where the neighbours stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import networkx as nx

Edge = tuple[int, int]
Spot = tuple[int, float]
"""A column (0 is the leftmost) and a row, not yet rounded."""

LONG = 12
"""Edges over more columns than this are not given to Graphviz: they cost most of its time."""


def ranks(count: int, edges: Iterable[Edge]) -> list[int]:
    """The column of each of ``count`` nodes: behind everything it reads, and close to what reads it.

    >>> ranks(4, [(0, 1), (1, 2), (3, 2)])
    [0, 1, 2, 1]
    """
    edges = list(edges)
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    rank = [0] * count
    order: list[int] = []
    for depth, generation in enumerate(nx.topological_generations(graph)):
        for node in sorted(generation):
            rank[node] = depth
            order.append(node)
    for node in reversed(order):
        readers = graph.out_degree(node)
        if readers and readers >= graph.in_degree(node):
            rank[node] = min(rank[reader] for reader in graph.successors(node)) - 1
    return rank


def components(count: int, edges: Iterable[Edge]) -> list[int]:
    """The number of each node's connected component; they are numbered in the order of their first nodes.

    >>> components(4, [(0, 2)])
    [0, 1, 0, 2]
    """
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    number = [0] * count
    for i, members in enumerate(sorted(nx.connected_components(graph), key=min)):
        for node in members:
            number[node] = i
    return number


def layered(count: int, edges: Sequence[Edge]) -> list[Spot]:
    """Where each node stands when Graphviz cannot say: the column by its rank, the row by what it reads.

    >>> layered(3, [(0, 1), (0, 2)])
    [(0, 0.0), (1, 0.0), (1, 1.0)]
    """
    rank = ranks(count, edges)
    reads: dict[int, list[int]] = defaultdict(list)
    for source, target in edges:
        reads[target].append(source)
    row = [0.0] * count
    ranked: dict[int, list[int]] = defaultdict(list)
    for node in range(count):
        ranked[rank[node]].append(node)
    for column in sorted(ranked):
        for node in ranked[column]:
            row[node] = sum(row[source] for source in reads[node]) / len(reads[node]) if reads[node] else 0.0
        for place, node in enumerate(sorted(ranked[column], key=lambda n: (row[n], n))):
            row[node] = float(place)
    return [(rank[node], row[node]) for node in range(count)]

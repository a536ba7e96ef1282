"""A graph as readable JSON, and back. The format is versioned; values of variables are not in it."""

from __future__ import annotations

import json
from typing import Any

from engine.errors import GraphError, StepgraphError
from engine.ops import TABLE
from engine.static.building import infer
from engine.static.control_ops import UNTYPED
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.regions import Region
from engine.static.serialise.attributes import decoded, decoded_type, encoded, encoded_type

FORMAT, VERSION = "stepgraph-graph", 1
_DOORS = UNTYPED | {"placeholder", "variable", "constant", "loop_variable", "initialized_value", "uninitialized_names"}
_ROLES = ("input", "variable", "constant", "op", "gradient", "accumulate", "update", "control")


def graph_to_json(graph: Graph, *, indent: int | None = 1) -> str:
    """``graph`` as JSON text; nodes stand in an order in which they can run.

    :raises GraphError: an attribute cannot be written down (a random stream of a dialect).
    """
    regions: dict[Region, int] = {}
    for node in graph.nodes:
        for region in node.regions:
            regions.setdefault(region, len(regions))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "name": graph.name,
        "nodes": [_node(node, regions) for node in sorted(graph.nodes, key=lambda one: one.order)],
        "regions": [_region(region, regions) for region in regions],
        "collections": {
            key: [item.name for item in items]
            for key, items in graph.collections.items()
            if items and all(isinstance(item, Node) for item in items)
        },
        "finalized": graph.finalized,
    }
    return json.dumps(document, indent=indent, allow_nan=False)


def graph_from_json(text: str | bytes) -> Graph:
    """The graph that :func:`graph_to_json` wrote.

    :raises GraphError: the text is no such graph, or of a version that this engine does not know.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GraphError(f"this is no JSON: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise GraphError(f"this is no graph: its format is not {FORMAT!r}")
    if document.get("version") != VERSION:
        raise GraphError(f"this graph has version {document.get('version')!r}; this engine reads version {VERSION}")
    try:
        return _Reader(document).graph
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise GraphError(f"this graph cannot be read: {type(error).__name__} {error}") from None


def _node(node: Node, regions: dict[Region, int]) -> dict[str, Any]:
    where = f"{node.name!r}"
    row: dict[str, Any] = {"name": node.name, "op": node.op}
    if node.inputs:
        row["inputs"] = [source.name for source, _ in node.inputs]
    if node.control:
        row["control"] = [waited.name for waited in node.control]
    if node.attributes:
        row["attributes"] = {key: encoded(value, f"{where}, {key}") for key, value in node.attributes.items()}
    row["type"] = encoded_type(node.type)
    if node.label != node.op:
        row["label"] = node.label
    if node.role != "op":
        row["role"] = node.role
    for key, other in (("mirrors", node.mirrors), ("serves", node.serves)):
        if other is not None:
            row[key] = other.name
    if node.region is not None:
        row["region"] = regions[node.region]
    if node.regions:
        row["regions"] = [regions[region] for region in node.regions]
    return row


def _region(region: Region, regions: dict[Region, int]) -> dict[str, Any]:
    return {
        "name": region.name,
        "scope": region.scope,
        "parent": None if region.parent is None else regions[region.parent],
        "parameters": [[kind, index, node.name] for (kind, index), node in region.parameters.items()],
        "results": [node.name for node in region.results],
        "effects": [node.name for node in region.effects],
    }


class _Reader:
    """Builds the graph node by node, with every check that building has."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.graph = Graph(str(document["name"]))
        self._rows = document["regions"]
        self._regions: dict[int, Region] = {}
        serves: list[tuple[Node, str]] = []
        for row in document["nodes"]:
            node = self._add(row)
            if row.get("serves") is not None:
                serves.append((node, row["serves"]))
        for node, name in serves:
            self.graph.set_serves(node, self.graph.find(name))
        for number, region in self._regions.items():
            self._fill(region, self._rows[number])
        for key, names in document["collections"].items():
            for name in names:
                self.graph.collect(key, self.graph.find(name))
        if document["finalized"]:
            self.graph.finalize()

    def _add(self, row: dict[str, Any]) -> Node:
        graph, name, op = self.graph, row["name"], row["op"]
        where = f"{name!r}"
        if not isinstance(name, str) or not name or name.endswith("/") or graph.by_name(name) is not None:
            raise GraphError(f"{where} is no name for a node here: it must be text, and no other node's")
        if op not in TABLE or op == "fused":
            raise GraphError(f"{where} is of the op {op!r}, which this engine does not have")
        if row.get("role", "op") not in _ROLES:
            raise GraphError(f"{where} has the unknown role {row['role']!r}")
        attributes = {key: decoded(value, f"{where}, {key}") for key, value in row.get("attributes", {}).items()}
        inputs = [self._find(read, where) for read in row.get("inputs", [])]
        kind = decoded_type(row["type"], where)
        if op not in _DOORS and not op.startswith("assign"):
            try:
                found = infer(op, [node.type for node in inputs], attributes)
            except (StepgraphError, TypeError, ValueError) as error:
                raise GraphError(f"{where} cannot be of type {row['type']}: {error}") from None
            if kind is None or kind.dtype != found.dtype:
                raise GraphError(f"{where} is said to have type {row['type']}, but gives {found.dtype}")
        owned = tuple(self._region(number) for number in row.get("regions", []))
        mirrors = row.get("mirrors")
        outside = graph._region
        graph._region = None if row.get("region") is None else self._region(row["region"])
        try:
            graph.names.unique(name)
            node = graph.add(
                op,
                inputs,
                attributes,
                name=f"{name}/",
                label=row.get("label", op),
                role=row.get("role", "op"),
                type=kind,
                control=[self._find(read, where) for read in row.get("control", [])],
                mirrors=None if mirrors is None else self._find(mirrors, where),
                regions=owned,
            )
        finally:
            graph._region = outside
        if op == "output":
            inputs[0].regions[-1].picks[attributes["kind"], attributes["index"]] = node
        return node

    def _region(self, number: int) -> Region:
        if number not in self._regions:
            row = self._rows[number]
            parent = None if row["parent"] is None else self._region(row["parent"])
            self._regions[number] = Region(self.graph, row["name"], row["scope"], parent)
        return self._regions[number]

    def _fill(self, region: Region, row: dict[str, Any]) -> None:
        region.parameters = {(kind, index): self.graph.find(name) for kind, index, name in row["parameters"]}
        region.results = [self.graph.find(name) for name in row["results"]]
        region.effects = [self.graph.find(name) for name in row["effects"]]

    def _find(self, name: str, where: str) -> Node:
        found = self.graph.by_name(name)
        if found is None:
            raise GraphError(f"{where} reads {name!r}, which does not come before it")
        return found

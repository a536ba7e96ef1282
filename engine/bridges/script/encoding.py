"""Graphs, regions and values as JSON, and back."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import GraphError
from engine.ops import TABLE
from engine.ops.indexing import Slice
from engine.static import Graph, Node
from engine.static.building_control import inside
from engine.static.regions import Region
from engine.tensor_type import TensorType


def encode_graph(nodes: Sequence[Node]) -> dict[str, Any]:
    """Nodes and the regions that they own."""
    regions = list(dict.fromkeys(region for node in nodes for region in node.regions))
    numbers = {region: i for i, region in enumerate(regions)}
    return {
        "regions": [
            {
                "name": region.name,
                "scope": region.scope,
                "parent": -1 if region.parent is None else numbers[region.parent],
                "parameters": [[kind, i, node.index] for (kind, i), node in region.parameters.items()],
                "results": [node.index for node in region.results],
            }
            for region in regions
        ],
        "nodes": [_node(node, numbers) for node in nodes],
    }


def decode_graph(name: str, found: dict[str, Any]) -> tuple[Graph, list[Node]]:
    """The graph of :func:`encode_graph`, and its nodes by number."""
    graph = Graph(name)
    nodes: list[Node] = []
    regions = [Region(graph, str(r["name"]), str(r["scope"]), None) for r in found["regions"]]
    for region, record in zip(regions, found["regions"], strict=True):
        region.parent = None if record["parent"] < 0 else regions[record["parent"]]
    for record in found["nodes"]:
        nodes.append(_add(graph, record, nodes, regions, found))
    return graph, nodes


def _node(node: Node, numbers: dict[Region, int]) -> dict[str, Any]:
    found: dict[str, Any] = {"op": node.op, "name": node.name}
    if node.inputs:
        found["inputs"] = [[source.index, port] for source, port in node.inputs]
    if node.attributes:
        found["attributes"] = {key: encoded(value) for key, value in node.attributes.items()}
    if node.type is not None:
        found["type"] = [node.type.dtype.name, None if node.type.shape is None else list(node.type.shape)]
    if node.control:
        found["control"] = [other.index for other in node.control]
    if node.region is not None:
        found["region"] = numbers[node.region]
    if node.regions:
        found["regions"] = [numbers[region] for region in node.regions]
    if node.role != "op":
        found["role"] = node.role
    return found


def encoded(value: Any) -> Any:
    """Plain JSON values as they are; everything else as ``{kind: …}``."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        data = base64.b64encode(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()).decode()
        return {"array": [array.dtype.name, list(array.shape), data]}
    if isinstance(value, np.dtype):
        return {"dtype": value.name}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, Slice):
        return {"slice": [value.start, value.stop, value.step]}
    if type(value) in (tuple, list):
        return {"tuple" if isinstance(value, tuple) else "list": [encoded(item) for item in value]}
    raise GraphError(f"a value of type {type(value).__name__} cannot be saved")


def encode_structure(structure: Any) -> Any:
    if structure is None:
        return None
    kind, inner, *keys = structure
    if kind not in (tuple, "list", "dict") or (keys and not all(isinstance(key, str) for key in keys[0])):
        raise GraphError("only tuples, lists and dictionaries with text as keys can be saved as results")
    return [kind if isinstance(kind, str) else "tuple", [encode_structure(part) for part in inner], *keys]


def _add(graph: Graph, record: dict[str, Any], nodes: list[Node], regions: list[Region], found: dict[str, Any]) -> Node:
    op = record["op"]
    if op not in TABLE:
        raise GraphError(f"the node {record['name']!r} is of the op {op!r}, which this engine does not have")
    kind = None
    if "type" in record:
        dtype, shape = record["type"]
        kind = TensorType(np.dtype(dtype), None if shape is None else tuple(shape))
    inputs = [(nodes[i], int(port)) for i, port in record.get("inputs", ())]
    own = [regions[i] for i in record.get("regions", ())]
    for i, region in zip(record.get("regions", ()), own, strict=True):
        table = found["regions"][i]
        region.results = [nodes[k] for k in table["results"]]
        region.parameters = {(str(word), int(place)): nodes[k] for word, place, k in table["parameters"]}
    home = regions[record["region"]] if "region" in record else None
    with inside(graph, home):
        return graph.add(
            op,
            inputs,
            {str(key): decoded(value) for key, value in record.get("attributes", {}).items()},
            name=f"{record['name']}/",
            role=str(record.get("role", "")),
            type=kind,
            control=[nodes[i] for i in record.get("control", ())],
            regions=tuple(own),
        )


def decoded(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    if kind == "array":
        dtype, shape, data = inner
        array = (
            np.frombuffer(base64.b64decode(data), np.dtype(dtype).newbyteorder("<"))
            .astype(np.dtype(dtype))
            .reshape(shape)
        )
        array.flags.writeable = False
        return array
    if kind == "dtype":
        return np.dtype(inner)
    if kind in ("tuple", "list"):
        items = [decoded(item) for item in inner]
        return tuple(items) if kind == "tuple" else items
    if kind == "slice":
        return Slice(*inner)
    if kind == "ellipsis":
        return Ellipsis
    if kind == "float":
        return float(inner)
    raise GraphError(f"a value of the kind {kind!r} is not known")


def decode_structure(structure: Any) -> Any:
    if structure is None:
        return None
    kind, inner, *keys = structure
    return (tuple if kind == "tuple" else kind, [decode_structure(part) for part in inner], *keys)

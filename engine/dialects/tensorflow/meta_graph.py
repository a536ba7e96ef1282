"""The ``.meta`` files of checkpoints: a graph and its collections of variables, as JSON of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.labels import CONTROL_NAMES, LABELS
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.variables import Variable
from engine.errors import GraphError
from engine.static import Graph as Core
from engine.static.serialise import graph_from_json, graph_to_json

FORMAT = "stepgraph-meta-graph"
_STREAM = "philox"


def export_meta_graph(filename: Any, graph: Graph | None = None, **_options: Any) -> None:
    """Write the graph to ``filename``. Where it holds what cannot be written down, that is noted instead."""
    chosen = graph or get_default_graph()
    document: dict[str, Any] = {"format": FORMAT}
    try:
        with _streams_as_numbers(chosen.core):
            document["graph"] = json.loads(graph_to_json(chosen.core))
    except GraphError as error:
        document["reason"] = str(error)
    document["hidden"] = [node.name for node in chosen.core.nodes if node in chosen.hidden]
    document["collections"] = {
        key: [_entry(item) for item in items if hasattr(item, "name")] for key, items in chosen._collections.items()
    }
    with open(filename, "w", encoding="utf-8") as file:
        json.dump(document, file)


@contextmanager
def _streams_as_numbers(core: Core) -> Iterator[None]:
    """Random streams are written as their seeds."""
    changed = [(node, node.attributes) for node in core.nodes if isinstance(node.attributes.get("generator"), Philox)]
    for node, attributes in changed:
        node.attributes = {**attributes, "generator": (_STREAM, *attributes["generator"].start)}
    try:
        yield
    finally:
        for node, attributes in changed:
            node.attributes = attributes


def _entry(item: Any) -> dict[str, Any]:
    if isinstance(item, Variable):
        return {
            "variable": item._node.name,
            "initial": item._initial_value.op.name,
            "initializer": item.initializer.name,
            "read": item._snapshot.op.name,
            "trainable": item.trainable,
        }
    return {"element": item.name}


def import_variables(graph: Graph, filename: str) -> None:
    """Build what ``filename`` holds in ``graph``, which must be empty.

    :raises tf.errors.NotFoundError: there is no such file.
    :raises NotImplementedError: the graph has ops already, or the file holds no graph.
    """
    try:
        with open(filename, encoding="utf-8") as file:
            document = json.loads(file.read())
        if document["format"] != FORMAT:
            raise ValueError
    except FileNotFoundError:
        raise errors.NotFoundError(None, None, f"{filename}; No such file or directory") from None
    except (ValueError, KeyError, TypeError):
        raise OSError(f"Cannot parse file {filename}: it is no meta graph of this teaching engine.") from None
    if "graph" not in document:
        raise NotImplementedError(f"this graph was not written down when it was saved: {document['reason']}")
    if graph.core.nodes:
        raise NotImplementedError(
            "tf.train.import_meta_graph: this teaching engine needs an empty graph for it; call "
            "tf.reset_default_graph() first, or work in `with tf.Graph().as_default():`"
        )
    core: Core = graph_from_json(json.dumps(document["graph"]))
    core.labels, core.control_names = LABELS, CONTROL_NAMES
    for node in core.nodes:
        stream = node.attributes.get("generator")
        if isinstance(stream, tuple) and len(stream) == 3 and stream[0] == _STREAM:
            node.attributes = {**node.attributes, "generator": Philox(int(stream[1]), int(stream[2]))}
    graph.core = core
    graph.hidden.update(core.find(name) for name in document["hidden"])
    known: dict[str, Variable] = {}
    for key, entries in document["collections"].items():
        for entry in entries:
            if "variable" in entry:
                name = entry["variable"]
                if name not in known:
                    known[name] = graph.variable_store[name] = _variable(graph, entry)
                found = known[name]
            else:
                found = graph.as_graph_element(entry["element"])
            graph.add_to_collection(key, found)


def _variable(graph: Graph, entry: dict[str, Any]) -> Variable:
    variable = Variable.__new__(Variable)
    variable.graph = graph
    variable._node = graph.core.find(entry["variable"])
    variable._trainable = bool(entry["trainable"])
    variable._variable = graph.tensor(variable._node)
    variable._initial_value = graph.tensor(graph.core.find(entry["initial"]))
    variable._initializer = graph.operation(graph.core.find(entry["initializer"]))
    variable._snapshot = graph.tensor(graph.core.find(entry["read"]))
    return variable

"""The ``.meta`` files of checkpoints: a ``GraphDef`` and the graph's collections, as JSON of ours."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.variables import Variable
from engine.static import Graph as Core

FORMAT = "stepgraph-meta-graph"
_STREAM = "philox"


def export_meta_graph(filename: Any, graph: Graph | None = None, **_options: Any) -> None:
    """Write the graph to ``filename``. What cannot be written down is noted there, and told when it is imported."""
    with open(filename, "w", encoding="utf-8") as file:
        json.dump(described(graph or get_default_graph()), file)


def described(chosen: Graph) -> dict[str, Any]:
    """The graph and its collections as JSON has them."""
    from engine.dialects.tensorflow.graph_transfer import as_graph_def

    return {
        "format": FORMAT,
        "graph": b64encode(as_graph_def(chosen).SerializeToString()).decode(),
        "collections": {
            key: [_entry(item) for item in items if hasattr(item, "name")] for key, items in chosen._collections.items()
        },
    }


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


def import_variables(graph: Graph, filename: str, import_scope: str = "") -> dict[str, Variable]:
    """Build what ``filename`` holds in ``graph``, under ``import_scope``; the variables by the names they had.

    :raises OSError: there is no such file.
    :raises ValueError: the graph has such a variable already.
    :raises NotImplementedError: the graph has an op that cannot be written down.
    """
    try:
        with open(filename, encoding="utf-8") as file:
            document = json.loads(file.read())
    except FileNotFoundError:
        raise OSError(f"File does not exist. Received: {filename}.") from None
    except ValueError:
        document = None
    return build_variables(graph, document, filename, import_scope)


def build_variables(graph: Graph, document: Any, filename: str, import_scope: str = "") -> dict[str, Variable]:
    """As :func:`import_variables`, of what ``filename`` holds."""
    from engine.dialects.tensorflow.graph_def import DecodeError, GraphDef
    from engine.dialects.tensorflow.graph_import import import_graph_def

    try:
        if document["format"] != FORMAT:
            raise ValueError
        data = GraphDef.FromString(b64decode(document["graph"]))
    except (ValueError, KeyError, TypeError, DecodeError):
        raise OSError(f"Cannot parse file {filename}: it is no meta graph of this teaching engine.") from None
    prefix = f"{import_scope}/" if import_scope else ""
    for entry in document["collections"].get("variables", ()):
        if graph.core.by_name(prefix + entry["variable"]) is not None:
            raise ValueError(f"At least two variables have the same name: {prefix}{entry['variable']}")
    with graph.as_default():
        import_graph_def(data, name=import_scope)
    known: dict[str, Variable] = {}
    for key, entries in document["collections"].items():
        for entry in entries:
            if "variable" in entry:
                name = entry["variable"]
                if name not in known:
                    known[name] = graph.variable_store[prefix + name] = _variable(graph, entry, prefix)
                found: Any = known[name]
            else:
                found = graph.as_graph_element(prefix + entry["element"])
            graph.add_to_collection(key, found)
    return known


def _variable(graph: Graph, entry: dict[str, Any], prefix: str) -> Variable:
    variable = Variable.__new__(Variable)
    variable.graph = graph
    variable._node = graph.core.find(prefix + entry["variable"])
    variable._trainable = bool(entry["trainable"])
    variable._variable = graph.tensor(variable._node)
    variable._initial_value = graph.tensor(graph.core.find(prefix + entry["initial"]))
    variable._initializer = graph.operation(graph.core.find(prefix + entry["initializer"]))
    variable._snapshot = graph.tensor(graph.core.find(prefix + entry["read"]))
    return variable

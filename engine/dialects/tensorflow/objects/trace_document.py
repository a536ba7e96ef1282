"""One trace of a function as data: its graph, what it takes, gives and captures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.dialects.tensorflow.function.concrete import ConcreteFunction
from engine.dialects.tensorflow.function.func_graph import Capture
from engine.dialects.tensorflow.function.specs import Literal, TensorSpec
from engine.dialects.tensorflow.meta_graph import _STREAM, _streams_as_numbers
from engine.dialects.tensorflow.philox import Philox
from engine.errors import GraphError
from engine.static.serialise import graph_from_json, graph_to_json

_LITERALS = (bool, int, float, str, type(None))


def document_of(trace: ConcreteFunction, number_of: Callable[[Any], int]) -> dict[str, Any] | None:
    """The trace as data; ``number_of`` numbers what it captures. ``None`` if its arguments cannot be written down.

    :raises ValueError: its graph holds what has no meaning outside of the program.
    """
    specs: list[dict[str, Any]] = []
    for spec in trace._specs:
        if type(spec) is TensorSpec:
            specs.append({"shape": spec.shape._dims, "dtype": spec.dtype.name, "name": spec.name})
        elif isinstance(spec, Literal) and isinstance(spec.value, _LITERALS):
            specs.append({"value": spec.value})
        else:
            return None
    graph = trace._graph
    try:
        with _streams_as_numbers(graph.core):
            encoded = json.loads(graph_to_json(graph.core))
    except GraphError as error:
        raise ValueError(
            f"the function {trace._plain_name!r} cannot be saved: its graph holds what has no meaning outside of this "
            f"program ({error})"
        ) from None
    return {
        "name": trace._plain_name,
        "graph": encoded,
        "hidden": [node.name for node in graph.core.nodes if node in graph.hidden],
        "ended": graph.ended,
        "parameters": trace._parameters,
        "paths": trace._paths,
        "specs": specs,
        "structure": _encoded(trace._structure),
        "inputs": [t._node.name for t in graph.inputs[: len(trace._places)]],
        "captures": [[c.node.name, number_of(c.value)] for c in graph.captures.values()],
        "outputs": [None if t is None else t._node.name for t in trace._out_leaves],
        "out_structure": _encoded(trace._out_structure),
        "arrangement": trace._arrangement,
        "extra": [node.name for node in trace._extra],
    }


def trace_from(document: dict[str, Any], held: Callable[[int], Any]) -> ConcreteFunction:
    """The trace that a document describes; ``held`` gives what is captured by its number.

    :raises KeyError: something is missing in it.
    """
    trace = ConcreteFunction(document["name"], [(name, int(size)) for name, size in document["parameters"]])
    graph = trace._graph
    core = graph_from_json(json.dumps(document["graph"]))
    core.labels, core.control_names, core.effects = graph.core.labels, graph.core.control_names, graph.core.effects
    core.name = graph.core.name
    for node in core.nodes:
        stream = node.attributes.get("generator")
        if isinstance(stream, tuple) and len(stream) == 3 and stream[0] == _STREAM:
            node.attributes = {**node.attributes, "generator": Philox(int(stream[1]), int(stream[2]))}
    graph.core = core
    graph.hidden.update(core.find(name) for name in document["hidden"])
    for name, number in document["captures"]:
        value = held(number)
        graph.captures[id(value)] = Capture(value, core.find(name))
    specs: list[Any] = [
        Literal(row["value"]) if "value" in row else TensorSpec(row["shape"], row["dtype"], row["name"])
        for row in document["specs"]
    ]
    trace._paths, trace._specs = list(document["paths"]), specs
    trace._structure, trace._out_structure = _decoded(document["structure"]), _decoded(document["out_structure"])
    trace._places = [place for place, spec in enumerate(specs) if isinstance(spec, TensorSpec)]
    trace._out_leaves = [None if name is None else graph.tensor(core.find(name)) for name in document["outputs"]]
    trace._arrangement = document["arrangement"]
    trace._extra = [core.find(name) for name in document["extra"]]
    trace._close([graph.tensor(core.find(name)) for name in document["inputs"]], int(document["ended"]))
    return trace


def _encoded(structure: Any) -> Any:
    if structure is None:
        return None
    kind, inner, *keys = structure
    word = kind if isinstance(kind, str) else "tuple"
    return [word, [_encoded(part) for part in inner], *([list(keys[0])] if keys else [])]


def _decoded(structure: Any) -> Any:
    if structure is None:
        return None
    word, inner, *keys = structure
    parts = [_decoded(part) for part in inner]
    return ("dict", parts, list(keys[0])) if word == "dict" else (tuple if word == "tuple" else word, parts)

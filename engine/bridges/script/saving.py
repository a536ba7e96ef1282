"""Saving and loading: a scripted function as one JSON document, graph, regions and parameters.

The document is data: loading one runs nothing, and refuses ops that the table does not have. Numbers are stored
exactly (base64 of their bytes, little endian).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.bridges.facades import native
from engine.bridges.script.encoding import decode_graph, decode_structure, decoded, encode_structure, encoded
from engine.bridges.script.script_function import ScriptFunction
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import fresh
from engine.errors import GraphError
from engine.static import Node

FORMAT, VERSION = "stepgraph-script", 1


def save(function: ScriptFunction, path: str | Path) -> None:
    """Write ``function`` to a file."""
    Path(path).write_text(json.dumps(document(function), indent=1) + "\n", encoding="utf-8")


def load(path: str | Path, facade: Facade | None = None) -> ScriptFunction:
    """The function in a file.

    :raises GraphError: the file holds no such document, or one that does not fit together.
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise GraphError(f"{path} holds no JSON: {error}") from None
    try:
        return function_of(found, facade)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, GraphError):
            raise
        raise GraphError(
            f"{path} holds no scripted function that fits together: {type(error).__name__}: {error}"
        ) from None


# -- writing ---------------------------------------------------------------------------------------------------------
def document(function: ScriptFunction) -> dict[str, Any]:
    """A function as a JSON object, with the parameters' present values. Gradients that were added to its graph are
    left out."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": function.kind,
        "name": function.name,
        "inputs": [[name, node.index] for name, node in function.inputs],
        "parameters": [
            [key, function.parameter_nodes[key].index, tensor._requires_grad, encoded(tensor._array)]
            for key, tensor in function.parameters.items()
        ],
        "results": [{"node": x.index} if isinstance(x, Node) else {"value": encoded(x)} for x in function.results],
        "structure": encode_structure(function.structure),
        **function.encoded_graph,
    }


# -- reading ---------------------------------------------------------------------------------------------------------
def function_of(found: Any, facade: Facade | None = None) -> ScriptFunction:
    """The function of a document.

    :raises GraphError: it is none, or of a version that is not known.
    """
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise GraphError(f"this is no scripted function (no document of the format {FORMAT!r})")
    if found.get("version") != VERSION:
        raise GraphError(
            f"a scripted function of version {found.get('version')!r} cannot be read; this engine reads {VERSION}"
        )
    graph, nodes = decode_graph(str(found["name"]), found)
    facade = facade or native()
    parameters = []
    for key, place, learns, value in found["parameters"]:
        tensor = fresh(facade.tensor, decoded(value).copy())
        tensor._requires_grad = bool(learns)
        parameters.append((str(key), nodes[place], tensor))
    results = [nodes[r["node"]] if "node" in r else decoded(r["value"]) for r in found["results"]]
    inputs = [(str(name), nodes[i]) for name, i in found["inputs"]]
    structure = decode_structure(found["structure"])
    return ScriptFunction(str(found["kind"]), str(found["name"]), graph, inputs, parameters, results, structure, facade)

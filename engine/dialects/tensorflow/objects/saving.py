"""``tf.saved_model.save``: an object with its variables and traced functions, as files of this engine's own format."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import EagerTensor
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.function.concrete import ConcreteFunction
from engine.dialects.tensorflow.function.polymorphic import Function
from engine.dialects.tensorflow.objects.trace_document import document_of
from engine.dialects.tensorflow.objects.tracking import children, functions_of, is_holder
from engine.dialects.tensorflow.saver import write_values

FORMAT = "stepgraph-saved-object"
FILE = "saved_model.pb"
VALUES = os.path.join("variables", "variables")
SERVING = "serving_default"


class _Writer:
    """Numbers objects and describes each once."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.values: dict[str, np.ndarray[Any, Any]] = {}
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []

    def number(self, thing: Any) -> int:
        """The number of an object, which is described when it is first met."""
        known = self._numbers.get(id(thing))
        if known is not None:
            return known
        number = self._numbers[id(thing)] = len(self.rows)
        self._kept.append(thing)
        row: dict[str, Any] = {}
        self.rows.append(row)
        if isinstance(thing, ResourceVariable):
            row.update(kind="variable", name=thing._name, trainable=thing._trainable)
            self.values[str(number)] = np.array(thing._array)
        elif isinstance(thing, EagerTensor):
            row.update(kind="constant")
            array = thing._array
            self.values[str(number)] = np.array(array) if array.dtype.kind != "O" else array.astype(bytes)
        else:
            word = "list" if isinstance(thing, list | tuple) else "dict" if isinstance(thing, dict) else "object"
            row["kind"] = word
            row["children"] = {
                name: self.number(item)
                for name, item in children(thing)
                if not name.startswith("_")
                and (isinstance(item, ResourceVariable | list | tuple | dict) or is_holder(item))
            }
            if word == "object":
                row["functions"] = {name: self.function(f) for name, f in functions_of(thing).items()}
        return number

    def function(self, function: Function) -> list[dict[str, Any]]:
        """The traces of a function."""
        if function.input_signature is not None and not function._traces:
            function.get_concrete_function()
        found = [document_of(trace, self.number) for trace in function._traces]
        return [document for document in found if document is not None]


def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Write ``obj`` to a folder, from which :func:`.loading.load` makes it again without its source.

    :raises ValueError: it is no object that holds variables or functions, or a function cannot be written down.
    """
    if not is_holder(obj):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` class, for "
            f"export. Got {obj} with type {type(obj)}."
        )
    writer = _Writer()
    writer.number(obj)
    document = {"format": FORMAT, "objects": writer.rows, "signatures": _signatures(signatures, writer)}
    folder = os.fspath(export_dir)
    os.makedirs(os.path.join(folder, "variables"), exist_ok=True)
    os.makedirs(os.path.join(folder, "assets"), exist_ok=True)
    write_values(os.path.join(folder, VALUES), writer.values)
    with open(os.path.join(folder, FILE), "w", encoding="utf-8") as file:
        json.dump(document, file)
    with open(os.path.join(folder, "fingerprint.pb"), "w", encoding="utf-8") as file:
        file.write(FORMAT)


def _signatures(given: Any, writer: _Writer) -> dict[str, Any]:
    if given is None:
        return {}
    named = given if isinstance(given, dict) else {SERVING: given}
    found: dict[str, Any] = {}
    for key, one in named.items():
        if isinstance(one, Function):
            if one.input_signature is None and len(one._traces) != 1:
                raise ValueError(f"Exporting signature function {one!r} requires an input_signature, or a single trace")
            one = one.get_concrete_function() if one.input_signature is not None else one._traces[0]
        if not isinstance(one, ConcreteFunction):
            raise ValueError(
                f"Expected a TensorFlow function for which to generate a signature, but got {one}. Only `tf.functions` "
                "with an input signature or concrete functions can be used as a signature."
            )
        found[key] = document_of(one, writer.number)
    return found

"""``tf.saved_model.load``: the object that was saved, with its variables and functions, without its source."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from engine.bridges.function.key import flatten, frozen
from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.eager.tensor import Valued, convert, wrap
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.function.concrete import ConcreteFunction
from engine.dialects.tensorflow.function.specs import Literal, TensorSpec, spec_of
from engine.dialects.tensorflow.function.structures import ordered
from engine.dialects.tensorflow.objects.saving import FILE, FORMAT, VALUES
from engine.dialects.tensorflow.objects.trace_document import trace_from
from engine.dialects.tensorflow.saver import CheckpointReader


class UserObject:
    """An object of a saved model."""

    __module__ = "tensorflow.python.saved_model.load"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = self.__dict__.get("__call__")
        if found is None:
            raise TypeError("'_UserObject' object is not callable")
        return found(*args, **kwargs)


UserObject.__name__ = UserObject.__qualname__ = "_UserObject"


class RestoredFunction:
    """The traces that a function had when it was saved."""

    def __init__(self, name: str, traces: list[ConcreteFunction]) -> None:
        self.name = self.__name__ = name
        self._traces = traces

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        return list(self._traces)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._traces:
            raise ValueError("Found zero restored functions for caller function.")
        for exact in (True, False):
            for trace in self._traces:
                leaves = _fitting(trace, args, kwargs, exact)
                if leaves is not None:
                    return trace.run(leaves)
        raise ValueError(self._no_match(args, kwargs))

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments."""
        for trace in self._traces:
            if _fitting(trace, args, kwargs, True) is not None or not (args or kwargs):
                return trace
        raise ValueError(self._no_match(args, kwargs))

    def _no_match(self, args: Any, kwargs: Any) -> str:
        options = []
        for place, trace in enumerate(self._traces):
            inner = "\n    * ".join(text for _, text in trace.parameter_texts())
            options.append(
                f"Option {place + 1}:\n  Positional arguments ({len(trace._parameters)} total):\n    * {inner}\n"
                "  Keyword arguments: {}"
            )
        given = "\n    * ".join(map(repr, args))
        return (
            "Could not find matching concrete function to call loaded from the SavedModel. Got:\n  Positional "
            f"arguments ({len(args)} total):\n    * {given}\n  Keyword arguments: {kwargs}\n\n Expected these "
            f"arguments to match one of the following {len(self._traces)} option(s):\n\n" + "\n\n".join(options)
        )


def _fitting(trace: ConcreteFunction, args: Any, kwargs: Any, exact: bool) -> list[Any] | None:
    """The leaves of a call that ``trace`` can take, or ``None``."""
    names = [name for name, _ in trace._parameters]
    if len(args) > len(names) or any(name not in names for name in kwargs):
        return None
    given = dict(zip(names, args, strict=False)) | kwargs
    leaves: list[Any] = []
    by_name = trace._by_parameter()
    structures = [*trace._structure[1][0][1], *trace._structure[1][1][1]]
    for name, structure in zip(names, structures, strict=True):
        specs = [trace._specs[place] for place in by_name[name]]
        if name not in given:
            if any(isinstance(spec, TensorSpec) for spec in specs):
                return None
            leaves += [spec.value for spec in specs]
            continue
        found: list[tuple[str, Any]] = []
        if structure is None and not isinstance(given[name], Valued):
            found = [("", given[name])]
        elif frozen(flatten(ordered(given[name]), "", found)) != frozen(structure):
            return None
        for (_, leaf), spec in zip(found, specs, strict=True):
            if isinstance(spec, Literal):
                if spec != Literal(leaf):
                    return None
            else:
                if not exact and not isinstance(leaf, Valued):
                    try:
                        leaf = convert(leaf, spec.dtype)
                    except (TypeError, ValueError):
                        return None
                now = spec_of(leaf, {})
                if not spec.takes(now if type(now) is TensorSpec else None):
                    return None
            leaves.append(leaf)
    return leaves


class Signature:
    """A function of a saved model for serving: it takes and gives tensors by name."""

    def __init__(self, trace: ConcreteFunction) -> None:
        self._trace = trace
        self.graph, self.inputs, self.outputs = trace.graph, trace.inputs, trace.outputs

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        names = self._names()
        given = dict(zip(names, args, strict=False)) | kwargs
        leaves = [getattr(spec, "value", None) for spec in self._trace._specs]
        for place, name in zip(self._trace._places, names, strict=True):
            if name not in given:
                raise TypeError(f"Binding inputs to tf.function failed due to `missing a required argument: '{name}'`.")
            spec = self._trace._specs[place]
            value = given[name] if isinstance(given[name], Valued) else convert(given[name], spec.dtype)
            if not spec.takes(spec_of(value, {})):
                raise TypeError(
                    f"Binding inputs to tf.function failed due to `Can not cast {spec_of(value, {})!r} to {spec!r}`."
                )
            leaves[place] = value
        return self._named(self._trace.run(leaves))

    def _names(self) -> list[str]:
        return [t.op.name for t in self._trace.inputs[: len(self._trace._places)]]

    @staticmethod
    def _named(result: Any) -> dict[str, Any]:
        if isinstance(result, Mapping):
            return dict(result)
        items = list(result) if isinstance(result, list | tuple) else [result]
        return {f"output_{place}": item for place, item in enumerate(items)}

    @property
    def structured_outputs(self) -> dict[str, Any]:
        found = self._named(self._trace.structured_outputs)
        return {name: TensorSpec(t.shape, t.dtype.base_dtype, name) for name, t in found.items()}

    @property
    def structured_input_signature(self) -> Any:
        specs = [self._trace._specs[place] for place in self._trace._places]
        return (), {n: TensorSpec(s.shape, s.dtype, n) for n, s in zip(self._names(), specs, strict=True)}


class _Reader:
    """Makes objects again from their rows."""

    def __init__(self, rows: list[Any], values: CheckpointReader) -> None:
        self._rows, self._values = rows, values
        self.made: dict[int, Any] = {}

    def get(self, number: int) -> Any:
        """The object of this number."""
        if number in self.made:
            return self.made[number]
        row = self._rows[number]
        kind = row["kind"]
        if kind in ("variable", "constant"):
            array = self._values.get_tensor(str(number))
            if kind == "variable":
                self.made[number] = ResourceVariable(array, trainable=bool(row["trainable"]), name=row["name"])
            else:
                self.made[number] = wrap(array.astype(object) if array.dtype.kind == "S" else array)
            return self.made[number]
        made: Any = [] if kind == "list" else {} if kind == "dict" else UserObject()
        self.made[number] = made
        for name, child in row["children"].items():
            item = self.get(child)
            if kind == "list":
                made.append(item)
            elif kind == "dict":
                made[name] = item
            else:
                made.__dict__[name] = item
        return made

    def functions(self) -> None:
        """Give every object its functions, now that everything that they may capture is there."""
        for number, row in enumerate(self._rows):
            if row["kind"] == "object" and number in self.made:
                for name, traces in row["functions"].items():
                    found = [trace_from(document, self.get) for document in traces]
                    self.made[number].__dict__[name] = RestoredFunction(name, found)


def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """The object that was saved in a folder.

    :raises OSError: there is none, or it is not one of this engine's.
    """
    folder = os.fspath(export_dir)
    path = os.path.join(folder, FILE)
    if not os.path.isfile(path):
        raise OSError(f"SavedModel file does not exist at: {folder}{os.path.sep}{{saved_model.pbtxt|saved_model.pb}}")
    try:
        with open(path, encoding="utf-8") as file:
            document = json.loads(file.read())
        if document["format"] != FORMAT:
            raise ValueError("another format")
        reader = _Reader(document["objects"], CheckpointReader(os.path.join(folder, VALUES)))
        root = reader.get(0)
        reader.functions()
        signatures = {key: Signature(trace_from(row, reader.get)) for key, row in document["signatures"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, errors.OpError) as error:
        raise OSError(
            f"Cannot parse file {path}: this teaching engine reads saved models that it has written ({error})"
        ) from None
    root.__dict__["signatures"] = signatures
    return root


def contains_saved_model(export_dir: Any) -> bool:
    """Whether a folder holds a saved model."""
    return os.path.isfile(os.path.join(os.fspath(export_dir), FILE))

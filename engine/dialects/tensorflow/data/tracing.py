"""Functions of a pipeline: traced once, then run for each element without a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.bridges.function.autograph import converted
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.creation import placeholder
from engine.dialects.tensorflow.dataset_parts import Row, Traced
from engine.dialects.tensorflow.eager import random_ops
from engine.dialects.tensorflow.errors import InvalidArgumentError
from engine.dialects.tensorflow.function.func_graph import FuncGraph, building
from engine.dialects.tensorflow.function.specs import TensorSpec, TypeSpec
from engine.dialects.tensorflow.function.user_code import in_user_code
from engine.dialects.tensorflow.nests import leaves, mapped, packed
from engine.dialects.tensorflow.session import BaseSession
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Spec, quiet


class DatasetSpec(TypeSpec):
    """What describes a dataset whose elements are datasets."""

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self.element_spec = element_spec
        self.shape = TensorShape(dataset_shape)

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self.shape!r})"

    __str__ = __repr__


class Nested:
    """The dtype of elements that are datasets themselves: how these are made up."""

    def __init__(self, structure: Any, specs: Sequence[Spec]) -> None:
        self.structure, self.specs = structure, list(specs)

    @property
    def base_dtype(self) -> Nested:
        return self


def spec_of(kind: Any, shape: TensorShape) -> Any:
    """What ``element_spec`` says of one leaf."""
    if isinstance(kind, Nested):
        inner = packed(kind.structure, [spec_of(*spec) for spec in kind.specs])
        return DatasetSpec(inner, shape)
    return TensorSpec(shape, kind.base_dtype)


class Function(Traced):
    """A function of the program as a graph, which sees the tensors and variables around it."""

    def __init__(self, function: Any, structure: Any, specs: Sequence[Spec], several: bool | None = None) -> None:
        if not callable(function):
            raise ValueError(f"Argument `func` must be a callable. Received func={function} (of type {type(function)})")
        graph: Any = FuncGraph(getattr(function, "__name__", "function"), building())
        self._graph: Any = graph
        graph.seed, graph.may_make_variables = random_ops.whole_seed(), False
        with quiet(), graph.as_default():
            self._doors = []
            items = []
            kind: Any
            for place, (kind, shape) in enumerate(specs):
                nested = isinstance(kind, Nested)
                door = placeholder("string" if nested else kind, [] if nested else shape, name=f"args_{place}")
                self._doors.append(door)
                items.append(_variant(kind, door) if nested else door)
            given = packed(structure, items)
            plain = isinstance(given, tuple) and not hasattr(given, "_fields") if several is None else several
            try:
                self.result = converted(function)(*given) if plain else converted(function)(given)
            except Exception as error:
                told = in_user_code(error)
                if told is error:
                    raise
                raise told from None
            self._gave(self.result)
        self._session = BaseSession(graph=graph)
        self._core_listens = True

    def _gave(self, result: Any) -> None:
        self.structure = 0
        self.specs = []
        self._nodes: list[Any] = []
        self._effects = self._graph.effects()
        if hasattr(result, "_start"):
            return
        found = _tuples(result)
        tensors = [convert(leaf) for leaf in leaves(found)]
        self.structure = mapped(lambda _: 0, found)
        self.specs = [(tensor.dtype.base_dtype, tensor.shape) for tensor in tensors]
        self._nodes = [tensor._node for tensor in tensors]

    def __call__(self, row: Row) -> Row:
        with quiet():
            found = self._session._run([*self._nodes, *self._effects], self._feeds(row))
        return list(found[: len(self._nodes)])

    def _feeds(self, row: Row) -> dict[Any, Any]:
        feeds = {door._node: held(value) for door, value in zip(self._doors, row, strict=True)}
        for capture in self._graph.captures.values():
            if capture.node.op == "variable":
                self._session._core.load(capture.node, capture.value._array)
            else:
                feeds[capture.node] = capture.value._array
        return feeds


def held(value: Any) -> Any:
    """A value of a row as an array: a dataset, too."""
    if hasattr(value, "_start"):
        box = np.empty((), object)
        box[()] = value
        return box
    return np.asarray(value)


def _variant(kind: Nested, door: Any) -> Any:
    from engine.dialects.tensorflow.data.dataset import VariantDataset

    return VariantDataset(kind.structure, kind.specs, lambda run: _opened(run.value(door))._start(run))


def _opened(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value


def _tuples(value: Any) -> Any:
    """Lists are tensors in the results of a pipeline's functions; tuples and dictionaries are structure."""
    return value


def invalid(text: str) -> InvalidArgumentError:
    """What a pipeline raises while it runs."""
    from engine.dialects.tensorflow.data.iterating import WHERE

    return InvalidArgumentError(None, None, f"{WHERE} {text} [Op:IteratorGetNext] name: ")

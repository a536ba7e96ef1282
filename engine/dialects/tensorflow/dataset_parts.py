"""What the datasets of 1.x are made of: traced functions, rows joined to batches, TensorFlow's stream of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.nests import leaves, mapped, packed
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run, Spec, quiet
from engine.dialects.tensorflow.values import as_array

Row = list[Any]


class Traced:
    """A function of the program as a graph of its own, run silently for each element."""

    def __init__(self, function: Any, structure: Any, specs: Sequence[Spec]) -> None:
        from engine.dialects.tensorflow.build import convert
        from engine.dialects.tensorflow.creation import placeholder
        from engine.dialects.tensorflow.session import BaseSession

        self._graph = Graph()
        self._graph.seed = get_default_graph().seed
        with quiet(), self._graph.as_default():
            self._doors = [placeholder(dtype, shape, name="args") for dtype, shape in specs]
            given = packed(structure, self._doors)
            plain = isinstance(given, tuple) and not hasattr(given, "_fields")
            self.result = function(*given) if plain else function(given)
            self.structure: Any = 0
            self.specs: list[Spec] = []
            if not hasattr(self.result, "_start"):
                found = tuple(self.result) if isinstance(self.result, list) else self.result
                tensors = [convert(leaf) for leaf in leaves(found)]
                self.structure = mapped(lambda _: 0, found)
                self.specs = [(tensor.dtype.base_dtype, tensor.shape) for tensor in tensors]
                self._nodes = [tensor._node for tensor in tensors]
            self._session = BaseSession(graph=self._graph)

    def __call__(self, row: Row) -> Row:
        with quiet():
            return self._session._run(self._nodes, self._feeds(row))

    def inside(self, row: Row) -> Run:
        """A run of the function's graph, for datasets that are made in it."""
        return Run(self._session, self._feeds(row))

    def _feeds(self, row: Row) -> dict[Any, Any]:
        return {door._node: np.asarray(value) for door, value in zip(self._doors, row, strict=True)}


def parts_of(tensors: Any) -> tuple[list[Any], list[Spec]]:
    """The leaves as tensors or arrays, and what is known of each."""
    parts: list[Any] = []
    specs: list[Spec] = []
    for leaf in leaves(tensors):
        as_tensor = getattr(type(leaf), "_as_tensor", None)
        part = leaf if isinstance(leaf, Tensor) else as_array(leaf) if as_tensor is None else as_tensor(leaf)
        parts.append(part)
        if isinstance(part, Tensor):
            specs.append((part.dtype.base_dtype, part.shape))
        else:
            specs.append((dtypes.from_numpy(part.dtype), TensorShape(part.shape)))
    return parts, specs


def structure_of(tensors: Any) -> Any:
    return mapped(lambda _: 0, tensors)


def shapes_of(structure: Any, shapes: Any) -> list[TensorShape]:
    """Shapes in the places of a structure's leaves; a list is a shape there."""
    if isinstance(structure, tuple):
        return [s for part, shape in zip(structure, shapes, strict=True) for s in shapes_of(part, shape)]
    if isinstance(structure, dict):
        return [s for key in sorted(structure) for s in shapes_of(structure[key], shapes[key])]
    return [TensorShape(shapes)]


def stacked(rows: list[Row]) -> Row:
    return [np.stack([np.asarray(x) for x in column]) for column in zip(*rows, strict=True)]


def padded_column(column: list[Any], shape: TensorShape, fill: Any) -> Any:
    arrays = [np.asarray(value) for value in column]
    sizes = tuple(
        max(array.shape[axis] for array in arrays) if wanted is None else wanted
        for axis, wanted in enumerate(shape.as_list())
    )
    default: Any = b"" if arrays[0].dtype.kind == "O" else 0
    result = np.full((len(arrays), *sizes), default if fill is None else fill, arrays[0].dtype)
    for place, array in enumerate(arrays):
        key: tuple[int | slice, ...] = (place, *(slice(n) for n in array.shape))
        result[key] = array
    return result


def numbers_of(first: int, second: int) -> Iterator[int]:
    """Words of a Philox stream one by one."""
    stream = Philox(first, second)
    while True:
        yield from (int(word) for word in stream.blocks(16).reshape(-1))


def _drawn(buffer: list[Row], numbers: Iterator[int]) -> Row:
    place = next(numbers) % len(buffer)
    chosen = buffer[place]
    buffer[place] = buffer[0]
    del buffer[0]
    return chosen


def shuffled_rows(rows: Iterable[Row], size: int, numbers: Iterator[int]) -> Iterator[Row]:
    """The rows in the order in which TensorFlow draws them from a buffer of the next ``size``."""
    buffer: list[Row] = []
    for row in rows:
        buffer.append(row)
        if len(buffer) == size:
            yield _drawn(buffer, numbers)
    while buffer:
        yield _drawn(buffer, numbers)

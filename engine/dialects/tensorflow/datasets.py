"""``tf.data.Dataset`` of 1.x: pipelines that an iterator in the graph draws from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.dataset_parts import (
    Row,
    Traced,
    numbers_of,
    padded_column,
    parts_of,
    shapes_of,
    shuffled_rows,
    stacked,
    structure_of,
)
from engine.dialects.tensorflow.dataset_selecting import Epoch, Selecting, Start
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.nests import leaves, mapped, packed
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run
from engine.dialects.tensorflow.values import as_array


class Dataset(Selecting):
    """A recipe for elements; ``make_one_shot_iterator().get_next()`` gives the tensors of the next one."""

    # -- where elements come from ------------------------------------------------------------------------------------
    @staticmethod
    def from_tensor_slices(tensors: Any) -> Dataset:
        """One element for each row of ``tensors``, which agree in their first size."""
        parts, specs = parts_of(tensors)
        if any(shape.ndims == 0 for _, shape in specs):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        sizes = {n for n in (shape.as_list()[0] for _, shape in specs if shape.ndims) if n is not None}
        if len(sizes) > 1:
            raise ValueError(f"Dimensions {' and '.join(map(str, sorted(sizes)))} are not compatible")
        rows = [(dtype, shape[1:] if shape.ndims is not None else shape) for dtype, shape in specs]

        def start(run: Run) -> Epoch:
            values = [np.asarray(run.value(part)) for part in parts]
            return lambda: (list(row) for row in zip(*values, strict=True))

        return Dataset(structure_of(tensors), rows, start)

    @staticmethod
    def from_tensors(tensors: Any) -> Dataset:
        """A single element."""
        parts, specs = parts_of(tensors)
        return Dataset(structure_of(tensors), specs, lambda run: _same([[run.value(part) for part in parts]]))

    @staticmethod
    def range(*args: Any) -> Dataset:
        """The numbers of ``range``, as int64."""

        def start(run: Run) -> Epoch:
            bounds = [int(run.value(arg)) for arg in args]
            return lambda: ([np.int64(number)] for number in range(*bounds))

        return Dataset(0, [(dtypes.as_dtype("int64"), TensorShape([]))], start)

    @staticmethod
    def from_generator(generator: Any, output_types: Any, output_shapes: Any = None, args: Any = None) -> Dataset:
        """What ``generator(*args)`` yields."""
        if not callable(generator):
            raise TypeError("`generator` must be callable.")
        kinds = [dtypes.as_dtype(kind) for kind in leaves(output_types)]
        shapes = [TensorShape(None)] * len(kinds) if output_shapes is None else shapes_of(output_types, output_shapes)

        def start(run: Run) -> Epoch:
            given = [run.value(arg) for arg in args or ()]

            def epoch() -> Iterator[Row]:
                for item in generator(*given):
                    parts = leaves(item) if isinstance(output_types, tuple | dict) else [item]
                    yield [as_array(part, kind) for part, kind in zip(parts, kinds, strict=True)]

            return epoch

        return Dataset(output_types, list(zip(kinds, shapes, strict=True)), start)

    @staticmethod
    def zip(datasets: Any) -> Dataset:
        """Elements of several datasets side by side, until one ends."""
        parts: list[Dataset] = leaves(datasets)

        def start(run: Run) -> Epoch:
            epochs = [part._start(run) for part in parts]
            return lambda: ([x for row in rows for x in row] for rows in zip(*(e() for e in epochs), strict=False))

        structure = mapped(lambda dataset: dataset._structure, datasets)
        return Dataset(structure, [spec for part in parts for spec in part._specs], start)

    # -- what becomes of them ----------------------------------------------------------------------------------------
    def map(self, map_func: Any, num_parallel_calls: Any = None, deterministic: Any = None) -> Dataset:
        """``map_func`` of each element: it is called once, to build a small graph that then runs for each."""
        traced = Traced(map_func, self._structure, self._specs)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: (traced(row) for row in epoch())

        return Dataset(traced.structure, traced.specs, start)

    def filter(self, predicate: Any) -> Dataset:
        """The elements for which ``predicate`` is true."""
        traced = Traced(predicate, self._structure, self._specs)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: (row for row in epoch() if bool(traced(row)[0]))

        return Dataset(self._structure, self._specs, start)

    def flat_map(self, map_func: Any) -> Dataset:
        """The elements of the datasets that ``map_func`` makes of each element."""
        traced = Traced(map_func, self._structure, self._specs)
        inner = traced.result
        if not isinstance(inner, Dataset):
            raise TypeError(f"The `map_func` argument must return a `Dataset` object. Got {type(inner).__name__}.")

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def rows() -> Iterator[Row]:
                for row in epoch():
                    yield from inner._start(traced.inside(row))()

            return rows

        return Dataset(inner._structure, inner._specs, start)

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None, deterministic: Any = None
    ) -> Dataset:
        """Elements in groups, stacked; the last may be smaller."""
        known = int(batch_size) if drop_remainder and not isinstance(batch_size, Tensor) else None
        specs = [(dtype, TensorShape([known]).concatenate(shape)) for dtype, shape in self._specs]
        return Dataset(self._structure, specs, self._grouped(batch_size, drop_remainder, stacked))

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None, drop_remainder: bool = False
    ) -> Dataset:
        """Elements in groups, filled up to equal shapes."""
        fills = [None] * len(self._specs) if padding_values is None else leaves(padding_values)
        wanted = [s for _, s in self._specs] if padded_shapes is None else shapes_of(self._structure, padded_shapes)
        kinds = [dtype for dtype, _ in self._specs]
        specs = [(dtype, TensorShape([None]).concatenate(shape)) for dtype, shape in zip(kinds, wanted, strict=True)]

        def padded_rows(rows: list[Row]) -> Row:
            columns = zip(*rows, strict=True)
            return [padded_column(list(c), shape, fill) for c, shape, fill in zip(columns, wanted, fills, strict=True)]

        return Dataset(self._structure, specs, self._grouped(batch_size, drop_remainder, padded_rows))

    def _grouped(self, batch_size: Any, drop_remainder: bool, join: Callable[[list[Row]], Row]) -> Start:
        def start(run: Run) -> Epoch:
            epoch, size = self._start(run), int(run.value(batch_size))
            if size <= 0:
                raise run.failure(_invalid(), "Batch size must be greater than zero.")

            def batches() -> Iterator[Row]:
                rows: list[Row] = []
                for row in epoch():
                    rows.append(row)
                    if len(rows) == size:
                        yield join(rows)
                        rows = []
                if rows and not drop_remainder:
                    yield join(rows)

            return batches

        return start

    def repeat(self, count: Any = None) -> Dataset:
        """The elements ``count`` times (``None`` or -1: for ever)."""

        def start(run: Run) -> Epoch:
            epoch, times = self._start(run), -1 if count is None else int(run.value(count))

            def again() -> Iterator[Row]:
                done = 0
                while done != times:
                    empty = True
                    for row in epoch():
                        empty = False
                        yield row
                    done += 1
                    if empty:
                        return

            return again

        return Dataset(self._structure, self._specs, start)

    def shuffle(self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: Any = None) -> Dataset:
        """Draws from a buffer of the next ``buffer_size`` elements, by TensorFlow's own stream of numbers."""
        from engine.dialects.tensorflow.random_ops import get_seed

        seeds = get_seed(seed)

        def start(run: Run) -> Epoch:
            epoch, size = self._start(run), int(run.value(buffer_size))
            first, second = (int.from_bytes(os.urandom(4), "little") if s is None else s for s in seeds)
            parent = numbers_of(first, second or (2**31 - 1 if first == 0 else second))

            def shuffled() -> Iterator[Row]:
                again = reshuffle_each_iteration is None or reshuffle_each_iteration
                numbers = numbers_of(next(parent), next(parent)) if again else numbers_of(first, second)
                yield from shuffled_rows(epoch(), size, numbers)

            return shuffled

        return Dataset(self._structure, self._specs, start)

    def apply(self, transformation_func: Any) -> Any:
        """``transformation_func`` of this dataset."""
        return transformation_func(self)

    # -- what is known of them ---------------------------------------------------------------------------------------
    @property
    def output_types(self) -> Any:
        return packed(self._structure, [dtype for dtype, _ in self._specs])

    @property
    def output_shapes(self) -> Any:
        return packed(self._structure, [shape for _, shape in self._specs])

    @property
    def output_classes(self) -> Any:
        return packed(self._structure, [Tensor] * len(self._specs))

    def __iter__(self) -> Any:
        """The elements as tensors, while executing eagerly."""
        from engine.dialects.tensorflow.eager.tensor import convert
        from engine.dialects.tensorflow.late.switch import executing_eagerly
        from engine.dialects.tensorflow.session import BaseSession
        from engine.dialects.tensorflow.sources import quiet

        if not executing_eagerly():
            raise RuntimeError(
                "`tf.data.Dataset` only supports Python-style iteration in eager mode or within tf.function."
            )
        with quiet():
            epoch = self._start(Run(BaseSession(), {}))
        return (packed(self._structure, [convert(value) for value in row]) for row in epoch())

    def as_numpy_iterator(self) -> Any:
        """The elements as arrays, while executing eagerly."""
        from engine.dialects.tensorflow.late.switch import executing_eagerly

        if not executing_eagerly():
            raise RuntimeError("`tf.data.Dataset.as_numpy_iterator()` is only supported in eager mode.")
        return (mapped(lambda leaf: leaf.numpy(), row) for row in self)

    def __len__(self) -> int:
        from engine.dialects.tensorflow.late.switch import executing_eagerly

        if not executing_eagerly():
            raise TypeError(
                "`tf.data.Dataset` only supports `len` in eager mode. Use `tf.data.Dataset.cardinality()` instead."
            )
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True

    def make_one_shot_iterator(self) -> Any:
        """An iterator that starts by itself and passes once over the elements."""
        from engine.dialects.tensorflow.iterators import Iterator as Found
        from engine.dialects.tensorflow.random_ops import get_seed

        get_seed(None)  # The real one takes a seed for the function that it makes of the dataset.
        return Found.one_shot(self)

    def make_initializable_iterator(self, shared_name: Any = None) -> Any:
        """An iterator that starts whenever its ``initializer`` runs."""
        from engine.dialects.tensorflow.iterators import Iterator as Found

        return Found.initializable(self)

    def __repr__(self) -> str:
        return f"<DatasetV1Adapter shapes: {self.output_shapes}, types: {self.output_types}>"


def _same(rows: list[Row]) -> Epoch:
    return lambda: iter(rows)


def _invalid() -> Any:
    from engine.dialects.tensorflow.errors import InvalidArgumentError

    return InvalidArgumentError

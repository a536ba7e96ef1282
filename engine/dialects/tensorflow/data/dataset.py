"""``tf.data.Dataset`` of 2.x."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.dialects.tensorflow import datasets as old
from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.data.iterating import DatasetStaging, OwnedIterator
from engine.dialects.tensorflow.data.tracing import Function, Nested, invalid, spec_of
from engine.dialects.tensorflow.dataset_parts import (
    Row,
    numbers_of,
    padded_column,
    parts_of,
    shapes_of,
    shuffled_rows,
    stacked,
)
from engine.dialects.tensorflow.dataset_selecting import Epoch
from engine.dialects.tensorflow.eager import random_ops
from engine.dialects.tensorflow.eager.tensor import Valued, convert
from engine.dialects.tensorflow.function.func_graph import building
from engine.dialects.tensorflow.function.specs import TensorSpec
from engine.dialects.tensorflow.nests import leaves, mapped, packed
from engine.dialects.tensorflow.session import BaseSession
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run, Spec, quiet
from engine.dialects.tensorflow.values import as_array

INFINITE, UNKNOWN = -1, -2
_INT64 = dtypes.as_dtype("int64")


class Dataset(old.Dataset):
    """A recipe for elements. ``for`` and ``iter`` draw from it; every transformation is a new recipe."""

    __module__ = "tensorflow.python.data.ops.dataset_ops"
    _title = "_Dataset"
    _size: int = UNKNOWN

    def _made(self, found: Any, title: str, size: int | None = None) -> Dataset:
        """``found`` under the name that the real class has, with so many elements (default: as many as here)."""
        made = Dataset(found._structure, found._specs, found._start)
        made._title, made._size = title, self._size if size is None else size
        return made

    @staticmethod
    def _new(structure: Any, specs: list[Spec], start: Callable[[Run], Epoch], title: str, size: int) -> Dataset:
        made = Dataset(structure, specs, start)
        made._title, made._size = title, size
        return made

    # -- where elements come from ------------------------------------------------------------------------------------
    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """One element for each row."""
        parts, specs = parts_of(_held(tensors))
        if any(shape.ndims == 0 for _, shape in specs):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        sizes = list(dict.fromkeys(shape.as_list()[0] for _, shape in specs))
        if len(sizes) > 1:
            raise ValueError(f"Dimensions {sizes[0]} and {sizes[1]} are not compatible")
        rows = [(dtype, shape[1:]) for dtype, shape in specs]
        structure = mapped(lambda _: 0, _held(tensors))

        def epoch() -> Iterator[Row]:
            return (list(row) for row in zip(*parts, strict=True))

        return Dataset._new(structure, rows, lambda run: epoch, "_TensorSliceDataset", int(sizes[0] or 0))

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """A single element."""
        parts, specs = parts_of(_held(tensors))
        if building() is not None:
            found = old.Dataset.from_tensors(tensors)
            return Dataset._new(found._structure, found._specs, found._start, "_TensorDataset", 1)
        return Dataset._new(
            mapped(lambda _: 0, _held(tensors)), specs, lambda run: lambda: iter([list(parts)]), "_TensorDataset", 1
        )

    @staticmethod
    def range(*args: Any, output_type: Any = "int64", name: str | None = None) -> Dataset:
        """The numbers of ``range``."""
        kind = dtypes.as_dtype(output_type)

        def start(run: Run) -> Epoch:
            bounds = [int(run.value(arg)) for arg in args]
            return lambda: ([kind._numpy.type(number)] for number in range(*bounds))

        known = [int(a) for a in args] if all(_is_known(a) for a in args) else None
        size = UNKNOWN if known is None else len(range(*known))
        return Dataset._new(0, [(kind, TensorShape([]))], start, "_RangeDataset", size)

    @staticmethod
    def from_generator(
        generator: Any, output_types: Any = None, output_shapes: Any = None, args: Any = None,
        output_signature: Any = None, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """What ``generator(*args)`` yields."""
        if not callable(generator):
            raise TypeError("`generator` must be a Python callable.")
        if output_signature is not None:
            output_types = mapped(lambda spec: spec.dtype, output_signature)
            shapes = [spec.shape for spec in leaves(output_signature)]
        elif output_types is None:
            raise TypeError("Either `output_signature` or `output_types` must be specified")
        else:
            count = len(leaves(output_types))
            shapes = [TensorShape(None)] * count if output_shapes is None else shapes_of(output_types, output_shapes)
        kinds = [dtypes.as_dtype(kind) for kind in leaves(output_types)]
        nested = isinstance(output_types, tuple | dict)

        def start(run: Run) -> Epoch:
            given = [run.value(_array(arg)) for arg in args or ()]

            def epoch() -> Iterator[Row]:
                for item in generator(*given):
                    parts = leaves(_like(item, output_types)) if nested else [item]
                    row = [_yielded(part, kind) for part, kind in zip(parts, kinds, strict=True)]
                    for array, shape in zip(row, shapes, strict=True):
                        if not shape.is_compatible_with(np.shape(array)):
                            raise invalid(
                                f"TypeError: `generator` yielded an element of shape {np.shape(array)} where an "
                                f"element of shape {shape} was expected."
                            )
                    yield row

            return epoch

        structure = mapped(lambda _: 0, output_types) if nested else 0
        return Dataset._new(structure, list(zip(kinds, shapes, strict=True)), start, "_FlatMapDataset", UNKNOWN)

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """Elements of several datasets side by side, until one ends."""
        given = args[0] if len(args) == 1 else (args or datasets)
        found = old.Dataset.zip(given)
        sizes = [d._size for d in leaves(given)]
        known = [n for n in sizes if n >= 0]
        size = UNKNOWN if UNKNOWN in sizes else min(known) if known else INFINITE
        return Dataset._new(found._structure, found._specs, found._start, "_ZipDataset", size)

    @staticmethod
    def random(seed: Any = None, rerandomize_each_iteration: Any = None, name: str | None = None) -> Dataset:
        """Random numbers, for ever."""
        first, second = seeds_of(seed)

        def epoch() -> Iterator[Row]:
            return ([np.int64(word)] for word in numbers_of(first, second))

        return Dataset._new(0, [(_INT64, TensorShape([]))], lambda run: epoch, "_RandomDataset", INFINITE)

    # -- what becomes of them ----------------------------------------------------------------------------------------
    def map(
        self, map_func: Any, num_parallel_calls: Any = None, deterministic: Any = None, **_: Any
    ) -> Dataset:  # fmt: skip
        """``map_func`` of each element."""
        traced = Function(map_func, self._structure, self._specs)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: (traced(row) for row in epoch())

        title = "_MapDataset" if num_parallel_calls is None else "_ParallelMapDataset"
        return Dataset._new(traced.structure, traced.specs, start, title, self._size)

    def filter(self, predicate: Any, name: str | None = None) -> Dataset:
        """The elements for which ``predicate`` is true."""
        traced = Function(predicate, self._structure, self._specs)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: (row for row in epoch() if bool(traced(row)[0]))

        return Dataset._new(self._structure, self._specs, start, "_FilterDataset", UNKNOWN)

    def take_while(self, predicate: Any, name: str | None = None) -> Dataset:
        """The elements before the first for which ``predicate`` is false."""
        traced = Function(predicate, self._structure, self._specs)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: itertools.takewhile(lambda row: bool(traced(row)[0]), epoch())

        return Dataset._new(self._structure, self._specs, start, "_TakeWhileDataset", UNKNOWN)

    def flat_map(self, map_func: Any, name: str | None = None) -> Dataset:
        """The elements of the datasets that ``map_func`` makes of each element."""
        return self._interleaved(map_func, 1, 1, "_FlatMapDataset")

    def interleave(
        self, map_func: Any, cycle_length: Any = None, block_length: Any = None, num_parallel_calls: Any = None,
        deterministic: Any = None, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """The elements of several of those datasets in turn."""
        title = "_InterleaveDataset" if num_parallel_calls is None else "_ParallelInterleaveDataset"
        width = 1 if cycle_length is None or int(cycle_length) == -1 else int(cycle_length)
        if cycle_length is None or int(cycle_length) == -1:
            width = min(16, os.cpu_count() or 1)
        return self._interleaved(map_func, width, 1 if block_length is None else int(block_length), title)

    def _interleaved(self, map_func: Any, width: int, block: int, title: str) -> Dataset:
        traced = Function(map_func, self._structure, self._specs)
        inner = traced.result
        if not isinstance(inner, old.Dataset):
            raise TypeError(f"The `map_func` argument must return a `Dataset` object. Got {type(inner).__name__!r}.")

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def rows() -> Iterator[Row]:
                sources = epoch()
                slots: list[Iterator[Row] | None] = []

                def opened() -> Iterator[Row] | None:
                    for row in sources:
                        return iter(inner._start(traced.inside(row))())
                    return None

                ended = False
                slots = [None] * width
                filled = [False] * width
                while True:
                    alive = False
                    for place in range(width):
                        if not filled[place] and not ended:
                            slots[place] = opened()
                            ended = slots[place] is None
                            filled[place] = slots[place] is not None
                        slot = slots[place]
                        if slot is None:
                            continue
                        alive = True
                        for _ in range(block):
                            try:
                                yield next(slot)
                            except StopIteration:
                                slots[place], filled[place] = None, False
                                break
                    if not alive and ended:
                        return

            return rows

        return Dataset._new(inner._structure, inner._specs, start, title, UNKNOWN)

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None, deterministic: Any = None,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """Elements in groups, stacked; the last may be smaller."""
        known = int(batch_size) if drop_remainder else None
        specs = [(dtype, TensorShape([known]).concatenate(shape)) for dtype, shape in self._specs]
        title = "_BatchDataset" if num_parallel_calls is None else "_ParallelBatchDataset"
        start = self._in_groups(batch_size, drop_remainder, _same_shapes)
        return Dataset._new(self._structure, specs, start, title, _groups(self._size, batch_size, drop_remainder))

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None, drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """Elements in groups, filled up to equal shapes."""
        if padded_shapes is None and any(shape.ndims is None for _, shape in self._specs):
            raise ValueError("You must provide `padded_shapes` argument because component 0 has unknown rank.")
        fills = [None] * len(self._specs) if padding_values is None else [_array(f) for f in leaves(padding_values)]
        if len(fills) != len(self._specs):
            fills = fills * len(self._specs)
        wanted = [s for _, s in self._specs] if padded_shapes is None else shapes_of(self._structure, padded_shapes)
        known = int(batch_size) if drop_remainder else None
        specs = [(k, TensorShape([known]).concatenate(s)) for (k, _), s in zip(self._specs, wanted, strict=True)]

        def padded(rows: list[Row]) -> Row:
            columns = zip(*rows, strict=True)
            return [padded_column(list(c), s, f) for c, s, f in zip(columns, wanted, fills, strict=True)]

        start = self._in_groups(batch_size, drop_remainder, padded)
        size = _groups(self._size, batch_size, drop_remainder)
        return Dataset._new(self._structure, specs, start, "_PaddedBatchDataset", size)

    def _in_groups(self, batch_size: Any, drop: bool, join: Callable[[list[Row]], Row]) -> Callable[[Run], Epoch]:
        if _is_known(batch_size) and int(batch_size) <= 0:
            from engine.dialects.tensorflow.eager.messages import failed

            raise failed("BatchDatasetV2", "Batch size must be greater than zero.")
        return self._grouped(_array(batch_size), drop, join)

    def unbatch(self, name: str | None = None) -> Dataset:
        """Rows of elements as elements."""

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: (list(row) for rows in epoch() for row in zip(*rows, strict=True))

        specs = [(dtype, shape[1:]) for dtype, shape in self._specs]
        return Dataset._new(self._structure, specs, start, "_UnbatchDataset", UNKNOWN)

    def rebatch(self, batch_size: Any, drop_remainder: bool = False, name: str | None = None) -> Dataset:
        """Batches of another size."""
        made = self.unbatch().batch(batch_size, drop_remainder)
        made._title, made._size = "_RebatchDataset", UNKNOWN
        return made

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """Datasets of ``size`` elements each, which begin ``shift`` elements apart."""
        width, step, apart = int(size), int(size if shift is None else shift), int(stride)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def windows() -> Iterator[Row]:
                rows = epoch()
                held: list[Row] = []
                skip = 0
                needed = (width - 1) * apart + 1
                ended = False
                while True:
                    while not ended and len(held) < needed:
                        row = next(rows, None)
                        if row is None:
                            ended = True
                        elif skip:
                            skip -= 1
                        else:
                            held.append(row)
                    chosen = held[:needed:apart]
                    if not chosen or (drop_remainder and len(chosen) < width):
                        return
                    yield [
                        _window(column, spec)
                        for column, spec in zip(zip(*chosen, strict=True), self._specs, strict=True)
                    ]
                    skip += max(step - len(held), 0)
                    held = held[step:]

            return windows

        specs: list[Any] = [(Nested(0, [spec]), TensorShape([])) for spec in self._specs]
        count = self._size
        if count >= 0:
            needed = (width - 1) * apart + 1
            count = max((count - needed) // step + 1, 0) if drop_remainder else -(-count // step)
        return Dataset._new(self._structure, specs, start, "_WindowDataset", count)

    def scan(self, initial_state: Any, scan_func: Any, name: str | None = None) -> Dataset:
        """``scan_func(state, element)`` gives the next state and what comes out."""
        parts, specs = parts_of(_held(initial_state))
        shape = mapped(lambda _: 0, _held(initial_state))
        both = (shape, self._structure)
        traced = Function(lambda state, x: tuple(scan_func(state, x)), both, [*specs, *self._specs], True)
        states = len(parts)

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def rows() -> Iterator[Row]:
                state = list(parts)
                for row in epoch():
                    found = traced([*state, *row])
                    state = found[:states]
                    yield found[states:]

            return rows

        return Dataset._new(traced.structure[1], traced.specs[states:], start, "_ScanDataset", self._size)

    def unique(self, name: str | None = None) -> Dataset:
        """Each element once."""

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def rows() -> Iterator[Row]:
                seen: set[Any] = set()
                for row in epoch():
                    key = tuple(np.asarray(x).tobytes() if np.asarray(x).dtype.kind != "O" else str(x) for x in row)
                    if key not in seen:
                        seen.add(key)
                        yield row

            return rows

        return Dataset._new(self._structure, self._specs, start, "_UniqueDataset", UNKNOWN)

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        times = -1 if count is None else int(count) if _is_known(count) else UNKNOWN
        size = self._size * times if self._size >= 0 and times >= 0 else 0 if self._size == 0 else INFINITE
        if times == UNKNOWN or (self._size == UNKNOWN and times >= 0):
            size = UNKNOWN
        return self._made(super().repeat(_array(count) if count is not None else None), "_RepeatDataset", size)

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: Any = None, name: str | None = None
    ) -> Dataset:
        """Draws from a buffer of the next ``buffer_size`` elements, by TensorFlow's own stream of numbers."""
        first, second = seeds_of(seed)
        parent = numbers_of(first, second)
        again = reshuffle_each_iteration is None or reshuffle_each_iteration
        fixed: list[tuple[int, int]] = []

        def start(run: Run) -> Epoch:
            epoch, size = self._start(run), int(run.value(_array(buffer_size)))
            if size == -1 or size > 10**9:
                size = 10**9

            def shuffled() -> Iterator[Row]:
                if again:
                    numbers = numbers_of(next(parent), next(parent))
                else:
                    numbers = numbers_of(first, second)
                yield from shuffled_rows(epoch(), size, numbers)

            return shuffled

        del fixed
        return Dataset._new(self._structure, self._specs, start, "_ShuffleDataset", self._size)

    def take(self, count: Any, name: str | None = None) -> Dataset:
        size = UNKNOWN
        if _is_known(count):
            n = int(count)
            size = (
                self._size
                if n < 0
                else n
                if self._size == INFINITE
                else min(n, self._size)
                if self._size >= 0
                else UNKNOWN
            )
        return self._made(super().take(_array(count)), "_TakeDataset", size)

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        size = self._size
        if size >= 0:
            size = max(size - int(count), 0) if _is_known(count) else UNKNOWN
        return self._made(super().skip(_array(count)), "_SkipDataset", size)

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """Every ``num_shards``-th element, from ``index`` on."""
        count, first = int(num_shards), int(index)
        if not 0 <= first < count:
            from engine.dialects.tensorflow.eager.messages import failed

            raise failed(
                "ShardDataset",
                f"Index must be between 0 and {count - 1} (currently index = {first}, num_shards = {count}).",
            )

        def start(run: Run) -> Epoch:
            epoch = self._start(run)
            return lambda: itertools.islice(epoch(), first, None, count)

        size = len(range(first, self._size, count)) if self._size >= 0 else self._size
        return Dataset._new(self._structure, self._specs, start, "_ShardDataset", size)

    def concatenate(self, dataset: Any, name: str | None = None) -> Dataset:
        if self._structure != dataset._structure or [k for k, _ in self._specs] != [k for k, _ in dataset._specs]:
            raise TypeError(f"Incompatible dataset elements:\n  {self.element_spec} vs.   {dataset.element_spec}")
        sizes = (self._size, dataset._size)
        size = INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else sum(sizes)
        made = self._made(super().concatenate(dataset), "_ConcatenateDataset", size)
        made._specs = [
            (kind, a if a == b else _either_shape(a, b))
            for (kind, a), (_, b) in zip(self._specs, dataset._specs, strict=True)
        ]
        return made

    def prefetch(self, buffer_size: Any = None, name: str | None = None) -> Dataset:
        return self._made(super().prefetch(buffer_size), "_PrefetchDataset")

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """The elements, kept when they have been drawn once."""
        kept: list[list[Row]] = []

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def rows() -> Iterator[Row]:
                if kept:
                    yield from kept[0]
                    return
                found: list[Row] = []
                for row in epoch():
                    found.append(row)
                    yield row
                kept[:] = [found]

            return rows

        return Dataset._new(self._structure, self._specs, start, "CacheDataset", self._size)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        return self._made(super().enumerate(_array(start)), "_ZipDataset")

    def with_options(self, options: Any, name: str | None = None) -> Dataset:
        return self._made(self, "_OptionsDataset")

    def options(self) -> Options:
        return Options()

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset:
        """The elements that can be computed."""

        def start(run: Run) -> Epoch:
            epoch = self._start(run)

            def rows() -> Iterator[Row]:
                from engine.dialects.tensorflow.errors import OpError

                drawing = epoch()
                while True:
                    try:
                        yield next(drawing)
                    except StopIteration:
                        return
                    except OpError:
                        continue

            return rows

        return Dataset._new(self._structure, self._specs, start, "_IgnoreErrorsDataset", UNKNOWN)

    @staticmethod
    def sample_from_datasets(
        datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: Any = None,
    ) -> Dataset:  # fmt: skip
        raise NotImplementedError(
            "tf.data.Dataset.sample_from_datasets: this teaching engine does not draw from several datasets by weight; "
            "use choose_from_datasets, or shuffle a concatenation"
        )

    @staticmethod
    def choose_from_datasets(datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = True) -> Dataset:
        """Elements of the datasets whose numbers another one gives."""
        first = datasets[0]

        def start(run: Run) -> Epoch:
            epochs, choices = [d._start(run) for d in datasets], choice_dataset._start(run)

            def rows() -> Iterator[Row]:
                drawing = [iter(epoch()) for epoch in epochs]
                for (number,) in choices():
                    row = next(drawing[int(number)], None)
                    if row is None:
                        if stop_on_empty_dataset:
                            return
                        continue
                    yield row

            return rows

        return Dataset._new(first._structure, first._specs, start, "_DirectedInterleaveDataset", UNKNOWN)

    def apply(self, transformation_func: Any) -> Any:
        return transformation_func(self)

    # -- what is known of them ---------------------------------------------------------------------------------------
    @property
    def element_spec(self) -> Any:
        return packed(self._structure, [spec_of(kind, shape) for kind, shape in self._specs])

    def cardinality(self, name: str | None = None) -> Any:
        """How many elements there are: -1 for infinitely many, -2 if it is not known."""
        return convert(np.int64(self._size))

    def __len__(self) -> int:
        if self._size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if self._size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return self._size

    def __bool__(self) -> bool:
        return True

    # -- drawing -----------------------------------------------------------------------------------------------------
    def _epoch(self) -> Iterator[Row]:
        with quiet():
            return iter(self._start(Run(BaseSession(), {}))())

    def _element(self, row: Row) -> Any:
        items = [_element(value, *spec) for value, spec in zip(row, self._specs, strict=True)]
        return packed(self._structure, items)

    def __iter__(self) -> Any:
        if graphs._stack:
            raise RuntimeError(
                "`tf.data.Dataset` only supports Python-style iteration in eager mode or within tf.function."
            )
        return OwnedIterator(self)

    @staticmethod
    def _autograph() -> Any:
        return DatasetStaging if building() is not None else None

    def as_numpy_iterator(self) -> Iterator[Any]:
        """The elements as NumPy values."""
        return (mapped(lambda x: x.numpy() if isinstance(x, Valued) else x, element) for element in self)

    def reduce(self, initial_state: Any, reduce_func: Any, name: str | None = None) -> Any:
        """The last state of ``state = reduce_func(state, element)``."""
        parts, specs = parts_of(_held(initial_state))
        shape = mapped(lambda _: 0, _held(initial_state))
        traced = Function(reduce_func, (shape, self._structure), [*specs, *self._specs], True)
        state: Row = list(parts)
        for row in self._epoch():
            state = traced([*state, *row])
        return packed(shape, [convert(np.asarray(x) if not isinstance(x, np.generic) else x) for x in state])

    def get_single_element(self, name: str | None = None) -> Any:
        """The one element."""
        found = list(itertools.islice(self, 2))
        if len(found) != 1:
            text = "Dataset was empty." if not found else "Dataset had more than one element."
            from engine.dialects.tensorflow.eager.messages import failed

            raise failed("DatasetToSingleElement", text)
        return found[0]

    def __repr__(self) -> str:
        return f"<{self._title} element_spec={self.element_spec}>"

    __str__ = __repr__


Dataset.__name__ = Dataset.__qualname__ = "DatasetV2"


class VariantDataset(Dataset):
    """A dataset that is an element of another."""

    _title = "_VariantDataset"


class Options:
    """``tf.data.Options``: what may be set, and changes nothing here."""

    def __init__(self) -> None:
        self.experimental_deterministic = self.deterministic = None
        self.autotune = self.experimental_optimization = self.threading = Setting()
        self.experimental_distribute = Setting()


class Setting:
    """A group of options."""


def seeds_of(seed: Any) -> tuple[int, int]:
    """The two seeds of a dataset that draws."""
    first, second = random_ops.seeds_for(None if seed is None else int(seed))
    if first is None or second is None:
        return tuple(int.from_bytes(os.urandom(4), "little") for _ in range(2))  # type: ignore[return-value]
    return first, 2**31 - 1 if first == second == 0 else second


def _held(value: Any) -> Any:
    """The same structure with arrays for eager tensors; a list is an array."""
    if isinstance(value, dict):
        return {key: _held(item) for key, item in value.items()}
    if isinstance(value, tuple):
        items = [_held(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return _array(value)


def _array(value: Any) -> Any:
    if isinstance(value, Valued):
        return value._array
    if isinstance(value, list) and any(isinstance(x, Valued) for x in value):
        return np.stack([np.asarray(_array(x)) for x in value])
    if isinstance(value, list):
        return as_array(value)
    return value


def _is_known(value: Any) -> bool:
    return isinstance(value, int | np.integer | Valued) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _element(value: Any, kind: Any, shape: TensorShape) -> Any:
    if isinstance(kind, Nested):
        return value
    array = np.asarray(value)
    if kind.base_dtype._numpy.kind == "O" and array.dtype.kind != "O":
        box = np.empty(array.shape, object)
        box[...] = value
        array = box
    return convert(array)


def _window(column: Any, spec: Spec) -> Dataset:
    rows = [[value] for value in column]
    made = VariantDataset(0, [spec], lambda run: lambda: iter(rows))
    made._size = len(rows)
    return made


def _groups(size: int, batch_size: Any, drop: bool) -> int:
    if size < 0 or not _is_known(batch_size):
        return size if size < 0 else UNKNOWN
    return size // int(batch_size) if drop else -(-size // int(batch_size))


def _either_shape(a: TensorShape, b: TensorShape) -> TensorShape:
    if a.ndims is None or b.ndims is None or a.ndims != b.ndims:
        return TensorShape(None)
    return TensorShape([m if m == n else None for m, n in zip(a.as_list(), b.as_list(), strict=True)])


def _same_shapes(rows: list[Row]) -> Row:
    for column in zip(*rows, strict=True):
        shapes = [np.shape(value) for value in column]
        for place, shape in enumerate(shapes):
            if shape != shapes[0]:
                text = "[{}]"
                raise invalid(
                    f"Cannot batch tensors with different shapes in component 0. First element had shape "
                    f"{text.format(','.join(map(str, shapes[0])))} and element {place} had shape "
                    f"{text.format(','.join(map(str, shape)))}."
                )
    return stacked(rows)


def _yielded(part: Any, kind: Any) -> Any:
    if isinstance(part, Valued):
        return part._array
    return as_array(part, kind)


def _like(item: Any, structure: Any) -> Any:
    """What a generator yields, in the structure that was declared: a list may stand for a tuple."""
    if isinstance(structure, tuple) and isinstance(item, list):
        return tuple(item)
    return item


__all__ = ["Dataset", "Options", "TensorSpec"]

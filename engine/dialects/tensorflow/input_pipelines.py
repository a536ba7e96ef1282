"""Input by queues in 1.x: producers, readers, ``decode_csv``, ``tf.train.batch``, which give a value when asked."""

from __future__ import annotations

import csv
import glob
import itertools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, errors
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.datasets import Dataset
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import several
from engine.dialects.tensorflow.queues import stacked
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import Run, source, state_of
from engine.dialects.tensorflow.values import as_array
from engine.errors import GraphError
from engine.ops.registry import op
from engine.tensor_type import TensorType


class Producer:
    """A queue that gives the rows of tensors again and again."""

    def __init__(self, columns: list[Any], shuffle: bool, seed: Any, num_epochs: int | None, name: str) -> None:
        self._columns = [convert(column) for column in columns]
        self._shuffle, self._seed, self._epochs = shuffle, seed, num_epochs
        self._graph = get_default_graph()
        self.name = self._graph.unique_name(name)

    def rows(self, run: Run) -> Iterator[list[Any]]:
        """The elements, one after the other."""
        values = run.session._run([column._node for column in self._columns], {})
        draw = np.random.default_rng(self._seed)
        for _ in itertools.count() if self._epochs is None else range(self._epochs):
            order = draw.permutation(len(values[0])) if self._shuffle else range(len(values[0]))
            yield from ([value[place] for value in values] for place in order)

    def _next(self, run: Run) -> list[Any]:
        return following(run, self, self.rows, self.name)

    def dequeue(self, name: str | None = None) -> Any:
        """The tensors of the next element."""
        specs = [(column.dtype.base_dtype, column.shape[1:]) for column in self._columns]
        made = source(self._graph, "QueueDequeueV2", name or f"{self.name}_Dequeue", specs, self._next)
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)


def following(run: Run, key: Any, start: Any, name: str) -> list[Any]:
    """The next element of what ``start(run)`` gives, where this session is in it."""
    state = state_of(run.session)
    if key not in state:
        state[key] = start(run)
    for found in state[key]:
        return list(found)
    raise run.failure(
        errors.OutOfRangeError,
        f"FIFOQueue '_0_{name}' is closed and has insufficient elements (requested 1, current size 0)",
    )


def string_input_producer(
    string_tensor: Any, num_epochs: Any = None, shuffle: bool = True, seed: Any = None, capacity: int = 32,
    shared_name: Any = None, name: str = "input_producer", cancel_op: Any = None,
) -> Producer:  # fmt: skip
    """A queue of texts, mostly names of files."""
    if isinstance(string_tensor, list | tuple) and not string_tensor:
        raise ValueError("string_input_producer requires a non-null input tensor")
    return Producer([string_tensor], shuffle, seed, num_epochs, name)


def range_input_producer(
    limit: int, num_epochs: Any = None, shuffle: bool = True, seed: Any = None, capacity: int = 32,
    shared_name: Any = None, name: str = "input_producer",
) -> Producer:  # fmt: skip
    """A queue of the numbers below ``limit``."""
    return Producer([np.arange(limit, dtype=np.int32)], shuffle, seed, num_epochs, name)


def slice_input_producer(
    tensor_list: Any, num_epochs: Any = None, shuffle: bool = True, seed: Any = None, capacity: int = 32,
    shared_name: Any = None, name: str = "input_producer",
) -> list[Tensor]:  # fmt: skip
    """Tensors of the next row of each in ``tensor_list``."""
    found = Producer(list(tensor_list), shuffle, seed, num_epochs, name).dequeue()
    return found if isinstance(found, list) else [found]


def match_filenames_once(pattern: Any, name: str | None = None) -> Tensor:
    """The names of the files that are there now."""
    return convert(sorted(glob.glob(pattern)), "string", name or "matching_filenames")


class TextLineReader:
    """Reads files line by line."""

    _label = "TextLineReaderV2"

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        self._skip = skip_header_lines or 0
        self._name = name or "ReaderReadV2"

    def _read(self, name: str) -> Iterator[tuple[str, bytes]]:
        with open(name, "rb") as file:
            for number, line in enumerate(file):
                if number >= self._skip:
                    yield f"{name}:{number + 1}", line.rstrip(b"\r\n")

    def read(self, queue: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
        """(key, value) of the next line of the files that ``queue`` names."""
        text = (dtypes.as_dtype("string"), TensorShape([]))

        def lines(run: Run) -> Iterator[list[Any]]:
            for (file,) in queue.rows(run):
                path = file.decode() if isinstance(file, bytes) else str(file)
                try:
                    for key, value in self._read(path):
                        yield [as_array(key), as_array(value)]
                except OSError as error:
                    raise run.failure(errors.NotFoundError, f"{path}; {error.strerror}") from None

        def pull(run: Run) -> list[Any]:
            return following(run, self, lines, queue.name)

        found = source(get_default_graph(), "ReaderReadV2", name or self._name, [text, text], pull)
        return found.outputs[0], found.outputs[1]


class WholeFileReader(TextLineReader):
    """Reads each file as one value."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(None, name)

    def _read(self, name: str) -> Iterator[tuple[str, bytes]]:
        with open(name, "rb") as file:
            yield name, file.read()


def batch(
    tensors: Any, batch_size: int, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Tensors of ``batch_size`` elements, each computed afresh from ``tensors``."""
    return _batched(tensors, batch_size, enqueue_many, allow_smaller_final_batch, name or "batch", None)


def shuffle_batch(
    tensors: Any, batch_size: int, capacity: int, min_after_dequeue: int, num_threads: int = 1, seed: Any = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The same, drawn from a buffer of ``min_after_dequeue`` elements and more."""
    draw = (np.random.default_rng(seed), min(capacity, min_after_dequeue + batch_size))
    return _batched(tensors, batch_size, enqueue_many, allow_smaller_final_batch, name or "shuffle_batch", draw)


def _batched(tensors: Any, size: int, many: bool, smaller: bool, name: str, draw: Any) -> Any:
    keys = list(tensors) if isinstance(tensors, dict) else None
    single = keys is None and not isinstance(tensors, list | tuple)
    alone = single or (keys is None and len(tensors) == 1)
    parts = [convert(part) for part in (tensors.values() if keys is not None else [tensors] if single else tensors)]
    graph = get_default_graph()
    known = None if smaller else size
    specs = [
        (part.dtype.base_dtype, TensorShape([known]).concatenate(part.shape[1:] if many else part.shape))
        for part in parts
    ]
    nodes = [part._node for part in parts]
    key = object()

    def rows(run: Run) -> Iterator[list[Any]]:
        while True:
            try:
                values = run.session._run(nodes, {})
            except errors.OutOfRangeError:
                return
            yield from ([list(row) for row in zip(*values, strict=True)] if many else [list(values)])

    def drawn(run: Run) -> Iterator[list[Any]]:
        waiting: list[list[Any]] = []
        for row in rows(run):
            waiting.append(row)
            if len(waiting) >= draw[1]:
                yield waiting.pop(int(draw[0].integers(len(waiting))))
        while waiting:
            yield waiting.pop(int(draw[0].integers(len(waiting))))

    def pull(run: Run) -> list[Any]:
        state = state_of(run.session)
        if key not in state:
            state[key] = rows(run) if draw is None else drawn(run)
        found = list(itertools.islice(state[key], size))
        if len(found) < size and not (found and smaller):
            kind = "FIFOQueue" if draw is None else "RandomShuffleQueue"
            raise run.failure(
                errors.OutOfRangeError,
                f"{kind} '_1_{name}/{'fifo' if draw is None else 'random_shuffle'}_queue' is closed and has "
                f"insufficient elements (requested {size}, current size {len(found)})",
            )
        return stacked(found)

    made = source(graph, "QueueDequeueUpToV2" if smaller else "QueueDequeueManyV2", name, specs, pull).outputs
    if keys is not None:
        return dict(zip(keys, made, strict=True))
    return made[0] if alone else list(made)


def _csv_kernel(records: Any, *, column: int, columns: int, default: Any, dtype: Any, delimiter: str) -> Any:
    texts = np.asarray(records, object)
    found = np.empty(texts.shape, dtype)
    for place, text in np.ndenumerate(texts):
        row = next(csv.reader([text.decode()], delimiter=delimiter), [])
        if len(row) != columns:
            raise GraphError(f"Expect {columns} fields but have {len(row)} in record 0")
        given = row[column]
        if given == "":
            if default is None:
                raise GraphError(f"Field {column} is required but missing in record 0!")
            found[place] = default
        elif found.dtype.kind == "O":
            found[place] = given.encode()
        else:
            try:
                found[place] = found.dtype.type(given)
            except ValueError:
                kind = dtypes.from_numpy(found.dtype).name
                raise GraphError(f"Field {column} in record 0 is not a valid {kind}: {given}") from None
    return found


def _csv_type(records: TensorType, *, dtype: Any, **_more: Any) -> TensorType:
    return TensorType(np.dtype(dtype), records.shape)


op("tf_decode_csv", "records", _csv_kernel, _csv_type, None, category="input", symbol="csv")


def decode_csv(
    records: Any, record_defaults: Any, field_delim: str = ",", use_quote_delim: bool = True, name: str | None = None,
    na_value: str = "", select_cols: Any = None,
) -> list[Tensor]:  # fmt: skip
    """A tensor for each column of lines of a CSV file; ``record_defaults`` say their dtypes."""
    tensor = convert(records, "string")
    attributes = []
    for column, default in enumerate(record_defaults):
        kind = default if isinstance(default, dtypes.DType) else None
        given = np.zeros(0) if kind is not None else as_array(default)
        value = given.ravel().tolist()[0] if given.size else None
        dtype = (kind or dtypes.from_numpy(given.dtype)).base_dtype._numpy
        attributes.append({
            "column": column, "columns": len(record_defaults), "default": value, "dtype": dtype,
            "delimiter": field_delim,
        })  # fmt: skip
    first = apply("tf_decode_csv", "DecodeCSV", name or "DecodeCSV", [("records", tensor)], attributes[0])
    core = tensor.graph.core
    rest = [
        core.add("tf_decode_csv", [tensor._node], more, name=f"{first.op.name}:{place}/", label="DecodeCSV")
        for place, more in enumerate(attributes[1:], 1)
    ]
    return list(several(first, rest))


def TextLineDataset(filenames: Any, compression_type: Any = None, buffer_size: Any = None) -> Dataset:
    """The lines of files as a dataset of texts."""

    def start(run: Run) -> Any:
        given = np.asarray(run.value(filenames), object).ravel()
        names = [name.decode() if isinstance(name, bytes) else os.fspath(name) for name in given]

        def lines() -> Any:
            for name in names:
                try:
                    with open(name, "rb") as file:
                        for line in file.read().splitlines():
                            yield [np.array(line, object)]
                except FileNotFoundError:
                    raise errors.NotFoundError(None, None, f"{name}; No such file or directory") from None

        return lines

    return Dataset(0, [(dtypes.as_dtype("string"), TensorShape([]))], start)

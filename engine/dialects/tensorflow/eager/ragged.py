"""``tf.RaggedTensor`` with one ragged dimension: rows of different lengths, while executing eagerly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.math_ops import operator
from engine.dialects.tensorflow.eager.tensor import Valued, array_of, convert
from engine.dialects.tensorflow.shapes import TensorShape


class RaggedTensor:
    """``values`` row after row, and where each row begins (``row_splits``)."""

    __module__ = "tensorflow.python.ops.ragged.ragged_tensor"

    def __init__(self, values: Any, row_splits: Any) -> None:
        self._values, self._splits = convert(values), convert(np.asarray(row_splits, np.int64))

    # -- making ------------------------------------------------------------------------------------------------------
    @classmethod
    def from_rows(cls, rows: Sequence[Any], dtype: np.dtype[Any]) -> RaggedTensor:
        """Of arrays, one a row."""
        flat = np.concatenate([np.asarray(row, dtype) for row in rows]) if rows else np.zeros(0, dtype)
        return cls(flat, np.cumsum([0, *(len(row) for row in rows)]))

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: Any = None, validate: bool = True) -> RaggedTensor:
        return cls(values, _array(row_splits))

    @classmethod
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: Any = None, validate: bool = True) -> RaggedTensor:
        return cls(values, np.cumsum([0, *_array(row_lengths).tolist()]))

    @classmethod
    def from_value_rowids(cls, values: Any, value_rowids: Any, nrows: Any = None, **_: Any) -> RaggedTensor:
        ids = _array(value_rowids)
        count = int(ids.max()) + 1 if nrows is None else int(nrows)
        return cls(values, np.cumsum([0, *np.bincount(ids, minlength=count).tolist()]))

    @classmethod
    def from_tensor(cls, tensor: Any, lengths: Any = None, padding: Any = None, **_: Any) -> RaggedTensor:
        """The rows of a matrix, without what fills them up."""
        array = convert(tensor)._array
        rows = []
        for place, row in enumerate(array):
            count = len(row) if lengths is None else int(_array(lengths)[place])
            while lengths is None and padding is not None and count and row[count - 1] == padding:
                count -= 1
            rows.append(row[:count])
        return cls.from_rows(rows, array.dtype)

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def values(self) -> Any:
        return self._values

    flat_values = values

    @property
    def row_splits(self) -> Any:
        return self._splits

    @property
    def dtype(self) -> dtypes.DType:
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> TensorShape:
        return TensorShape([len(self._splits._array) - 1, None, *self._values._array.shape[1:]])

    ragged_rank = 1

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        return convert(np.diff(self._splits._array))

    def nrows(self, out_type: Any = "int64", name: str | None = None) -> Any:
        return convert(np.asarray(len(self._splits._array) - 1, dtypes.as_dtype(out_type)._numpy))

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Any:
        lengths = np.diff(self._splits._array)
        return convert(np.array([len(lengths), max(lengths, default=0), *self._values._array.shape[1:]], np.int64))

    def _rows(self) -> list[Any]:
        places = self._splits._array.tolist()
        return [self._values[first:last] for first, last in pairwise(places)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self._rows()[int(key[0])][key[1:] if len(key) > 2 else key[1]]
        rows = self._rows()
        if isinstance(key, slice):
            return RaggedTensor.from_rows([row._array for row in rows[key]], self._values._array.dtype)
        return rows[int(key)]

    def to_list(self) -> list[Any]:
        """Lists of Python values."""
        return [row._array.tolist() for row in self._rows()]

    def numpy(self) -> Any:
        """An array of arrays."""
        rows = [row.numpy() for row in self._rows()]
        if len({len(row) for row in rows}) == 1:
            return np.stack(rows)
        found = np.empty(len(rows), object)
        found[:] = rows
        return found

    def to_tensor(self, default_value: Any = None, name: str | None = None, shape: Any = None) -> Any:
        """A matrix, filled up."""
        array = self._values._array
        blank: Any = b"" if array.dtype.kind == "O" else 0
        sizes = self.bounding_shape()._array.tolist()
        found = np.full(sizes, blank if default_value is None else _array(default_value)[()], array.dtype)
        for place, row in enumerate(self._rows()):
            found[place, : len(row)] = row._array
        return convert(found)

    def with_values(self, new_values: Any) -> RaggedTensor:
        return RaggedTensor(new_values, self._splits._array)

    def __str__(self) -> str:
        return f"<tf.RaggedTensor {self.to_list()}>"

    __repr__ = __str__


def _array(value: Any) -> Any:
    return value._array if isinstance(value, Valued) else array_of(value)


def _element_by_element(name: str, back: bool) -> Callable[..., Any]:
    def method(self: RaggedTensor, other: Any) -> RaggedTensor:
        right = other._values if isinstance(other, RaggedTensor) else other
        return self.with_values(operator(name, right, self._values) if back else operator(name, self._values, right))

    return method


for _word, _name in {"add": "add", "sub": "subtract", "mul": "multiply", "pow": "pow"}.items():
    setattr(RaggedTensor, f"__{_word}__", _element_by_element(_name, False))
    setattr(RaggedTensor, f"__r{_word}__", _element_by_element(_name, True))


def constant(pylist: Any, dtype: Any = None, **_: Any) -> RaggedTensor:
    """``tf.ragged.constant``: of lists of different lengths.

    :raises NotImplementedError: lists of lists of lists.
    """
    if any(isinstance(x, list | tuple) for row in pylist for x in row):
        raise NotImplementedError("tf.ragged.constant: this teaching engine has one ragged dimension only")
    flat = array_of([x for row in pylist for x in row], None if dtype is None else dtypes.as_dtype(dtype))
    return RaggedTensor(flat, np.cumsum([0, *(len(row) for row in pylist)]))


NAMES: dict[str, dict[str, Any]] = {"": {"RaggedTensor": RaggedTensor}, "ragged": {"constant": constant}}

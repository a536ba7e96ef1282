"""``gather``, ``scatter`` and their kind: elements by an index along one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.indexing import _p
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.pointwise import _operand
from engine.dialects.torch.tensor import Tensor
from engine.dynamic.apply import apply
from engine.dynamic.inplace import write

GATHER = _p("gather", "gather", "GatherBackward0", default=True)


SCATTER = _p("scatter", "scatter", "ScatterBackward0", default=True)


SCATTER_ADD = _p("along_add", "scatter_add", "ScatterAddBackward0")


def _check_index(name: str, index: Tensor) -> None:
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def gather(input: Tensor, dim: int, index: Tensor) -> Any:
    axis = check_dim(dim, input._array.ndim)
    _check_index("gather", index)
    if index._array.ndim != input._array.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    size = input._array.shape[axis]
    wrong = index._array[(index._array >= size) | (index._array < 0)]
    if wrong.size:
        raise RuntimeError(f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {size}")
    return apply(GATHER, (input, index), {"axis": axis})


def _scatter(primitive: Any) -> Any:
    def scatter(
        input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: Any = None
    ) -> Any:
        source = _operand(value if src is None else src)
        axis, index = check_dim(dim, input._array.ndim), _as_row(index)
        _check_scatter(input, axis, index, source)
        return apply(primitive, (input, index, source), {"axis": axis})  # type: ignore[arg-type]

    return scatter


def _as_row(index: Tensor) -> Tensor:
    """A single index counts as a row of one."""
    return index if index._array.ndim else Tensor(index._array.reshape(1))


def _check_scatter(input: Tensor, axis: int, index: Tensor, source: Any) -> None:
    _check_index("scatter", index)
    if index._array.size and index._array.ndim != input._array.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    if isinstance(source, Tensor) and source._array.ndim != input._array.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if isinstance(source, Tensor) and source._array.dtype != input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    size = input._array.shape[axis]
    wrong = index._array[(index._array >= size) | (index._array < 0)]
    if wrong.size:
        raise RuntimeError(f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {size}")


scatter, scatter_add = _scatter(SCATTER), _scatter(SCATTER_ADD)


def _scatter_in_place(primitive: Any) -> Any:
    def scatter_(
        self: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: Any = None
    ) -> Any:
        source = _operand(value if src is None else src)
        axis, index = check_dim(dim, self._array.ndim), _as_row(index)
        _check_scatter(self, axis, index, source)
        return write(primitive, (self, index, source), {"axis": axis})  # type: ignore[arg-type]

    return scatter_


scatter_ = _scatter_in_place(_p("scatter", "scatter_", "ScatterBackward0"))


scatter_add_ = _scatter_in_place(_p("along_add", "scatter_add_", "ScatterAddBackward0"))

"""``gather``, ``scatter`` and their kind: elements by an index along one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.indexing import _p
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.pointwise import _operand
from engine.dialects.torch.selection import where
from engine.dialects.torch.tensor import Tensor
from engine.dynamic import modes
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
        if reduce is not None:
            return _reduced(input, dim, index, value if src is None else src, reduce)
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
        if reduce is not None:
            return self.copy_(_reduced(self, dim, index, value if src is None else src, reduce))
        source = _operand(value if src is None else src)
        axis, index = check_dim(dim, self._array.ndim), _as_row(index)
        _check_scatter(self, axis, index, source)
        return write(primitive, (self, index, source), {"axis": axis})  # type: ignore[arg-type]

    return scatter_


scatter_ = _scatter_in_place(_p("scatter", "scatter_", "ScatterBackward0"))


scatter_add_ = _scatter_in_place(_p("along_add", "scatter_add_", "ScatterAddBackward0"))


_REDUCTIONS = {"add": "sum", "multiply": "prod"}


def _reduced(input: Tensor, dim: int, index: Tensor, source: Any, reduce: str) -> Any:
    """The older way to :func:`scatter_reduce`, with a tensor or a number as its source."""
    if reduce not in _REDUCTIONS:
        raise RuntimeError("reduce argument must be either add or multiply.")
    if not isinstance(source, Tensor):
        source = Tensor(np.full(index._array.shape, source, input._array.dtype))
    return scatter_reduce(input, dim, index, source, _REDUCTIONS[reduce])


_MEETING = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def scatter_reduce(input: Any, dim: int, index: Tensor, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """``src`` put where ``index`` says along ``dim``; what meets in one place is summed, multiplied, …"""
    axis = check_dim(dim, input._array.ndim)
    if reduce not in ("sum", "mean", *_MEETING):
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin, got " + str(reduce))
    part = src if src.shape == index.shape else src[tuple(slice(n) for n in index.shape)]
    reached = Tensor(np.zeros(input._array.shape, input._array.dtype))
    counts = scatter_add(reached, axis, index, Tensor(np.ones(index._array.shape, input._array.dtype)))
    start = input if include_self else where(counts > 0, Tensor(np.zeros_like(input._array)), input)
    if reduce in ("sum", "mean"):
        total = scatter_add(start, axis, index, part)
        if reduce == "sum":
            return total
        many: Any = (counts + (1 if include_self else 0)).clamp(min=1)
        return total / many if input._array.dtype.kind in "fc" else total.div(many, rounding_mode="floor")
    if modes.enabled and (input.requires_grad or src.requires_grad):
        raise NotImplementedError(f"scatter_reduce: this teaching engine has no gradient of {reduce!r}")
    result = input._array.copy()
    places: list[Any] = list(np.indices(index._array.shape))
    places[axis] = index._array
    if not include_self:
        limits = np.iinfo(result.dtype) if result.dtype.kind in "iu" else None
        low, high = (-np.inf, np.inf) if limits is None else (limits.min, limits.max)
        result[counts._array > 0] = {"prod": 1, "amax": low, "amin": high}[reduce]
    _MEETING[reduce].at(result, tuple(places), part._array)
    return Tensor(result)


def scatter_reduce_(self: Any, dim: int, index: Tensor, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """:func:`scatter_reduce` in place."""
    return self.copy_(scatter_reduce(self, dim, index, src, reduce, include_self=include_self))

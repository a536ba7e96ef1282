"""Sorting, ranks and counting."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.reductions import pair_of
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply

_p = FACADE.primitive
_Sorted, _TopK = pair_of("sort"), pair_of("topk")
PICK_SORTED = _p("gather", "sort", "SortBackward0")
PICK_TOP = _p("gather", "topk", "TopkBackward0")


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    need_tensor(input, "sort")
    if input._array.ndim == 0:
        return _Sorted(input, Tensor(np.asarray(0)))
    axis = check_dim(dim, input._array.ndim)
    indices = Tensor(_order(input._array, axis, descending))
    return _Sorted(apply(PICK_SORTED, (input, indices), {"axis": axis}), indices)


def _order(array: Any, axis: int, descending: bool) -> Any:
    if descending:
        flipped = np.argsort(np.flip(array, axis), axis, kind="stable")
        return np.flip(array.shape[axis] - 1 - flipped, axis).copy()
    return np.argsort(array, axis, kind="stable")


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return sort(input, dim, descending)[1]


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    need_tensor(input, "topk")
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis] if input._array.ndim else 1
    if not 0 <= k <= size:
        raise RuntimeError("selected index k out of range")
    indices = Tensor(_order(input._array, axis, largest).take(range(k), axis))
    return _TopK(apply(PICK_TOP, (input, indices), {"axis": axis}), indices)


def msort(input: Tensor) -> Any:
    return sort(input, 0)[0]


_UNIQUE, _UNIQUE_DIM = (_p("identity", "unique", f"{name}Backward0") for name in ("Unique2", "UniqueDim"))


def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """Each value once, in order; where it was, and how often, if asked for."""
    found: Any = np.unique
    values, inverse, counts = found(input._array, return_inverse=True, return_counts=True, axis=dim)
    named = apply(_UNIQUE if dim is None else _UNIQUE_DIM, (_like(input, values),))
    shape = input._array.shape if dim is None else (-1,)
    extra = [Tensor(inverse.reshape(shape))] if return_inverse else []
    extra += [Tensor(np.asarray(counts))] if return_counts else []
    return (named, *extra) if extra else named


def _like(source: Tensor, array: Any) -> Tensor:
    """A tensor that has a gradient if its source has one: what is made of values without a derivative."""
    out = Tensor(np.asarray(array))
    out._requires_grad = source._requires_grad
    return out


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """Each run of equal values once."""
    flat = input._array.reshape(-1)
    starts = np.concatenate([[True], flat[1:] != flat[:-1]]) if flat.size else np.zeros(0, bool)
    found: list[Any] = [Tensor(flat[starts])]
    if return_inverse:
        found.append(Tensor((np.cumsum(starts) - 1).reshape(input._array.shape)))
    if return_counts:
        found.append(Tensor(np.diff(np.append(np.flatnonzero(starts), flat.size))))
    return tuple(found) if len(found) > 1 else found[0]


# -- ranks ------------------------------------------------------------------------------------------------------------
MEDIAN = _p("take", "median", "MedianBackward0")
_RANKED = {
    name: _p("pick", name, f"{name.title()}Backward{i}")
    for name, i in (("median", 1), ("nanmedian", 1), ("kthvalue", 0), ("mode", 0))
}
_Pairs = {name: pair_of(name) for name in (*_RANKED, "cummax", "cummin")}


def _ranked(name: str, input: Tensor, indices: Any, axis: int, keepdim: bool) -> Any:
    """The values at ``indices`` along ``axis``, and the indices."""
    places = Tensor(np.asarray(np.expand_dims(indices, axis) if keepdim else indices, np.int64))
    return _Pairs[name](apply(_RANKED[name], (input, places), {"axis": axis, "keepdims": keepdim}), places)


def _middle(name: str, skip_nan: bool) -> Any:
    whole = _p("take", name, f"{name.title()}Backward0")

    def median(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
        need_tensor(input, name)
        array = input._array
        if dim is None:
            flat = array.reshape(-1)
            if not flat.size:
                return Tensor(np.asarray(np.nan, array.dtype))
            order = np.argsort(flat, kind="stable")
            return apply(whole, (input.reshape(-1), Tensor(np.asarray(order[_rank(flat, skip_nan)]))), {"axis": 0})
        axis = check_dim(dim, array.ndim)
        order = np.argsort(array, axis, kind="stable")
        ranks = np.apply_along_axis(_rank, axis, array, skip_nan)
        return _ranked(
            name, input, np.take_along_axis(order, np.expand_dims(ranks, axis), axis).squeeze(axis), axis, keepdim
        )

    median.__name__ = name
    return median


def _rank(values: Any, skip_nan: bool) -> Any:
    """Which of the sorted values is the median: the lower of two; a NaN (they sort last) if there is one to be seen."""
    missing = int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
    if missing and not skip_nan:
        return len(values) - 1
    return np.asarray(max(len(values) - missing - 1, 0) // 2)


median, nanmedian = _middle("median", False), _middle("nanmedian", True)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The ``k``-th smallest element along ``dim``."""
    axis = check_dim(dim, input._array.ndim)
    if not 1 <= k <= input._array.shape[axis]:
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(axis))
    order = np.argsort(input._array, axis, kind="stable")
    return _ranked("kthvalue", input, order.take(k - 1, axis), axis, keepdim)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent value along ``dim`` (the smallest of several), and where it stands last."""
    axis = check_dim(dim, input._array.ndim)

    def place(row: Any) -> Any:
        values, counts = np.unique(row, return_counts=True)
        return np.flatnonzero(row == values[counts.argmax()])[-1]

    return _ranked("mode", input, np.apply_along_axis(place, axis, input._array), axis, keepdim)


def quantile(
    input: Any, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    """The value below which a share ``q`` of the elements lies, between two of them in proportion."""
    x = input.reshape(-1) if dim is None else input
    axis = 0 if dim is None else check_dim(dim, input._array.ndim)
    if interpolation != "linear":
        raise NotImplementedError("quantile: the teaching engine interpolates linearly only; leave interpolation out")
    if isinstance(q, Tensor) and q._array.ndim:
        from engine.dialects.torch.joining import stack

        return stack([quantile(input, float(part), dim, keepdim) for part in q._array])
    if not 0 <= float(q) <= 1:
        raise RuntimeError("quantile() q must be in the range [0, 1] but got " + str(float(q)))
    ordered = sort(x, axis)[0]
    rank = float(q) * (x._array.shape[axis] - 1)
    low, high = (ordered.narrow(axis, int(place), 1) for place in (np.floor(rank), np.ceil(rank)))
    result = low.lerp(high, rank - float(np.floor(rank)))
    return result if keepdim and dim is not None else apply(_SQUEEZE, (result,), {"axis": axis})


_SQUEEZE = _p("squeeze", "squeeze", "SqueezeBackward4")


def _running(name: str, ufunc: Any) -> Any:
    primitive = _p("gather", name, f"{name.title()}Backward0")

    def function(input: Tensor, dim: int) -> Any:
        axis = check_dim(dim, input._array.ndim)
        best = ufunc.accumulate(input._array, axis)
        shape = [-1 if i == axis else 1 for i in range(best.ndim)]
        places = np.where(input._array == best, np.arange(best.shape[axis]).reshape(shape), 0)
        indices = Tensor(np.maximum.accumulate(places, axis))
        return _Pairs[name](apply(primitive, (input, indices), {"axis": axis}), indices)

    function.__name__ = name
    return function


cummax, cummin = _running("cummax", np.maximum), _running("cummin", np.minimum)


# -- counting ---------------------------------------------------------------------------------------------------------
def bincount(input: Tensor, weights: Any = None, minlength: int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2 … stands in a vector."""
    if input._array.ndim != 1 or input._array.dtype.kind not in "iu" or (input._array < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    return Tensor(np.bincount(input._array, None if weights is None else weights._array, minlength))


def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements lie in each of ``bins`` intervals from ``min`` to ``max`` (of the data, if both are 0)."""
    array = input._array
    ends = (float(array.min()), float(array.max())) if min == max == 0 else (min, max)
    return Tensor(np.histogram(array, bins, ends)[0].astype(array.dtype))


def searchsorted(sorted_sequence: Tensor, input: Any, *, right: bool = False, side: str | None = None) -> Tensor:
    """Where values would have to be put into a sorted vector to keep it sorted."""
    values = input._array if isinstance(input, Tensor) else input
    after = right or side == "right"
    return Tensor(np.asarray(np.searchsorted(sorted_sequence._array, values, "right" if after else "left")))


def bucketize(input: Any, boundaries: Tensor, *, right: bool = False) -> Tensor:
    """In which of the intervals between ``boundaries`` each value lies."""
    return searchsorted(boundaries, input, right=right)

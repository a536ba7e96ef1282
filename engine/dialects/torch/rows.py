"""Rows by number: filled, copied, added to; and elements by mask, one after another."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.gathering import scatter_add_
from engine.dialects.torch.indexing import setitem
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.tensor import Tensor


def _rows(dim: int, index: Tensor, rank: int) -> tuple[Any, ...]:
    """The key of ``self[..., index, ...]`` along ``dim``."""
    return (*(slice(None),) * check_dim(dim, rank), index)


def index_fill_(self: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    if index._array.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    setitem(self, _rows(dim, index, self._array.ndim), value)
    return self


def index_copy_(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    setitem(self, _rows(dim, index, self._array.ndim), source)
    return self


def index_add_(self: Tensor, dim: int, index: Tensor, source: Any, *, alpha: Any = 1) -> Tensor:
    axis = check_dim(dim, self._array.ndim)
    shape = [-1 if i == axis else 1 for i in range(self._array.ndim)]
    places = Tensor(np.broadcast_to(index._array.reshape(shape), source._array.shape))
    return scatter_add_(self, axis, places, source if alpha == 1 else source * alpha)  # type: ignore[no-any-return]


def index_put_(self: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    key = tuple(indices)
    setitem(self, key, self[key] + values if accumulate else values)  # type: ignore[index]
    return self


def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The elements of ``source`` one after another where ``mask`` holds."""
    whole = Tensor(np.broadcast_to(mask._array, self._array.shape))
    setitem(self, whole, source.reshape(-1)[: int(whole._array.sum())])
    return self


def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    steps = Tensor(np.arange(min(self._array.shape)))
    setitem(self, (steps,) * self._array.ndim, fill_value)
    return self


def _on_a_copy(method: Any) -> Any:
    """The function that does what an in-place method does, to a copy."""

    def function(input: Any, *arguments: Any, **options: Any) -> Any:
        return method(input.clone(), *arguments, **options)

    function.__name__ = method.__name__.rstrip("_")
    return function


index_fill, index_copy, index_add, index_put, masked_scatter = (
    _on_a_copy(m) for m in (index_fill_, index_copy_, index_add_, index_put_, masked_scatter_)
)
IN_PLACE = "index_fill_ index_copy_ index_add_ index_put_ masked_scatter_"
OUT_OF_PLACE = "index_fill index_copy index_add index_put masked_scatter"

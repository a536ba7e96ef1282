"""Taking and putting at indices that are tensors, as TensorFlow's kernels do it on a CPU.

An index counts from 0, and one that is outside is refused and named with its place. (The table's ops let negative ones
count from the end, as NumPy and PyTorch do.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import BoundsError
from engine.ops import TABLE
from engine.ops.registry import op
from engine.tensor_type import Shape, TensorType

_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape", "unpromoted": frozenset({"indices"})}


def _listed(numbers: Any) -> str:
    return ",".join(str(n) for n in numbers)


def _place(word: str, where: Any) -> str:
    return f"{word}[{_listed(where)}]" if len(where) else word


def check_rows(indices: Any, size: int, word: str = "indices", said: str = "not in") -> None:
    """:raises BoundsError: the first of ``indices`` that is not in ``[0, size)``, with its place.

    >>> check_rows(np.array([[0, 1], [2, 7]]), 3)
    Traceback (most recent call last):
        ...
    engine.errors.BoundsError: indices[1,1] = 7 is not in [0, 3)
    """
    found = np.asarray(indices)
    if found.size and not (found.min() >= 0 and found.max() < size):
        where = np.argwhere((found < 0) | (found >= size))[0]
        wrong = found[tuple(where)]
        raise BoundsError(f"{_place(word, where)} = {wrong} is {said} [0, {size})")


def check_points(indices: Any, shape: tuple[int, ...], kind: str = "shape") -> None:
    """:raises BoundsError: the first point along the last axis of ``indices`` that ``shape`` does not have."""
    limits = np.array(shape[: indices.shape[-1]])
    bad = ((indices < 0) | (indices >= limits)).any(-1)
    if bad.any():
        where = np.argwhere(bad)[0]
        point = ", ".join(str(n) for n in indices[tuple(where)])
        raise BoundsError(f"{_place('indices', where)} = [{point}] does not index into {kind} [{_listed(shape)}]")


def _gather(a: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    check_rows(indices, a.shape[axis])
    if not batch_dims:
        return a.take(indices, axis)
    lead = a.shape[:batch_dims]
    found = [
        a[at].take(indices[at], (axis if axis >= 0 else axis + a.ndim) - batch_dims) for at in np.ndindex(*lead)
    ]  # fmt: skip
    return np.stack(found).reshape(*lead, *found[0].shape) if found else a[..., :0]


def _gather_type(a: TensorType, indices: TensorType, axis: int = 0, batch_dims: int = 0) -> TensorType:
    whole = TABLE["take"].type_rule(a, indices, axis=axis)
    if not batch_dims or whole.shape is None or a.shape is None or indices.shape is None:
        return whole
    place = axis % len(a.shape)
    return TensorType(a.dtype, (*a.shape[:place], *indices.shape[batch_dims:], *a.shape[place + 1 :]))


def _scatter_rows(g: Any, indices: Any, like: Any, axis: int, batch_dims: int) -> Any:
    found = np.zeros_like(like)
    at = (axis % like.ndim) - batch_dims
    for lead in np.ndindex(*like.shape[:batch_dims]):
        np.add.at(found[lead], (*(slice(None),) * at, indices[lead]), g[lead])
    return found


op("tf_batched_put", "g indices like", _scatter_rows, lambda g, indices, like, axis, batch_dims: like, None,
   category="gradient", symbol="nabla", unpromoted=frozenset({"indices"}))  # fmt: skip


def _gather_gradient(F: Any, g: Any, a: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    return F.tf_batched_put(g, indices, a, axis, batch_dims)


op("tf_gather", "a indices", lambda a, indices, axis=0: _gather(a, indices, axis),
   lambda a, indices, axis=0: _gather_type(a, indices, axis),
   {"a": lambda F, g, indices, a_shape, axis: F.put(g, indices, a_shape, axis)},
   traffic="rows", formula="a_{i}", **_SHAPE)  # fmt: skip
op("tf_batched_gather", "a indices", _gather, _gather_type, {"a": _gather_gradient}, traffic="rows",
   formula="a_{bi_b}", **_SHAPE)  # fmt: skip


def _points(name: str, kind: str) -> Callable[..., Any]:
    plain = TABLE[name].kernel

    def kernel(a: Any, indices: Any, shape: Shape | None = None) -> Any:
        sizes: Any = a.shape if shape is None else shape
        check_points(indices, sizes, kind)
        return plain(a, indices) if shape is None else plain(a, indices, shape)

    return kernel


_gather_points, _scatter_points = _points("gather_nd", "param shape"), _points("scatter_nd", "shape")
op("tf_gather_nd", "a indices", lambda a, indices: _gather_points(a, indices), TABLE["gather_nd"].type_rule,
   {"a": lambda F, g, indices, a_shape: F.scatter_nd(g, indices, a_shape)},
   traffic="rows", formula="a_{i_1 i_2}", **_SHAPE)  # fmt: skip
op("tf_scatter_nd", "a indices", lambda a, indices, shape: _scatter_points(a, indices, shape),
   TABLE["scatter_nd"].type_rule, {"a": lambda F, g, indices: F.tf_gather_nd(g, indices)},
   formula=r"\sum_i g_i e_i", **_SHAPE)  # fmt: skip

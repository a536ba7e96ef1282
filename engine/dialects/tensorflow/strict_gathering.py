"""Taking and putting at indices that are tensors, as TensorFlow's kernels do it on a CPU.

An index counts from 0, and one that is outside is refused and named with its place. (The table's ops let negative ones
count from the end, as NumPy and PyTorch do.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import BoundsError, ShapeError
from engine.ops import TABLE
from engine.ops.indexing import element
from engine.ops.registry import op
from engine.ops.type_rules import need_integer
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


def _placed(a: Shape, indices: Shape, axis: int, batch_dims: int) -> tuple[int, int]:
    """``axis`` and the number of axes that both have in common, counted from the front.

    :raises ShapeError: there is no such axis, or the common axes differ.
    """
    needed = -axis if axis < 0 else axis + 1
    if needed > len(a):
        raise ShapeError(f"Shape must be at least rank {needed} but is rank {len(a)}")
    axis %= len(a)
    lead = batch_dims + len(indices) if batch_dims < 0 else batch_dims
    if not 0 <= lead <= len(indices):
        raise ShapeError(f"Expected batch_dims in the range [-{len(indices)}, {len(indices)}], but got {batch_dims}")
    if lead > axis:
        raise ShapeError(f"batch_dims ({lead}) must be less than or equal to axis ({axis})")
    for place, (rows, given) in enumerate(zip(a[:lead], indices[:lead], strict=True)):
        if rows is not None and given is not None and rows != given:
            raise ShapeError(f"params.shape[{place}]: {rows} should be equal to indices.shape[{place}]: {given}")
    return axis, lead


def _key(indices: Any, axis: int, lead: int) -> tuple[Any, ...]:
    """Each of the rows along the first ``lead`` axes at its own indices. NumPy puts the axes of ``indices`` first."""
    rows = np.ogrid[tuple(slice(n) for n in indices.shape[:lead])]
    spread = (slice(None),) * lead + (None,) * (indices.ndim - lead)
    return (*(row[spread] for row in rows), *(slice(None),) * (axis - lead), indices)


def _moved(a: Any, indices: Any, axis: int, lead: int, back: bool = False) -> Any:
    """The axes of ``indices`` from where :func:`_key` has them to the place of ``axis``, or ``back``."""
    ends = range(lead, indices.ndim), range(axis, axis + indices.ndim - lead)
    return np.moveaxis(a, *(reversed(ends) if back else ends)) if lead else a


def _gather(a: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    axis, lead = _placed(a.shape, indices.shape, axis, batch_dims)
    check_rows(indices, a.shape[axis])
    if not lead:
        return element(a, a.take(indices, axis))
    return np.ascontiguousarray(_moved(a[_key(indices, axis, lead)], indices, axis, lead))


def _gather_type(a: TensorType, indices: TensorType, axis: int = 0, batch_dims: int = 0) -> TensorType:
    need_integer("gather", "indices", indices.dtype)
    if a.shape is None or indices.shape is None:
        return TensorType(a.dtype, None)
    axis, lead = _placed(a.shape, indices.shape, axis, batch_dims)
    return TensorType(a.dtype, (*a.shape[:axis], *indices.shape[lead:], *a.shape[axis + 1 :]))


def _put(g: Any, indices: Any, like: Any, axis: int, batch_dims: int) -> Any:
    """The transpose of :func:`_gather`."""
    found = np.zeros_like(like)
    axis, lead = _placed(like.shape, indices.shape, axis, batch_dims)
    np.add.at(found, _key(indices, axis, lead), _moved(g, indices, axis, lead, back=True))
    return found


def _take(a: Any, indices: Any, axis: int = 0) -> Any:
    size = a.shape[axis]
    return _gather(a, np.where(indices < 0, indices + size, indices), axis)


op("tf_batched_put", "g indices like", _put, lambda g, indices, like, axis, batch_dims: like,
   {"g": lambda F, h, indices, axis, batch_dims: F.tf_batched_gather(h, indices, axis, batch_dims)},
   category="gradient", symbol="nabla", unpromoted=frozenset({"indices"}))  # fmt: skip
op("tf_batched_gather", "a indices", _gather, _gather_type,
   {"a": lambda F, g, a, indices, axis, batch_dims: F.tf_batched_put(g, indices, a, axis, batch_dims)},
   traffic="rows", formula="a_{bi_b}", **_SHAPE)  # fmt: skip
for _name, _kernel in (("tf_gather", lambda a, indices, axis=0: _gather(a, indices, axis)), ("tf_take", _take)):
    # Keras lets negative indices count from the end: that is ``tf_take``.
    op(_name, "a indices", _kernel, lambda a, indices, axis=0: _gather_type(a, indices, axis),
       {"a": lambda F, g, indices, a_shape, axis: F.put(g, indices, a_shape, axis)},
       traffic="rows", formula="a_{i}", **_SHAPE)  # fmt: skip


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

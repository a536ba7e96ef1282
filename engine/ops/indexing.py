"""Selecting, joining and scattering.

Basic indexing takes a *description* of the index, hashable so that equal ops can be merged: a tuple of integers,
:class:`Slice`, ``None`` (new dimension) and ``Ellipsis``. :func:`describe_index` makes it from what stood in
``x[...]``."""

from __future__ import annotations

import operator
from functools import lru_cache
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np

from engine.errors import BoundsError, DtypeError
from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import normal_axis, shape_error, show, unify
from engine.tensor_type import Shape, TensorType

_add_at: Any = np.add.at
_sum: Any = np.add.reduce
_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}


class Slice(NamedTuple):
    """A hashable ``slice``."""

    start: int | None = None
    stop: int | None = None
    step: int | None = None


Part = int | Slice | EllipsisType | None
Index = tuple[Part, ...]


def describe_index(key: Any) -> Index:
    """The description of a basic index: what stood between the brackets, made hashable.

    >>> describe_index((0, slice(None, 2), ...))
    (0, Slice(start=None, stop=2, step=None), Ellipsis)

    :raises DtypeError: a part is no integer, slice, ``None`` or ``...`` (arrays of indices go through ``take``).
    """
    parts = key if isinstance(key, tuple) else (key,)
    return tuple(_describe(part) for part in parts)


def _describe(part: Any) -> Part:
    if part is None or part is Ellipsis:
        return part
    if isinstance(part, slice):
        ends = (part.start, part.stop, part.step)
        return Slice(*(None if end is None else operator.index(end) for end in ends))
    if not isinstance(part, bool):
        try:
            return operator.index(part)
        except TypeError:
            pass
    raise DtypeError(
        f"getitem: {type(part).__name__} is no basic index; use integers, slices, None or ... (or take for arrays)"
    )


@lru_cache(maxsize=4096)
def _key(index: Index) -> tuple[Any, ...]:
    return tuple(slice(*part) if isinstance(part, Slice) else part for part in index)


def getitem_kernel(a: Array, index: Index) -> Array:
    return element(a, a[_key(index)])


def element(a: Array, found: Any) -> Array:
    """What an index gives of ``a``, as an array: of an array of texts NumPy gives a bare text."""
    if a.dtype.kind != "O" or isinstance(found, np.ndarray):
        return found  # type: ignore[no-any-return]
    whole = np.empty((), object)
    whole[()] = found
    return whole


def _getitem_type(a: TensorType, index: Index) -> TensorType:
    return indexed("getitem", a, index)


def indexed(name: str, a: TensorType, index: Index) -> TensorType:
    """The type of ``a[index]``; ``name`` is the op that errors speak of.

    :raises ShapeError: too many indices, two ellipses, a step of 0.
    :raises BoundsError: an integer that the axis does not have.
    """
    if a.shape is None:
        return TensorType(a.dtype, None)
    used = sum(part is not None and part is not Ellipsis for part in index)
    if used > len(a.shape):
        raise shape_error(name, f"{used} indices are too many for shape {show(a.shape)}", a)
    if sum(part is Ellipsis for part in index) > 1:
        raise shape_error(name, "an index can have only one ellipsis (...)", a)
    full = index if Ellipsis in index else (*index, Ellipsis)
    sizes, result = list(a.shape), list[int | None]()
    for part in full:
        if part is None:
            result.append(1)
        elif part is Ellipsis:
            rest = len(a.shape) - used
            result += sizes[:rest]
            del sizes[:rest]
        elif isinstance(part, Slice):
            size = sizes.pop(0)
            if part.step == 0:
                raise shape_error(name, "the step of a slice cannot be 0", a)
            result.append(_slice_size(part, size))
        else:
            size, place = sizes.pop(0), len(a.shape) - len(sizes) - 1
            assert isinstance(part, int)
            if size is not None and not -size <= part < size:
                raise BoundsError(
                    f"{name}: index {part} is out of bounds for axis {place} with size {size} of shape "
                    f"{show(a.shape)}; " + (f"use {-size} to {size - 1}" if size else "it has no elements")
                )
    return TensorType(a.dtype, tuple(result))


def _slice_size(part: Slice, size: int | None) -> int | None:
    if size is not None:
        return len(range(*slice(*part).indices(size)))
    return None


op(
    "getitem",
    "a",
    getitem_kernel,
    _getitem_type,
    {"a": lambda F, g, a_shape, index: F.embed(g, a_shape, index)},
    view=True,
    formula=r"a_{i}",
    **_SHAPE,
)


def embed_kernel(a: Array, shape: tuple[int, ...], index: Index) -> Array:
    """Zeros of ``shape`` with ``a`` at ``index``: the transpose of ``getitem``."""
    result = np.zeros(shape, a.dtype)
    result[_key(index)] = a
    return result


def _embed_type(a: TensorType, shape: Shape | None, index: Index) -> TensorType:
    part = indexed("embed", TensorType(a.dtype, shape), index)
    unify("embed", "the values and the part of the result that they go to", a.shape, part.shape, a)
    return TensorType(a.dtype, shape)


shape_op("embed", embed_kernel, _embed_type, {"a": lambda F, g, index: F.getitem(g, index)},
         formula=r"\operatorname{embed}(a)", **_GRADIENT)  # fmt: skip


def along(axis: int, part: Part) -> Index:
    """The index that takes ``part`` along ``axis`` and everything along the others."""
    if axis >= 0:
        return (*(Slice(),) * axis, part)
    return (Ellipsis, part, *(Slice(),) * (-axis - 1))


def select_kernel(a: Array, axis: int, index: int) -> Array:
    """``a`` at one ``index`` along ``axis``, which goes."""
    return element(a, a[_key(along(axis, index))])


def _select_type(a: TensorType, axis: int, index: int) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None)
    place = normal_axis("select", axis, len(a.shape), a)
    return indexed("select", a, along(place, index))


op("select", "a", select_kernel, _select_type,
   {"a": lambda F, g, a_shape, axis, index: F.embed(g, a_shape, along(axis, index))},
   view=True, formula=r"a_{\cdot i}", **_SHAPE)  # fmt: skip

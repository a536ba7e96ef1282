"""Selecting, joining and scattering.

Basic indexing takes a *description* of the index, hashable so that equal ops can be merged: a tuple of integers,
:class:`Slice`, ``None`` (new dimension) and ``Ellipsis``. :func:`describe_index` makes it from what stood in ``x[...]``.
"""

from __future__ import annotations

import operator
from functools import lru_cache
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np

from engine.errors import DtypeError, ShapeError
from engine.ops.promotion import DEFAULT_FLOAT, DType, result_dtype
from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import need_integer, normal_axis, show, shape_error, unify
from engine.tensor_type import Shape, TensorType

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
        return part  # type: ignore[no-any-return]
    if isinstance(part, slice):
        ends = (part.start, part.stop, part.step)
        return Slice(*(None if end is None else operator.index(end) for end in ends))
    if isinstance(part, bool) or not hasattr(part, "__index__"):
        raise DtypeError(f"getitem: {type(part).__name__} is no basic index; use integers, slices, None or ... (or take for arrays)")
    return operator.index(part)


@lru_cache(maxsize=4096)
def _key(index: Index) -> tuple[Any, ...]:
    return tuple(slice(*part) if isinstance(part, Slice) else part for part in index)


def getitem_kernel(a: Array, index: Index) -> Array:
    return a[_key(index)]  # type: ignore[no-any-return]


def _getitem_type(a: TensorType, index: Index) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None)
    used = sum(part is not None and part is not Ellipsis for part in index)
    if used > len(a.shape):
        raise shape_error("getitem", f"{used} indices are too many for shape {show(a.shape)}", a)
    if sum(part is Ellipsis for part in index) > 1:
        raise shape_error("getitem", "an index can have only one ellipsis (...)", a)
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
                raise shape_error("getitem", "the step of a slice cannot be 0", a)
            result.append(_slice_size(part, size))
        else:
            size, place = sizes.pop(0), len(a.shape) - len(sizes) - 1
            assert isinstance(part, int)
            if size is not None and not -size <= part < size:
                raise shape_error(
                    "getitem", f"index {part} is out of bounds for axis {place} with size {size} of shape {show(a.shape)}; "
                    + (f"use {-size} to {size - 1}" if size else "it has no elements"), a,
                )  # fmt: skip
    return TensorType(a.dtype, tuple(result))


def _slice_size(part: Slice, size: int | None) -> int | None:
    if size is not None:
        return len(range(*slice(*part).indices(size)))
    return None


op("getitem", "a", getitem_kernel, _getitem_type, {"a": lambda F, g, a_shape, index: F.embed(g, a_shape, index)}, view=True,
   formula=r"a_{i}", **_SHAPE)  # fmt: skip


def embed_kernel(a: Array, shape: tuple[int, ...], index: Index) -> Array:
    """Zeros of ``shape`` with ``a`` at ``index``: the transpose of ``getitem``."""
    result = np.zeros(shape, a.dtype)
    result[_key(index)] = a
    return result


def _embed_type(a: TensorType, shape: Shape | None, index: Index) -> TensorType:
    part = _getitem_type(TensorType(a.dtype, shape), index)
    unify("embed", "the values and the part of the result that they go to", a.shape, part.shape, a)
    return TensorType(a.dtype, shape)


shape_op("embed", embed_kernel, _embed_type, {"a": lambda F, g, index: F.getitem(g, index)},
         formula=r"\operatorname{embed}(a)", **_GRADIENT)  # fmt: skip


# -- indices in a tensor ----------------------------------------------------------------------------------------------
def take_kernel(a: Array, indices: Array, axis: int = 0) -> Array:
    """``a`` at ``indices`` along ``axis``; the indices' shape takes the axis' place."""
    return a.take(indices, axis)


def _take_type(a: TensorType, indices: TensorType, axis: int = 0) -> TensorType:
    need_integer("take", "indices", indices.dtype)
    if a.shape is None:
        return TensorType(a.dtype, None)
    place = normal_axis("take", axis, len(a.shape), a)
    return TensorType(a.dtype, None if indices.shape is None else (*a.shape[:place], *indices.shape, *a.shape[place + 1 :]))


op("take", "a indices", take_kernel, _take_type,
   {"a": lambda F, g, indices, a_shape, axis: F.put(g, indices, a_shape, axis)},
   unpromoted=frozenset({"indices"}), formula=r"a_{i}", **_SHAPE)  # fmt: skip


def put_kernel(a: Array, indices: Array, shape: tuple[int, ...], axis: int = 0) -> Array:
    """Zeros of ``shape`` with ``a`` added at ``indices`` along ``axis``: the transpose of ``take``."""
    result = np.zeros(shape, a.dtype)
    np.add.at(result, (slice(None),) * (axis % len(shape)) + (indices,), a)
    return result


def _put_type(a: TensorType, indices: TensorType, shape: Shape | None, axis: int = 0) -> TensorType:
    part = _take_type(TensorType(a.dtype, shape), indices, axis)
    unify("put", "the values and the part of the result that they go to", a.shape, part.shape, a, indices)
    return TensorType(a.dtype, shape)


shape_op("put", put_kernel, _put_type, {"a": lambda F, g, indices, axis: F.take(g, indices, axis)}, operands="a indices",
         unpromoted=frozenset({"indices"}), formula=r"\sum_{i} g_i e_i", **_GRADIENT)  # fmt: skip


def gather_kernel(a: Array, indices: Array, axis: int = 0) -> Array:
    """``a[i][j] -> a[indices[i][j]][j]`` for axis 0: one index for each element of the result."""
    if axis < 0:
        axis += a.ndim
    return a[_along(indices, axis)]  # type: ignore[no-any-return]


def _along(indices: Array, axis: int) -> tuple[Array, ...]:
    grid = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
    grid[axis] = indices
    return tuple(grid)


def _gather_type(a: TensorType, indices: TensorType, axis: int = 0) -> TensorType:
    need_integer("gather", "indices", indices.dtype)
    if a.shape is None or indices.shape is None:
        return TensorType(a.dtype, indices.shape)
    place = normal_axis("gather", axis, len(a.shape), a)
    if len(indices.shape) != len(a.shape) or any(
        i is not None and d is not None and i > d
        for n, (i, d) in enumerate(zip(indices.shape, a.shape, strict=True))
        if n != place
    ):
        raise shape_error(
            "gather", f"indices of shape {show(indices.shape)} must have as many dimensions as {show(a.shape)} and be no "
            f"larger except along axis {place}", a, indices,
        )  # fmt: skip
    return TensorType(a.dtype, indices.shape)


op("gather", "a indices", gather_kernel, _gather_type,
   {"a": lambda F, g, indices, a_shape, axis: F.ungather(g, indices, a_shape, axis)},
   unpromoted=frozenset({"indices"}), formula=r"a_{i_{jk}k}", **_SHAPE)  # fmt: skip


def ungather_kernel(a: Array, indices: Array, shape: tuple[int, ...], axis: int = 0) -> Array:
    """Zeros of ``shape`` with each element of ``a`` added where ``gather`` took it from."""
    result = np.zeros(shape, a.dtype)
    np.add.at(result, _along(indices, axis % len(shape)), a)
    return result


def _ungather_type(a: TensorType, indices: TensorType, shape: Shape | None, axis: int = 0) -> TensorType:
    _gather_type(TensorType(a.dtype, shape), indices, axis)
    return TensorType(a.dtype, shape)


shape_op("ungather", ungather_kernel, _ungather_type, {"a": lambda F, g, indices, axis: F.gather(g, indices, axis)},
         operands="a indices", unpromoted=frozenset({"indices"}), formula=r"\sum_{jk} g_{jk} e_{i_{jk}k}", **_GRADIENT)  # fmt: skip


def scatter_add_kernel(a: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """A copy of ``a`` with ``updates`` added at ``indices`` along ``axis`` (equal indices add up)."""
    result = np.array(a)
    np.add.at(result, (slice(None),) * (axis % a.ndim) + (indices,), updates)
    return result


def _scatter_type(a: TensorType, indices: TensorType, updates: TensorType, axis: int = 0) -> TensorType:
    part = _take_type(a, indices, axis)
    unify("scatter_add", "updates and the part they are added to", updates.shape, part.shape, a, indices, updates)
    return TensorType(result_dtype(a, updates), a.shape)


op("scatter_add", "a indices updates", scatter_add_kernel, _scatter_type,
   {"a": lambda F, g: g, "updates": lambda F, g, indices, axis: F.take(g, indices, axis)},
   promotion="common", unpromoted=frozenset({"indices"}), formula=r"a + \sum_i u_i e_i", **_SHAPE)  # fmt: skip


def one_hot_kernel(indices: Array, depth: int, dtype: DType = DEFAULT_FLOAT) -> Array:
    """A last dimension of size ``depth`` that is 1 at the index, else 0; zeros for an index outside."""
    return (indices[..., None] == np.arange(depth)).astype(dtype)  # type: ignore[no-any-return]


def _one_hot_type(indices: TensorType, depth: int, dtype: DType = DEFAULT_FLOAT) -> TensorType:
    need_integer("one_hot", "indices", indices.dtype)
    if depth < 0:
        raise shape_error("one_hot", f"depth {depth} is negative; give the number of classes", indices)
    return TensorType(np.dtype(dtype), None if indices.shape is None else (*indices.shape, depth))


op("one_hot", "indices", one_hot_kernel, _one_hot_type, None, formula=r"e_i", category="shape", symbol="1ₕ")


# -- joining ----------------------------------------------------------------------------------------------------------
def concat_kernel(*parts: Array, axis: int = 0) -> Array:
    return np.concatenate(parts, axis)


def _concat_type(*parts: TensorType, axis: int = 0) -> TensorType:
    dtype = result_dtype(*parts)
    known = [part.shape for part in parts if part.shape is not None]
    if not known:
        return TensorType(dtype, None)
    place = normal_axis("concat", axis, len(known[0]), TensorType(dtype, known[0]))
    merged: Shape | None = None
    total: int | None = 0
    for part in parts:
        if part.shape is None:
            total = None
            continue
        if len(part.shape) != len(known[0]):
            raise _joining_error("concat", parts, place)
        size = part.shape[place]
        total = None if total is None or size is None else total + size
        others = (*part.shape[:place], None, *part.shape[place + 1 :])
        try:
            merged = unify("concat", "parts", merged, others)
        except ShapeError:
            raise _joining_error("concat", parts, place) from None
    assert merged is not None
    return TensorType(dtype, (*merged[:place], total, *merged[place + 1 :]))


def _joining_error(name: str, parts: tuple[TensorType, ...], axis: int) -> ShapeError:
    listed = ", ".join(show(part.shape) for part in parts)
    return shape_error(name, f"shapes {listed} differ in more than axis {axis}; parts must agree everywhere else", *parts)


def _concat_vjp(F: Any, g: Any, parts_shapes: tuple[Any, ...], axis: int, index: int) -> Any:
    return F.concat_part(g, parts_shapes, axis, index)


op("concat", "*parts", concat_kernel, _concat_type, {"parts": _concat_vjp}, promotion="common", category="shape",
   symbol="∥", formula=r"[a; b]")  # fmt: skip


def _part_key(shapes: tuple[Any, ...], axis: int, part: int) -> tuple[slice, ...]:
    axis %= len(shapes[0])
    start = sum(shape[axis] for shape in shapes[:part])
    return (*(slice(None),) * axis, slice(start, start + shapes[part][axis]))


def concat_part_kernel(a: Array, shapes: tuple[tuple[int, ...], ...], axis: int, part: int) -> Array:
    """The part of ``a`` that came from operand ``part`` of a ``concat`` of operands with these ``shapes``."""
    return a[_part_key(shapes, axis, part)]  # type: ignore[no-any-return]


def _concat_part_type(a: TensorType, shapes: tuple[Shape | None, ...], axis: int, part: int) -> TensorType:
    return TensorType(a.dtype, shapes[part])


def concat_part_like_kernel(*operands: Array, axis: int, part: int) -> Array:
    return concat_part_kernel(operands[0], tuple(like.shape for like in operands[1:]), axis, part)


def _concat_part_like_type(*operands: TensorType, axis: int, part: int) -> TensorType:
    return TensorType(operands[0].dtype, operands[1 + part].shape)


def _concat_part_like_vjp(F: Any, g: Any, operands_shapes: Any, axis: int, part: int, index: int) -> Any:
    return F.concat_unpart(g, operands_shapes[1:], axis, part) if index == 0 else None


def _concat_unpart_like_vjp(F: Any, g: Any, operands_shapes: Any, axis: int, part: int, index: int) -> Any:
    return F.concat_part(g, operands_shapes[1:], axis, part) if index == 0 else None


op("concat_part", "a", concat_part_kernel, _concat_part_type,
   {"a": lambda F, g, shapes, axis, part: F.concat_unpart(g, shapes, axis, part)},
   view=True, like="concat_part_like", formula=r"g_{i..j}", **_GRADIENT)  # fmt: skip


op("concat_part_like", "*operands", concat_part_like_kernel, _concat_part_like_type, {"operands": _concat_part_like_vjp},
   view=True, formula=r"g_{i..j}", **_GRADIENT)  # fmt: skip


def concat_unpart_kernel(a: Array, shapes: tuple[tuple[int, ...], ...], axis: int, part: int) -> Array:
    """Zeros in the shape of the whole ``concat`` with ``a`` in the place of operand ``part``."""
    place = axis % len(shapes[0])
    whole = list(a.shape)
    whole[place] = sum(shape[place] for shape in shapes)
    result = np.zeros(whole, a.dtype)
    result[_part_key(shapes, axis, part)] = a
    return result


def _concat_unpart_type(a: TensorType, shapes: tuple[Shape | None, ...], axis: int, part: int) -> TensorType:
    return TensorType(a.dtype, _concat_type(*(TensorType(a.dtype, shape) for shape in shapes), axis=axis).shape)


def concat_unpart_like_kernel(*operands: Array, axis: int, part: int) -> Array:
    return concat_unpart_kernel(operands[0], tuple(like.shape for like in operands[1:]), axis, part)


def _concat_unpart_like_type(*operands: TensorType, axis: int, part: int) -> TensorType:
    return _concat_unpart_type(operands[0], tuple(like.shape for like in operands[1:]), axis, part)


op("concat_unpart", "a", concat_unpart_kernel, _concat_unpart_type,
   {"a": lambda F, g, shapes, axis, part: F.concat_part(g, shapes, axis, part)},
   like="concat_unpart_like", formula=r"[0; g; 0]", **_GRADIENT)  # fmt: skip
op("concat_unpart_like", "*operands", concat_unpart_like_kernel, _concat_unpart_like_type,
   {"operands": _concat_unpart_like_vjp}, formula=r"[0; g; 0]", **_GRADIENT)  # fmt: skip


def stack_kernel(*parts: Array, axis: int = 0) -> Array:
    """Parts of equal shape side by side along a new ``axis``."""
    first = parts[0]
    if axis < 0:
        axis += first.ndim + 1
    result = np.empty((*first.shape[:axis], len(parts), *first.shape[axis:]), first.dtype)
    lead = (slice(None),) * axis
    for place, part in enumerate(parts):
        result[(*lead, place)] = part
    return result


def _stack_type(*parts: TensorType, axis: int = 0) -> TensorType:
    shape: Shape | None = None
    for part in parts:
        shape = unify("stack", "parts", shape, part.shape, *parts)
    if shape is None:
        return TensorType(result_dtype(*parts), None)
    place = normal_axis("stack", axis, len(shape) + 1, TensorType(parts[0].dtype, shape))
    return TensorType(result_dtype(*parts), (*shape[:place], len(parts), *shape[place:]))


op("stack", "*parts", stack_kernel, _stack_type, {"parts": lambda F, g, axis, index: F.select(g, axis, index)},
   promotion="common", category="shape", symbol="≡", formula=r"[a, b]")  # fmt: skip


def select_kernel(a: Array, axis: int, index: int) -> Array:
    """``a`` at one ``index`` along ``axis``, which goes."""
    return a[(*(slice(None),) * (axis % a.ndim), index)]  # type: ignore[no-any-return]


def _select_type(a: TensorType, axis: int, index: int) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None)
    place = normal_axis("select", axis, len(a.shape), a)
    return _getitem_type(a, (*(Slice(),) * place, index))


op("select", "a", select_kernel, _select_type,
   {"a": lambda F, g, a_shape, axis, index: F.embed(g, a_shape, (*(Slice(),) * (axis % len(a_shape)), index))},
   view=True, formula=r"a_{\cdot i}", **_SHAPE)  # fmt: skip

Widths = tuple[tuple[int, int], ...]


def pad_kernel(a: Array, widths: Widths, value: float = 0) -> Array:
    """``widths`` elements of ``value`` before and after each axis."""
    shape = tuple(before + size + after for size, (before, after) in zip(a.shape, widths, strict=True))
    result = np.full(shape, value, a.dtype)
    result[tuple(slice(before, before + size) for size, (before, _) in zip(a.shape, widths, strict=True))] = a
    return result


def _pad_type(a: TensorType, widths: Widths, value: float = 0) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, (None,) * len(widths))
    if len(widths) != len(a.shape) or any(w < 0 for pair in widths for w in pair):
        raise shape_error("pad", f"widths {widths} must be one (before, after) of 0 or more for each axis of {show(a.shape)}", a)
    return TensorType(a.dtype, tuple(None if d is None else b + d + e for d, (b, e) in zip(a.shape, widths, strict=True)))


op("pad", "a", pad_kernel, _pad_type,
   {"a": lambda F, g, widths: F.getitem(g, tuple(Slice(before, -after or None) for before, after in widths))},
   formula=r"\operatorname{pad}(a)", **_SHAPE)  # fmt: skip


def tile_kernel(a: Array, repeats: tuple[int, ...]) -> Array:
    """``a`` laid out ``repeats`` times along each axis (one number for each axis)."""
    return np.tile(a, repeats)


def _tile_type(a: TensorType, repeats: tuple[int, ...]) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, (None,) * len(repeats))
    if len(repeats) != len(a.shape) or any(n < 0 for n in repeats):
        raise shape_error("tile", f"repeats {repeats} must be one number of 0 or more for each axis of {show(a.shape)}; expand_dims first", a)
    return TensorType(a.dtype, tuple(None if d is None else d * n for d, n in zip(a.shape, repeats, strict=True)))


def untile_kernel(a: Array, repeats: tuple[int, ...]) -> Array:
    """The sum over the copies that ``tile`` made: its transpose."""
    split = [size for whole, n in zip(a.shape, repeats, strict=True) for size in (n, whole // n if n else 0)]
    return np.add.reduce(a.reshape(split), tuple(range(0, 2 * a.ndim, 2)), a.dtype)  # type: ignore[no-any-return]


def _untile_type(a: TensorType, repeats: tuple[int, ...]) -> TensorType:
    return TensorType(a.dtype, None if a.shape is None else tuple(None if d is None or n == 0 else d // n for d, n in zip(a.shape, repeats, strict=True)))


op("tile", "a", tile_kernel, _tile_type, {"a": lambda F, g, repeats: F.untile(g, repeats)},
   formula=r"\operatorname{tile}(a)", **_SHAPE)  # fmt: skip
op("untile", "a", untile_kernel, _untile_type, {"a": lambda F, g, repeats: F.tile(g, repeats)},
   formula=r"\sum_r a_r", **_GRADIENT)  # fmt: skip

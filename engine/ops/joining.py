"""Joining tensors, and laying one out with copies or a border."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.indexing import Slice
from engine.ops.promotion import joined_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import normal_axis, shape_error, show, unify
from engine.ops.undispatched import concatenate
from engine.tensor_type import Shape, TensorType

_add_at: Any = np.add.at
_sum: Any = np.add.reduce
_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}


def concat_kernel(*parts: Array, axis: int = 0) -> Array:
    return concatenate(parts, axis)  # type: ignore[no-any-return]


def _concat_type(*parts: TensorType, axis: int = 0) -> TensorType:
    dtype = joined_dtype(*parts)
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
    return shape_error(
        name, f"shapes {listed} differ in more than axis {axis}; parts must agree everywhere else", *parts
    )


def _concat_vjp(F: Any, g: Any, parts_shapes: tuple[Any, ...], axis: int, index: int) -> Any:
    return F.concat_part(g, parts_shapes, axis, index)


op("concat", "*parts", concat_kernel, _concat_type, {"parts": _concat_vjp}, promotion="moved", category="shape",
   symbol="∥", formula=r"[a; b]")  # fmt: skip


def _part_key(shapes: tuple[Any, ...], axis: int, part: int) -> tuple[slice, ...]:
    axis %= len(shapes[0])
    start = sum(shape[axis] for shape in shapes[:part])
    return (*(slice(None),) * axis, slice(start, start + shapes[part][axis]))


def concat_part_kernel(a: Array, shapes: tuple[tuple[int, ...], ...], axis: int, part: int) -> Array:
    """The part of ``a`` that came from operand ``part`` of a ``concat`` of operands with these ``shapes``."""
    return a[_part_key(shapes, axis, part)]


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


op(
    "concat_part_like",
    "*operands",
    concat_part_like_kernel,
    _concat_part_like_type,
    {"operands": _concat_part_like_vjp},
    view=True,
    formula=r"g_{i..j}",
    **_GRADIENT,
)


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
    lead: tuple[Any, ...] = (slice(None),) * axis
    for place, part in enumerate(parts):
        result[(*lead, place)] = part if part.ndim else part[()]  # a text is no array of one
    return result


def _stack_type(*parts: TensorType, axis: int = 0) -> TensorType:
    shape: Shape | None = None
    for part in parts:
        shape = unify("stack", "parts", shape, part.shape, *parts)
    if shape is None:
        return TensorType(joined_dtype(*parts), None)
    place = normal_axis("stack", axis, len(shape) + 1, TensorType(parts[0].dtype, shape))
    return TensorType(joined_dtype(*parts), (*shape[:place], len(parts), *shape[place:]))


op("stack", "*parts", stack_kernel, _stack_type, {"parts": lambda F, g, axis, index: F.select(g, axis, index)},
   promotion="moved", category="shape", symbol="≡", formula=r"[a, b]")  # fmt: skip

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
        raise shape_error(
            "pad", f"widths {widths} must be one (before, after) of 0 or more for each axis of {show(a.shape)}", a
        )
    return TensorType(
        a.dtype, tuple(None if d is None else b + d + e for d, (b, e) in zip(a.shape, widths, strict=True))
    )


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
        raise shape_error(
            "tile",
            f"repeats {repeats} must be one number of 0 or more for each axis of {show(a.shape)}; expand_dims first",
            a,
        )
    return TensorType(a.dtype, tuple(None if d is None else d * n for d, n in zip(a.shape, repeats, strict=True)))


def untile_kernel(a: Array, repeats: tuple[int, ...]) -> Array:
    """The sum over the copies that ``tile`` made: its transpose."""
    split = [size for whole, n in zip(a.shape, repeats, strict=True) for size in (n, whole // n if n else 0)]
    return _sum(a.reshape(split), tuple(range(0, 2 * a.ndim, 2)), a.dtype)  # type: ignore[no-any-return]


def _untile_type(a: TensorType, repeats: tuple[int, ...]) -> TensorType:
    return TensorType(
        a.dtype,
        None
        if a.shape is None
        else tuple(None if d is None or n == 0 else d // n for d, n in zip(a.shape, repeats, strict=True)),
    )


op("tile", "a", tile_kernel, _tile_type, {"a": lambda F, g, repeats: F.untile(g, repeats)},
   formula=r"\operatorname{tile}(a)", **_SHAPE)  # fmt: skip
op("untile", "a", untile_kernel, _untile_type, {"a": lambda F, g, repeats: F.tile(g, repeats)},
   formula=r"\sum_r a_r", **_GRADIENT)  # fmt: skip

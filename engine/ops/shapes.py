"""Ops that change a shape, not values, and those that carry gradients back through shape changes.

Ops with an attribute ``shape`` take a tuple or a *shape token* (what ``F.shape`` gives). Each has a twin whose name
ends in ``_like``, with a further operand of which only the shape is read: static graphs use it when a dimension is
unknown while building."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from engine.ops.promotion import DType
from engine.ops.reductions import spread_kernel, spread_mean_kernel
from engine.ops.registry import Array, op
from engine.ops.type_rules import Axis, broadcast, normal_axes, normal_axis, per_operand_element, shape_error, show
from engine.ops.undispatched import dot
from engine.tensor_type import Shape, TensorType

Sizes = tuple[int, ...]
_sum: Any = np.add.reduce
_BLAS = "fd"
_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape"}


def shape_op(
    name: str,
    kernel: Callable[..., Array],
    rule: Callable[..., TensorType],
    vjp: Any,
    *,
    operands: str = "a",
    **extra: Any,
) -> None:
    """Declare ``name(operands, shape, …)`` and its twin ``name_like(operands, like, …)``.

    ``kernel(operands, shape, …)`` and ``rule(operands, shape, …)`` serve both.
    """
    count = len(operands.split())
    twin = f"{name}_like"
    op(name, operands, kernel, rule, vjp, like=twin, **extra)

    # The twins are spelled out by number of operands: their attributes are read from the rule's signature.
    import inspect

    def like_kernel(*arrays: Array, **attributes: Any) -> Array:
        return kernel(*arrays[:count], arrays[count].shape, **attributes)

    def like_rule(*types: TensorType, **attributes: Any) -> TensorType:
        return rule(*types[:count], types[count].shape, **attributes)

    parameters = list(inspect.signature(rule).parameters.values())
    names = [p.replace(annotation=Any) for p in parameters]
    names[count] = names[count].replace(name="like")
    like_rule.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
    op(twin, f"{operands} like", like_kernel, like_rule, vjp, **extra)


def reshape_kernel(a: Array, shape: Sizes) -> Array:
    """The same elements in another shape; one size may be -1."""
    return a.reshape(shape)


def _reshape_type(a: TensorType, shape: Shape | None) -> TensorType:
    if shape is None:
        return TensorType(a.dtype, None)
    if any(d is not None and d < -1 for d in shape) or shape.count(-1) > 1:
        raise shape_error(
            "reshape", f"{show(shape)} is no shape: sizes are positive, and at most one is -1 (worked out)", a
        )
    if a.shape is None or None in shape:
        return TensorType(a.dtype, tuple(None if d == -1 else d for d in shape))
    known = prod(d for d in shape if d is not None and d != -1)
    if None in a.shape:
        return TensorType(a.dtype, _unknown_reshape(a.shape, shape))
    size = prod(d for d in a.shape if d is not None)
    if -1 in shape:
        if known == 0 or size % known:
            raise shape_error(
                "reshape", f"{size} elements of shape {show(a.shape)} cannot be put into {show(shape)}: "
                f"{size} is no multiple of {known}", a,
            )  # fmt: skip
        return TensorType(a.dtype, tuple(size // known if d == -1 else d for d in shape))
    if known != size:
        raise shape_error(
            "reshape", f"shape {show(a.shape)} has {size} elements, {show(shape)} has {known}; "
            "the new shape must keep the number of elements (one size may be -1)", a,
        )  # fmt: skip
    return TensorType(a.dtype, shape)


def _unknown_reshape(old: tuple[int | None, ...], new: tuple[int | None, ...]) -> Shape:
    """The result when the operand has unknown dimensions: a single one moves into -1 if the known parts agree."""
    if old.count(None) == 1 and -1 in new:
        kept, wanted = prod(d for d in old if d is not None), prod(d for d in new if d is not None and d != -1)
        if wanted and kept == 0:
            return tuple(0 if d == -1 else d for d in new)
    return tuple(None if d == -1 else d for d in new)


shape_op("reshape", reshape_kernel, _reshape_type, {"a": lambda F, g, a_shape: F.reshape(g, a_shape)},
         view=True, formula=r"\operatorname{reshape}(a)", **_SHAPE)  # fmt: skip


def transpose_kernel(a: Array, axes: Sizes | None = None) -> Array:
    return a.transpose(axes)


def _transpose_type(a: TensorType, axes: Sizes | None = None) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None if axes is None else (None,) * len(axes))
    if axes is None:
        return TensorType(a.dtype, a.shape[::-1])
    if sorted(normal_axis("transpose", i, len(a.shape), a) for i in axes) != list(range(len(a.shape))):
        raise shape_error("transpose", f"axes {axes} must name each axis of shape {show(a.shape)} once", a)
    return TensorType(a.dtype, tuple(a.shape[i] for i in axes))


def _transpose_vjp(F: Any, g: Any, axes: Sizes | None) -> Any:
    if axes is None:
        return F.transpose(g, None)
    rank = len(axes)
    places = [i % rank for i in axes]
    return F.transpose(g, tuple(places.index(i) for i in range(rank)))


op("transpose", "a", transpose_kernel, _transpose_type, {"a": _transpose_vjp}, view=True, formula=r"a^\top",
   category="shape", symbol="T")  # fmt: skip


def expand_dims_kernel(a: Array, axis: int) -> Array:
    """A new dimension of size 1 at ``axis``."""
    shape = a.shape
    if axis < 0:
        axis += len(shape) + 1
    return a.reshape((*shape[:axis], 1, *shape[axis:]))


def _expand_dims_type(a: TensorType, axis: int) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None)
    place = normal_axis("expand_dims", axis, len(a.shape) + 1, a)
    return TensorType(a.dtype, (*a.shape[:place], 1, *a.shape[place:]))


op("expand_dims", "a", expand_dims_kernel, _expand_dims_type, {"a": lambda F, g, axis: F.squeeze(g, axis)}, view=True,
   formula=r"\operatorname{expand}(a)", **_SHAPE)  # fmt: skip


def squeeze_kernel(a: Array, axis: Axis = None) -> Array:
    """Without dimensions of size 1: all of them, or those at ``axis``."""
    return a.squeeze(axis)


def _squeeze_type(a: TensorType, axis: Axis = None) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None)
    if axis is None:
        return TensorType(a.dtype, None if None in a.shape else tuple(d for d in a.shape if d != 1))
    axes = normal_axes("squeeze", axis, a)
    for i in axes:
        if a.shape[i] not in (1, None):
            raise shape_error(
                "squeeze", f"axis {i} of shape {show(a.shape)} has size {a.shape[i]}; only size 1 can go", a
            )
    return TensorType(a.dtype, tuple(d for i, d in enumerate(a.shape) if i not in axes))


op("squeeze", "a", squeeze_kernel, _squeeze_type, {"a": lambda F, g, a_shape: F.reshape(g, a_shape)}, view=True,
   formula=r"\operatorname{squeeze}(a)", **_SHAPE)  # fmt: skip


def broadcast_to_kernel(a: Array, shape: Sizes, out: Array | None = None) -> Array:
    """``a`` repeated up to ``shape`` (a copy: for small arrays that is faster than a view)."""
    if out is None:
        out = np.empty(shape, a.dtype)
    out[...] = a
    return out


def _broadcast_type(a: TensorType, shape: Shape | None) -> TensorType:
    if shape is None or a.shape is None:
        return TensorType(a.dtype, shape)
    together = broadcast("broadcast_to", a, TensorType(a.dtype, shape))
    if (
        together is None
        or len(together) > len(shape)
        or any(d == 1 and t not in (1, None) for d, t in zip(shape, together, strict=True))
    ):
        raise shape_error("broadcast_to", f"shape {show(a.shape)} cannot be repeated up to {show(shape)}", a)
    return TensorType(a.dtype, shape)


shape_op("broadcast_to", broadcast_to_kernel, _broadcast_type, {"a": lambda F, g, a_shape: F.sum_to(g, a_shape)},
         formula=r"\operatorname{broadcast}(a)", **_SHAPE)  # fmt: skip


@lru_cache(maxsize=64)
def _ones(size: int, dtype: DType) -> Array:
    ones = np.ones(size, dtype)
    ones.flags.writeable = False
    return ones


def sum_to_kernel(a: Array, shape: Sizes) -> Array:
    """The transpose of broadcasting: ``a`` summed down to ``shape``."""
    old = a.shape
    if old == shape:
        return a
    lead = len(old) - len(shape)
    if old[lead:] == shape:
        if lead == 1 and len(shape) == 1 and a.dtype.char in _BLAS and a.flags.c_contiguous:
            return dot(_ones(old[0], a.dtype), a)  # type: ignore[no-any-return]  # less than half the time of a reduction
        return _sum(a, tuple(range(lead)) if lead > 1 else 0, a.dtype)  # type: ignore[no-any-return]
    axes = (*range(lead), *(i + lead for i, size in enumerate(shape) if size == 1 and old[i + lead] != 1))
    return _sum(a, axes, a.dtype, None, True).reshape(shape)  # type: ignore[no-any-return]


def _sum_to_type(a: TensorType, shape: Shape | None) -> TensorType:
    if shape is not None and a.shape is not None:
        together = broadcast("sum_to", a, TensorType(a.dtype, shape))
        if together is None or len(together) > len(a.shape):
            raise shape_error("sum_to", f"shape {show(a.shape)} cannot be summed down to {show(shape)}", a)
    return TensorType(a.dtype, shape)


shape_op("sum_to", sum_to_kernel, _sum_to_type, {"a": lambda F, g, a_shape: F.broadcast_to(g, a_shape)}, view=True,
         formula=r"\sum a", category="reduction", symbol="sum", flops=per_operand_element())  # fmt: skip


def _spread_rule(name: str) -> Callable[..., TensorType]:
    def rule(a: TensorType, shape: Shape | None, axis: Axis = None, keepdims: bool = False) -> TensorType:
        return TensorType(a.dtype, shape)

    def mean_rule(
        a: TensorType, shape: Shape | None, axis: Axis = None, keepdims: bool = False, ddof: int = 0
    ) -> TensorType:
        return TensorType(a.dtype, shape)

    return rule if name == "spread" else mean_rule


shape_op("spread", spread_kernel, _spread_rule("spread"), {"a": lambda F, g, axis, keepdims: F.sum(g, axis, keepdims)},
         formula=r"g \mathbf{1}^\top", category="gradient", symbol="nabla")  # fmt: skip
shape_op("spread_mean", spread_mean_kernel, _spread_rule("spread_mean"),
         {"a": lambda F, g, axis, keepdims, ddof: F.mean(g, axis, keepdims, ddof)},
         formula=r"\frac{1}{n} g \mathbf{1}^\top", category="gradient", symbol="nabla")  # fmt: skip


def flip_kernel(a: Array, axis: Axis = None) -> Array:
    return np.flip(a, axis)


def _flip_type(a: TensorType, axis: Axis = None) -> TensorType:
    if a.shape is not None:
        normal_axes("flip", axis, a)
    return a


op("flip", "a", flip_kernel, _flip_type, {"a": lambda F, g, axis: F.flip(g, axis)}, view=True, category="shape",
   symbol="⇄", formula=r"\operatorname{flip}(a)")  # fmt: skip

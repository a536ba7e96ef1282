"""Type rules that several families share: dtype and shape of a result from those of the operands.

A rule takes one :class:`TensorType` (or, for elementwise ops, a Python scalar) for each operand and the attributes by
name. Unknown dimensions are ``None``, an unknown rank is shape ``None``; a rule says what it can and never guesses.
Errors name the op, the operands' shapes or dtypes, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from engine.errors import DtypeError, ShapeError
from engine.ops.promotion import BOOL, DType, Operand, category, operand_dtype
from engine.tensor_type import Shape, TensorType

Axis = int | tuple[int, ...] | None


def show(shape: Shape | None) -> str:
    """A shape as messages write it: ``(3, ?)``; an unknown rank is ``(...)``.

    >>> show((3, None)), show((5,)), show(None)
    ('(3, ?)', '(5,)', '(...)')
    """
    if shape is None:
        return "(...)"
    return str(tuple(shape)).replace("None", "?")


def shape_error(op: str, message: str, *types: TensorType) -> ShapeError:
    """A :class:`ShapeError` that begins with the op's name and knows the operands' shapes."""
    return ShapeError(f"{op}: {message}", op=op, shapes=tuple(t.shape for t in types))


def shape_of(operand: Operand) -> Shape | None:
    return operand.shape if isinstance(operand, TensorType) else ()


def broadcast(op: str, *operands: Operand) -> Shape | None:
    """The shape to which operands broadcast together; an unknown dimension beside a known one above 1 becomes known.

    :raises ShapeError: two dimensions differ and neither is 1.
    """
    shapes = [shape_of(operand) for operand in operands]
    if shapes[0] is not None and shapes.count(shapes[0]) == len(shapes):
        return shapes[0]
    known = [shape for shape in shapes if shape is not None]
    rank = max(map(len, known), default=0)
    result: list[int | None] = []
    for place in range(-rank, 0):
        dims = {shape[place] for shape in known if len(shape) >= -place}
        sizes = sorted(d for d in dims if d is not None and d != 1)
        if len(sizes) > 1:
            listed = " and ".join(show(shape) for shape in shapes)
            raise ShapeError(
                f"{op}: shapes {listed} do not broadcast: dimension {place} is {sizes[0]} in one and {sizes[1]} in "
                "another; make them equal, or give one of them size 1 there",
                op=op,
                shapes=tuple(shapes),
            )
        result.append(sizes[0] if sizes else None if None in dims else 1)
    return None if len(known) < len(shapes) else tuple(result)


def elementwise(
    op: str, promotion: str = "common", result: DType | None = None, lowest: int = 0
) -> Callable[..., TensorType]:
    """The rule of an elementwise op: operands broadcast and are promoted; ``result`` fixes the dtype (comparisons).

    ``lowest``: the lowest category that the op is defined for (1: no bools, 2: floats only).
    """

    def rule(*operands: Operand) -> TensorType:
        dtype = operand_dtype(promotion, *operands)
        assert dtype is not None
        refuse_below(op, dtype, lowest)
        return TensorType(dtype if result is None else result, broadcast(op, *operands))

    return rule


def refuse_below(op: str, dtype: DType, lowest: int) -> None:
    """Raise :class:`DtypeError` for a dtype below the category ``lowest``."""
    if category(dtype) < lowest:
        wanted = "floating-point values" if lowest == 2 else "numbers, not bools"
        raise DtypeError(
            f"{op}: works on {wanted}, but got {dtype}; cast it first "
            f"(for example to {'float32' if lowest == 2 else 'int64'})"
        )


def need_integer(op: str, what: str, dtype: DType) -> None:
    """Raise :class:`DtypeError` unless ``dtype`` is an integer dtype."""
    if dtype.kind not in "iu":
        raise DtypeError(f"{op}: {what} must be integers, but they are {dtype}; cast them to int64 first")


def need_bool(op: str, what: str, dtype: DType) -> None:
    """Raise :class:`DtypeError` unless ``dtype`` is bool."""
    if dtype != BOOL:
        raise DtypeError(f"{op}: {what} must be bool, but it is {dtype}; compare it with something first (x != 0)")


def need_rank(op: str, what: str, operand: TensorType, least: int, most: int | None = None) -> None:
    """Raise :class:`ShapeError` unless the rank is unknown or from ``least`` to ``most`` (default: ``least``)."""
    most = least if most is None else most
    if operand.shape is not None and not least <= len(operand.shape) <= most:
        wanted = f"{least}" if most == least else f"at least {least}" if most > 32 else f"{least} to {most}"
        fix = (
            "add a dimension with expand_dims or reshape"
            if len(operand.shape) < least
            else "reshape it or select from it"
        )
        raise shape_error(
            op, f"{what} must have {wanted} dimensions, but its shape is {show(operand.shape)}; {fix}", operand
        )


def normal_axis(op: str, axis: int, rank: int, operand: TensorType) -> int:
    """``axis`` counted from the front.

    :raises ShapeError: there is no such axis.
    """
    if not -rank <= axis < rank:
        raise shape_error(
            op,
            f"axis {axis} does not exist in shape {show(operand.shape)}; "
            + (f"use one from {-rank} to {rank - 1}" if rank else "a scalar has no axes"),
            operand,
        )
    return axis % rank


def normal_axes(op: str, axis: Axis, operand: TensorType) -> tuple[int, ...]:
    """``axis`` as sorted axes counted from the front; ``None`` means all. The rank must be known."""
    assert operand.shape is not None
    rank = len(operand.shape)
    if axis is None:
        return tuple(range(rank))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    normal = tuple(sorted(normal_axis(op, a, rank, operand) for a in axes))
    if len(set(normal)) < len(normal):
        raise shape_error(op, f"axes {axes} name the same axis twice; name each once", operand)
    return normal


def reduced(op: str, operand: TensorType, axis: Axis, keepdims: bool) -> Shape | None:
    """The shape that is left after reducing over ``axis``."""
    if operand.shape is None:
        return () if axis is None and not keepdims else None
    axes = normal_axes(op, axis, operand)
    if keepdims:
        return tuple(1 if i in axes else d for i, d in enumerate(operand.shape))
    return tuple(d for i, d in enumerate(operand.shape) if i not in axes)


def unify(op: str, what: str, first: Shape | None, second: Shape | None, *types: TensorType) -> Shape | None:
    """The shape of two operands that must be equal, as far as either knows it."""
    if first is None or second is None:
        return second if first is None else first
    if len(first) != len(second) or any(
        a is not None and b is not None and a != b for a, b in zip(first, second, strict=True)
    ):
        raise shape_error(op, f"{what} must have the same shape, but they are {show(first)} and {show(second)}", *types)
    return tuple(b if a is None else a for a, b in zip(first, second, strict=True))


def elements(shape: Sequence[int]) -> int:
    """How many elements a shape has."""
    return prod(shape)


def per_element(cost: int = 1) -> Callable[..., int]:
    """A flop count of ``cost`` for each element of the result."""

    def flops(out_shape: Sequence[int], *_shapes: Sequence[int], **_attributes: Any) -> int:
        return cost * prod(out_shape)

    return flops


def per_operand_element(cost: int = 1) -> Callable[..., int]:
    """A flop count of ``cost`` for each element of the first operand (reductions)."""

    def flops(_out_shape: Sequence[int], first: Sequence[int], *_shapes: Sequence[int], **_attributes: Any) -> int:
        return cost * prod(first)

    return flops

"""Rolling, repeating, triangles and diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import need_rank, normal_axes, normal_axis, shape_error, show
from engine.tensor_type import Shape, TensorType

_SHAPE: dict[str, Any] = {"category": "shape", "symbol": "shape"}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}


def roll_kernel(a: Array, shift: tuple[int, ...], axis: tuple[int, ...]) -> Array:
    """Shifted along each axis; what falls off one end comes back at the other."""
    return np.roll(a, shift, axis)


def _roll_type(a: TensorType, shift: tuple[int, ...], axis: tuple[int, ...]) -> TensorType:
    if len(shift) != len(axis):
        raise shape_error("roll", f"{len(shift)} shifts for {len(axis)} axes; give one for each", a)
    if a.shape is not None:
        normal_axes("roll", axis, a)
    return a


op("roll", "a", roll_kernel, _roll_type, {"a": lambda F, g, shift, axis: F.roll(g, tuple(-n for n in shift), axis)},
   formula=r"a_{i - s}", category="shape", symbol="⟳")  # fmt: skip


def repeat_kernel(a: Array, repeats: int, axis: int = 0) -> Array:
    """Each slice along ``axis`` ``repeats`` times in a row."""
    return np.repeat(a, repeats, axis)


def _repeat_type(a: TensorType, repeats: int, axis: int = 0) -> TensorType:
    if repeats < 0:
        raise shape_error("repeat", f"repeats = {repeats}; use 0 or more", a)
    if a.shape is None:
        return a
    place = normal_axis("repeat", axis, len(a.shape), a)
    size = a.shape[place]
    return TensorType(a.dtype, (*a.shape[:place], None if size is None else size * repeats, *a.shape[place + 1 :]))


def unrepeat_kernel(a: Array, repeats: int, axis: int = 0) -> Array:
    """The sum over each run that ``repeat`` made: its transpose."""
    place = axis % a.ndim
    shape = a.shape
    split = a.reshape((*shape[:place], shape[place] // repeats, repeats, *shape[place + 1 :]))
    return np.add.reduce(split, place + 1, a.dtype)  # type: ignore[no-any-return]


def _unrepeat_type(a: TensorType, repeats: int, axis: int = 0) -> TensorType:
    if a.shape is None:
        return a
    place = normal_axis("unrepeat", axis, len(a.shape), a)
    size = a.shape[place]
    return TensorType(a.dtype, (*a.shape[:place], None if size is None else size // repeats, *a.shape[place + 1 :]))


def _repeat_vjp(F: Any, g: Any, a_shape: Any, repeats: int, axis: int) -> Any:
    # Nothing was repeated: the result is empty, and no sum over runs would say how long `a` is.
    return F.broadcast_to(F.sum(g), a_shape) if repeats == 0 else F.unrepeat(g, repeats, axis)


op("repeat", "a", repeat_kernel, _repeat_type, {"a": _repeat_vjp}, formula=r"a_{\lfloor i / n \rfloor}", **_SHAPE)
op("unrepeat", "a", unrepeat_kernel, _unrepeat_type, {"a": lambda F, g, repeats, axis: F.repeat(g, repeats, axis)},
   formula=r"\sum_r a_r", **_GRADIENT)  # fmt: skip


# -- triangles and diagonals of the last two axes ---------------------------------------------------------------------
def tril_kernel(a: Array, diagonal: int = 0) -> Array:
    """Zero above the given ``diagonal`` (0: the main one, 1: the next above)."""
    return np.tril(a, diagonal)


def triu_kernel(a: Array, diagonal: int = 0) -> Array:
    """Zero below the given ``diagonal`` (0: the main one, 1: the next above)."""
    return np.triu(a, diagonal)


def _triangle(name: str) -> Any:
    def rule(a: TensorType, diagonal: int = 0) -> TensorType:
        need_rank(name, "the operand", a, 2, 64)
        return a

    return rule


op("tril", "a", tril_kernel, _triangle("tril"), {"a": lambda F, g, diagonal: F.tril(g, diagonal)},
   formula=r"[i \ge j - k] a_{ij}", category="shape", symbol="◺")  # fmt: skip
op("triu", "a", triu_kernel, _triangle("triu"), {"a": lambda F, g, diagonal: F.triu(g, diagonal)},
   formula=r"[i \le j - k] a_{ij}", category="shape", symbol="◹")  # fmt: skip


def diagonal_kernel(a: Array, offset: int = 0) -> Array:
    """The ``offset``-th diagonal of the last two axes, as a last axis."""
    view = np.diagonal(a, offset, -2, -1)
    view.flags.writeable = a.flags.writeable  # NumPy hands it out read-only; as a view it may be written to
    return view


def _diagonal_type(a: TensorType, offset: int = 0) -> TensorType:
    need_rank("diagonal", "the operand", a, 2, 64)
    if a.shape is None:
        return a
    rows, columns = a.shape[-2:]
    if rows is None or columns is None:
        return TensorType(a.dtype, (*a.shape[:-2], None))
    size = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    return TensorType(a.dtype, (*a.shape[:-2], size))


op(
    "diagonal",
    "a",
    diagonal_kernel,
    _diagonal_type,
    {"a": lambda F, g, a_shape, offset: F.put_diagonal(g, a_shape, offset)},
    view=True,
    formula=r"a_{ii}",
    category="shape",
    symbol="⋱",
)


def put_diagonal_kernel(a: Array, shape: tuple[int, ...], offset: int = 0) -> Array:
    """Zeros of ``shape`` with ``a`` on a diagonal of the last two axes: the transpose of ``diagonal``."""
    result = np.zeros(shape, a.dtype)
    steps = np.arange(a.shape[-1])
    result[..., steps - min(offset, 0), steps + max(offset, 0)] = a
    return result


def _put_diagonal_type(a: TensorType, shape: Shape | None, offset: int = 0) -> TensorType:
    part = _diagonal_type(TensorType(a.dtype, shape), offset).shape
    if a.is_known and part is not None and None not in part and part != a.shape:
        raise shape_error(
            "put_diagonal", f"diagonal {offset} of {show(shape)} has shape {show(part)}, not {show(a.shape)}", a
        )
    return TensorType(a.dtype, shape)


shape_op("put_diagonal", put_diagonal_kernel, _put_diagonal_type, {"a": lambda F, g, offset: F.diagonal(g, offset)},
         formula=r"\operatorname{diag}(a)", category="shape", symbol="⋱")  # fmt: skip

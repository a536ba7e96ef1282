"""Linear algebra on the last two axes: inverse, solving, determinants, Cholesky. ``float32`` and ``float64`` only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from engine.errors import DtypeError, ShapeError, StepgraphError
from engine.ops.promotion import DType, result_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import broadcast, need_rank, shape_error, show
from engine.tensor_type import TensorType


def _attempt(name: str, reason: str, function: Callable[..., Any], *arrays: Array) -> Any:
    try:
        return function(*arrays)
    except np.linalg.LinAlgError as error:
        raise StepgraphError(f"{name}: the matrix of shape {arrays[0].shape} is {reason}") from error


def inverse_kernel(a: Array) -> Array:
    """The matrix that gives the identity when multiplied with ``a``."""
    return _attempt("inverse", "singular, so it has no inverse", np.linalg.inv, a)  # type: ignore[no-any-return]


def solve_kernel(a: Array, b: Array) -> Array:
    """``x`` so that ``a @ x`` is ``b``; ``b`` is a matrix (or a batch of them)."""
    return _attempt("solve", "singular, so the system has no unique solution", np.linalg.solve, a, b)  # type: ignore[no-any-return]


def det_kernel(a: Array) -> Array:
    """The determinant."""
    return np.asarray(np.linalg.det(a))


def logabsdet_kernel(a: Array) -> Array:
    """The logarithm of the determinant's absolute value."""
    return np.asarray(np.linalg.slogdet(a).logabsdet)


def cholesky_kernel(a: Array) -> Array:
    """The lower triangle ``l`` for which ``l @ l.T`` is the symmetric part of ``a``."""
    reason = "not positive definite; add a little to its diagonal"
    return _attempt("cholesky", reason, np.linalg.cholesky, (a + a.swapaxes(-1, -2)) / 2)  # type: ignore[no-any-return]


def _check_dtype(name: str, dtype: DType) -> None:
    if dtype.char not in "fd":
        raise DtypeError(f"{name}: works on float32 and float64, but got {dtype}; cast it first")


def _square_rule(name: str, scalar: bool = False) -> Callable[..., TensorType]:
    def rule(a: TensorType) -> TensorType:
        _check_square(name, a)
        _check_dtype(name, a.dtype)
        return TensorType(a.dtype, a.shape[:-2]) if scalar and a.shape is not None else a

    return rule


def _check_square(name: str, a: TensorType) -> None:
    need_rank(name, "the matrix", a, 2, 64)
    if a.shape is not None:
        rows, columns = a.shape[-2:]
        if rows is not None and columns is not None and rows != columns:
            raise shape_error(name, f"needs a square matrix, but its shape is {show(a.shape)}", a)


def _solve_type(a: TensorType, b: TensorType) -> TensorType:
    _check_square("solve", a)
    need_rank("solve", "the right side", b, 2, 64)
    dtype = result_dtype(a, b)
    _check_dtype("solve", dtype)
    if a.shape is None or b.shape is None:
        return TensorType(dtype, None)
    size, rows = a.shape[-1], b.shape[-2]
    if size is not None and rows is not None and size != rows:
        raise shape_error(
            "solve", f"a matrix of shape {show(a.shape)} needs {size} rows on the right, not {show(b.shape)}", a, b
        )
    try:
        batch = broadcast("solve", TensorType(dtype, a.shape[:-2]), TensorType(dtype, b.shape[:-2]))
    except ShapeError:
        raise shape_error("solve", f"batches of {show(a.shape)} and {show(b.shape)} do not broadcast", a, b) from None
    assert batch is not None
    return TensorType(dtype, (*batch, size if rows is None else rows, b.shape[-1]))


def _inverse_vjp(F: Any, g: Any, out: Any) -> Any:
    return F.neg(F.matmul(F.matmul(out, g, True, False), out, False, True))


def _solve_side(F: Any, g: Any, a: Any) -> Any:
    return F.matmul(F.inverse(a), g, True, False)


def _solve_first(F: Any, g: Any, a: Any, out: Any, a_shape: Any) -> Any:
    return F.sum_to(F.neg(F.matmul(_solve_side(F, g, a), out, False, True)), a_shape)


def _flipped_inverse(F: Any, a: Any, scale: Any) -> Any:
    """``scale`` (one number for each matrix) times the transposed inverse."""
    turned = F.matmul(F.inverse(a), F.identity_like(a), True, False)
    return F.mul(turned, F.expand_dims(F.expand_dims(scale, -1), -1))


def _cholesky_vjp(F: Any, g: Any, out: Any) -> Any:
    inner = F.tril(F.matmul(out, g, True, False))
    half = F.sub(inner, F.mul(F.mul(inner, F.identity_like(inner)), 0.5))
    inverse = F.inverse(out)
    whole = F.matmul(F.matmul(inverse, half, True, False), inverse)
    return F.mul(F.add(whole, F.matmul(F.identity_like(whole), whole, False, True)), 0.5)


def identity_like_kernel(a: Array) -> Array:
    """The identity matrix in the size and dtype of ``a``'s last two axes."""
    return np.eye(a.shape[-2], a.shape[-1], dtype=a.dtype)


def _identity_like_type(a: TensorType) -> TensorType:
    need_rank("identity_like", "the matrix", a, 2, 64)
    return TensorType(a.dtype, (None, None) if a.shape is None else a.shape[-2:])


def _cubic(cost: float) -> Callable[..., int]:
    def flops(_out: Sequence[int], a: Sequence[int], *_: Sequence[int], **__: Any) -> int:
        return max(1, int(cost * prod(a) * (a[-1] if a else 1)))

    return flops


_LINALG: dict[str, Any] = {"category": "matmul"}
op("identity_like", "a", identity_like_kernel, _identity_like_type, None, formula="I", symbol="I", category="input")
op(
    "inverse",
    "a",
    inverse_kernel,
    _square_rule("inverse"),
    {"a": _inverse_vjp},
    formula="A^{-1}",
    symbol="A⁻¹",
    flops=_cubic(2),
    **_LINALG,
)
op("solve", "a b", solve_kernel, _solve_type,
   {"a": _solve_first, "b": lambda F, g, a, b_shape: F.sum_to(_solve_side(F, g, a), b_shape)},
   promotion="common", formula="A^{-1} B", symbol="A\\", flops=_cubic(2 / 3), **_LINALG)  # fmt: skip
op("det", "a", det_kernel, _square_rule("det", True), {"a": lambda F, g, a, out: _flipped_inverse(F, a, F.mul(g, out))},
   formula=r"\det A", symbol="det", flops=_cubic(2 / 3), **_LINALG)  # fmt: skip
op(
    "logabsdet",
    "a",
    logabsdet_kernel,
    _square_rule("logabsdet", True),
    {"a": lambda F, g, a: _flipped_inverse(F, a, g)},
    formula=r"\ln |\det A|",
    symbol="det",
    flops=_cubic(2 / 3),
    **_LINALG,
)
op(
    "cholesky",
    "a",
    cholesky_kernel,
    _square_rule("cholesky"),
    {"a": _cholesky_vjp},
    formula=r"L : L L^\top = A",
    symbol="L",
    flops=_cubic(1 / 3),
    **_LINALG,
)

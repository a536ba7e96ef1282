"""Products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.promotion import result_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import broadcast, need_rank, refuse_below, shape_error, show
from engine.ops.undispatched import dot
from engine.tensor_type import Shape, TensorType

_matmul: Any = np.matmul


def matmul_kernel(
    a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False, out: Array | None = None
) -> Array:
    """The product over the last axis of ``a`` and the last but one of ``b``; leading axes are batches and broadcast."""
    if a.ndim == 2 == b.ndim:  # the same BLAS call, a third less overhead
        return dot(a.T if transpose_a else a, b.T if transpose_b else b, out)  # type: ignore[no-any-return]
    if transpose_a:
        a = a.swapaxes(-1, -2)
    if transpose_b:
        b = b.swapaxes(-1, -2)
    return _matmul(a, b, out)  # type: ignore[no-any-return]


def _product_type(name: str, a: TensorType, b: TensorType, transpose_a: bool, transpose_b: bool) -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below(name, dtype, 1)
    need_rank(name, "the first operand", a, 2, 64)
    need_rank(name, "the second operand", b, 2, 64)
    rows = inner = other = columns = None
    if a.shape is not None:
        rows, inner = a.shape[:-3:-1] if transpose_a else a.shape[-2:]
    if b.shape is not None:
        other, columns = b.shape[:-3:-1] if transpose_b else b.shape[-2:]
    if inner is not None and other is not None and inner != other:
        raise shape_error(
            name,
            f"shapes {show(a.shape)}{' transposed' * bool(transpose_a)} and "
            f"{show(b.shape)}{' transposed' * bool(transpose_b)} cannot be multiplied: {inner} columns on the left, "
            f"{other} rows on the right; they must be equal (transpose one, or check the layer sizes)",
            a,
            b,
        )
    if a.shape is None or b.shape is None:
        return TensorType(dtype, None)
    try:
        batch = broadcast(name, TensorType(dtype, a.shape[:-2]), TensorType(dtype, b.shape[:-2]))
    except ShapeError:
        raise shape_error(
            name, f"the batch dimensions of shapes {show(a.shape)} and {show(b.shape)} do not broadcast; "
            "all but the last two must be equal or 1", a, b,
        ) from None  # fmt: skip
    assert batch is not None
    return TensorType(dtype, (*batch, rows, columns))


def _matmul_type(a: TensorType, b: TensorType, transpose_a: bool = False, transpose_b: bool = False) -> TensorType:
    return _product_type("matmul", a, b, transpose_a, transpose_b)


def _down(F: Any, gradient: Any, own: Any, other: Any) -> Any:
    """Sum over batch dimensions that were broadcast; two plain matrices have none."""
    try:
        if len(own) == 2 == len(other):
            return gradient
    except TypeError:  # a token of unknown rank
        pass
    return F.sum_to(gradient, own)


def _first(F: Any, g: Any, b: Any, a_shape: Any, b_shape: Any, transpose_a: bool, transpose_b: bool) -> Any:
    product = F.matmul(b, g, transpose_b, True) if transpose_a else F.matmul(g, b, False, not transpose_b)
    return _down(F, product, a_shape, b_shape)


def _second(F: Any, g: Any, a: Any, a_shape: Any, b_shape: Any, transpose_a: bool, transpose_b: bool) -> Any:
    product = F.matmul(g, a, True, transpose_a) if transpose_b else F.matmul(a, g, not transpose_a, False)
    return _down(F, product, b_shape, a_shape)


def _matmul_flops(
    out_shape: Sequence[int], a: Sequence[int], *_: Sequence[int], transpose_a: bool = False, **__: Any
) -> int:
    return 2 * prod(out_shape) * a[-2 if transpose_a else -1]


_MATMUL: dict[str, Any] = {"category": "matmul", "symbol": "@", "promotion": "common", "accepts_out": True}

op(
    "matmul",
    "a b",
    matmul_kernel,
    _matmul_type,
    {"a": _first, "b": _second},
    formula="A B",
    flops=_matmul_flops,
    **_MATMUL,
)


def addmm_kernel(bias: Array, a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """A matrix product plus ``bias``, which broadcasts: a linear layer in one step."""
    product = matmul_kernel(a, b, transpose_a, transpose_b)
    return np.add(product, bias, product)


def _addmm_type(
    bias: TensorType, a: TensorType, b: TensorType, transpose_a: bool = False, transpose_b: bool = False
) -> TensorType:
    product = _product_type("addmm", a, b, transpose_a, transpose_b)
    shape = broadcast("addmm", bias, product)
    if shape is not None and product.shape is not None:
        grown = len(shape) > len(product.shape) or any(
            p is not None and s is not None and p != s for p, s in zip(product.shape, shape, strict=True)
        )
        if grown:
            raise shape_error(
                "addmm",
                f"shape {show(bias.shape)} does not broadcast to the product's {show(product.shape)}",
                bias,
                a,
                b,
            )
    return TensorType(result_dtype(bias, a, b), product.shape)


op(
    "addmm",
    "bias a b",
    addmm_kernel,
    _addmm_type,
    {"bias": lambda F, g, bias_shape: F.sum_to(g, bias_shape), "a": _first, "b": _second},
    category="matmul",
    symbol="@+",
    promotion="common",
    formula="A B + c",
    flops=lambda out, bias, a, b, transpose_a=False, transpose_b=False: (
        prod(out) * (2 * a[-2 if transpose_a else -1] + 1)
    ),
)


def dot_kernel(a: Array, b: Array, out: Array | None = None) -> Array:
    """The inner product of two vectors."""
    return _matmul(a, b, out)  # type: ignore[no-any-return]


def _dot_type(a: TensorType, b: TensorType) -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below("dot", dtype, 1)
    need_rank("dot", "the first operand", a, 1)
    need_rank("dot", "the second operand", b, 1)
    if a.is_known and b.is_known and a.shape != b.shape:
        raise shape_error("dot", f"vectors of shapes {show(a.shape)} and {show(b.shape)} must be equally long", a, b)
    return TensorType(dtype, ())


op("dot", "a b", dot_kernel, _dot_type, {"a": lambda F, g, b: F.mul(g, b), "b": lambda F, g, a: F.mul(g, a)},
   formula=r"a^\top b", flops=lambda out, a, b: 2 * prod(a), **_MATMUL)  # fmt: skip


def matvec_kernel(a: Array, b: Array, transpose_a: bool = False, out: Array | None = None) -> Array:
    """A matrix (the last two axes of ``a``, transposed if asked) times a vector."""
    if transpose_a:
        a = a.swapaxes(-1, -2)
    return _matmul(a, b, out)  # type: ignore[no-any-return]


def _matvec_type(a: TensorType, b: TensorType, transpose_a: bool = False) -> TensorType:
    dtype = result_dtype(a, b)
    refuse_below("matvec", dtype, 1)
    need_rank("matvec", "the matrix", a, 2)
    need_rank("matvec", "the vector", b, 1)
    rows, columns = (None, None) if a.shape is None else a.shape[::-1] if transpose_a else a.shape
    if b.shape is not None and columns is not None and b.shape[0] not in (None, columns):
        raise shape_error(
            "matvec",
            f"shape {show(a.shape)}{' transposed' * bool(transpose_a)} has {columns} columns, but the vector of shape "
            f"{show(b.shape)} has {b.shape[0]} elements; they must be equal",
            a,
            b,
        )
    return TensorType(dtype, (rows,))


op("matvec", "a b", matvec_kernel, _matvec_type,
   {
       "a": lambda F, g, b, transpose_a: F.outer(b, g) if transpose_a else F.outer(g, b),
       "b": lambda F, g, a, transpose_a: F.matvec(a, g, not transpose_a),
   },
   formula="A b", flops=lambda out, a, b, transpose_a=False: 2 * prod(a), **_MATMUL)  # fmt: skip


def outer_kernel(a: Array, b: Array, out: Array | None = None) -> Array:
    """Each element of one vector times each of another."""
    return np.multiply(a[:, None], b, out)


def _outer_type(a: TensorType, b: TensorType) -> TensorType:
    need_rank("outer", "the first operand", a, 1)
    need_rank("outer", "the second operand", b, 1)
    shape: Shape = (None if a.shape is None else a.shape[0], None if b.shape is None else b.shape[0])
    return TensorType(result_dtype(a, b), shape)


op("outer", "a b", outer_kernel, _outer_type,
   {"a": lambda F, g, b: F.matvec(g, b), "b": lambda F, g, a: F.matvec(g, a, True)},
   formula=r"a b^\top", flops=lambda out, a, b: prod(out), **_MATMUL)  # fmt: skip

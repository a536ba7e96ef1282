"""Products and measures of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import constant_value
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.reductions import reduce_max, reduce_sum


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None, name: str | None = None, **_old: Any
) -> Tensor:
    """The length of a vector (of all elements, or along ``axis``)."""
    found = convert(tensor)
    with found.graph.name_scope(name or "norm"):
        if ord in ("euclidean", 2, 2.0, "fro"):
            return math_ops.sqrt(reduce_sum(math_ops.multiply(found, found), axis, keepdims))
        if ord in (1, 1.0):
            return reduce_sum(math_ops.abs_(found), axis, keepdims)
        if ord == float("inf"):
            return reduce_max(math_ops.abs_(found), axis, keepdims)
        raise NotImplementedError(f"tf.norm: this teaching engine has 1, 2, 'euclidean' and inf, not ord={ord!r}")


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the diagonal."""
    found = convert(x, name="x")
    with found.graph.name_scope(name or "Trace") as scope:
        return reduce_sum(math_ops.diag_part(found), -1, name=f"{scope}Sum")


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """A product by the names of its axes, such as ``"ij,jk->ik"``."""
    operands = [(f"inputs_{place}", convert(given)) for place, given in enumerate(inputs)]
    return apply(
        "einsum", "Einsum", kwargs.get("name") or "einsum/Einsum", operands, {"equation": equation.replace(" ", "")}
    )


def matrix_solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """``x`` for which ``matrix @ x`` is ``rhs``."""
    return apply("solve", "MatrixSolve", name, [("matrix", matrix), ("rhs", rhs)])


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """The last two axes exchanged."""
    from engine.dialects.tensorflow.array_ops import transpose

    tensor = convert(a)
    rank = tensor.shape.ndims or 2
    return transpose(tensor, [*range(rank - 2), rank - 1, rank - 2], name=name)


def complex_(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Complex numbers of two parts."""
    first = convert(real, name="real")
    kind = "complex128" if first.dtype.base_dtype.name == "float64" else "complex64"
    with first.graph.name_scope(name or "Complex") as scope:
        second = cast(convert(imag, name="imag"), kind)
        return math_ops.add(cast(first, kind), math_ops.multiply(second, convert(1j, kind)), name=scope)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The product over axes of both: the last ``axes`` of ``a`` with the first of ``b``, or two lists of them."""
    from engine.dialects.tensorflow.array_ops import reshape, transpose

    left, right = convert(a), convert(b)
    ranks = left.shape.ndims or 0, right.shape.ndims or 0
    if isinstance(axes, int):
        chosen = [list(range(ranks[0] - axes, ranks[0])), list(range(axes))]
    else:
        chosen = [
            [int(axis) % rank for axis in (part if isinstance(part, list | tuple) else [part])]
            for part, rank in zip(axes, ranks, strict=True)
        ]
    if len(chosen[0]) != len(chosen[1]):
        raise ValueError(f"Different number of contraction axes 'a' and 'b', {len(chosen[0])} != {len(chosen[1])}.")
    kept = [[axis for axis in range(rank) if axis not in part] for rank, part in zip(ranks, chosen, strict=True)]
    before, after = left.shape.as_list(), right.shape.as_list()
    inner = int(np.prod([after[axis] or 0 for axis in chosen[1]]))
    if [*kept[0], *chosen[0]] != list(range(ranks[0])):
        left = transpose(left, [*kept[0], *chosen[0]])
    if [*chosen[1], *kept[1]] != list(range(ranks[1])):
        right = transpose(right, [*chosen[1], *kept[1]])
    product = math_ops.matmul(reshape(left, [-1, inner]), reshape(right, [inner, -1]), name=name)
    sizes = [*(before[axis] for axis in kept[0]), *(after[axis] for axis in kept[1])]
    return reshape(product, [-1 if size is None else size for size in sizes])


def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Only so many diagonals below and above the main one (-1: all); zeros elsewhere.

    :raises NotImplementedError: the sizes of the matrices are not known while the graph is built.
    """
    matrices = convert(input)
    rows, columns = matrices.shape.as_list()[-2:]
    lower, upper = constant_value(convert(num_lower)), constant_value(convert(num_upper))
    if rows is None or columns is None or lower is None or upper is None:
        raise NotImplementedError("tf.matrix_band_part: this teaching engine needs to know the sizes when it builds")
    kept = (np.tri(rows, columns, int(upper)) if upper >= 0 else np.ones((rows, columns))) * (
        np.tri(columns, rows, int(lower)).T if lower >= 0 else 1
    )
    return math_ops.multiply(matrices, kept.astype(matrices.dtype.base_dtype._numpy), name=name)

"""Products and measures of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.build import apply, convert, graph_of
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import constant_value
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import several
from engine.dialects.tensorflow.reductions import reduce_max, reduce_sum
from engine.ops.registry import op
from engine.tensor_type import TensorType


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None, name: str | None = None, **_old: Any
) -> Tensor:
    """The length of a vector (of all elements, or along ``axis``)."""
    from engine.dialects.tensorflow.array_ops import squeeze

    graph = graph_of([tensor])
    with graph.as_default(), graph.name_scope(name or "norm"):
        found = convert(tensor)
        if ord in ("euclidean", 2, 2.0, "fro"):
            length = math_ops.sqrt(reduce_sum(found * found, axis, True))
        elif isinstance(ord, str) or not ord > 0 or isinstance(axis, list | tuple):
            raise NotImplementedError(f"tf.norm: this teaching engine has no ord={ord!r} along axis={axis!r}")
        else:
            sizes = math_ops.abs_(found)
            if ord == 1:
                length = reduce_sum(sizes, axis, True)
            elif ord == float("inf"):
                length = reduce_max(sizes, axis, True)
            else:
                length = math_ops.pow_(reduce_sum(math_ops.pow_(sizes, ord), axis, True), 1.0 / ord)
        return length if keepdims or _old.get("keep_dims") else squeeze(length, axis)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the diagonal."""
    graph = graph_of([x])
    with graph.as_default(), graph.name_scope(name or "Trace") as scope:
        return reduce_sum(matrix_diag_part(convert(x, name="x")), [-1], name=scope)


def matrix_diag_part(input: Any, name: str = "diag_part", k: int = 0, **_more: Any) -> Tensor:
    """The diagonal of each matrix."""
    constants = [("k", np.int32(k)), ("padding_value", np.float32(0))]
    if k:
        raise NotImplementedError(f"tf.matrix_diag_part: this teaching engine has the main diagonal, not k={k}")
    return apply("diagonal", "MatrixDiagPartV3", name, [("input", input)], constants=constants)


def self_adjoint_eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues of a symmetric matrix, from the smallest, and the eigenvectors as columns. Only the lower
    triangle is read."""
    values = apply("tf_eigenvalues", "SelfAdjointEigV2", name, [("input", tensor)])
    core, matrix = values.graph.core, values.op.inputs[0]
    vectors = core.add("tf_eigenvectors", [matrix._node], name=f"{values.op.name}:1/", label="SelfAdjointEigV2")
    first, second = several(values, [vectors])
    return first, second


def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues of a symmetric matrix, from the smallest."""
    return self_adjoint_eig(tensor, name)[0]


for _name, _part, _shape in (("tf_eigenvalues", 0, slice(-1)), ("tf_eigenvectors", 1, slice(None))):
    op(
        _name, "a", lambda a, _part=_part: np.linalg.eigh(a)[_part],
        lambda a, _shape=_shape: TensorType(a.dtype, None if a.shape is None else a.shape[_shape]), None,
        category="matmul", symbol="λ" if _part == 0 else "v",
    )  # fmt: skip


def matrix_triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """``x`` for which ``matrix @ x`` is ``rhs``; only one triangle of ``matrix`` is read."""
    graph = graph_of([matrix, rhs])
    with graph.as_default(), graph.name_scope(name or "triangular_solve"):
        triangle = apply("tril" if lower else "triu", "MatrixBandPart", None, [("input", matrix)], {"diagonal": 0})
        if adjoint:
            triangle = matrix_transpose(triangle)
        return apply("solve", "MatrixTriangularSolve", None, [("matrix", triangle), ("rhs", rhs)])


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of a symmetric, positive matrix."""
    graph = graph_of([matrix])
    with graph.as_default(), graph.name_scope(name or "logdet"):
        root = math_ops.cholesky(matrix)
        return 2.0 * reduce_sum(math_ops.log(matrix_diag_part(root)), [-1])


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
    graph = graph_of([a, b])
    with graph.as_default(), graph.name_scope(name or "Tensordot") as scope:
        return _contracted(convert(a, name="a"), convert(b, name="b"), axes, scope)


def _contracted(left: Tensor, right: Tensor, axes: Any, scope: str) -> Tensor:
    from engine.dialects.tensorflow.array_ops import reshape, shape, transpose

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
    free = [*((left, axis) for axis in kept[0]), *((right, axis) for axis in kept[1])]
    inner = int(np.prod([after[axis] or 0 for axis in chosen[1]]))
    if [*kept[0], *chosen[0]] != list(range(ranks[0])):
        left = transpose(left, [*kept[0], *chosen[0]])
    if [*chosen[1], *kept[1]] != list(range(ranks[1])):
        right = transpose(right, [*chosen[1], *kept[1]])
    sizes: list[Any] = [*(before[axis] for axis in kept[0]), *(after[axis] for axis in kept[1])]
    first = left if left.shape.ndims == 2 else reshape(left, [-1, inner])
    second = right if right.shape.ndims == 2 else reshape(right, [inner, -1])
    product = math_ops.matmul(first, second)
    if product.shape.ndims == len(sizes):
        return product
    open_ = sizes.count(None) > 1
    wanted = [
        (shape(whole)[axis] if open_ else -1) if size is None else size
        for size, (whole, axis) in zip(sizes, free, strict=True)
    ]
    return reshape(product, wanted, name=scope)


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

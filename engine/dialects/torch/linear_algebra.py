"""Products of matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import ops
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.errors import LinAlgError
from engine.dialects.torch.messages import batches_words, check_expands
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.shaping import DIAGONAL_COPY, UNSAFE_VIEW, T, reshape
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import BY_ARRAY, word_of
from engine.dynamic.apply import apply

_ = ops
_p = FACADE.primitive
MM = _p("matmul", "mm", "MmBackward0", default=True)
BMM = _p("matmul", "bmm", "BmmBackward0")
SQUEEZE = _p("squeeze", "squeeze", "SqueezeBackward4")
DOT = _p("dot", "dot", "DotBackward0", default=True)
MV = _p("matvec", "mv", "MvBackward0", default=True)
ADDMM = _p("addmm", "addmm", "AddmmBackward0", default=True)
OUTER = _p("outer", "outer", "MulBackward0", default=True)
INVERSE = _p("inverse", "inverse", "LinalgInvExBackward0", default=True)
TRIL = _p("tril", "tril", "TrilBackward0", default=True)
TRIU = _p("triu", "triu", "TriuBackward0", default=True)


def _same_dtype(a: Tensor, b: Tensor) -> None:
    if a._array.dtype != b._array.dtype:
        first, second = BY_ARRAY[a._array.dtype].word, BY_ARRAY[b._array.dtype].word
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {first} != {second}")


def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices."""
    need_tensor(input, "mm")
    need_tensor(mat2, "mm", "mat2", 2)
    if input._array.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if mat2._array.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    _same_dtype(input, mat2)
    return MM.run(input, mat2)


def bmm(input: Tensor, mat2: Tensor) -> Any:
    for name, x in (("batch1", input), ("batch2", mat2)):
        if x._array.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    first, second = input._array, mat2._array
    if first.shape[0] != second.shape[0] or first.shape[2] != second.shape[1]:
        raise RuntimeError(batches_words(first, second))
    _same_dtype(input, mat2)
    return apply(BMM, (input, mat2))


def dot(input: Tensor, tensor: Tensor) -> Any:
    if input._array.ndim != 1 or tensor._array.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input._array.ndim}D and {tensor._array.ndim}D tensors")
    if input._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {word_of(input._array.dtype)} and "
            f"{word_of(tensor._array.dtype)}"
        )
    return apply(DOT, (input, tensor))


def mv(input: Tensor, vec: Tensor) -> Any:
    _same_dtype(input, vec)
    return apply(MV, (input, vec))


def matmul(input: Tensor, other: Tensor) -> Any:
    """``input @ other``: dot, matrix-vector, matrix and batched products, by rank."""
    need_tensor(input, "matmul")
    need_tensor(other, "matmul", "other", 2)
    a, b = input._array.ndim, other._array.ndim
    if a == 2 and b == 2:
        if input._array.dtype is not other._array.dtype:
            _same_dtype(input, other)
        return MM.run(input, other)
    if a == 0 or b == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {a}D and {b}D")
    if a == 1 and b == 1:
        return dot(input, other)
    _same_dtype(input, other)
    if a == 2 and b == 1:
        return apply(MV, (input, other))
    if a == 1:
        row = reshape(input, 1, -1)
        return apply(SQUEEZE, (matmul(row, other),), {"axis": other._array.ndim - 2})
    if b == 1:
        column = matmul(input, reshape(other, -1, 1))
        return apply(SQUEEZE, (column,), {"axis": a - 1})
    if b == 2:  # fold the batch into the rows, as PyTorch does
        shape = input._array.shape
        if shape[-1] != other._array.shape[0]:
            return MM.run(input, other)
        folded = reshape(input, -1, shape[-1])
        product = apply(MM, (folded, other))
        return apply(UNSAFE_VIEW, (product,), {"shape": (*shape[:-1], other._array.shape[1])})
    product = apply(BMM, (input, other))
    return apply(UNSAFE_VIEW, (product,), {"shape": product._array.shape})


def matmul_operator(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1) -> Any:
    _check_linear(mat1, mat2)
    if beta != 1 or alpha != 1:
        return beta * input + alpha * mm(mat1, mat2)  # type: ignore[operator]
    return apply(ADDMM, (input, mat1, mat2))


def _check_linear(mat1: Tensor, mat2: Tensor) -> None:
    if mat1._array.dtype is not mat2._array.dtype and mat1._array.dtype != mat2._array.dtype:
        first, second = word_of(mat1._array.dtype), word_of(mat2._array.dtype)
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {first} and {second}")


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """``input @ weight.T + bias``."""
    if not isinstance(input, Tensor):
        need_tensor(input, "linear")
    array = input._array
    transposed = T.run(weight)
    if bias is None:
        return matmul(input, transposed)
    if array.dtype is not weight._array.dtype:
        _check_linear(input, transposed)
    rows = input
    if array.ndim != 2:
        rows = reshape(input, 1, -1) if array.ndim == 1 else reshape(input, -1, array.shape[-1])
    if bias._array.shape != transposed._array.shape[1:] and array.shape[-1:] == transposed._array.shape[:1]:
        check_expands(bias._array.shape, (rows._array.shape[0], transposed._array.shape[1]))
    result = ADDMM.run(bias, rows, transposed)
    return result if rows is input else result.view(*array.shape[:-1], weight._array.shape[0])


def outer(input: Tensor, vec2: Tensor) -> Any:
    """The products of each element of one vector with each of another."""
    for name, x in (("self", input), ("vec2", vec2)):
        if x._array.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x._array.ndim}-D")
    return apply(OUTER, (input, vec2))


def inverse(input: Tensor) -> Any:
    shape = input._array.shape
    if len(shape) < 2:
        raise RuntimeError("linalg.inv: The input tensor A must have at least 2 dimensions.")
    if shape[-1] != shape[-2]:
        raise RuntimeError(
            f"linalg.inv: A must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} matrices"
        )
    try:
        return apply(INVERSE, (input,))
    except RuntimeError:
        raise LinAlgError(
            f"linalg.inv: The diagonal element {_zero_pivot(input._array)} is zero, the inversion could not be "
            "completed because the input matrix is singular."
        ) from None


def _zero_pivot(matrices: Any) -> int:
    """The number, from 1, of the first pivot of Gauss's elimination that is nought.

    >>> _zero_pivot(np.ones((2, 2)))
    2
    """
    for matrix in matrices.reshape(-1, *matrices.shape[-2:]):
        rest = matrix.copy()
        for step in range(len(rest)):
            row = step + int(np.abs(rest[step:, step]).argmax())
            if rest[row, step] == 0:
                return step + 1
            rest[[step, row]] = rest[[row, step]]
            rest[step + 1 :] -= np.outer(rest[step + 1 :, step] / rest[step, step], rest[step])
    return 1


def _need_rank_2(input: Tensor, name: str) -> None:
    need_tensor(input, name)
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")


def tril(input: Tensor, diagonal: int = 0) -> Any:
    _need_rank_2(input, "tril")
    return apply(TRIL, (input,), {"diagonal": diagonal})


def triu(input: Tensor, diagonal: int = 0) -> Any:
    _need_rank_2(input, "triu")
    return apply(TRIU, (input,), {"diagonal": diagonal})


def diag(input: Tensor, diagonal: int = 0) -> Any:
    """A vector as the diagonal of a matrix, or the diagonal of a matrix."""
    if input._array.ndim == 1:
        size = input._array.shape[0] + (diagonal if diagonal > 0 else -diagonal)
        return apply(PUT_DIAGONAL, (input,), {"shape": (size, size), "offset": diagonal})
    if input._array.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input._array.ndim}D")
    return apply(DIAGONAL_COPY, (input,), {"offset": diagonal})


def diagflat(input: Tensor, offset: int = 0) -> Any:
    """All elements as the diagonal of a matrix."""
    return diag(reshape(input, -1), offset)


PUT_DIAGONAL = _p("put_diagonal", "diag", "DiagonalBackward0_copy")


def trace(input: Tensor) -> Any:
    if input._array.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return apply(TRACE, (diag(input),))


TRACE = _p("sum", "trace", "TraceBackward0")


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Any:
    """The vector product along a dimension of size 3: the first such one if none is given."""
    if dim is None:
        sizes = input._array.shape
        if 3 not in sizes:
            raise RuntimeError("no dimension of size 3 in input")
        dim = sizes.index(3)
    return linalg_cross(input, other, dim=dim)


def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Any:
    """The vector product along a dimension of size 3; the others broadcast."""
    first, second = input._array.shape, other._array.shape
    if len(first) != len(second):
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    axis = check_dim(dim, len(first))
    if not first[axis] == second[axis] == 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {first[axis]} and {second[axis]}"
        )

    def part(x: Any, i: int) -> Any:
        return x.select(dim, i)

    from engine.dialects.torch.joining import stack

    pairs = [(1, 2), (2, 0), (0, 1)]
    return stack([part(input, i) * part(other, j) - part(input, j) * part(other, i) for i, j in pairs], dim)

"""Determinants, systems of equations and what is made of inverses and powers of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import linear_algebra, pointwise
from engine.dialects.torch.arguments import need_tensor, no_gradient
from engine.dialects.torch.errors import LinAlgError
from engine.dialects.torch.reductions import norm, pair_of
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import word_of
from engine.dynamic.apply import apply

_p = FACADE.primitive
DET = _p("det", "linalg_det", "LinalgDetBackward0")
LOGABSDET = _p("logabsdet", "linalg_slogdet", "LinalgSlogdetBackward0")
SOLVE = _p("solve", "linalg_solve", "LinalgSolveExBackward0")
SOLVED = _p("squeeze", "linalg_solve", "LinalgSolveExBackward0")
"""A vector is solved for as a matrix of one column."""
_Slogdet, _OldSlogdet = (pair_of(name, ("sign", "logabsdet")) for name in ("linalg_slogdet", "slogdet"))


def need_matrix(x: Any, name: str, square: bool = False, argument: str = "A") -> None:
    """Refuse what is no matrix (or batch of matrices) of floating point numbers.

    :raises RuntimeError: in PyTorch's words.
    """
    need_tensor(x, name, argument)
    shape = x._array.shape
    if len(shape) < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")
    if square and shape[-1] != shape[-2]:
        raise RuntimeError(
            f"{name}: {argument} must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} matrices"
        )
    if x._array.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {word_of(x.dtype.array)}"
        )


def det(A: Tensor) -> Any:
    """The determinant: (…, n, n) -> (…)."""
    need_matrix(A, "linalg.det", square=True)
    return apply(DET, (A,))


def _slogdet(A: Tensor, pair: Any) -> Any:
    need_matrix(A, "linalg.slogdet", square=True)
    sign = Tensor(np.asarray(np.linalg.slogdet(A._array).sign, A._array.dtype))
    return pair(sign, apply(LOGABSDET, (A,)))


def slogdet(A: Tensor) -> Any:
    """The sign of the determinant, and the logarithm of its size."""
    return _slogdet(A, _Slogdet)


def old_slogdet(input: Tensor) -> Any:
    """:func:`slogdet` as ``torch.slogdet`` names its result."""
    return _slogdet(input, _OldSlogdet)


def logdet(input: Tensor) -> Any:
    """The logarithm of the determinant (NaN where that is negative)."""
    sign, size = old_slogdet(input)
    return pointwise.log(sign) + size


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Any:
    """``X`` so that ``A @ X`` is ``B``; ``B`` may be a vector.

    :raises LinAlgError: ``A`` is singular.
    """
    need_matrix(A, "linalg.solve", square=True)
    need_tensor(B, "linalg_solve", "B", 2)
    if not left:
        return solve(A.mT, B.mT).mT
    vector = B._array.ndim == 1 or (B._array.ndim == A._array.ndim - 1 and B._array.shape == A._array.shape[:-1])
    right = B.unsqueeze(-1) if vector else B
    if right._array.shape[-2] != A._array.shape[-1]:
        shapes = " and ".join(f"({x._array.shape[-2]}x{x._array.shape[-1]})" for x in (A, right))
        raise RuntimeError(f"linalg.solve: Incompatible shapes of A and B for the equation AX = B {shapes}")
    try:
        found: Any = apply(SOLVE, (A, right))
    except RuntimeError:
        raise LinAlgError("torch.linalg.solve: The solver failed because the input matrix is singular.") from None
    return apply(SOLVED, (found,), {"axis": found._array.ndim - 1}) if vector else found


def pinv(A: Tensor, rcond: float | None = None, hermitian: bool = False, *, rtol: float | None = None) -> Any:
    """The inverse of Moore and Penrose: (…, m, n) -> (…, n, m)."""
    need_matrix(A, "linalg.pinv")
    if A.requires_grad:  # by the normal equations, whose steps have gradients
        turned = A.mT
        if A._array.shape[-2] >= A._array.shape[-1]:
            return solve(turned @ A, turned)
        return solve(A @ turned, A).mT
    limit = rcond if rtol is None else rtol
    if limit is None:
        limit = max(A._array.shape[-2:]) * float(np.finfo(A._array.dtype).eps)
    return Tensor(np.linalg.pinv(A._array, limit))


_Lstsq = pair_of("linalg_lstsq", ("solution", "residuals", "rank", "singular_values"))


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """Least squares: ``solution`` makes ``A @ solution`` as near to ``B`` as can be. What else is told depends on the
    ``driver``, as in LAPACK: the rank by all but ``"gels"``, the residuals by all but ``"gelsy"`` (the usual one).
    """
    need_matrix(A, "torch.linalg.lstsq")
    driver = driver or "gelsy"
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    rows, columns = A._array.shape[-2:]
    residuals = singular = Tensor(np.zeros(0, A._array.dtype))
    rank = Tensor(np.zeros(0, np.int64)) if driver == "gels" else matrix_rank(A, rtol=rcond)
    if A.requires_grad or B.requires_grad:
        found = pinv(A) @ B
    elif A._array.ndim == 2:
        found = Tensor(np.linalg.lstsq(A._array, B._array, rcond)[0].astype(A._array.dtype))
    else:
        found = pinv(A) @ B
    if driver != "gelsy" and rows > columns and B._array.ndim > 1 and (rank._array == columns).all():
        residuals = ((A @ found - B) ** 2).sum(-2)
    if driver in ("gelsd", "gelss"):
        singular = Tensor(np.linalg.svd(A._array, compute_uv=False))
    return _Lstsq(found, residuals, rank, singular)


def matrix_rank(A: Tensor, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Tensor:
    """How many rows are independent: how many singular values are above ``atol`` and ``rtol`` times the largest."""
    need_matrix(A, "linalg.matrix_rank")
    values = np.linalg.svd(A._array, compute_uv=False)
    least = atol if tol is None else tol
    if rtol is None:
        rtol = max(A._array.shape[-2:]) * np.finfo(values.dtype).eps if least is None else 0.0
    largest = values.max(-1, keepdims=True, initial=0.0)
    return Tensor(np.asarray((values > np.maximum(least or 0.0, rtol * largest)).sum(-1), np.int64))


def matrix_power(A: Tensor, n: int) -> Any:
    """``A`` times itself, ``n`` times; a negative ``n`` takes the inverse."""
    need_matrix(A, "linalg.matrix_power", square=True)
    if n == 0:
        return Tensor(np.broadcast_to(np.eye(A._array.shape[-1], dtype=A._array.dtype), A._array.shape).copy())
    if n < 0:
        return matrix_power(linear_algebra.inverse(A), -n)
    result: Any = None
    square: Any = A
    while True:
        if n & 1:
            result = square if result is None else result @ square
        n >>= 1
        if not n:
            return result
        square = square @ square


def multi_dot(tensors: Any) -> Any:
    """The product of several matrices, from the left; the first and the last may be vectors."""
    product, *others = tensors
    for other in others:
        product = linear_algebra.matmul(product, other)
    return product


def cond(A: Tensor, p: Any = None) -> Any:
    """How much errors may grow when a system with ``A`` is solved."""
    need_matrix(A, "linalg.cond")
    no_gradient(A, "linalg.cond")
    return Tensor(np.asarray(np.linalg.cond(A._array, p), A._array.dtype))


def matrix_exp(A: Tensor) -> Any:
    """The exponential series of a matrix: halved until it is small, then squared again."""
    need_matrix(A, "linalg.matrix_exp", square=True)
    size = float(np.abs(A._array).sum(-2).max(initial=0.0))
    halvings = max(0, int(np.ceil(np.log2(size))) + 3) if size > 0 else 0
    small: Any = A.double() / 2.0**halvings
    term: Any = small
    total = matrix_power(small, 0) + small
    for n in range(2, 18):
        term = term @ small / n
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total.to(A.dtype)


def linalg_norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of a vector (``ord`` p) or a matrix (``"fro"``, ``"nuc"``, 2, 1, inf)."""
    need_tensor(A, "linalg_norm", "A")
    matrix = ord is not None and (A.ndim == 2 if dim is None else not isinstance(dim, int) and len(dim) == 2)
    if matrix:
        return matrix_norm(A, ord, dim or (-2, -1), keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The ``ord``-norm over one dimension, several, or all."""
    found = norm(x, ord, dim, keepdim, dtype=dtype)
    return found.reshape((1,) * x.ndim) if keepdim and dim is None else found


def matrix_norm(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of matrices."""
    if dtype is not None:
        A = A.to(dtype)
    if ord == "fro":
        return norm(A, 2, tuple(dim), keepdim)
    rows, columns = (d % A.ndim for d in dim)
    if ord in (1, -1, float("inf"), float("-inf")):
        along, over = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = A.abs().sum(along, keepdim=True)
        found = sums.amax(over, keepdim=True) if ord > 0 else sums.amin(over, keepdim=True)
        return found if keepdim else found.squeeze(max(rows, columns)).squeeze(min(rows, columns))
    if ord not in (2, -2, "nuc"):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    no_gradient(A, f"linalg.matrix_norm with ord={ord!r}")
    return Tensor(np.asarray(np.linalg.norm(A._array, ord, (rows, columns), keepdim), A._array.dtype))


def vecdot(x: Any, y: Any, *, dim: int = -1) -> Any:
    """The dot products of vectors along a dimension."""
    return (x * y).sum(dim)

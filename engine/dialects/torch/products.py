"""Products over chosen dimensions, and products that are added to something."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch import linear_algebra
from engine.dialects.torch.linear_algebra import bmm, mm, mv, outer


def inner(input: Any, other: Any) -> Any:
    """Dot products along the last dimensions: (…, n), (…, n) -> (…, …)."""
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.ndim == other.ndim == 1:
        return linear_algebra.dot(input, other)
    return tensordot(input, other, ([-1], [-1]))


def tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    """The sum of products over the last ``dims`` dimensions of ``a`` and the first of ``b``, or over pairs of them."""
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        first, second = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        first, second = ([d] if isinstance(d, int) else list(d) for d in dims)
    first, second = [d % a.ndim for d in first], [d % b.ndim for d in second]
    for p, q in zip(first, second, strict=True):
        if a.shape[p] != b.shape[q]:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[p]} in dim {p} and second has size "
                f"{b.shape[q]} in dim {q}"
            )
    left = [d for d in range(a.ndim) if d not in first]
    right = [d for d in range(b.ndim) if d not in second]
    size = math.prod(a.shape[d] for d in first)
    rows = a.permute(*left, *first).reshape(-1, size)
    columns = b.permute(*second, *right).reshape(size, -1)
    return mm(rows, columns).reshape(*(a.shape[d] for d in left), *(b.shape[d] for d in right))


def kron(input: Any, other: Any) -> Any:
    """Each number of ``input`` times the whole of ``other``, side by side."""
    rank = max(input.ndim, other.ndim)
    a, b = (x.reshape(*(1,) * (rank - x.ndim), *x.shape) for x in (input, other))
    spread = a.reshape(*(n for size in a.shape for n in (size, 1))) * b.reshape(
        *(n for size in b.shape for n in (1, size))
    )
    return spread.reshape(*(p * q for p, q in zip(a.shape, b.shape, strict=True)))


def _scaled(input: Any, product: Any, beta: float, alpha: float) -> Any:
    return (input if beta == 1 else input * beta) + (product if alpha == 1 else product * alpha)


def addmv(input: Any, mat: Any, vec: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    """``beta * input + alpha * (mat @ vec)``."""
    return _scaled(input, mv(mat, vec), beta, alpha)


def addr(input: Any, vec1: Any, vec2: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    """``beta * input + alpha * outer(vec1, vec2)``."""
    return _scaled(input, outer(vec1, vec2), beta, alpha)


def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    """``beta * input + alpha * (batch1 @ batch2)`` for batches of matrices."""
    return _scaled(input, bmm(batch1, batch2), beta, alpha)


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    """``beta * input + alpha *`` the sum of the products of a batch."""
    return _scaled(input, bmm(batch1, batch2).sum(0), beta, alpha)


def vdot(input: Any, other: Any) -> Any:
    """:func:`dot`, of real numbers."""
    return linear_algebra.dot(input, other)


IN_TORCH = "inner tensordot kron addmv addr baddbmm addbmm vdot"
METHODS = "inner kron addmv addr baddbmm addbmm vdot"

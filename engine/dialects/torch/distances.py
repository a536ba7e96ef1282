"""How far rows are from each other, and how they vary together."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import pointwise
from engine.dialects.torch.linear_algebra import matmul
from engine.dialects.torch.tensor import Tensor


def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Any:
    """The p-norm of the difference of each row of ``x1`` and each row of ``x2``: (…, P, M), (…, R, M) -> (…, P, R)."""
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    return (x1.unsqueeze(-2) - x2.unsqueeze(-3)).norm(p, -1)


def cov(input: Any, *, correction: int = 1) -> Any:
    """The covariances of the rows: (variables, observations) -> (variables, variables)."""
    rows = input if input.ndim == 2 else input.view(1, -1)
    centred = rows - rows.mean(1, keepdim=True)
    found = matmul(centred, centred.t()) / max(rows.shape[1] - correction, 0)
    return found if input.ndim == 2 else found.squeeze()


def corrcoef(input: Any) -> Any:
    """The correlations of the rows."""
    found = cov(input)
    if found.ndim == 0:
        return found / found
    size = pointwise.sqrt(found.diagonal())
    return (found / size.unsqueeze(1) / size.unsqueeze(0)).clamp(-1, 1)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """Powers of the numbers of a vector, a row for each."""
    return Tensor(np.vander(x._array, N, increasing))

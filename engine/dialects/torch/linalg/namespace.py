"""The module ``torch.linalg``, and what of it also stands in ``torch`` and on tensors."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch import linear_algebra
from engine.dialects.torch.distances import vander
from engine.dialects.torch.errors import LinAlgError
from engine.dialects.torch.linalg import factors, systems
from engine.dialects.torch.new_modules import public

MODULE: dict[str, Any] = {
    **public(systems, "det slogdet solve pinv lstsq matrix_rank matrix_power multi_dot cond matrix_exp matrix_norm"),
    **public(systems, "vector_norm vecdot"), **public(factors, "cholesky qr svd svdvals eigh eigvalsh eig eigvals"),
    "solve_triangular": factors.solve_triangular,
    "norm": systems.linalg_norm, "inv": linear_algebra.inverse, "matmul": linear_algebra.matmul,
    "cross": linear_algebra.linalg_cross, "vander": vander, "LinAlgError": LinAlgError,
    "diagonal": lambda A, *, offset=0, dim1=-2, dim2=-1: A.diagonal(offset, dim1, dim2),
}  # fmt: skip
IN_TORCH: dict[str, Any] = {
    "det": systems.det, "slogdet": systems.old_slogdet, "logdet": systems.logdet, "pinverse": systems.pinv,
    "matrix_power": systems.matrix_power, "matrix_exp": systems.matrix_exp, "chain_matmul":
    lambda *matrices: systems.multi_dot(matrices), "cholesky": factors.old_cholesky, "qr": factors.old_qr,
    "svd": factors.old_svd,
}  # fmt: skip
METHODS = "det slogdet logdet pinverse matrix_power matrix_exp cholesky qr svd"

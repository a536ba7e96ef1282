"""Matrices as products of simpler ones: Cholesky, QR, singular values, eigenvectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.arguments import no_gradient
from engine.dialects.torch.arranging import diag_embed
from engine.dialects.torch.creation import eye
from engine.dialects.torch.errors import LinAlgError
from engine.dialects.torch.linalg.systems import need_matrix, solve
from engine.dialects.torch.linear_algebra import tril, triu
from engine.dialects.torch.reductions import pair_of
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic import modes
from engine.dynamic.apply import apply
from engine.dynamic.function import attach, hand_node_class

CHOLESKY = FACADE.primitive("cholesky", "linalg_cholesky", "LinalgCholeskyExBackward0")
_Qr, _OldQr = pair_of("linalg_qr", ("Q", "R")), pair_of("qr", ("Q", "R"))
_Svd, _OldSvd = pair_of("linalg_svd", ("U", "S", "Vh")), pair_of("svd", ("U", "S", "V"))
_Eigh, _Eig = (pair_of(f"linalg_{name}", ("eigenvalues", "eigenvectors")) for name in ("eigh", "eig"))


def cholesky(A: Tensor, *, upper: bool = False) -> Any:
    """The lower triangle ``L`` for which ``L @ L.T`` is ``A``: (…, n, n) -> (…, n, n).

    :raises LinAlgError: ``A`` is not positive definite.
    """
    need_matrix(A, "linalg.cholesky", square=True)
    try:
        found: Any = apply(CHOLESKY, (A,))
    except RuntimeError:
        order = _first_minor(A._array)
        raise LinAlgError(
            f"linalg.cholesky: The factorization could not be completed because the input is not positive-definite "
            f"(the leading minor of order {order} is not positive-definite)."
        ) from None
    return found.mT if upper else found


def _first_minor(array: Any) -> int:
    """The size of the first leading square that is not positive definite."""
    for size in range(1, array.shape[-1] + 1):
        try:
            np.linalg.cholesky(array[..., :size, :size])
        except np.linalg.LinAlgError:
            return size
    return int(array.shape[-1])


def old_cholesky(input: Tensor, upper: bool = False) -> Any:
    """:func:`cholesky` as ``torch.cholesky`` takes its arguments."""
    return cholesky(input, upper=upper)


def _qr(A: Tensor, complete: bool, pair: Any) -> Any:
    need_matrix(A, "linalg.qr")
    no_gradient(A, "linalg.qr")
    q, r = np.linalg.qr(A._array, "complete" if complete else "reduced")
    return pair(Tensor(np.ascontiguousarray(q)), Tensor(np.ascontiguousarray(r)))


def qr(A: Tensor, mode: str = "reduced") -> Any:
    """``A = Q @ R``: columns at right angles, and an upper triangle."""
    return _qr(A, mode == "complete", _Qr)


def old_qr(input: Tensor, some: bool = True) -> Any:
    """:func:`qr` as ``torch.qr`` takes its arguments."""
    return _qr(input, not some, _OldQr)


def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Any:
    """``A = U @ diag(S) @ Vh``: singular values ``S`` from large to small."""
    need_matrix(A, "linalg.svd")
    no_gradient(A, "linalg.svd")
    return _Svd(*(Tensor(x) for x in np.linalg.svd(A._array, full_matrices)))


def old_svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """:func:`svd` as ``torch.svd`` gives it: with ``V``, not its transpose."""
    u, s, vh = svd(input, not some)
    return _OldSvd(u, s, vh.mT)


def svdvals(A: Tensor, *, driver: str | None = None) -> Tensor:
    """The singular values, from large to small."""
    return svd(A, False)[1]  # type: ignore[no-any-return]


_EIGH = hand_node_class("LinalgEighBackward0")


def eigh(A: Tensor, UPLO: Any = "L") -> Any:
    """Eigenvalues (ascending) and eigenvectors (columns) of a symmetric matrix.

    Their gradient is ``V (diag(g) + skew(V.T G) / E) V.T`` for gradients ``g`` of the values and ``G`` of the vectors,
    with ``E[i, j] = values[j] - values[i]`` (M. Giles, 2008).
    """
    need_matrix(A, "linalg.eigh", square=True)
    found = _Eigh(*(Tensor(x) for x in np.linalg.eigh(A._array, UPLO)))
    if modes.enabled and A.requires_grad:
        values, vectors = (Tensor(x._array) for x in found)

        def back(gradients: Any) -> Any:
            of_values, of_vectors = gradients
            inner: Any = 0 if of_values is None else diag_embed(of_values)
            if of_vectors is not None:
                apart: Any = values.unsqueeze(-2) - values.unsqueeze(-1)
                apart = apart + eye(values.shape[-1], dtype=A.dtype)  # the diagonal is not used
                turned = vectors.mT @ of_vectors
                turned = (turned - turned.mT) / (2 * apart)  # vectors can only turn
                inner = inner + turned
            return [vectors @ inner @ vectors.mT]

        attach(FACADE, _EIGH, [A], list(found), back, "linalg_eigh")
    return found


def eigvalsh(A: Tensor, UPLO: Any = "L") -> Tensor:
    """The eigenvalues of a symmetric matrix, ascending."""
    return eigh(A, UPLO)[0]  # type: ignore[no-any-return]


def _need_complex_form(A: Tensor, name: str) -> np.dtype[Any]:
    """The complex dtype in which the eigenvalues of any matrix can be said."""
    need_matrix(A, name, square=True)
    no_gradient(A, name)
    return np.result_type(A._array.dtype, np.complex64)


def eig(A: Tensor) -> Any:
    """Eigenvalues and eigenvectors (columns) of any square matrix, in complex numbers and no order: (…, n, n) ->
    (…, n), (…, n, n)."""
    dtype = _need_complex_form(A, "linalg.eig")
    return _Eig(*(Tensor(x.astype(dtype)) for x in np.linalg.eig(A._array)))


def eigvals(A: Tensor) -> Tensor:
    """The eigenvalues of any square matrix, in complex numbers and no order: (…, n, n) -> (…, n)."""
    dtype = _need_complex_form(A, "linalg.eigvals")
    return Tensor(np.linalg.eigvals(A._array).astype(dtype))


def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """``X`` so that ``A @ X`` is ``B`` for a triangle ``A``, whose diagonal counts as ones if ``unitriangular``."""
    if unitriangular:
        triangle = (triu(A, 1) if upper else tril(A, -1)) + eye(A._array.shape[-1], dtype=A.dtype)
    else:
        triangle = triu(A) if upper else tril(A)
    return solve(triangle, B, left=left)

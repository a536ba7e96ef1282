"""``torch.nn.utils.parametrizations``: weight norm and spectral norm on the machinery of :mod:`..parametrize`."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch import creation
from engine.dialects.torch.autograd import no_grad
from engine.dialects.torch.linear_algebra import dot, mv
from engine.dialects.torch.nn.functional import normalize
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parametrize import register_parametrization
from engine.dialects.torch.nn.reparametrised import as_matrix, norm_except, output_dim


class _WeightNorm(Module):
    """A size times a direction (T. Salimans and D. P. Kingma, 2016)."""

    __module__ = "torch.nn.utils.parametrizations"

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return weight_v * (weight_g / norm_except(weight_v, self.dim))

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        return norm_except(weight, self.dim).detach(), weight.detach()


class _SpectralNorm(Module):
    """A weight over its largest singular value, which power iteration follows (T. Miyato et al., 2018)."""

    __module__ = "torch.nn.utils.parametrizations"

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if dim >= weight.ndim or dim < -weight.ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{weight.ndim}, {weight.ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + weight.ndim
        self.eps = eps
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = as_matrix(weight.detach(), self.dim)
            rows, columns = matrix.shape
            u, v = creation.empty(rows).normal_(0, 1), creation.empty(columns).normal_(0, 1)
            self.register_buffer("_u", normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", normalize(v, dim=0, eps=eps))
            self._iterate(matrix, 15)

    def _iterate(self, matrix: Any, count: int) -> None:
        with no_grad():
            for _ in range(count):
                self._u.copy_(normalize(mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(normalize(mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        return weight / dot(self._u.clone(), mv(matrix, self._v.clone()))

    def right_inverse(self, value: Any) -> Any:
        return value


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """``weight`` as a size (``original0``) times a direction (``original1``)."""
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    return module


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """``weight`` as its ``original`` over the largest singular value.

    :raises ValueError: there is no such parameter.
    """
    weight = getattr(module, name, None)
    if weight is None:
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    norm = _SpectralNorm(weight, n_power_iterations, output_dim(module, dim), eps)
    register_parametrization(module, name, norm)
    return module

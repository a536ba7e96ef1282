"""Weights that are computed from other parameters before each call: weight norm, spectral norm, and one's own."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.autograd import no_grad
from engine.dialects.torch.linear_algebra import dot, mv
from engine.dialects.torch.nn.functional import normalize
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.sampling import randn


def norm_except(v: Any, dim: int | None) -> Any:
    """The norms of the slices along ``dim``."""
    if dim is None:
        return v.norm()
    others = tuple(d for d in range(v.ndim) if d != dim % v.ndim)
    return v.norm(2, others, True)


def _put(module: Any, name: str, value: Any) -> None:
    object.__setattr__(module, name, value)


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """``weight`` as a size ``weight_g`` times a direction ``weight_v`` (T. Salimans and D. P. Kingma, 2016)."""
    weight = module._parameters.pop(name)
    module.register_parameter(f"{name}_g", Parameter(norm_except(weight, dim).detach()))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))

    def compute(module: Any, _: Any = None) -> None:
        direction = getattr(module, f"{name}_v")
        _put(module, name, direction * (getattr(module, f"{name}_g") / norm_except(direction, dim)))

    compute(module)
    _put(module, "_weight_norm", module.register_forward_pre_hook(compute))
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """The computed weight as a parameter again."""
    if "_weight_norm" not in module.__dict__:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    module.__dict__.pop("_weight_norm").remove()
    value = module.__dict__.pop(name)
    for part in ("g", "v"):
        delattr(module, f"{name}_{part}")
    setattr(module, name, Parameter(value.detach()))
    return module


class _SpectralNorm:
    """Divides a weight by its largest singular value, which power iteration follows (T. Miyato et al., 2018)."""

    def __init__(self, weight: Any, dim: int, iterations: int, eps: float) -> None:
        self.dim, self.iterations, self.eps = dim, iterations, eps
        rows = self.as_matrix(weight)
        self.u = normalize(randn(rows.shape[0]), dim=0, eps=eps)
        self.v = normalize(randn(rows.shape[1]), dim=0, eps=eps)

    def as_matrix(self, weight: Any) -> Any:
        if self.dim:
            weight = weight.permute(self.dim, *(d for d in range(weight.ndim) if d != self.dim))
        return weight.reshape(weight.shape[0], -1)

    def step(self, matrix: Any, count: int) -> None:
        with no_grad():
            for _ in range(count):
                self.v = normalize(mv(matrix.t(), self.u), dim=0, eps=self.eps)
                self.u = normalize(mv(matrix, self.v), dim=0, eps=self.eps)

    def __call__(self, weight: Any, training: bool) -> Any:
        matrix = self.as_matrix(weight)
        if training:
            self.step(matrix, self.iterations)
        u, v = self.u.clone(), self.v.clone()
        return weight / dot(u, mv(matrix, v))


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """``weight_orig`` over its largest singular value, as ``weight``."""
    weight = module._parameters.pop(name)
    transposed = dim is None and type(module).__name__.startswith("ConvTranspose")
    norm = _SpectralNorm(weight, 1 if transposed else dim or 0, n_power_iterations, eps)
    module.register_parameter(f"{name}_orig", weight)
    module.__dict__.pop(name, None)
    _put(module, name, weight.detach())
    module.register_buffer(f"{name}_u", norm.u)
    module.register_buffer(f"{name}_v", norm.v)

    def compute(module: Any, _: Any = None) -> None:
        value = norm(getattr(module, f"{name}_orig"), module.training)
        for part, vector in (("u", norm.u), ("v", norm.v)):
            getattr(module, f"{name}_{part}").copy_(vector)
        _put(module, name, value)

    _put(module, "_spectral_norm", module.register_forward_pre_hook(compute))
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """The original weight, divided for the last time, as a parameter again."""
    if "_spectral_norm" not in module.__dict__:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    module.__dict__.pop("_spectral_norm").remove()
    value = module.__dict__.pop(name).detach()
    delattr(module, f"{name}_orig")
    for part in ("u", "v"):
        delattr(module, f"{name}_{part}")
    setattr(module, name, Parameter(value))
    return module

"""Weights that are computed from other parameters before each call: the older weight norm and spectral norm, whose
parts live in the module itself (:mod:`.parametrizations` has the newer ones)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from engine.dialects.torch.autograd import no_grad
from engine.dialects.torch.linear_algebra import dot, mv
from engine.dialects.torch.nn.functional import normalize
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.sampling import randn


def norm_except(v: Any, dim: int | None) -> Any:
    """The norms of the slices along ``dim``; with ``None`` or -1 the norm of all."""
    if dim in (None, -1):
        return v.norm()
    return v.norm(2, tuple(d for d in range(v.ndim) if d != dim), True)


def as_matrix(weight: Any, dim: int) -> Any:
    """The slices of a weight along ``dim`` as rows."""
    if dim:
        weight = weight.permute(dim, *(d for d in range(weight.ndim) if d != dim))
    return weight.flatten(1)


def output_dim(module: Any, dim: int | None) -> int:
    """The dimension of a module's weight that stands for its outputs, if not said otherwise."""
    return dim if dim is not None else 1 if type(module).__name__.startswith("ConvTranspose") else 0


def _reparametrise(module: Any, kind: str, name: str, compute: Callable[[Any, bool], Any]) -> None:
    """Before each call ``module.<name>`` becomes what ``compute(module, training)`` gives."""

    def before(module: Any, _: Any) -> None:
        object.__setattr__(module, name, compute(module, module.training))

    handle = module.register_forward_pre_hook(before)
    module.__dict__.setdefault(f"_{kind}", {})[name] = handle, compute


def _plain_again(module: Any, kind: str, name: str, parts: str) -> Any:
    """``name`` as a parameter of its own again, with the value that its ``parts`` give now."""
    held = module.__dict__.get(f"_{kind}", {})
    if name not in held:
        raise ValueError(f"{kind} of '{name}' not found in {module}")
    handle, compute = held.pop(name)
    handle.remove()
    value = compute(module, False).detach()
    for part in parts.split():
        delattr(module, f"{name}_{part}")
    del module.__dict__[name]
    setattr(module, name, Parameter(value))
    return module


def _taken(module: Any, kind: str, name: str) -> Any:
    """The parameter that is to be computed from now on, out of its module."""
    if name in module.__dict__.get(f"_{kind}", {}):
        raise RuntimeError(f"Cannot register two {kind} hooks on the same parameter {name}")
    weight = getattr(module, name)
    delattr(module, name)
    return weight


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """``weight`` as a size ``weight_g`` times a direction ``weight_v`` (T. Salimans and D. P. Kingma, 2016)."""
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning, stacklevel=2,
    )  # fmt: skip
    weight = _taken(module, "weight_norm", name)
    module.register_parameter(f"{name}_g", Parameter(norm_except(weight, dim).detach()))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))

    def compute(module: Any, _: bool) -> Any:
        direction = getattr(module, f"{name}_v")
        return direction * (getattr(module, f"{name}_g") / norm_except(direction, dim))

    object.__setattr__(module, name, compute(module, False))
    _reparametrise(module, "weight_norm", name, compute)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """The computed weight as a parameter again."""
    return _plain_again(module, "weight_norm", name, "g v")


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """``weight_orig`` over its largest singular value, which power iteration follows, as ``weight`` (T. Miyato et al.,
    2018)."""
    weight = _taken(module, "spectral_norm", name)
    along = output_dim(module, dim)
    module.register_parameter(f"{name}_orig", weight)
    object.__setattr__(module, name, weight.detach())
    for part, size in zip("uv", as_matrix(weight, along).shape, strict=True):
        module.register_buffer(f"{name}_{part}", normalize(randn(size), dim=0, eps=eps))

    def compute(module: Any, training: bool) -> Any:
        weight, u, v = (getattr(module, f"{name}_{part}") for part in ("orig", "u", "v"))
        matrix = as_matrix(weight, along)
        with no_grad():
            for _ in range(n_power_iterations if training else 0):
                v.copy_(normalize(mv(matrix.t(), u), dim=0, eps=eps))
                u.copy_(normalize(mv(matrix, v), dim=0, eps=eps))
        return weight / dot(u.clone(), mv(matrix, v.clone()))

    _reparametrise(module, "spectral_norm", name, compute)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """The original weight, divided for the last time, as a parameter again."""
    return _plain_again(module, "spectral_norm", name, "orig u v")

"""``nn.utils``: clipping gradients, parameters as one vector."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.dialects.torch import joining, shaping
from engine.dialects.torch.nn.state import put_values
from engine.dialects.torch.tensor import Tensor


def _gradients(parameters: Any) -> list[Any]:
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p._grad for p in listed if p._grad is not None]


def _norm(arrays: list[Any], kind: float) -> Any:
    if kind == float("inf"):
        return np.asarray(max(np.abs(a).max() for a in arrays))
    lengths = np.array([np.linalg.norm(a.reshape(-1), kind) for a in arrays], arrays[0].dtype)
    return np.asarray(np.linalg.norm(lengths, kind), arrays[0].dtype)


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: Any = None
) -> Tensor:
    """Scale gradients down so that their common norm is at most ``max_norm``; returns what it was."""
    gradients = _gradients(parameters)
    if not gradients:
        return Tensor(np.asarray(0.0, np.float32))
    total = _norm([g._array for g in gradients], float(norm_type))
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {float(norm_type)} for gradients from `parameters` is non-finite, so it "
            f"cannot be "
            "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    scale = np.minimum(np.float32(max_norm) / (total + np.float32(1e-6)), np.float32(1.0))
    for gradient in gradients:
        put_values(gradient, gradient._array * scale.astype(gradient._array.dtype), "in-place")
    return Tensor(total)


def clip_grad_norm(parameters: Any, max_norm: float, norm_type: float = 2.0, **options: Any) -> Tensor:
    """The old name of :func:`clip_grad_norm_`."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, **options)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: Any = None) -> None:
    """Limit every element of the gradients to ``[-clip_value, clip_value]``."""
    for gradient in _gradients(parameters):
        put_values(gradient, np.clip(gradient._array, -clip_value, clip_value), "in-place")


def parameters_to_vector(parameters: Any) -> Any:
    """All parameters in one vector."""
    return joining.cat([shaping.reshape(p, -1) for p in parameters])


def vector_to_parameters(vec: Any, parameters: Any) -> None:
    """Put a vector's parts into the parameters."""
    place = 0
    for p in parameters:
        put_values(p, vec._array[place : place + p._array.size].reshape(p._array.shape))
        place += p._array.size

"""Losses in PyTorch's form: with a reduction, weights and classes to ignore."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.dialects.torch.ops.summing import cascade, mean, summed
from engine.ops.registry import Array
from engine.tensor_type import TensorType


def _loss_type(a: TensorType, b: TensorType, **_: Any) -> TensorType:
    return TensorType(a.dtype, None)


def _weight_row(a: Array, targets: Array, ignore_index: int, weights: Any) -> Array:
    """The weight of each target; ignored ones weigh nothing."""
    kept: Array = (targets != ignore_index).astype(a.dtype)
    if weights is None:
        return kept
    picked: Array = np.asarray(weights, a.dtype)[np.where(kept > 0, targets, 0)]
    return np.multiply(picked, kept)


def nll_loss_kernel(
    a: Array, targets: Array, reduction: str = "mean", ignore_index: int = -100, weights: Any = None
) -> Array:
    """Minus the log probability of each target class; classes along axis 1 (axis 0 of a vector)."""
    axis = 1 if a.ndim > 1 else 0
    safe = np.where(targets == ignore_index, 0, targets)
    picked = np.take_along_axis(a, np.expand_dims(safe, axis), axis).squeeze(axis)
    weight = _weight_row(a, targets, ignore_index, weights)
    values = -picked * weight
    if reduction == "none":
        return np.asarray(values)
    total = _in_order(values)
    return np.asarray(total / np.add.reduce(weight, None) if reduction == "mean" else total, a.dtype)


def _nll_vjp(
    F: Any, g: Any, targets: Any, a_shape: Any, a_dtype: Any, reduction: str, ignore_index: int, weights: Any
) -> Any:
    return F.nll_loss_grad(g, targets, a_shape, a_dtype, reduction, ignore_index, weights)


def nll_loss_grad_kernel(
    g: Array, targets: Array, shape: Any, dtype: Any, reduction: str, ignore_index: int, weights: Any
) -> Array:
    """``-g`` (shared out for a mean) at each target class, zero elsewhere."""
    axis = 1 if len(shape) > 1 else 0
    result = np.zeros(shape, dtype)
    weight = _weight_row(result, targets, ignore_index, weights)
    share = weight / np.add.reduce(weight, None) if reduction == "mean" else weight
    safe = np.where(targets == ignore_index, 0, targets)
    np.put_along_axis(
        result, np.expand_dims(safe, axis), np.expand_dims(np.asarray(-g * share) + 0, axis), axis
    )  # + 0: no negative zero
    return result


def _nll_grad_vjp(
    F: Any, h: Any, targets: Any, shape: Any, dtype: Any, reduction: str, ignore_index: int, weights: Any
) -> Any:
    return F.nll_loss(h, targets, reduction, ignore_index, weights)


_LOSS: dict[str, Any] = {"category": "reduction", "symbol": "sum"}
declare("nll_loss", "a targets", nll_loss_kernel, _loss_type, {"a": _nll_vjp}, formula=r"-a_{i, t_i}", **_LOSS)
declare(
    "nll_loss_grad", "g targets", nll_loss_grad_kernel,
    lambda g, targets, shape, dtype, **_: TensorType(np.dtype(dtype), shape), {"g": _nll_grad_vjp},
    category="gradient", symbol="nabla", formula=r"-g e_t",
)  # fmt: skip


def _in_order(values: Array) -> Any:
    """The sum of all ``values``, one after the other in sixteens, as PyTorch's loop over a batch adds."""
    return cascade(values.reshape(-1)) if values.size else values.dtype.type(0)


def _mean_or_sum(values: Array, reduction: str) -> Array:
    if reduction == "none":
        return values
    return np.asarray((mean if reduction == "mean" else summed)(values), values.dtype)


def _spread(F: Any, g: Any, shape: Any, reduction: str) -> Any:
    if reduction == "none":
        return g
    return F.spread_mean(g, shape) if reduction == "mean" else F.spread(g, shape)


def bce_kernel(a: Array, targets: Array, reduction: str = "mean") -> Array:
    """The cross entropy of probabilities; logarithms are cut off at -100."""
    low = a.dtype.type(-100)
    values = -(targets * np.maximum(np.log(a), low) + (1 - targets) * np.maximum(np.log1p(-a), low))
    return _mean_or_sum(values, reduction)


def _bce_vjp(F: Any, g: Any, a: Any, targets: Any, a_shape: Any, reduction: str) -> Any:
    slope = F.div(F.sub(a, targets), F.maximum(F.mul(F.sub(1, a), a), 1e-12))
    return F.mul(_spread(F, g, a_shape, reduction), slope)


declare("binary_cross_entropy", "a targets", bce_kernel, _loss_type, {"a": _bce_vjp},
         formula=r"-t \ln a - (1 - t) \ln(1 - a)", **_LOSS)  # fmt: skip


def _huber_slope(F: Any, g: Any, a: Any, b: Any, shape: Any, reduction: str, delta: float, scale: float) -> Any:
    slope = F.mul(F.clip(F.sub(a, b), -delta, delta), scale)
    return F.mul(slope, g if reduction == "none" else _spread(F, g, F.shape(slope), reduction))


def smooth_l1_kernel(a: Array, b: Array, reduction: str = "mean", beta: float = 1.0) -> Array:
    """The distance, but rounded off to half its square over ``beta`` below ``beta``."""
    distance = np.abs(a - b)
    if beta == 0:
        return _mean_or_sum(distance, reduction)
    return _mean_or_sum(np.where(distance < beta, 0.5 * distance * distance / beta, distance - 0.5 * beta), reduction)


declare(
    "smooth_l1_loss", "a b", smooth_l1_kernel, _loss_type,
    {
        "a": lambda F, g, a, b, a_shape, reduction, beta: F.sum_to(_huber_slope(F, g, a, b, a_shape, reduction, beta
        or 1e-30, 1 / (beta or 1e-30)), a_shape),
        "b": lambda F, g, a, b, b_shape, reduction, beta: F.sum_to(_huber_slope(F, g, b, a, b_shape, reduction, beta
        or 1e-30, 1 / (beta or 1e-30)), b_shape),
    },
    formula=r"\operatorname{smooth}|a - b|", **_LOSS,
)  # fmt: skip


# -- binary cross entropy with weights --------------------------------------------------------------------------------
def _reduced_type(a: TensorType, targets: TensorType, *more: Any, **_: Any) -> TensorType:
    return TensorType(a.dtype, None)


def weighted_bce_kernel(a: Array, targets: Array, weight: Array, reduction: str = "mean") -> Array:
    """:func:`bce_kernel` with a weight for each element."""
    return _mean_or_sum(np.asarray(bce_kernel(a, targets, "none") * weight, a.dtype), reduction)


declare(
    "weighted_bce", "a targets weight", weighted_bce_kernel, _reduced_type,
    {
        "a": lambda F, g, a, targets, weight, a_shape, reduction: F.mul(
            _bce_vjp(F, g, a, targets, a_shape, reduction), weight
        )
    },
    formula=r"-w (t \ln a + (1 - t) \ln(1 - a))", **_LOSS,
)  # fmt: skip


def weighted_bce_logits_kernel(a: Array, targets: Array, weight: Any, positive: Any, reduction: str = "mean") -> Array:
    """The cross entropy of logits; ``positive`` weighs the examples whose target is 1."""
    soft = np.logaddexp(-a, a.dtype.type(0))
    values = np.asarray(((1 - targets) * a + (1 + (positive - 1) * targets) * soft) * weight, a.dtype)
    return _mean_or_sum(values, reduction)


def _weighted_bce_logits_vjp(
    F: Any, g: Any, a: Any, targets: Any, weight: Any, positive: Any, a_shape: Any, reduction: str
) -> Any:
    share = F.add(F.mul(F.sub(positive, 1), targets), 1)
    slope = F.sub(F.sub(1, targets), F.mul(share, F.sigmoid(F.neg(a))))
    return F.mul(_spread(F, g, a_shape, reduction), F.mul(slope, weight))


declare(
    "weighted_bce_logits", "a targets weight positive", weighted_bce_logits_kernel, _reduced_type,
    {"a": _weighted_bce_logits_vjp}, formula=r"w ((1 - t) a + (1 + (p - 1) t) \ln(1 + e^{-a}))", **_LOSS,
)  # fmt: skip


# -- margins ----------------------------------------------------------------------------------------------------------
def _distances(a: Array, targets: Array, margin: float) -> Array:
    """How far each wrong class comes within ``margin`` of the right one (0 for the right one itself)."""
    right = np.take_along_axis(a, targets[..., None], -1)
    gaps = np.maximum(margin - right + a, 0)
    np.put_along_axis(gaps, targets[..., None], 0, -1)
    return gaps


def multi_margin_kernel(a: Array, targets: Array, p: int = 1, margin: float = 1.0, reduction: str = "mean") -> Array:
    """The mean over the classes of how far wrong ones come within the margin, to the power ``p``."""
    values = (_distances(a, targets, margin) ** p).sum(-1) / a.shape[-1]
    return _mean_or_sum(np.asarray(values, a.dtype), reduction)


def multi_margin_grad_kernel(
    g: Array, a: Array, targets: Array, p: int = 1, margin: float = 1.0, reduction: str = "mean"
) -> Array:
    gaps = _distances(a, targets, margin)
    slope = np.asarray((gaps > 0) * (1 if p == 1 else 2 * gaps) / a.shape[-1], a.dtype)
    np.put_along_axis(slope, targets[..., None], -slope.sum(-1, keepdims=True), -1)
    upstream = g[..., None] if reduction == "none" else g / (targets.size if reduction == "mean" else 1)
    return np.asarray(slope * upstream + 0, a.dtype)  # + 0: no negative zero


declare(
    "multi_margin_loss", "a targets", multi_margin_kernel, _loss_type,
    {
        "a": lambda F, g, a, targets, p, margin, reduction: F.multi_margin_grad(
            g, a, targets, p, margin, reduction
        )
    },
    formula=r"\frac{1}{n} \sum_j \max(0, m - a_t + a_j)^p", **_LOSS,
)  # fmt: skip
declare(
    "multi_margin_grad", "g a targets", multi_margin_grad_kernel, lambda g, a, targets, **_: a, None,
    category="gradient", symbol="nabla", formula=r"\nabla",
)  # fmt: skip


def soft_margin_kernel(a: Array, targets: Array, reduction: str = "mean") -> Array:
    """``ln(1 + e^(-t a))`` for targets of 1 and -1."""
    return _mean_or_sum(np.log1p(np.exp(-targets * a)), reduction)


declare(
    "soft_margin_loss", "a targets", soft_margin_kernel, _loss_type,
    {
        "a": lambda F, g, a, targets, a_shape, reduction: F.mul(
            _spread(F, g, a_shape, reduction), F.neg(F.mul(targets, F.sigmoid(F.neg(F.mul(targets, a)))))
        )
    },
    formula=r"\ln(1 + e^{-t a})", **_LOSS,
)  # fmt: skip

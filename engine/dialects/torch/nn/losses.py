"""Loss functions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.dialects.torch import ops, pointwise, selection, special
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.messages import sizes
from engine.dialects.torch.nn.functional import log_softmax
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import Size, word_of
from engine.dynamic.apply import apply
from engine.dynamic.tensor import Number

_ = ops
_p = FACADE.primitive
MSE = _p("mse_loss", "mse_loss", "MseLossBackward0", default=True)
NLL = _p("nll_loss", "nll_loss", "NllLossBackward0", default=True)
NLL2D = _p("nll_loss", "nll_loss", "NllLoss2DBackward0")
BCE = _p("binary_cross_entropy", "binary_cross_entropy", "BinaryCrossEntropyBackward0", default=True)
BCE_LOGITS = _p(
    "binary_cross_entropy_with_logits", "binary_cross_entropy_with_logits", "BinaryCrossEntropyWithLogitsBackward0",
    default=True
)  # fmt: skip
BCE_WEIGHTED = _p("weighted_bce", "binary_cross_entropy", "BinaryCrossEntropyBackward0")
BCE_LOGITS_WEIGHTED = _p(
    "weighted_bce_logits", "binary_cross_entropy_with_logits", "BinaryCrossEntropyWithLogitsBackward0"
)
SMOOTH_L1 = _p("smooth_l1_loss", "smooth_l1_loss", "SmoothL1LossBackward0", default=True)
HUBER = _p("huber_loss", "huber_loss", "HuberLossBackward0", default=True)


def check_reduction(reduction: str) -> str:
    """Refuse a reduction that does not exist."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def _old_reduction(size_average: Any, reduce: Any, reduction: str) -> str:
    """What the old arguments ``size_average`` and ``reduce`` mean."""
    if size_average is None and reduce is None:
        return check_reduction(reduction)
    averaged = True if size_average is None else size_average
    reduced = True if reduce is None else reduce
    return ("mean" if averaged else "sum") if reduced else "none"


def _warn_sizes(input: Any, target: Any) -> None:
    for value in (target, input):
        if not isinstance(value, Tensor):
            raise AttributeError(f"'{type(value).__name__}' object has no attribute 'size'")
    if input._array.shape != target._array.shape:
        warnings.warn(
            f"Using a target size ({target.shape!r}) that is different to the input size ({input.shape!r}). This "
            f"will likely "
            "lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            UserWarning,
            stacklevel=4,
        )


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Any:
    """The mean of squared differences."""
    if reduction != "mean" or size_average is not None or reduce is not None:
        reduction = _old_reduction(size_average, reduce, reduction)
    _warn_sizes(input, target)
    if reduction == "mean":
        return MSE.run(input, target)
    return apply(MSE, (input, target), {"reduction": reduction})


def reduced(values: Any, reduction: str) -> Any:
    return values.mean() if reduction == "mean" else values.sum() if reduction == "sum" else values


def l1_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    reduction = _old_reduction(size_average, reduce, reduction)
    _warn_sizes(input, target)
    return reduced(pointwise.abs(input - target), reduction)  # type: ignore[operator]


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Any:
    reduction = _old_reduction(size_average, reduce, reduction)
    _warn_sizes(input, target)
    return apply(SMOOTH_L1, (input, target), {"reduction": reduction, "beta": beta})


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Any:
    return apply(HUBER, (input, target), {"reduction": check_reduction(reduction), "delta": delta})


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    t: Any = target
    values = pointwise.exp(target) * (t - input) if log_target else special.xlogy(target, target) - t * input
    if reduction == "batchmean":
        return values.sum() / input._array.shape[0]
    return reduced(values, check_reduction(reduction))


def _check_targets(input: Tensor, target: Tensor, weight: Any) -> None:
    shape, wanted = input._array.shape, target._array.shape
    rank, classes = len(shape), shape[1 if len(shape) > 1 else 0]
    if rank > 1 and shape[0] != (wanted[0] if wanted else 1):
        raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size ({(wanted or (1,))[0]}).")
    kind = target._array.dtype
    if kind not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {word_of(kind)}")
    if rank <= 2 and len(wanted) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if rank > 2 and wanted != (shape[0], *shape[2:]):
        raise RuntimeError(f"Expected target size {sizes((shape[0], *shape[2:]))}, got {sizes(wanted)}")
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {sizes(weight._array.shape)}"
        )


def nll_loss(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Minus the log probability of each target class."""
    reduction = _old_reduction(size_average, reduce, reduction)
    if input._array.ndim == 1 and target._array.shape == (1,):  # one example, its class in a list
        target = target.reshape(())
    _check_targets(input, target, weight)
    picked = target._array
    classes = input._array.shape[1 if input._array.ndim > 1 else 0]
    wrong = picked[(picked != ignore_index) & ((picked < 0) | (picked >= classes))]
    if wrong.size:
        raise IndexError(f"Target {wrong.flat[0]} is out of bounds.")
    weights = None if weight is None else tuple(weight._array.tolist())
    primitive = NLL if input._array.ndim <= 2 else NLL2D
    attributes = {"reduction": reduction, "ignore_index": ignore_index, "weights": weights}
    return apply(primitive, (input, target), attributes)


def cross_entropy(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    """``nll_loss`` of ``log_softmax``; targets are classes, or probabilities of the classes."""
    reduction = _old_reduction(size_average, reduce, reduction)
    need_tensor(input, "cross_entropy_loss")
    need_tensor(target, "cross_entropy_loss", "target", 2)
    axis = 1 if input._array.ndim > 1 else 0
    if target._array.shape == input._array.shape:
        if target._array.dtype.kind != "f":
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {word_of(target._array.dtype)}"
            )
        return _soft_cross_entropy(input, target, weight, reduction, label_smoothing, axis)
    logs = log_softmax(input, axis)
    if not label_smoothing:
        return nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    hard = nll_loss(logs, target, weight, None, ignore_index, None, reduction)
    smooth: Any = -(logs if weight is None else logs * weight.reshape(1, -1)).sum(axis)
    kept = target._array != ignore_index
    smooth = selection.masked_fill(smooth, Tensor(~kept), 0.0)
    if reduction == "mean":
        scale = kept.sum() if weight is None else weight._array[target._array[kept]].sum()
        smooth = smooth.sum() / float(scale)
    else:
        smooth = reduced(smooth, reduction)
    classes = input._array.shape[axis]
    return (1 - label_smoothing) * hard + smooth * (label_smoothing / classes)


def _soft_cross_entropy(input: Tensor, target: Any, weight: Any, reduction: str, smoothing: float, axis: int) -> Any:
    if smoothing:
        target = target * (1 - smoothing) + smoothing / input._array.shape[axis]
    logs = log_softmax(input, axis)
    values = logs * target
    if weight is not None:
        values = values * weight.reshape(1, -1)
    if reduction == "none":
        return -values.sum(axis)
    total = -values.sum()
    count = input._array.size // input._array.shape[axis]
    return apply(MEAN_OVER_BATCH, (total, Number(count))) if reduction == "mean" else total


MEAN_OVER_BATCH = _p("div", "div", "DivBackward1")


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """The cross entropy of probabilities."""
    reduction = _old_reduction(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Using a target size ({Size(target._array.shape)!r}) that is different to the input size "
            f"({Size(input._array.shape)!r}) is deprecated. Please ensure they have the same size."
        )
    if target._array.dtype != input._array.dtype:
        raise RuntimeError(f"Found dtype {word_of(target._array.dtype)} but expected {word_of(input._array.dtype)}")
    if np.any((input._array < 0) | (input._array > 1)):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if weight is None:
        return apply(BCE, (input, target), {"reduction": reduction})
    return apply(BCE_WEIGHTED, (input, target, weight), {"reduction": reduction})


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str =
    "mean",
    pos_weight: Any = None,
) -> Any:  # fmt: skip
    """The cross entropy of logits."""
    reduction = _old_reduction(size_average, reduce, reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(f"Target size ({target.shape!r}) must be the same as input size ({input.shape!r})")
    if target._array.dtype.kind not in "fc":
        kinds = word_of(input._array.dtype), word_of(target._array.dtype)
        raise RuntimeError(f"result type {kinds[0]} can't be cast to the desired output type {kinds[1]}")
    if pos_weight is None and weight is None:
        return apply(BCE_LOGITS, (input, target), {"reduction": reduction})
    operands = (input, target, *(Number(1) if w is None else w for w in (weight, pos_weight)))
    return apply(BCE_LOGITS_WEIGHTED, operands, {"reduction": reduction})

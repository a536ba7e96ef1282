"""Losses that compare distances with a margin, and those of distributions."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch import pointwise, selection
from engine.dialects.torch.nn.functional import logsigmoid
from engine.dialects.torch.nn.losses import check_reduction, reduced
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply

_p = FACADE.primitive
MULTI_MARGIN = _p("multi_margin_loss", "multi_margin_loss", "MultiMarginLossBackward0")
SOFT_MARGIN = _p("soft_margin_loss", "soft_margin_loss", "SoftMarginLossBackward0")
NORM = _p("norm", "norm", "NormBackward1")
P_NORM = _p("vector_norm", "norm", "NormBackward1")


def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: str = "mean") -> Any:
    """Zero where ``input1`` is above ``input2`` (below it, where ``target`` is -1) by ``margin`` at least."""
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return reduced(selection.clamp(-target * (input1 - input2) + margin, min=0), check_reduction(reduction))


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between vectors along ``dim``."""
    units = [x / x.norm(2, dim, True).clamp_min(eps) for x in (x1, x2)]
    return (units[0] * units[1]).sum(dim)


def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0, reduction: str = "mean") -> Any:
    """One minus the cosine where the target is 1, else the cosine as far as it is above ``margin``."""
    cos = cosine_similarity(input1, input2, dim=input1.dim() - 1)
    values = selection.where(target == 1, 1 - cos, selection.clamp(cos - margin, min=0))
    return reduced(values, check_reduction(reduction))


def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    """The p-norm of the difference along the last dimension."""
    gap = x1 - x2 + eps
    attributes = {"axis": gap.dim() - 1, "keepdims": keepdim}
    return apply(NORM, (gap,), attributes) if p == 2 else apply(P_NORM, (gap,), attributes | {"p": float(p)})


def triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False,
    size_average: Any = None, reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Zero where the negative is farther from the anchor than the positive by ``margin`` at least."""
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = pointwise.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(selection.clamp(margin + near - far, min=0), check_reduction(reduction))


def hinge_embedding_loss(
    input: Any, target: Any, margin: float = 1.0, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The input where the target is 1, else as far as it is below ``margin``."""
    apart = selection.where(target == 1, input * 0, selection.clamp(margin - input, min=0))
    near = selection.where(target == -1, input * 0, input)
    return reduced(apart + near, check_reduction(reduction))


def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Any = None, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """The hinge loss of several classes."""
    if weight is not None:
        raise NotImplementedError("multi_margin_loss: the teaching engine has no weights here; leave weight out")
    return apply(MULTI_MARGIN, (input, target), {"p": p, "margin": margin, "reduction": check_reduction(reduction)})


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """``ln(1 + e^(-t x))``."""
    return apply(SOFT_MARGIN, (input, target), {"reduction": check_reduction(reduction)})


def multilabel_soft_margin_loss(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """The binary cross entropy of several labels at once."""
    values = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        values = values * weight
    return reduced(values.sum(-1) / input.size(-1), check_reduction(reduction))


def poisson_nll_loss(
    input: Any, target: Any, log_input: bool = True, full: bool = False, size_average: Any = None, eps: float = 1e-8,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Minus the log likelihood of counts, up to a constant."""
    values = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        values = values + stirling.masked_fill(target <= 1, 0)
    return reduced(values, check_reduction(reduction))


def gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """Minus the log likelihood of a normal distribution with a variance for each element."""
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    spread = var.clamp(min=eps)
    values = 0.5 * (spread.log() + (input - target) ** 2 / spread)
    if full:
        values = values + 0.5 * math.log(2 * math.pi)
    return reduced(values, check_reduction(reduction))

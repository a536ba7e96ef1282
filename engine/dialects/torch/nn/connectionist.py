"""Connectionist temporal classification (A. Graves et al., 2006): labels without their times."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import joining
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor


def ctc_loss(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:  # fmt: skip
    """How unlikely the labels are under ``log_probs`` (time, batch, classes), over all their alignments."""
    times, labels = _lengths(input_lengths), _lengths(target_lengths)
    if log_probs.ndim == 2:
        log_probs = log_probs.unsqueeze(1)
    losses, start = [], 0
    for place, (time, count) in enumerate(zip(times, labels, strict=True)):
        if targets.ndim == 2:
            wanted = targets._array[place, :count]
        else:
            wanted = targets._array[start : start + count]
            start += count
        losses.append(_one(log_probs[:time, place], wanted, blank, zero_infinity))
    whole = joining.stack(losses)
    if reduction == "sum":
        return whole.sum()
    if reduction == "mean":
        return (whole / Tensor(np.maximum(np.asarray(labels, whole._array.dtype), 1))).mean()
    return whole


def _lengths(given: Any) -> list[int]:
    return [int(n) for n in (given._array.reshape(-1) if isinstance(given, Tensor) else given)]


def _one(log_probs: Any, labels: Any, blank: int, zero_infinity: bool) -> Any:
    """The loss of one sequence: sums over all ways through blanks and labels, forwards in time."""
    path = np.full(2 * len(labels) + 1, blank, np.int64)
    path[1::2] = labels
    kind = log_probs._array.dtype
    never = float(np.finfo(kind).min) / 2
    skips = np.full(len(path), never, kind)
    skips[2:] = np.where((path[2:] != blank) & (path[2:] != path[:-2]), 0.0, never)
    first = np.full(len(path), never, kind)
    first[:2] = 0.0
    said = log_probs.index_select(1, Tensor(path))
    ways = said[0] + Tensor(first)
    gap = Tensor(np.full(2, never, kind))
    for time in range(1, len(said)):
        behind = joining.cat([gap, ways])
        ways = joining.stack([ways, behind[1:-1], behind[:-2] + Tensor(skips)]).logsumexp(0) + said[time]
    loss = -ways[-2:].logsumexp(0)
    if float(loss._array) > -never / 2:
        return loss * 0 if zero_infinity else loss * 0 + float("inf")
    return loss


class CTCLoss(Module):
    """:func:`ctc_loss`."""

    __module__ = "torch.nn.modules.loss"

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__()
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        return ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )

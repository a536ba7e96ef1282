"""Which steps may fail when they run."""

from __future__ import annotations

import numpy as np

from engine.ops import TABLE
from engine.passes.draft import Step

SAFE = frozenset(
    {
        "fused",
        "matmul",
        "sum",
        "mean",
        "max",
        "min",
        "relu",
        "relu_grad",
        "sigmoid",
        "softmax",
        "log_softmax",
        "reshape",
        "transpose",
        "expand_dims",
        "squeeze",
        "sum_to",
        "spread",
        "spread_mean",
        "broadcast_to",
        "identity",
        "stop_gradient",
        "cast",
        "zeros_like",
        "ones_like",
        "where",
        "mse_loss",
        "mse_loss_grad",
        "assign",
        "assign_add",
        "assign_sub",
        "getitem",
        "concat",
        "stack",
        "output",
        "loop_variable",
        "capture",
    }
)
"""Ops that cannot fail on operands whose types were checked when the plan was made."""


def can_fail(step: Step) -> bool:
    """Whether running ``step`` may raise although its operands' types were checked when the plan was made."""
    if any(t is None or not t.is_known for t in (step.type, *(read.type for read, _ in step.inputs))):
        return True
    return step.op not in SAFE and not isinstance(TABLE[step.op].kernel, np.ufunc)

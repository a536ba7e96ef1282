"""Ops of recurrent networks that the table lacks: a state of zeros for any batch, sequences turned round."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.registry import op
from engine.tensor_type import TensorType


def zero_state_kernel(rows: Any, width: int, dtype: Any) -> Any:
    """Zeros: ``rows`` x ``width``."""
    return np.zeros((int(rows), width), dtype)


def reverse_sequence_kernel(a: Any, lengths: Any) -> Any:
    """``a`` (batch x time x ...) with the first ``lengths[i]`` steps of row ``i`` in the opposite order."""
    steps = np.arange(a.shape[1])
    order = np.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
    return a[np.arange(a.shape[0])[:, None], order]


op(
    "tf_zero_state",
    "rows",
    zero_state_kernel,
    lambda rows, width, dtype: TensorType(np.dtype(dtype), (None, width)),
    None,
    category="input",
    symbol="0",
    formula="0",
)
op(
    "tf_reverse_sequence",
    "a lengths",
    reverse_sequence_kernel,
    lambda a, lengths: a,
    {"a": lambda F, g, lengths: F.tf_reverse_sequence(g, lengths)},
    unpromoted=frozenset({"lengths"}),
    category="shape",
    symbol="shape",
    formula=r"a_{n - 1 - t}",
)

"""Choices through which gradients flow."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.gathering import scatter
from engine.dialects.torch.nn.functional import softmax
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import Tensor


def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """A sample of a softmax distribution that is nearly one-hot, or (``hard``) one-hot with the gradient of the soft
    one (E. Jang, S. Gu and B. Poole, 2016)."""
    blank: Any = Tensor(np.empty(logits.shape, logits._array.dtype))
    noise = -blank.exponential_().log()
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    zeros = Tensor(np.zeros(logits.shape, logits._array.dtype))
    return scatter(zeros, dim, soft.max(dim, keepdim=True)[1], 1.0) - soft.detach() + soft


def rrelu(
    input: Any, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Any:
    """Negative numbers times a slope: drawn while training, else the middle one."""
    x = input.clone() if inplace else input
    slope: Any = (lower + upper) / 2
    if training:
        slopes = np.ones(input.shape, input._array.dtype)
        negative = input._array <= 0
        drawn = default_generator.uniform(int(negative.sum()), np.dtype(np.float64))
        slopes[negative] = drawn * (upper - lower) + lower
        slope = Tensor(slopes)
    result = x.clamp(min=0) + x.clamp(max=0) * slope
    return input.copy_(result) if inplace else result

"""``out=``: a tensor that gets what a function gives."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from engine.dialects.torch.pointwise import into

NAMES = (
    "addbmm addcdiv addcmul addmm addmv addr arange baddbmm bitwise_and bitwise_left_shift bitwise_not "
    "bitwise_right_shift bitwise_xor bmm bucketize cholesky clamp clip column_stack cross cummax cummin deg2rad diag "
    "dot dstack eye float_power full gather gcd ger heaviside histc hstack index_select inner inverse isneginf "
    "isposinf kron kthvalue lcm lerp linspace logcumsumexp logit logspace logsumexp masked_select matmul matrix_power "
    "mm mode multinomial mv nan_to_num nanmean nonzero normal outer pow quantile randint randn randperm renorm round "
    "row_stack searchsorted signbit sort stack std svd take_along_dim topk tril triu var vdot vstack where"
)
"""Functions of ``torch`` that take ``out`` there; those whose own signature has it are not among them."""


def with_out(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, with ``out``: a tensor, or a tuple of them for several results.

    >>> import numpy as np
    >>> from engine.dialects.torch.tensor import Tensor
    >>> place = Tensor(np.zeros(2))
    >>> with_out(lambda x: x)(Tensor(np.ones(2)), out=place) is place, place
    (True, tensor([1., 1.], dtype=torch.float64))
    """
    if "out" in inspect.signature(function).parameters:
        return function

    @functools.wraps(function)
    def written(*arguments: Any, out: Any = None, **options: Any) -> Any:
        result = function(*arguments, **options)
        if out is None:
            return result
        if isinstance(out, tuple | list):
            return type(result)(*(into(place, part) for place, part in zip(out, result, strict=True)))
        return into(out, result)

    return written

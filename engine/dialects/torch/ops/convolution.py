"""Convolution with its bias, one op as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.ops.declaring import declare
from engine.ops.convolution import NO_PADDING, Padding, Pair, conv2d_input_kernel, conv2d_kernel
from engine.ops.registry import TABLE, Array
from engine.tensor_type import TensorType


def _with_bias(out: Array, bias: Any) -> Array:
    return np.add(out, bias.reshape(1, -1, 1, 1), out) if isinstance(bias, np.ndarray) else out


def convolution_kernel(
    a: Array, b: Array, bias: Any, stride: Pair = (1, 1), padding: Padding = NO_PADDING, dilation: Pair = (1, 1)
) -> Array:
    """Images ``a``, weights ``b``, and a number for each output channel (or 0)."""
    return _with_bias(conv2d_kernel(a, b, stride, padding, dilation), bias)


def _type(
    a: TensorType, b: TensorType, bias: Any, stride: Pair = (1, 1), padding: Padding = NO_PADDING,
    dilation: Pair = (1, 1),
) -> TensorType:  # fmt: skip
    return TABLE["conv2d"].type_rule(a, b, stride=stride, padding=padding, dilation=dilation)


def _bias_vjp(F: Any, g: Any) -> Any:
    return F.sum(g, (0, 2, 3))


declare(
    "convolution", "a b bias", convolution_kernel, _type,
    {name: gradient.function for name, gradient in TABLE["conv2d"].gradients.items()} | {"bias": _bias_vjp},
    category="matmul", symbol=TABLE["conv2d"].symbol, formula="a * w + b",
)  # fmt: skip


def transposed_convolution_kernel(
    a: Array, b: Array, bias: Any, shape: tuple[int, ...], stride: Pair = (1, 1), padding: Padding = NO_PADDING,
    dilation: Pair = (1, 1),
) -> Array:  # fmt: skip
    """The transpose of :func:`convolution_kernel`, to images of ``shape``."""
    return _with_bias(conv2d_input_kernel(a, b, shape, stride, padding, dilation), bias)


declare(
    "transposed_convolution", "a b bias", transposed_convolution_kernel,
    lambda a, b, bias, shape, stride=(1, 1), padding=NO_PADDING, dilation=(1, 1): TensorType(a.dtype, shape),
    {
        "a": lambda F, g, b, stride, padding, dilation: F.conv2d(g, b, stride, padding, dilation),
        "b": lambda F, g, a, b_shape, stride, padding, dilation: F.conv2d_weight(
            a, g, b_shape, stride, padding, dilation
        ),
        "bias": _bias_vjp,
    },
    category="matmul", symbol=TABLE["conv2d"].symbol, formula=r"a *^\\top w + b",
)  # fmt: skip

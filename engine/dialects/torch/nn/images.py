"""Convolution and pooling over images: as functions and as layers."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch import messages
from engine.dialects.torch.creation import need_tensor
from engine.dialects.torch.nn import init
from engine.dialects.torch.nn.layers import BatchNorm1d
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import blank
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply

_p = FACADE.primitive
CONV = _p("conv2d", "conv2d", "ConvolutionBackward0")
ADD_BIAS = _p("add", "add_bias", "ConvolutionBackward0")
MAX_POOL = _p("max_pool2d", "max_pool2d", "MaxPool2DWithIndicesBackward0")
AVG_POOL = _p("avg_pool2d", "avg_pool2d", "AvgPool2DBackward0")
# A single image is pooled as a batch of one, but its node in the backward graph keeps the name.
SINGLE = {p.label: _p("squeeze", "squeeze", p.node_class.label) for p in (MAX_POOL, AVG_POOL)}
Pair = tuple[int, int]


def pair(value: Any) -> Pair:
    """One number for both directions, or two.

    >>> pair(3), pair((1, 2))
    ((3, 3), (1, 2))
    """
    if isinstance(value, int):
        return value, value
    first, second = value
    return int(first), int(second)


def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide ``weight`` (out, in, height, width) over ``input`` (batch, in, height, width).

    :raises RuntimeError: shapes do not fit. :raises NotImplementedError: ``groups`` other than 1.
    """
    need_tensor(input, "conv2d")
    if groups != 1:
        raise NotImplementedError(f"conv2d: this teaching engine convolves in one group only, not groups={groups}")
    shape, kernel = input._array.shape, weight._array.shape
    if len(shape) not in (3, 4):
        raise RuntimeError(
            f"Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: {messages.sizes(shape)}"
        )
    if shape[-3] != kernel[1]:
        raise RuntimeError(
            f"Given groups=1, weight of size {messages.sizes(kernel)}, expected input{messages.sizes(shape)} to have "
            f"{kernel[1]} channels, but got {shape[-3]} channels instead"
        )
    step, apart = pair(stride), pair(dilation)
    if padding == "same":
        if step != (1, 1):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        total = [d * (k - 1) for d, k in zip(apart, kernel[2:], strict=True)]
        around = tuple((n // 2, n - n // 2) for n in total)
    else:
        around = tuple((n, n) for n in pair(0 if padding == "valid" else padding))
    padded = [size + before + after for size, (before, after) in zip(shape[-2:], around, strict=True)]
    if any(size < d * (k - 1) + 1 for size, d, k in zip(padded, apart, kernel[2:], strict=True)):
        reach = " x ".join(str(d * (k - 1) + 1) for d, k in zip(apart, kernel[2:], strict=True))
        raise RuntimeError(
            f"Calculated padded input size per channel: ({padded[0]} x {padded[1]}). Kernel size: ({reach}). Kernel "
            "size can't be greater than actual input size"
        )
    batch = input if len(shape) == 4 else input.unsqueeze(0)
    out: Any = apply(CONV, (batch, weight), {"stride": step, "padding": around, "dilation": apart})
    if bias is not None:
        out = apply(ADD_BIAS, (out, bias.reshape(1, -1, 1, 1)))
    return out if len(shape) == 4 else out.squeeze(0)


def _pool(primitive: Any, input: Any, size: Any, stride: Any, padding: Any, **more: Any) -> Any:
    name = primitive.label
    need_tensor(input, name)
    rank = input._array.ndim
    if rank not in (3, 4):
        raise RuntimeError(f"{name}: Expected 3D or 4D input, but got input of size: {messages.sizes(input.shape)}")
    window, around = pair(size), pair(padding)
    if any(p > w // 2 for p, w in zip(around, window, strict=True)):
        raise RuntimeError(
            f"pad should be at most half of effective kernel size, but got pad={max(around)}, "
            f"kernel_size={window[0]} and dilation=1"
        )
    attributes = {
        "size": window, "stride": window if stride is None else pair(stride), "padding": tuple((n, n) for n in around),
        **more,
    }  # fmt: skip
    out: Any = apply(primitive, (input if rank == 4 else input.unsqueeze(0),), attributes)
    return out if rank == 4 else apply(SINGLE[primitive.label], (out,), {"axis": 0})


def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The largest number in each window."""
    if pair(dilation) != (1, 1) or ceil_mode or return_indices:
        raise NotImplementedError(
            "max_pool2d: this teaching engine has neither dilation, ceil_mode nor return_indices; leave them out"
        )
    return _pool(MAX_POOL, input, kernel_size, stride, padding)


def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    """The mean of each window."""
    if ceil_mode or divisor_override is not None:
        raise NotImplementedError(
            "avg_pool2d: this teaching engine has neither ceil_mode nor divisor_override; leave them out"
        )
    return _pool(AVG_POOL, input, kernel_size, stride, padding, count_padding=bool(count_include_pad))


class Conv2d(Module):
    """``y = conv2d(x, weight) + bias``."""

    __module__ = "torch.nn.modules.conv"

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if groups != 1 or padding_mode != "zeros":
            raise NotImplementedError("Conv2d: this teaching engine has one group and padding with zeros only")
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride, self.dilation = pair(kernel_size), pair(stride), pair(dilation)
        self.padding = padding if isinstance(padding, str) else pair(padding)
        self.groups, self.padding_mode = groups, padding_mode
        self.weight = blank(out_channels, in_channels, *self.kernel_size, dtype=dtype)
        self.register_parameter("bias", blank(out_channels, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new start values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_channels * self.kernel_size[0] * self.kernel_size[1])
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        return conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0, 0):
            text += f", padding={self.padding}"
        if self.dilation != (1, 1):
            text += f", dilation={self.dilation}"
        return text if self.bias is not None else f"{text}, bias=False"


class MaxPool2d(Module):
    """The largest number in each window."""

    __module__ = "torch.nn.modules.pooling"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Any) -> Any:
        return max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class AvgPool2d(Module):
    """The mean of each window."""

    __module__ = "torch.nn.modules.pooling"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, kernel_size if stride is None else stride, padding
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override

    def forward(self, input: Any) -> Any:
        return avg_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class BatchNorm2d(BatchNorm1d):
    """Normalises each channel over the batch and the image."""

    __module__ = "torch.nn.modules.batchnorm"
    _ranks = (4,)

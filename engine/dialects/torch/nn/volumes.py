"""Convolution over volumes, and normalisation over neighbouring channels."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.joining import stack
from engine.dialects.torch.nn.convolution import _check, _Convolution, conv2d, sizes_of
from engine.dialects.torch.nn.functional import pad
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.pooling import AvgPool2d, _MaxPool, avg_pool2d, max_pool2d
from engine.dialects.torch.tensor import FACADE
from engine.dynamic.apply import apply

_MAX = FACADE.primitive("max", "max_pool3d", "MaxPool3DWithIndicesBackward0")
_MEAN = FACADE.primitive("mean", "avg_pool3d", "AvgPool3DBackward0")


def conv3d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide ``weight`` (out, in / groups, depth, height, width) over ``input`` (batch, in, depth, height, width): a sum
    of convolutions of images, one for each depth of ``weight``."""
    shape = weight.shape
    _check("conv3d", input, weight, bias, groups, 3, shape[1] * groups, shape[0])
    x = input if input.ndim == 5 else input.unsqueeze(0)
    step, apart = sizes_of(stride, 3), sizes_of(dilation, 3)
    around = (0, 0, 0) if padding == "valid" else sizes_of(padding, 3)
    if around[0]:
        x = pad(x, (0, 0, 0, 0, around[0], around[0]))
    depth = x.shape[2] - apart[0] * (shape[2] - 1)
    if depth <= 0:
        sizes = [x.shape[2], x.shape[3] + 2 * around[1], x.shape[4] + 2 * around[2]]
        reach = [d * (k - 1) + 1 for d, k in zip(apart, shape[2:], strict=True)]
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, sizes))}). Kernel size: "
            f"({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input size"
        )
    count = (depth - 1) // step[0] + 1
    batch, channels = x.shape[:2]
    total: Any = None
    for place in range(shape[2]):
        start = place * apart[0]
        layers = x[:, :, start : start + (count - 1) * step[0] + 1 : step[0]].transpose(1, 2)
        images = layers.reshape(batch * count, channels, *x.shape[3:])
        own = bias if place == 0 else None
        part = conv2d(images, weight[:, :, place], own, step[1:], around[1:], apart[1:], groups)
        total = part if total is None else total + part
    out = total.reshape(batch, count, *total.shape[1:]).transpose(1, 2)
    return out if x is input or input.ndim == 5 else out.squeeze(0)


class Conv3d(_Convolution):
    """``y = conv3d(x, weight) + bias``."""

    __module__ = "torch.nn.modules.conv"
    _rank = 3
    _function = staticmethod(conv3d)


def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """Each number over a power of the mean square of ``size`` neighbouring channels (batch, channels, …)."""
    if input.ndim < 3:
        raise ValueError(f"Expected 3D or higher dimensionality                          input (got {input.ndim} "
                         f"dimensions)")  # fmt: skip
    shape = input.shape
    flat = input.reshape(shape[0], 1, shape[1], -1)
    squares = pad(flat.mul(flat), (0, 0, size // 2, (size - 1) // 2))
    divisor = avg_pool2d(squares, (size, 1), 1).reshape(*shape)
    return input / divisor.mul(alpha).add(k).pow(beta)


class LocalResponseNorm(Module):
    """:func:`local_response_norm`."""

    __module__ = "torch.nn.modules.normalization"

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Any) -> Any:
        return local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


def _over_depth(input: Any, kernel: Any, stride: Any, padding: Any, pool: Any, fill: float) -> list[Any]:
    """Pooled images of each window's layers: for each place in the window, (batch, channels, depth, …)."""
    size = sizes_of(kernel, 3)
    step, around = size if stride is None else sizes_of(stride, 3), sizes_of(padding, 3)
    x = input if input.ndim == 5 else input.unsqueeze(0)
    if around[0]:
        x = pad(x, (0, 0, 0, 0, around[0], around[0]), value=fill)
    batch, channels, depth = x.shape[:3]
    flat = pool(x.reshape(batch, channels * depth, *x.shape[3:]), size[1:], step[1:], around[1:])
    images = flat.reshape(batch, channels, depth, *flat.shape[2:])
    count = (depth - size[0]) // step[0] + 1
    parts = [images[:, :, i : i + (count - 1) * step[0] + 1 : step[0]] for i in range(size[0])]
    return parts if input.ndim == 5 else [part.squeeze(0) for part in parts]


def max_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The largest number in each window of a volume (batch, channels, depth, height, width)."""
    parts = _over_depth(input, kernel_size, stride, padding, max_pool2d, float("-inf"))
    return apply(_MAX, (stack(parts),), {"axis": 0})


def avg_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window of a volume."""
    parts = _over_depth(input, kernel_size, stride, padding, avg_pool2d, 0.0)
    return apply(_MEAN, (stack(parts),), {"axis": 0})


class MaxPool3d(_MaxPool):
    """The largest number in each window of a volume."""

    __module__ = "torch.nn.modules.pooling"

    def forward(self, input: Any) -> Any:
        if self.return_indices or self.ceil_mode or self.dilation != 1:
            raise NotImplementedError("MaxPool3d: this teaching engine has no dilation, ceil_mode or indices here")
        return max_pool3d(input, self.kernel_size, self.stride, self.padding)


class AvgPool3d(AvgPool2d):
    """The mean of each window of a volume."""

    __module__ = "torch.nn.modules.pooling"

    def forward(self, input: Any) -> Any:
        if self.ceil_mode or not self.count_include_pad or self.divisor_override:
            raise NotImplementedError("AvgPool3d: this teaching engine has windows of full size only")
        return avg_pool3d(input, self.kernel_size, self.stride, self.padding)

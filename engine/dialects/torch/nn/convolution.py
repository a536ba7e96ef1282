"""Convolution over sequences and images, and its transpose: as functions and as layers."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch import messages
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.joining import narrow
from engine.dialects.torch.nn import init
from engine.dialects.torch.nn.functional import pad
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import blank
from engine.dialects.torch.tensor import FACADE
from engine.dialects.torch.types import BY_ARRAY
from engine.dynamic.apply import apply
from engine.dynamic.tensor import Number

_p = FACADE.primitive
CONV = _p("convolution", "conv2d", "ConvolutionBackward0")
TRANSPOSED = _p("transposed_convolution", "conv_transpose2d", "ConvolutionBackward0")
GROUPS = _p("concat", "conv2d", "ConvolutionBackward0")
RESHAPE = _p("reshape", "conv1d", "ConvolutionBackward0")
Sizes = tuple[int, ...]


def sizes_of(value: Any, count: int) -> Sizes:
    """One number for all directions, or one for each.

    >>> sizes_of(3, 2), sizes_of((1, 2), 2)
    ((3, 3), (1, 2))
    """
    if isinstance(value, int):
        return (value,) * count
    values = tuple(int(n) for n in value)
    return values * count if len(values) == 1 else values


def _check(name: str, input: Any, weight: Any, bias: Any, groups: int, rank: int, inputs: int, outputs: int) -> None:
    need_tensor(input, name)
    shape, kernel = input._array.shape, weight._array.shape
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but got input of size: "
            f"{messages.sizes(shape)}"
        )
    if input._array.dtype != weight._array.dtype:
        kinds = [f"torch.{BY_ARRAY[x._array.dtype].legacy}Tensor" for x in (input, weight)]
        raise RuntimeError(f"Input type ({kinds[0]}) and weight type ({kinds[1]}) should be the same")
    if shape[-rank - 1] != inputs:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {messages.sizes(kernel)}, expected input{messages.sizes(shape)} to "
            f"have {inputs} channels, but got {shape[-rank - 1]} channels instead"
        )
    if bias is not None and bias._array.shape != (outputs,):
        raise RuntimeError(
            f"Given weight of size {messages.sizes(kernel)}, expected bias to be 1-dimensional with {outputs} "
            f"elements, but got bias of size {messages.sizes(bias._array.shape)} instead"
        )


def _around(padding: Any, step: Sizes, apart: Sizes, kernel: Sizes) -> tuple[tuple[int, int], ...]:
    """How much is added before and after each direction."""
    if padding == "same":
        if any(n != 1 for n in step):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        total = [d * (k - 1) for d, k in zip(apart, kernel, strict=True)]
        return tuple((n // 2, n - n // 2) for n in total)
    return tuple((n, n) for n in sizes_of(0 if padding == "valid" else padding, len(kernel)))


def _in_groups(primitive: Any, input: Any, weight: Any, bias: Any, groups: int, attributes: dict[str, Any]) -> Any:
    """Each group of input channels with its own part of the weights."""
    if groups == 1:
        return apply(primitive, (input, weight, Number(0) if bias is None else bias), attributes)
    channels, filters = input._array.shape[1] // groups, weight._array.shape[0] // groups
    outputs = None if bias is None else bias._array.shape[0] // groups
    parts = [
        apply(
            primitive,
            (
                narrow(input, 1, i * channels, channels),
                narrow(weight, 0, i * filters, filters),
                Number(0) if outputs is None else narrow(bias, 0, i * outputs, outputs),
            ),
            attributes,
        )
        for i in range(groups)
    ]
    return apply(GROUPS, parts, {"axis": 1})


def _convolve(
    name: str, rank: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    kernel = weight._array.shape[2:]
    _check(name, input, weight, bias, groups, rank, weight._array.shape[1] * groups, weight._array.shape[0])
    step, apart = sizes_of(stride, rank), sizes_of(dilation, rank)
    around = _around(padding, step, apart, kernel)
    spatial = input._array.shape[-rank:]
    padded = [size + before + after for size, (before, after) in zip(spatial, around, strict=True)]
    if any(size < d * (k - 1) + 1 for size, d, k in zip(padded, apart, kernel, strict=True)):
        reach = " x ".join(str(d * (k - 1) + 1) for d, k in zip(apart, kernel, strict=True))
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size: ({reach}). "
            "Kernel size can't be greater than actual input size"
        )
    batch = input if input._array.ndim == rank + 2 else input.unsqueeze(0)
    images, filters = _as_images(batch, rank), _as_images(weight, rank)
    missing = 2 - rank
    attributes = {
        "stride": (1,) * missing + step, "padding": ((0, 0),) * missing + around, "dilation": (1,) * missing + apart,
    }  # fmt: skip
    out = _in_groups(CONV, images, filters, bias, groups, attributes)
    return _finished(out, rank, batched=batch is input)


def _as_images(x: Any, rank: int) -> Any:
    """Sequences are images of one row."""
    return x.unsqueeze(2) if rank == 1 else x


def _finished(out: Any, rank: int, batched: bool) -> Any:
    if rank == 1:
        shape = out._array.shape
        out = apply(RESHAPE, (out,), {"shape": (*shape[:2], shape[3])})
    return out if batched else out.squeeze(0)


def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide ``weight`` (out, in / groups, length) over ``input`` (batch, in, length)."""
    return _convolve("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide ``weight`` (out, in / groups, height, width) over ``input`` (batch, in, height, width).

    :raises RuntimeError: shapes do not fit.
    """
    return _convolve("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def _transposed(
    name: str, rank: int, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any,
    groups: int, dilation: Any,
) -> Any:  # fmt: skip
    channels = weight._array.shape[1] * groups
    _check(name, input, weight, bias, groups, rank, weight._array.shape[0], channels)
    step, apart, before, extra = (sizes_of(v, rank) for v in (stride, dilation, padding, output_padding))
    kernel = weight._array.shape[2:]
    size = tuple(
        (n - 1) * s - 2 * p + d * (k - 1) + e + 1
        for n, s, p, d, k, e in zip(input._array.shape[-rank:], step, before, apart, kernel, extra, strict=True)
    )
    batch = input if input._array.ndim == rank + 2 else input.unsqueeze(0)
    images, filters = _as_images(batch, rank), _as_images(weight, rank)
    missing = 2 - rank
    attributes = {
        "shape": (images._array.shape[0], channels // groups, *(1,) * missing, *size),
        "stride": (1,) * missing + step,
        "padding": ((0, 0),) * missing + tuple((p, p) for p in before),
        "dilation": (1,) * missing + apart,
    }
    out = _in_groups(TRANSPOSED, images, filters, bias, groups, attributes)
    return _finished(out, rank, batched=batch is input)


def conv_transpose1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """The transpose of :func:`conv1d`; ``weight`` is (in, out / groups, length)."""
    return _transposed("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """The transpose of :func:`conv2d`; ``weight`` is (in, out / groups, height, width)."""
    return _transposed("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


class _Convolution(Module):
    """What all convolutions have in common."""

    _rank = 2
    _transposed = False
    _function: Any

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            modes = {"zeros", "reflect", "replicate", "circular"}
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride, self.dilation = (
            sizes_of(v, self._rank) for v in (kernel_size, stride, dilation)
        )
        self.padding = padding if isinstance(padding, str) else sizes_of(padding, self._rank)
        self.groups, self.padding_mode = groups, padding_mode
        first, second = (in_channels, out_channels) if self._transposed else (out_channels, in_channels)
        self.weight = blank(first, second // groups, *self.kernel_size, dtype=dtype)
        self.register_parameter("bias", blank(out_channels, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new start values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(math.prod(self.weight._array.shape[1:]))
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            around = [n for size in reversed(sizes_of(padding, self._rank)) for n in (size, size)]
            input, padding = pad(input, around, mode=self.padding_mode), 0
        return type(self)._function(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self._rank:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self._rank:
            text += f", dilation={self.dilation}"
        if self._transposed and self.output_padding != (0,) * self._rank:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


class Conv1d(_Convolution):
    """``y = conv1d(x, weight) + bias``."""

    __module__ = "torch.nn.modules.conv"
    _rank = 1
    _function = staticmethod(conv1d)


class Conv2d(_Convolution):
    """``y = conv2d(x, weight) + bias``."""

    __module__ = "torch.nn.modules.conv"
    _function = staticmethod(conv2d)


class _TransposedConvolution(_Convolution):
    _transposed = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype
        )
        self.output_padding = sizes_of(output_padding, self._rank)

    def forward(self, input: Any, output_size: Any = None) -> Any:
        if output_size is not None:
            raise NotImplementedError("the teaching engine takes output_padding here, not output_size")
        return type(self)._function(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


class ConvTranspose1d(_TransposedConvolution):
    """The transpose of :class:`Conv1d`."""

    __module__ = "torch.nn.modules.conv"
    _rank = 1
    _function = staticmethod(conv_transpose1d)


class ConvTranspose2d(_TransposedConvolution):
    """The transpose of :class:`Conv2d`."""

    __module__ = "torch.nn.modules.conv"
    _function = staticmethod(conv_transpose2d)

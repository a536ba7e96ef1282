"""Pooling over sequences and images: as functions and as layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import messages
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.nn.convolution import sizes_of
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply
from engine.ops.pooling import argmax_pool2d_kernel

_p = FACADE.primitive
MAX_POOL = _p("max_pool2d", "max_pool2d", "MaxPool2DWithIndicesBackward0")
AVG_POOL = _p("avg_pool2d", "avg_pool2d", "AvgPool2DBackward0")
# A single image is pooled as a batch of one, but its node in the backward graph keeps the name.
SINGLE = {p.label: _p("squeeze", "squeeze", p.node_class.label) for p in (MAX_POOL, AVG_POOL)}
LINE = _p("squeeze", "squeeze", "SqueezeBackward1")
PICK = _p("pool_take", "adaptive_max_pool2d", "AdaptiveMaxPool2DBackward0")
SHARE = _p("matmul", "adaptive_avg_pool2d", "AdaptiveAvgPool2DBackward0")


def _ends(size: int, window: int, step: int, padding: int, ceil_mode: bool) -> tuple[int, int]:
    """How much is added before and after a direction; rounding up may need more after it."""
    rest = (size + 2 * padding - window) % step
    more = step - rest if ceil_mode and rest else 0
    if more and (size + 2 * padding - window + more) // step * step >= size + padding:
        more = 0  # a window may not lie in the padding alone
    return padding, padding + more


def _pool(
    primitive: Any, input: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, **more: Any
) -> tuple[Any, dict[str, Any]]:
    """The pooled images, and the attributes of the op."""
    name = primitive.label
    need_tensor(input, name)
    rank = input._array.ndim
    if rank not in (3, 4):
        raise RuntimeError(f"{name}: Expected 3D or 4D input, but got input of size: {messages.sizes(input.shape)}")
    window, around = sizes_of(kernel_size, 2), sizes_of(padding, 2)
    step = window if stride is None or stride == [] else sizes_of(stride, 2)
    if any(p > w // 2 for p, w in zip(around, window, strict=True)):
        raise RuntimeError(
            f"pad should be at most half of effective kernel size, but got pad={max(around)}, "
            f"kernel_size={window[0]} and dilation=1"
        )
    shape = input._array.shape[-3:]
    ends = tuple(_ends(n, w, s, p, ceil_mode) for n, w, s, p in zip(shape[1:], window, step, around, strict=True))
    counts = [(n + sum(e) - w) // s + 1 for n, w, s, e in zip(shape[1:], window, step, ends, strict=True)]
    if min(counts) < 1:
        words = ["x".join(map(str, numbers)) for numbers in (shape, (shape[0], *counts))]
        raise RuntimeError(
            f"Given input size: ({words[0]}). Calculated output size: ({words[1]}). Output size is too small"
        )
    attributes = {"size": window, "stride": step, "padding": ends, **more}
    out: Any = apply(primitive, (input if rank == 4 else input.unsqueeze(0),), attributes)
    return (out if rank == 4 else apply(SINGLE[primitive.label], (out,), {"axis": 0})), attributes


def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The largest number in each window, and where in its image it stands if asked for."""
    if sizes_of(dilation, 2) != (1, 1):
        raise NotImplementedError("max_pool2d: this teaching engine has no dilation here; leave it out")
    out, attributes = _pool(MAX_POOL, input, kernel_size, stride, padding, ceil_mode)
    if not return_indices:
        return out
    images = input._array if input._array.ndim == 4 else input._array[None]
    places = argmax_pool2d_kernel(images, **attributes)
    return out, Tensor(places if input._array.ndim == 4 else places[0])


def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    """The mean of each window."""
    if ceil_mode or divisor_override is not None:
        raise NotImplementedError(
            "avg_pool2d: this teaching engine has neither ceil_mode nor divisor_override; leave them out"
        )
    return _pool(AVG_POOL, input, kernel_size, stride, padding, False, count_padding=bool(count_include_pad))[0]


def _line(function: Any, input: Any, kernel_size: Any, stride: Any, padding: Any, *more: Any) -> Any:
    """Pooling of sequences: of images of one row."""
    size, step, around = (None if v is None else (1, *sizes_of(v, 1)) for v in (kernel_size, stride, padding))
    out = function(input.unsqueeze(-2), size, step, (0, around[1] if around else 0), *more)
    return apply(LINE, (out,), {"axis": out._array.ndim - 2})


def max_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The largest number in each window of a sequence."""
    return _line(max_pool2d, input, kernel_size, stride, padding, dilation, ceil_mode)


def avg_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:  # fmt: skip
    """The mean of each window of a sequence."""
    return _line(avg_pool2d, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


# -- windows for a wanted result --------------------------------------------------------------------------------------
def _parts(size: int, count: int) -> list[tuple[int, int]]:
    """``count`` windows, of nearly equal size, over ``size`` elements."""
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _wanted(input: Any, output_size: Any) -> tuple[int, int]:
    height, width = (output_size, output_size) if isinstance(output_size, int) else output_size
    shape = input._array.shape
    return (shape[-2] if height is None else height), (shape[-1] if width is None else width)


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """Means of windows chosen so that the result has ``output_size``."""
    rows, columns = _wanted(input, output_size)
    if rows == columns == 1:
        return input.mean((-1, -2), True)
    height, width = input._array.shape[-2:]
    left, right = _shares(height, rows, input), _shares(width, columns, input)
    return apply(SHARE, (apply(SHARE, (left, input)), Tensor(np.ascontiguousarray(right._array.T))))


def _shares(size: int, count: int, like: Any) -> Tensor:
    """The matrix that takes means of windows."""
    matrix = np.zeros((count, size), like._array.dtype)
    for row, (start, stop) in enumerate(_parts(size, count)):
        matrix[row, start:stop] = 1 / (stop - start)
    return Tensor(matrix)


def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima of windows chosen so that the result has ``output_size``."""
    rows, columns = _wanted(input, output_size)
    images = input if input._array.ndim == 4 else input.unsqueeze(0)
    array = images._array
    places = np.empty((*array.shape[:2], rows, columns), np.int64)
    for i, (top, bottom) in enumerate(_parts(array.shape[2], rows)):
        for j, (left, right) in enumerate(_parts(array.shape[3], columns)):
            window = array[:, :, top:bottom, left:right].reshape(*array.shape[:2], -1).argmax(-1)
            row, column = np.divmod(window, right - left)
            places[:, :, i, j] = (row + top) * array.shape[3] + column + left
    out: Any = apply(PICK, (images, Tensor(places)))
    found = Tensor(places)
    if images is not input:
        out, found = out.squeeze(0), Tensor(places[0])
    return (out, found) if return_indices else out


def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    return _adaptive_line(adaptive_avg_pool2d, input, output_size)


def adaptive_max_pool1d(input: Any, output_size: Any) -> Any:
    return _adaptive_line(adaptive_max_pool2d, input, output_size)


def _adaptive_line(function: Any, input: Any, output_size: Any) -> Any:
    out = function(input.unsqueeze(-2), (1, *sizes_of(output_size, 1)))
    return apply(LINE, (out,), {"axis": out._array.ndim - 2})


# -- layers -----------------------------------------------------------------------------------------------------------
class _MaxPool(Module):
    _function: Any

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Any) -> Any:
        return type(self)._function(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """The largest number in each window of a sequence."""

    __module__ = "torch.nn.modules.pooling"
    _function = staticmethod(max_pool1d)


class MaxPool2d(_MaxPool):
    """The largest number in each window."""

    __module__ = "torch.nn.modules.pooling"
    _function = staticmethod(max_pool2d)


class AvgPool1d(Module):
    """The mean of each window of a sequence."""

    __module__ = "torch.nn.modules.pooling"

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = sizes_of(kernel_size, 1)
        self.stride, self.padding = sizes_of(kernel_size if stride is None else stride, 1), sizes_of(padding, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Any) -> Any:
        return avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


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


def _adaptive(name: str, function: Any, doc: str) -> type[Module]:
    """A pooling layer that is told how large its result is."""

    def initialise(self: Any, output_size: Any) -> None:
        Module.__init__(self)
        self.output_size = output_size

    def forward(self: Any, input: Any) -> Any:
        return function(input, self.output_size)

    def extra_repr(self: Any) -> str:
        return f"output_size={self.output_size}"

    content = {"__init__": initialise, "forward": forward, "extra_repr": extra_repr, "__doc__": doc}
    return type(name, (Module,), {"__module__": "torch.nn.modules.pooling", **content})


AdaptiveAvgPool1d = _adaptive("AdaptiveAvgPool1d", adaptive_avg_pool1d, "Means of as many windows as wanted.")
AdaptiveAvgPool2d = _adaptive("AdaptiveAvgPool2d", adaptive_avg_pool2d, "Means of as many windows as wanted.")
AdaptiveMaxPool1d = _adaptive("AdaptiveMaxPool1d", adaptive_max_pool1d, "Maxima of as many windows as wanted.")
AdaptiveMaxPool2d = _adaptive("AdaptiveMaxPool2d", adaptive_max_pool2d, "Maxima of as many windows as wanted.")

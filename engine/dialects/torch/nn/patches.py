"""Images as columns of patches, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.nn.convolution import sizes_of
from engine.dialects.torch.nn.functional import pad
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.rows import index_add
from engine.dialects.torch.tensor import Tensor


def _places(image: tuple[int, int], size: Any, apart: Any, step: Any) -> Tensor:
    """Where the elements of all patches stand in a flat image, patch by patch in the last place."""
    starts = [np.arange(0, n - d * (k - 1), s) for n, d, k, s in zip(image, apart, size, step, strict=True)]
    inside = [np.arange(k) * d for k, d in zip(size, apart, strict=True)]
    rows = inside[0][:, None, None, None] + starts[0][None, None, :, None]
    columns = inside[1][None, :, None, None] + starts[1][None, None, None, :]
    return Tensor((rows * image[1] + columns).reshape(-1))


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The patches of images, one a column: (batch, channels, height, width) -> (batch, channels * patch, patches)."""
    size, apart, around, step = (sizes_of(v, 2) for v in (kernel_size, dilation, padding, stride))
    if input.ndim not in (3, 4):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(input.shape)}"
        )
    images = input if input.ndim == 4 else input.unsqueeze(0)
    if any(around):
        images = pad(images, (around[1], around[1], around[0], around[0]))
    batch, channels, height, width = images.shape
    picked = images.reshape(batch, channels, -1).index_select(2, _places((height, width), size, apart, step))
    out = picked.reshape(batch, channels * size[0] * size[1], -1)
    return out if input.ndim == 4 else out.squeeze(0)


def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The sum of patches that :func:`unfold` would take: (batch, channels * patch, patches) -> images."""
    size, apart, around, step = (sizes_of(v, 2) for v in (kernel_size, dilation, padding, stride))
    columns = input if input.ndim == 3 else input.unsqueeze(0)
    inner = sizes_of(output_size, 2)
    height, width = (n + 2 * p for n, p in zip(inner, around, strict=True))
    places = _places((height, width), size, apart, step)
    patch = size[0] * size[1]
    batch, channels = columns.shape[0], columns.shape[1] // patch
    if columns.shape[1] % patch or columns.shape[2] * patch != places._array.size:
        raise RuntimeError(
            f"Expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{places._array.size // patch}, but got input.size(2)={columns.shape[2]}."
        )
    blank = Tensor(np.zeros((batch, channels, height * width), input._array.dtype))
    images = index_add(blank, 2, places, columns.reshape(batch, channels, -1)).reshape(batch, channels, height, width)
    out = images[:, :, around[0] : around[0] + inner[0], around[1] : around[1] + inner[1]]
    return out if input.ndim == 3 else out.squeeze(0)


class Unfold(Module):
    """:func:`unfold`."""

    __module__ = "torch.nn.modules.fold"

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Any) -> Any:
        return unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class Fold(Module):
    """:func:`fold`."""

    __module__ = "torch.nn.modules.fold"

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size, self.kernel_size = output_size, kernel_size
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def forward(self, input: Any) -> Any:
        return fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )

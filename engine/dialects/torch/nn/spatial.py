"""Pictures seen through moved and turned grids (spatial transformers), and channels taken from pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.resizing import Upsample
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply

_p = FACADE.primitive
GRID = _p("matmul", "affine_grid", "AffineGridGeneratorBackward0")
PICK = _p("pool_take", "grid_sample", "GridSampler2DBackward0")
UNSHUFFLE = _p("reshape", "pixel_unshuffle", "PixelUnshuffleBackward0")


def affine_grid(theta: Any, size: Any, align_corners: bool | None = None) -> Any:
    """Where each pixel of the result is found: matrices (N, 2, 3) -> grid (N, H, W, 2), in [-1, 1]."""
    batch, _, height, width = size

    def line(count: int) -> Any:
        ends = 1.0 if align_corners else (count - 1) / count
        return np.linspace(-ends, ends, count) if count > 1 else np.zeros(1)

    rows, columns = np.meshgrid(line(height), line(width), indexing="ij")
    points = np.stack([columns, rows, np.ones_like(rows)], -1).reshape(1, -1, 3)
    base = Tensor(np.broadcast_to(points, (batch, height * width, 3)).astype(theta._array.dtype))
    return apply(GRID, (base, theta.transpose(1, 2).contiguous())).view(batch, height, width, 2)  # type: ignore[attr-defined]


def grid_sample(
    input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """``input`` (N, C, H, W) looked at in the places of ``grid`` (N, h, w, 2): (N, C, h, w)."""
    if mode not in ("bilinear", "nearest") or padding_mode not in ("zeros", "border"):
        raise NotImplementedError(f"grid_sample: this teaching engine has no mode {mode!r} with {padding_mode!r}")
    height, width = input.shape[-2:]

    def place(x: Any, size: int) -> Any:
        return (x + 1) / 2 * (size - 1) if align_corners else ((x + 1) * size - 1) / 2

    x, y = place(grid[..., 0], width), place(grid[..., 1], height)
    if padding_mode == "border":
        x, y = x.clamp(0, width - 1), y.clamp(0, height - 1)
    if mode == "nearest":
        return _at(input, np.rint(y._array), np.rint(x._array), None)
    left, top = np.floor(x._array), np.floor(y._array)
    right, below = x - Tensor(left), y - Tensor(top)
    corners = [
        (top, left, (1 - below) * (1 - right)), (top, left + 1, (1 - below) * right),
        (top + 1, left, below * (1 - right)), (top + 1, left + 1, below * right),
    ]  # fmt: skip
    parts = [_at(input, rows, columns, weight) for rows, columns, weight in corners]
    return parts[0] + parts[1] + parts[2] + parts[3]


def _at(images: Any, rows: Any, columns: Any, weight: Any) -> Any:
    """The pixels in these places (0 outside), times ``weight``."""
    height, width = images.shape[-2:]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    flat = np.clip(rows, 0, height - 1).astype(np.int64) * width + np.clip(columns, 0, width - 1).astype(np.int64)
    places = np.broadcast_to(flat[:, None], (*images.shape[:2], *flat.shape[1:]))
    kept = Tensor(inside.astype(images._array.dtype))
    factor = kept if weight is None else weight * kept
    return apply(PICK, (images, Tensor(np.ascontiguousarray(places)))) * factor.unsqueeze(1)


def pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    """Pixels become channels: ``[b, c, h r, w r]`` to ``[b, c r r, h, w]``."""
    r = downscale_factor
    batch, channels, height, width = input._array.shape
    split = input.view(batch, channels, height // r, r, width // r, r).permute(0, 1, 3, 5, 2, 4)
    return apply(UNSHUFFLE, (split,), {"shape": (batch, channels * r * r, height // r, width // r)})


def channel_shuffle(input: Any, groups: int) -> Any:
    """Channels of several groups, one of each in turn."""
    batch, channels, *rest = input.shape
    if channels % groups:
        raise RuntimeError("Number of channels must be divisible by groups")
    return input.reshape(batch, groups, channels // groups, *rest).transpose(1, 2).reshape(*input.shape)


class PixelUnshuffle(Module):
    """:func:`pixel_unshuffle`."""

    __module__ = "torch.nn.modules.pixelshuffle"

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Any) -> Any:
        return pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """:func:`channel_shuffle`."""

    __module__ = "torch.nn.modules.channelshuffle"

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Any) -> Any:
        return channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"


class UpsamplingNearest2d(Upsample):
    """Images made larger by repeating pixels."""

    __module__ = "torch.nn.modules.upsampling"

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images made larger by straight lines between pixels, corners on corners."""

    __module__ = "torch.nn.modules.upsampling"

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)

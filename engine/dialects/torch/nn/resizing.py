"""Images made larger or smaller: nearest neighbours, straight lines between them, edges, shuffled pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.nn.convolution import sizes_of
from engine.dialects.torch.nn.functional import pad
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply

_p = FACADE.primitive
NEAREST = {rank: _p("take", "interpolate", f"UpsampleNearest{rank}DBackward0") for rank in (1, 2)}
LINEAR = {
    1: _p("matmul", "interpolate", "UpsampleLinear1DBackward0"),
    2: _p("matmul", "interpolate", "UpsampleBilinear2DBackward0"),
}
SHUFFLE = _p("reshape", "pixel_shuffle", "PixelShuffleBackward0")
_MODES = {"nearest": (1, 2), "linear": (1,), "bilinear": (2,)}


def interpolate(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Any:  # fmt: skip
    """The last one or two dimensions in another size, or larger by a factor."""
    if antialias:
        raise NotImplementedError("interpolate: this teaching engine has no antialias")
    rank = input._array.ndim - 2
    if rank not in _MODES.get(mode, ()):
        raise NotImplementedError(f"interpolate: the teaching engine has no mode {mode!r} for {rank + 2}D input")
    if (size is None) == (scale_factor is None):
        raise ValueError(
            "either size or scale_factor should be defined"
            if size is None
            else "only one of size or scale_factor should be defined"
        )
    old = input._array.shape[-rank:]
    factors = None if scale_factor is None else _factors(scale_factor, rank)
    new = sizes_of(size, rank) if factors is None else tuple(int(n * f) for n, f in zip(old, factors, strict=True))
    result = input
    for place, (before, after) in enumerate(zip(old, new, strict=True)):
        axis = place + 2
        step = before / after if factors is None else 1 / factors[place]
        if mode == "nearest":
            picked = np.minimum((np.arange(after) * step).astype(np.int64), before - 1)
            result = apply(NEAREST[rank], (result, Tensor(picked)), {"axis": axis})
            continue
        matrix = _lines(before, after, step, bool(align_corners), input._array.dtype)
        last = axis == input._array.ndim - 1
        result = apply(LINEAR[rank], (result, Tensor(matrix.T.copy())) if last else (Tensor(matrix), result))
    return result


def _factors(value: Any, rank: int) -> tuple[float, ...]:
    return (float(value),) * rank if isinstance(value, int | float) else tuple(map(float, value))


def _lines(before: int, after: int, step: float, corners: bool, dtype: Any) -> Any:
    """The matrix that takes points between neighbours."""
    index = np.arange(after)
    if corners:
        places = index * ((before - 1) / (after - 1) if after > 1 else 0.0)
    else:
        places = np.maximum((index + 0.5) * step - 0.5, 0)
    low = np.minimum(places.astype(int), before - 1)
    high = np.minimum(low + 1, before - 1)
    matrix = np.zeros((after, before), dtype)
    np.add.at(matrix, (index, low), 1 - (places - low))
    np.add.at(matrix, (index, high), places - low)
    return matrix


def pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    """Channels become pixels: ``[b, c r r, h, w]`` to ``[b, c, h r, w r]``."""
    r = upscale_factor
    batch, channels, height, width = input._array.shape
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {r * r}"
        )
    split = input.view(batch, channels // (r * r), r, r, height, width).permute(0, 1, 4, 2, 5, 3)
    return apply(SHUFFLE, (split,), {"shape": (batch, channels // (r * r), height * r, width * r)})


class Upsample(Module):
    """:func:`interpolate` as a layer."""

    __module__ = "torch.nn.modules.upsampling"

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
    ) -> None:
        super().__init__()
        self.size, self.mode, self.align_corners = size, mode, align_corners
        self.scale_factor = (
            scale_factor if scale_factor is None or isinstance(scale_factor, tuple) else float(scale_factor)
        )

    def forward(self, input: Any) -> Any:
        return interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self) -> str:
        what = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{what}, mode={self.mode!r}"


class PixelShuffle(Module):
    """:func:`pixel_shuffle` as a layer."""

    __module__ = "torch.nn.modules.pixelshuffle"

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Any) -> Any:
        return pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        return f"upscale_factor={self.upscale_factor}"


def _edges(name: str, rank: int, mode: str, doc: str) -> type[Module]:
    """A layer that adds edges."""

    def initialise(self: Any, padding: Any, value: float = 0.0) -> None:
        Module.__init__(self)
        self.padding = (padding,) * (2 * rank) if isinstance(padding, int) else tuple(padding)
        self.value = value

    def forward(self: Any, input: Any) -> Any:
        return pad(input, self.padding, mode, self.value if mode == "constant" else None)

    def extra_repr(self: Any) -> str:
        return f"padding={self.padding}, value={self.value}" if name.startswith("Constant") else f"{self.padding}"

    content = {"__init__": initialise, "forward": forward, "extra_repr": extra_repr, "__doc__": doc}
    return type(name, (Module,), {"__module__": "torch.nn.modules.padding", **content})


ZeroPad1d, ZeroPad2d = (_edges(f"ZeroPad{n}d", n, "constant", "Adds zeros at the edges.") for n in (1, 2))
ConstantPad1d, ConstantPad2d = (_edges(f"ConstantPad{n}d", n, "constant", "Adds a value at the edges.") for n in (1, 2))
ReflectionPad1d, ReflectionPad2d = (_edges(f"ReflectionPad{n}d", n, "reflect", "Mirrors the edges.") for n in (1, 2))
ReplicationPad1d, ReplicationPad2d = (
    _edges(f"ReplicationPad{n}d", n, "replicate", "Repeats the edges.") for n in (1, 2)
)

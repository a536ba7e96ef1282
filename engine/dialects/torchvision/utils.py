"""``torchvision.utils``: many pictures as one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torchvision.pictures import array_of, picture, quiet


def make_grid(
    tensor: Any, nrow: int = 8, padding: int = 2, normalize: bool = False, value_range: Any = None,
    scale_each: bool = False, pad_value: float = 0.0, **_: Any,
) -> Tensor:  # fmt: skip
    """A batch (pictures x channels x height x width), or a list of pictures, as one picture of three channels."""
    if isinstance(tensor, list | tuple):
        array = np.stack([array_of(one) for one in tensor])
    elif isinstance(tensor, Tensor):
        array = tensor._array
    else:
        raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
    array = array[None] if array.ndim == 2 else array
    array = array[None] if array.ndim == 3 else array
    if array.shape[1] == 1:
        array = np.concatenate([array] * 3, 1)
    if normalize:
        array = np.array(array)
        for part in array if scale_each else [array]:
            low, high = (part.min(), part.max()) if value_range is None else value_range
            part[...] = (np.clip(part, low, high) - low) / max(float(high) - float(low), 1e-5)
    count, channels, height, width = array.shape
    if count == 1:
        return quiet(array[0])
    across = min(nrow, count)
    down = math.ceil(count / across)
    tall, wide = height + padding, width + padding
    grid = np.full((channels, tall * down + padding, wide * across + padding), pad_value, array.dtype)
    for number, one in enumerate(array):
        y, x = number // across * tall + padding, number % across * wide + padding
        grid[:, y : y + height, x : x + width] = one
    return quiet(grid)


def save_image(tensor: Any, fp: Any, format: Any = None, **options: Any) -> None:
    """Save a batch as one picture."""
    grid = make_grid(tensor, **options)._array
    pixels = np.clip(grid * 255 + 0.5, 0, 255).transpose(1, 2, 0).astype(np.uint8)
    picture(pixels).save(fp, format=format)
    if events.listener is not None:
        events.listener.pictured(pixels, "savefig", str(fp) if isinstance(fp, str) or hasattr(fp, "__fspath__") else "")


__all__ = ["make_grid", "save_image"]

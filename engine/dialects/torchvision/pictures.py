"""Between arrays, tensors and pictures of PIL, which is there where matplotlib is."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor
from engine.dynamic.tensor import fresh


def pillow() -> Any:
    """``PIL.Image``. :raises ModuleNotFoundError: it is not there."""
    return importlib.import_module("PIL.Image")


def is_picture(value: Any) -> bool:
    """Whether a value is a picture of PIL."""
    return type(value).__module__.startswith("PIL.") and hasattr(value, "getbands")


def picture(pixels: Any) -> Any:
    """An array (height x width, or height x width x 3; ``uint8``) as a picture."""
    return pillow().fromarray(np.ascontiguousarray(pixels))


def pixels_of(value: Any) -> Any:
    """A picture, or an array of pixels, as height x width x channels."""
    if is_picture(value) and value.mode in ("1", "P"):
        value = value.convert("L" if value.mode == "1" else "RGB")
    array = np.asarray(value)
    return array[:, :, None] if array.ndim == 2 else array


def quiet(array: Any) -> Tensor:
    """A tensor of data that comes in: it joins the graph when an op reads it."""
    return fresh(Tensor, array)


def array_of(value: Any) -> Any:
    """The numbers of a tensor, or of what can be one."""
    return value._array if isinstance(value, Tensor) else np.asarray(value)


__all__ = ["array_of", "is_picture", "picture", "pillow", "pixels_of", "quiet"]

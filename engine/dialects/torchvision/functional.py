"""``torchvision.transforms.functional``: on pictures of PIL and on tensors (channels x height x width)."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import BY_NAME, as_array_dtype
from engine.dialects.torchvision.pictures import array_of, is_picture, picture, pixels_of, quiet


class InterpolationMode(enum.Enum):
    """How values between pixels are found."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"

    def __str__(self) -> str:
        return self.value


def pair(size: Any) -> tuple[int, int]:
    """A size as (height, width)."""
    if isinstance(size, int):
        return size, size
    height, width = (size[0], size[0]) if len(size) == 1 else (size[0], size[1])
    return int(height), int(width)


def size_of(img: Any) -> tuple[int, int]:
    """Height and width."""
    if is_picture(img):
        return img.height, img.width
    height, width = array_of(img).shape[-2:]
    return height, width


def channels(img: Any) -> int:
    """How many channels there are."""
    return len(img.getbands()) if is_picture(img) else array_of(img).shape[-3]


def to_tensor(pic: Any) -> Tensor:
    """A picture, or an array of height x width x channels, as a tensor from 0 to 1."""
    if not (is_picture(pic) or isinstance(pic, np.ndarray)):
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    if isinstance(pic, np.ndarray) and pic.ndim not in (2, 3):
        raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
    array = np.ascontiguousarray(pixels_of(pic).transpose(2, 0, 1))
    if array.dtype == np.uint8:
        return quiet(array.astype(np.float32) / np.float32(255))
    return quiet(array.astype(np.float32) if array.dtype == bool else array)


def pil_to_tensor(pic: Any) -> Tensor:
    """A picture's bytes as a tensor."""
    if isinstance(pic, Tensor):
        return pic
    return quiet(np.ascontiguousarray(pixels_of(pic).transpose(2, 0, 1)))


def to_pil_image(pic: Any, mode: Any = None) -> Any:
    """A tensor (channels x height x width, 0 to 1) or an array as a picture."""
    array = array_of(pic)
    if isinstance(pic, Tensor):
        array = array[None] if array.ndim == 2 else array
        array = array.transpose(1, 2, 0)
        if array.dtype.kind == "f":
            array = (array * 255).astype(np.uint8)
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    return picture(array.astype(np.uint8) if array.dtype.kind in "bi" else array)


def convert_image_dtype(img: Tensor, dtype: Any = None) -> Tensor:
    """Another dtype; integers have the range of their type, floating-point numbers that from 0 to 1."""
    wanted = as_array_dtype(dtype or BY_NAME["float32"])
    array = img._array
    if array.dtype.kind in "iu" and wanted.kind == "f":
        return quiet((array / np.iinfo(array.dtype).max).astype(wanted))
    if array.dtype.kind == "f" and wanted.kind in "iu":
        return quiet((array * (np.iinfo(wanted).max + 1 - 1e-3)).astype(wanted))
    return quiet(array.astype(wanted))


def normalize(tensor: Tensor, mean: Any, std: Any, inplace: bool = False) -> Tensor:
    """Subtract ``mean`` and divide by ``std``, channel by channel."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    array = tensor._array
    if array.dtype.kind != "f":
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if array.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    centre, spread = (np.atleast_1d(np.asarray(array_of(v), array.dtype))[:, None, None] for v in (mean, std))
    if (spread == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    found = (array - centre) / spread
    if found.shape != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(found.shape)}"
        )
    if inplace:
        array[...] = found
        return tensor
    return quiet(found)


def _on_pixels(img: Any, change: Callable[[Any], Any]) -> Any:
    """``change`` (an array of ... x height x width) of a picture or a tensor."""
    if is_picture(img):
        pixels = np.asarray(img)
        if pixels.ndim == 2:
            return picture(np.ascontiguousarray(change(pixels)))
        return picture(np.ascontiguousarray(change(pixels.transpose(2, 0, 1)).transpose(1, 2, 0)))
    return quiet(np.ascontiguousarray(change(array_of(img))))


def hflip(img: Any) -> Any:
    return _on_pixels(img, lambda a: a[..., ::-1])


def vflip(img: Any) -> Any:
    return _on_pixels(img, lambda a: a[..., ::-1, :])


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    return _on_pixels(img, lambda a: a[..., top : top + height, left : left + width])


def center_crop(img: Any, output_size: Any) -> Any:
    """The middle; what is smaller gets a border of 0."""
    height, width = pair(output_size)
    have, across = size_of(img)
    if have < height or across < width:
        down, right = max(height - have, 0), max(width - across, 0)
        img = pad(img, (right // 2, down // 2, right - right // 2, down - down // 2))
        have, across = size_of(img)
    return crop(img, round((have - height) / 2), round((across - width) / 2), height, width)


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """A border: one number, (left and right, top and bottom), or (left, top, right, bottom)."""
    sides = [padding] * 4 if isinstance(padding, int) else list(padding) * (4 // len(padding))
    left, top, right, bottom = sides
    mode: Any = {"edge": "edge", "reflect": "reflect", "symmetric": "symmetric"}.get(padding_mode, "constant")
    options: dict[str, Any] = {"constant_values": fill} if mode == "constant" else {}

    def change(array: Any) -> Any:
        rest = [(0, 0)] * (array.ndim - 2)
        return np.pad(array, [*rest, (top, bottom), (left, right)], mode=mode, **options)

    return _on_pixels(img, change)


def resize(img: Any, size: Any, interpolation: Any = InterpolationMode.BILINEAR, *_: Any, **__: Any) -> Any:
    """Another size; of one number: of the shorter side."""
    height, width = size_of(img)
    if isinstance(size, int) or len(size) == 1:
        short = size if isinstance(size, int) else size[0]
        wanted = (short, int(short * width / height)) if height <= width else (int(short * height / width), short)
    else:
        wanted = pair(size)
    if is_picture(img):
        filters = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}
        name = getattr(interpolation, "value", "bilinear")
        return img.resize((wanted[1], wanted[0]), filters.get(name, 2))
    return _on_pixels(img, lambda a: _scaled(a, wanted))


def _weights(have: int, want: int) -> Any:
    """How much of each old row is in each new one: triangles, wider where there are fewer rows than before."""
    scale = have / want
    reach = max(scale, 1.0)
    centre = (np.arange(want) + 0.5) * scale - 0.5
    found = np.maximum(0, 1 - np.abs(np.arange(have)[None, :] - centre[:, None]) / reach)
    return found / found.sum(1, keepdims=True)


def _scaled(array: Any, size: tuple[int, int]) -> Any:
    down, across = _weights(array.shape[-2], size[0]), _weights(array.shape[-1], size[1])
    found = down @ array.astype(np.float64) @ across.T
    return (np.round(found) if array.dtype.kind in "iu" else found).astype(array.dtype)


def affine(img: Any, angle: float, translate: Any = (0, 0), scale: float = 1.0, shear: Any = 0, **_: Any) -> Any:
    """Turned about the middle (degrees, clockwise), moved, scaled; the nearest pixel counts, outside is 0."""
    height, width = size_of(img)
    turn = math.radians(angle)
    y, x = np.meshgrid(
        np.arange(height) - (height - 1) / 2 - translate[1], np.arange(width) - (width - 1) / 2 - translate[0],
        indexing="ij",
    )  # fmt: skip
    cos, sin = math.cos(turn) / scale, math.sin(turn) / scale
    across = np.rint(cos * x + sin * y + (width - 1) / 2).astype(int)
    down = np.rint(-sin * x + cos * y + (height - 1) / 2).astype(int)
    inside = (across >= 0) & (across < width) & (down >= 0) & (down < height)

    def change(array: Any) -> Any:
        found = array[..., np.clip(down, 0, height - 1), np.clip(across, 0, width - 1)]
        return np.where(inside, found, 0).astype(array.dtype)

    return _on_pixels(img, change)


def rotate(img: Any, angle: float, *_: Any, **__: Any) -> Any:
    """Turned about the middle, against the clock."""
    return affine(img, -angle)


def rgb_to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """Without colour."""
    if is_picture(img):
        grey = img.convert("L")
        return grey if num_output_channels == 1 else grey.convert("RGB")
    array = array_of(img)
    if array.shape[-3] == 3:
        weights = np.array([0.2989, 0.587, 0.114])[:, None, None]
        array = (array * weights).sum(-3, keepdims=True).astype(array.dtype)
    return quiet(np.repeat(array, num_output_channels, axis=-3))


def _blended(img: Any, other: Callable[[Any], Any], factor: float) -> Any:
    def change(array: Any) -> Any:
        top = 255 if array.dtype.kind in "iu" else 1
        mixed = array * factor + other(array.astype(np.float64)) * (1 - factor)
        return np.clip(mixed, 0, top).astype(array.dtype)

    return _on_pixels(img, change)


def _grey(array: Any) -> Any:
    if array.ndim < 3 or array.shape[-3] != 3:
        return array
    return (array * np.array([0.2989, 0.587, 0.114])[:, None, None]).sum(-3, keepdims=True)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    return _blended(img, np.zeros_like, brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    return _blended(img, lambda a: np.full_like(a, _grey(a).mean()), contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    return _blended(img, lambda a: np.broadcast_to(_grey(a), a.shape), saturation_factor)


to_grayscale = rgb_to_grayscale

FUNCTIONS = (
    "to_tensor pil_to_tensor to_pil_image convert_image_dtype normalize hflip vflip crop center_crop pad resize affine "
    "rotate rgb_to_grayscale to_grayscale adjust_brightness adjust_contrast adjust_saturation InterpolationMode"
)

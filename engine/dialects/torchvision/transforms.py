"""``torchvision.transforms``: what is done to one picture before it is data. Random ones draw from torch's stream."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.dialects.torch.streams import default_generator
from engine.dialects.torchvision import functional as F
from engine.dialects.torchvision.functional import InterpolationMode
from engine.dialects.torchvision.pictures import quiet


def _chance() -> float:
    return float(default_generator.uniform(1, np.dtype(np.float32))[0])


def _between(low: float, high: float) -> float:
    return low + (high - low) * _chance()


def _below(count: int) -> int:
    return int(default_generator.integers(0, count, 1)[0])


class Compose:
    """Several transforms one after another."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, img: Any) -> Any:
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self) -> str:
        return "\n".join([f"{type(self).__name__}(", *(f"    {one}" for one in self.transforms), ")"])


class Transform:
    """A transform with parameters that its ``repr`` names."""

    shown: tuple[str, ...] = ()

    def __call__(self, img: Any) -> Any:
        return self.forward(img)

    def forward(self, img: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in self.shown)})"


class ToTensor(Transform):
    """A picture as a tensor of channels x height x width, from 0 to 1."""

    def forward(self, img: Any) -> Any:
        return F.to_tensor(img)


class PILToTensor(Transform):
    """A picture as a tensor of its bytes."""

    def forward(self, img: Any) -> Any:
        return F.pil_to_tensor(img)


class ToPILImage(Transform):
    """A tensor or an array as a picture."""

    def __init__(self, mode: Any = None) -> None:
        self.mode = mode

    def forward(self, img: Any) -> Any:
        return F.to_pil_image(img)


class ConvertImageDtype(Transform):
    """Another dtype, with its range."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype

    def forward(self, img: Any) -> Any:
        return F.convert_image_dtype(img, self.dtype)


class ToDtype(Transform):
    """``v2.ToDtype``: another dtype, with its range if ``scale``."""

    shown = ("scale",)

    def __init__(self, dtype: Any, scale: bool = False) -> None:
        self.dtype, self.scale = dtype, scale

    def forward(self, img: Any) -> Any:
        return F.convert_image_dtype(img, self.dtype) if self.scale else img.to(self.dtype)


class Normalize(Transform):
    """Subtract a mean and divide by a deviation, channel by channel."""

    shown = ("mean", "std")

    def __init__(self, mean: Any, std: Any, inplace: bool = False) -> None:
        self.mean, self.std, self.inplace = mean, std, inplace

    def forward(self, img: Any) -> Any:
        return F.normalize(img, self.mean, self.std, self.inplace)


class Lambda(Transform):
    """A function of the program."""

    def __init__(self, lambd: Callable[[Any], Any]) -> None:
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def forward(self, img: Any) -> Any:
        return self.lambd(img)

    def __repr__(self) -> str:
        return "Lambda()"


class Resize(Transform):
    """Another size; of one number: of the shorter side."""

    shown = ("size", "interpolation", "max_size", "antialias")

    def __init__(
        self, size: Any, interpolation: Any = InterpolationMode.BILINEAR, max_size: Any = None, antialias: Any = True
    ) -> None:
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias

    def forward(self, img: Any) -> Any:
        return F.resize(img, self.size, self.interpolation)


class CenterCrop(Transform):
    """The middle."""

    shown = ("size",)

    def __init__(self, size: Any) -> None:
        self.size = F.pair(size)

    def forward(self, img: Any) -> Any:
        return F.center_crop(img, self.size)


class Pad(Transform):
    """A border."""

    shown = ("padding", "fill", "padding_mode")

    def __init__(self, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> None:
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img: Any) -> Any:
        return F.pad(img, self.padding, self.fill, self.padding_mode)


class Grayscale(Transform):
    """Without colour."""

    shown = ("num_output_channels",)

    def __init__(self, num_output_channels: int = 1) -> None:
        self.num_output_channels = num_output_channels

    def forward(self, img: Any) -> Any:
        return F.rgb_to_grayscale(img, self.num_output_channels)


class _Flip(Transform):
    shown = ("p",)

    def __init__(self, p: float = 0.5) -> None:
        self.p = p


class RandomHorizontalFlip(_Flip):
    """Left and right changed over, with a chance of ``p``."""

    def forward(self, img: Any) -> Any:
        return F.hflip(img) if _chance() < self.p else img


class RandomVerticalFlip(_Flip):
    """Top and bottom changed over, with a chance of ``p``."""

    def forward(self, img: Any) -> Any:
        return F.vflip(img) if _chance() < self.p else img


class RandomGrayscale(_Flip):
    """Without colour, with a chance of ``p``."""

    def __init__(self, p: float = 0.1) -> None:
        super().__init__(p)

    def forward(self, img: Any) -> Any:
        return F.rgb_to_grayscale(img, F.channels(img)) if _chance() < self.p else img


class RandomCrop(Transform):
    """A part of this size from anywhere."""

    shown = ("size", "padding")

    def __init__(
        self, size: Any, padding: Any = None, pad_if_needed: bool = False, fill: Any = 0, padding_mode: str = "constant"
    ) -> None:
        self.size, self.padding, self.fill, self.padding_mode = F.pair(size), padding, fill, padding_mode

    def forward(self, img: Any) -> Any:
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        height, width = F.size_of(img)
        wanted, across = self.size
        if height < wanted or width < across:
            raise ValueError(f"Required crop size {self.size} is larger than input image size {(height, width)}")
        top = _below(height - wanted + 1) if height > wanted else 0
        left = _below(width - across + 1) if width > across else 0
        return F.crop(img, top, left, wanted, across)


class RandomResizedCrop(Transform):
    """A part of random size and place, brought to one size."""

    shown = ("size", "scale", "ratio")

    def __init__(
        self, size: Any, scale: Any = (0.08, 1.0), ratio: Any = (3 / 4, 4 / 3), interpolation: Any = None,
        antialias: Any = True,
    ) -> None:  # fmt: skip
        self.size, self.scale, self.ratio = F.pair(size), scale, ratio

    def forward(self, img: Any) -> Any:
        height, width = F.size_of(img)
        area = height * width * _between(*self.scale)
        shape = math.exp(_between(math.log(self.ratio[0]), math.log(self.ratio[1])))
        across, down = (
            min(max(round(side), 1), most)
            for side, most in ((math.sqrt(area * shape), width), (math.sqrt(area / shape), height))
        )
        top, left = _below(height - down + 1), _below(width - across + 1)
        return F.resize(F.crop(img, top, left, down, across), self.size)


class RandomRotation(Transform):
    """Turned by an angle between two."""

    shown = ("degrees",)

    def __init__(
        self, degrees: Any, interpolation: Any = None, expand: bool = False, center: Any = None, fill: Any = 0
    ) -> None:
        self.degrees = [-float(degrees), float(degrees)] if isinstance(degrees, int | float) else list(degrees)
        self.fill = fill

    def forward(self, img: Any) -> Any:
        return F.rotate(img, _between(*self.degrees))


class RandomAffine(Transform):
    """Turned, moved and scaled at random."""

    shown = ("degrees", "translate", "scale")

    def __init__(
        self, degrees: Any, translate: Any = None, scale: Any = None, shear: Any = None, interpolation: Any = None,
        fill: Any = 0, center: Any = None,
    ) -> None:  # fmt: skip
        self.degrees = [-float(degrees), float(degrees)] if isinstance(degrees, int | float) else list(degrees)
        self.translate, self.scale = translate, scale

    def forward(self, img: Any) -> Any:
        height, width = F.size_of(img)
        angle = _between(*self.degrees)
        moved = (0.0, 0.0)
        if self.translate is not None:
            across, down = self.translate[0] * width, self.translate[1] * height
            moved = (_between(-across, across), _between(-down, down))
        return F.affine(img, angle, moved, 1.0 if self.scale is None else _between(*self.scale))


class ColorJitter(Transform):
    """Brightness, contrast and saturation changed at random (the hue is left as it is)."""

    shown = ("brightness", "contrast", "saturation", "hue")

    def __init__(self, brightness: Any = 0, contrast: Any = 0, saturation: Any = 0, hue: Any = 0) -> None:
        self.brightness, self.contrast, self.saturation, self.hue = brightness, contrast, saturation, hue

    def forward(self, img: Any) -> Any:
        for amount, change in (
            (self.brightness, F.adjust_brightness), (self.contrast, F.adjust_contrast),
            (self.saturation, F.adjust_saturation),
        ):  # fmt: skip
            if amount:
                low, high = amount if isinstance(amount, tuple | list) else (max(0, 1 - amount), 1 + amount)
                img = change(img, _between(low, high))
        return img


class RandomErasing(Transform):
    """A random rectangle of a tensor made empty, with a chance of ``p``."""

    def __init__(
        self, p: float = 0.5, scale: Any = (0.02, 0.33), ratio: Any = (0.3, 3.3), value: float = 0,
        inplace: bool = False,
    ) -> None:  # fmt: skip
        self.p, self.scale, self.ratio, self.value = p, scale, ratio, value

    def forward(self, img: Any) -> Any:
        if _chance() >= self.p:
            return img
        height, width = F.size_of(img)
        area = height * width * _between(*self.scale)
        shape = math.exp(_between(math.log(self.ratio[0]), math.log(self.ratio[1])))
        down = min(max(round(math.sqrt(area * shape)), 1), height)
        across = min(max(round(math.sqrt(area / shape)), 1), width)
        top, left = _below(height - down + 1), _below(width - across + 1)
        array = np.array(img._array)
        array[..., top : top + down, left : left + across] = self.value
        return quiet(array)


class RandomApply(Transform):
    """Some transforms, with a chance of ``p``."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]], p: float = 0.5) -> None:
        self.transforms, self.p = transforms, p

    def forward(self, img: Any) -> Any:
        return Compose(self.transforms)(img) if _chance() < self.p else img


class RandomChoice(Transform):
    """One of several transforms."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]], p: Any = None) -> None:
        self.transforms = transforms

    def forward(self, img: Any) -> Any:
        return self.transforms[_below(len(self.transforms))](img)


TRANSFORMS = {
    name: value for name, value in dict(globals()).items()
    if isinstance(value, type) and not name.startswith("_") and (value is Compose or issubclass(value, Transform))
    and name not in ("Transform", "ToDtype")
}  # fmt: skip
V2 = {**TRANSFORMS, "ToDtype": ToDtype, "ToImage": PILToTensor, "Transform": Transform}

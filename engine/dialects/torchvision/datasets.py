"""``torchvision.datasets``: stand-in sets under the real names, and pictures from a program's own folders."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from engine.dialects.torch.data import Dataset
from engine.dialects.torchvision.pictures import picture, pillow, quiet
from engine.standin_data import announce, clothes, digits, things

COUNTS = {"train": 2000, "test": 500}
"""Few, so that a tutorial's epochs end while one watches."""
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@cache
def _drawn(kind: str, part: str) -> Any:
    return {"digits": digits, "clothes": clothes, "things": things}[kind](part, COUNTS[part])


class VisionDataset(Dataset):
    """Pictures with transforms of them and of what they mean."""

    def __init__(
        self, root: Any = None, transforms: Any = None, transform: Any = None, target_transform: Any = None
    ) -> None:
        self.root, self.transforms = root, transforms
        self.transform, self.target_transform = transform, target_transform

    def __len__(self) -> int:
        raise NotImplementedError

    def _changed(self, img: Any, target: Any) -> tuple[Any, Any]:
        if self.transforms is not None:
            changed: tuple[Any, Any] = self.transforms(img, target)
            return changed
        if self.transform is not None:
            img = self.transform(img)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return img, target

    def extra_repr(self) -> str:
        return ""

    def __repr__(self) -> str:
        lines = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            lines.append(f"Root location: {self.root}")
        lines += self.extra_repr().splitlines()
        if self.transform is not None or self.target_transform is not None:
            lines.append("StandardTransform")
            for name, one in (("Transform: ", self.transform), ("Target transform: ", self.target_transform)):
                if one is not None:
                    first, *rest = repr(one).splitlines()
                    lines += [name + first, *(" " * len(name) + line for line in rest)]
        return "\n".join([f"Dataset {type(self).__name__}", *(f"    {line}" for line in lines)])


class _Drawn(VisionDataset):
    """One of the stand-in sets."""

    kind, what = "digits", "digits drawn with strokes"
    names: tuple[str, ...] = ()

    def __init__(
        self, root: Any = None, train: bool = True, transform: Any = None, target_transform: Any = None,
        download: bool = False, **_: Any,
    ) -> None:  # fmt: skip
        super().__init__(root, None, transform, target_transform)
        self.train = train
        name = f"torchvision.datasets.{type(self).__name__}"
        announce(name, f"{COUNTS['train']} + {COUNTS['test']} {self.what}")
        self.classes = list(self.names)
        self._images, self._labels = _drawn(self.kind, "train" if train else "test")

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        return self._changed(picture(self._images[index]), int(self._labels[index]))

    def __len__(self) -> int:
        return len(self._images)

    @property
    def class_to_idx(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def extra_repr(self) -> str:
        return f"Split: {'Train' if self.train else 'Test'}"


class MNIST(_Drawn):
    """Digits, 28 x 28."""

    names = tuple(f"{digit} - {name}" for digit, name in enumerate(_DIGITS))

    @property
    def data(self) -> Any:
        return quiet(self._images)

    @property
    def targets(self) -> Any:
        return quiet(self._labels.astype(np.int64))

    train_data = test_data = data
    train_labels = test_labels = targets

    @property
    def raw_folder(self) -> str:
        return os.path.join(str(self.root), type(self).__name__, "raw")

    @property
    def processed_folder(self) -> str:
        return os.path.join(str(self.root), type(self).__name__, "processed")


class KMNIST(MNIST):
    """Ten characters in the place of Kuzushiji's (the digits)."""

    names = ("o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo")


class QMNIST(MNIST):
    """Digits, 28 x 28."""


class FashionMNIST(MNIST):
    """Clothes, 28 x 28."""

    kind, what = "clothes", "silhouettes of clothes"
    names = (
        "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
    )  # fmt: skip


class CIFAR10(_Drawn):
    """Things in colour, 32 x 32."""

    kind, what = "things", "silhouettes in colour"
    names = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")

    @property
    def data(self) -> Any:
        return self._images

    @property
    def targets(self) -> list[int]:
        found: list[int] = self._labels.tolist()
        return found


class FakeData(VisionDataset):
    """Noise, as the real one gives it too."""

    def __init__(
        self, size: int = 1000, image_size: Any = (3, 224, 224), num_classes: int = 10, transform: Any = None,
        target_transform: Any = None, random_offset: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(None, None, transform, target_transform)
        self.size, self.image_size, self.num_classes, self.random_offset = size, image_size, num_classes, random_offset

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        random = np.random.RandomState(index + self.random_offset)
        pixels = (random.rand(*self.image_size).transpose(1, 2, 0) * 255).astype(np.uint8)
        return self._changed(
            picture(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels), int(random.randint(0, self.num_classes))
        )

    def __len__(self) -> int:
        return self.size


EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


class DatasetFolder(VisionDataset):
    """Files of a folder that has a folder for each class."""

    def __init__(
        self, root: Any, loader: Callable[[str], Any], extensions: Any = None, transform: Any = None,
        target_transform: Any = None, is_valid_file: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(root, None, transform, target_transform)
        self.loader = loader
        self.classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
        if not self.classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {root}.")
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        takes = is_valid_file or (lambda path: path.lower().endswith(tuple(extensions)))
        self.samples = [
            (path, number)
            for name, number in self.class_to_idx.items()
            for folder, _, names in sorted(os.walk(os.path.join(root, name)))
            for path in (os.path.join(folder, one) for one in sorted(names))
            if takes(path)
        ]
        self.imgs, self.targets = self.samples, [number for _, number in self.samples]

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        path, target = self.samples[index]
        return self._changed(self.loader(path), target)

    def __len__(self) -> int:
        return len(self.samples)


def default_loader(path: str) -> Any:
    """A picture in colour."""
    with open(path, "rb") as file:
        return pillow().open(file).convert("RGB")


class ImageFolder(DatasetFolder):
    """Pictures of a folder that has a folder for each class."""

    def __init__(
        self, root: Any, transform: Any = None, target_transform: Any = None, loader: Any = default_loader,
        is_valid_file: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(root, loader, EXTENSIONS if is_valid_file is None else None, transform, target_transform,
                         is_valid_file)  # fmt: skip


DATASETS = (
    "VisionDataset MNIST KMNIST QMNIST FashionMNIST CIFAR10 FakeData DatasetFolder ImageFolder"
)  # fmt: skip

"""The modules that a program imports as ``torchvision``."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine.dialects.missing import module_getattr
from engine.dialects.torchvision import datasets, functional, models, transforms, utils

VERSION = "0.28.0"


def _module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(content)
    made.__dict__["__path__"] = []
    made.__dict__["__getattr__"] = module_getattr(made, "torchvision")
    return made


def modules() -> dict[str, ModuleType]:
    """All modules by full name; those inside others are attributes of them."""
    functions = {name: getattr(functional, name) for name in functional.FUNCTIONS.split()}
    sets = {name: getattr(datasets, name) for name in datasets.DATASETS.split()}
    folders = {name: sets[name] for name in ("ImageFolder", "DatasetFolder")}
    folders |= {"default_loader": datasets.default_loader}
    networks = {name: getattr(models, name) for name in models.NAMES.split()}
    made = [
        _module("torchvision", __version__=VERSION),
        _module("torchvision.datasets", **sets),
        _module("torchvision.datasets.folder", **folders),
        _module("torchvision.datasets.mnist", **{name: sets[name] for name in ("MNIST", "FashionMNIST", "KMNIST")}),
        _module("torchvision.transforms", **transforms.TRANSFORMS, InterpolationMode=functional.InterpolationMode),
        _module("torchvision.transforms.functional", **functions),
        _module("torchvision.transforms.transforms", **transforms.TRANSFORMS),
        _module("torchvision.transforms.v2", **transforms.V2),
        _module("torchvision.transforms.v2.functional", **functions),
        _module("torchvision.utils", make_grid=utils.make_grid, save_image=utils.save_image),
        _module("torchvision.models", **networks),
        _module("torchvision.models.resnet", **networks),
        _module("torchvision.io"),
        _module("torchvision.ops"),
    ]
    found = {module.__name__: module for module in made}
    for name, module in found.items():
        owner, _, last = name.rpartition(".")
        if owner in found:
            setattr(found[owner], last, module)
    return found

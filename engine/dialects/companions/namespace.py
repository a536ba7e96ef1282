"""The modules of other packages that every run serves, where the real ones are not there."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from itertools import pairwise
from types import ModuleType
from typing import Any

from engine.dialects.companions import display, generated, loaded, preparing, progress
from engine.dialects.missing import module_getattr

DIGITS = "tensorflow.examples.tutorials.mnist"


def _module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(content)
    made.__dict__["__path__"] = []
    made.__dict__["__getattr__"] = module_getattr(made)
    return made


def _public(source: Any, names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names.split()}


def _sklearn() -> list[ModuleType]:
    return [
        _module("sklearn", __version__="1.8.0"),
        _module(
            "sklearn.datasets",
            **_public(generated, generated.MAKERS),
            **_public(loaded, loaded.LOADERS),
        ),
        _module("sklearn.model_selection", **_public(preparing, preparing.SPLITTING)),
        _module("sklearn.preprocessing", **_public(preparing, preparing.SCALING)),
        _module("sklearn.metrics", **_public(preparing, preparing.SCORES)),
        _module(
            "sklearn.utils",
            shuffle=preparing.shuffle,
            check_random_state=generated.check_random_state,
            Bunch=loaded.Bunch,
        ),
    ]


def _tqdm() -> list[ModuleType]:
    names = {"tqdm": progress.tqdm, "trange": progress.trange}
    notebook = {**names, "tqdm_notebook": progress.tqdm, "tnrange": progress.trange}
    return [
        _module("tqdm", **notebook, __version__="4.67.1"),
        *(_module(f"tqdm.{part}", **names) for part in ("auto", "notebook", "std", "autonotebook")),
    ]


def _ipython() -> list[ModuleType]:
    names = _public(display, display.NAMES)
    return [
        _module("IPython", get_ipython=lambda: None, display=None),
        _module("IPython.display", **names),
        _module("IPython.core", display=None),
        _module("IPython.core.display", **names),
    ]


def _tensorboard() -> list[ModuleType]:
    from engine.dialects.torch.tensorboard import SummaryWriter

    return [_module("tensorboardX", SummaryWriter=SummaryWriter)]


def _digits() -> list[ModuleType]:
    """The one part of TensorFlow that programs of PyTorch borrow: the digits of its tutorials."""
    from engine.dialects.tensorflow.mnist_input import INPUT_DATA

    owners = ("tensorflow", "tensorflow.examples", "tensorflow.examples.tutorials", DIGITS)
    made = [*(_module(name) for name in owners), _module(f"{DIGITS}.input_data", **INPUT_DATA)]
    for owner, module in pairwise(made):
        setattr(owner, module.__name__.rpartition(".")[2], module)
    return made


def _is_real(name: str) -> bool:
    """Whether the package itself can be imported."""
    loaded_one = sys.modules.get(name)
    if loaded_one is not None and getattr(loaded_one, "__spec__", None) is not None:
        return getattr(loaded_one, "__file__", None) is not None
    return PathFinder.find_spec(name) is not None


def modules(*, digits: bool = False) -> dict[str, ModuleType]:
    """All modules by full name; those inside others are attributes of them. ``digits``: those of TensorFlow too."""
    made = {module.__name__: module for module in (_digits() if digits else [])}
    for root, make in (("sklearn", _sklearn), ("tqdm", _tqdm), ("IPython", _ipython), ("tensorboardX", _tensorboard)):
        if not _is_real(root):
            made.update((module.__name__, module) for module in make())
    for name, module in made.items():
        owner, _, last = name.rpartition(".")
        if owner in made:
            shown = made[owner].__dict__.get(last)
            if shown is None or owner != "tqdm":  # `from tqdm import tqdm` is the class
                setattr(made[owner], last, module)
    return made

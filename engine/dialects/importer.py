"""Serves ``import torch`` and ``import tensorflow`` inside a run, and nowhere else.

:func:`install` puts a finder in front of Python's own, so the names mean the teaching engine even where the real
framework
is installed. The modules are made once, when the dialect is installed.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from engine.dialects.missing import missing_module

DIALECTS = ("torch", "tf1", "tf2")


class _Served(Loader):
    """Hands out a module that exists already."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do: the module is complete."""


class DialectFinder(MetaPathFinder):
    """Finds the modules of one dialect by name, and explains names that it lacks."""

    def __init__(self, modules: Mapping[str, ModuleType]) -> None:
        self.modules = dict(modules)
        self.roots = {name.partition(".")[0] for name in modules}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        module = self.modules.get(name)
        if module is not None:
            return ModuleSpec(name, _Served(module), is_package=True)
        if name.partition(".")[0] in self.roots:
            raise ModuleNotFoundError(missing_module(name, self.modules), name=name)
        return None


def modules_of(dialect: str) -> Mapping[str, ModuleType]:
    """The modules of a dialect by full name.

    :raises ValueError: there is no such dialect.
    """
    if dialect == "torch":
        from engine.dialects import torch, torchvision

        return {**torch.modules(), **torchvision.modules()}
    if dialect in ("tf1", "tf2"):
        from engine.dialects import tensorflow  # type: ignore[attr-defined, unused-ignore]

        return tensorflow.modules(dialect)  # type: ignore[no-any-return, unused-ignore]
    raise ValueError(f"no dialect {dialect!r}: choose one of {', '.join(DIALECTS)}")


def install(*dialects: str, companions: bool = False, source: str = "") -> DialectFinder:
    """Serve the modules of these dialects from now on, with ``companions`` what programs import beside a framework too.

    A ``source`` of PyTorch that reads its digits through TensorFlow's tutorials is given those, and no more of it.

    Also silences NumPy's warnings about overflow and division by zero *inside the engine* (the frameworks give
    ``inf`` and
    ``nan`` without a word); the program's own NumPy code warns as ever.
    """
    modules: dict[str, ModuleType] = {}
    for dialect in dialects:
        modules.update(modules_of(dialect))
    if companions:
        from engine.dialects.companions import modules as others

        modules.update(others(digits="torch" in dialects and "tensorflow.examples" in source))
    finder = DialectFinder(modules)
    uninstall(finder.roots)
    sys.meta_path.insert(0, finder)
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"engine\.")
    return finder


def uninstall(roots: set[str] | None = None) -> None:
    """Stop serving dialects (those with modules under ``roots``, or all) and forget their modules."""
    for finder in [f for f in sys.meta_path if isinstance(f, DialectFinder)]:
        if roots is None or finder.roots & roots:
            sys.meta_path.remove(finder)
            for name in finder.modules:
                if sys.modules.get(name) is finder.modules[name]:
                    del sys.modules[name]


__all__ = ["DIALECTS", "DialectFinder", "install", "modules_of", "uninstall"]

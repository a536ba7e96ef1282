"""Imports of the modules that lie beside a program."""

from __future__ import annotations

import importlib.util
import posixpath
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType
from typing import Any

from engine.scratch.tree import File, Folder, Tree


class ScratchLoader:
    """Loads one module from the source that is in the scratch."""

    def __init__(self, tree: Tree, path: str) -> None:
        self._tree = tree
        self.path = path

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(bytes(self._tree.file(self.path).data))

    def get_data(self, path: str) -> bytes:
        return bytes(self._tree.file(path).data)

    def get_filename(self, fullname: str) -> str:
        return self.path

    def get_code(self, fullname: str) -> CodeType:
        return compile(bytes(self._tree.file(self.path).data), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.get_code(module.__name__), module.__dict__)


class ScratchFinder:
    """A finder for ``sys.meta_path``: packages and modules in ``folder``, namespace packages too."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self._tree = tree
        self._folder = folder

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """The module ``name``, if there is a file for it."""
        last = name.rpartition(".")[2]
        folders = [self._folder, *self._added()] if path is None else [str(place) for place in path]
        spaces = []
        for folder in folders:
            base = posixpath.join(folder, last)
            for file, places in ((f"{base}/__init__.py", [base]), (f"{base}.py", None)):
                if isinstance(self._tree.find(self._tree.absolute(file)), File):
                    loader: Any = ScratchLoader(self._tree, self._tree.absolute(file))
                    return importlib.util.spec_from_file_location(
                        name, loader.path, loader=loader, submodule_search_locations=places
                    )
            if isinstance(self._tree.find(self._tree.absolute(base)), Folder):
                spaces.append(base)
        if not spaces or PathFinder.find_spec(name, path) is not None:
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = spaces
        return spec

    def _added(self) -> list[str]:
        """Folders of the scratch that the program has put on ``sys.path``."""
        return [p for p in sys.path if isinstance(p, str) and self._tree.writable(self._tree.absolute(p))]

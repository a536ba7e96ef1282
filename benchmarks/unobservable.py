"""A second copy of the engine in which nobody can listen: every ``... listener is not None`` is compiled out."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any


class _Remover(ast.NodeTransformer):
    """Replaces the question whether somebody listens by its answer. Python drops what then cannot be reached."""

    def __init__(self) -> None:
        self.removed = 0

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        asked = node.left.attr if isinstance(node.left, ast.Attribute) else getattr(node.left, "id", "")
        other = node.comparators[0]
        none = isinstance(other, ast.Constant) and other.value is None
        if asked == "listener" and none and isinstance(node.ops[0], ast.Is | ast.IsNot):
            self.removed += 1
            return ast.copy_location(ast.Constant(isinstance(node.ops[0], ast.Is)), node)
        self.generic_visit(node)
        return node


class _Loader(SourceFileLoader):
    removed = 0

    def get_code(self, fullname: str) -> CodeType:
        """Compiled afresh: the cache holds the ordinary code."""
        path = self.get_filename(fullname)
        return _compile(self.get_data(path), path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        """What the module generates while it runs goes the same way as what it says."""
        module.__dict__["compile"] = _compile
        super().exec_module(module)


def _compile(source: Any, filename: str, mode: str, **options: Any) -> CodeType:
    """``compile``, without the checks."""
    remover = _Remover()
    tree = remover.visit(ast.parse(source, filename, mode))
    _Loader.removed += remover.removed
    return compile(tree, filename, mode, dont_inherit=True)


class _Finder:
    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Engine modules through the loader above."""
        if name.partition(".")[0] != "engine":
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def unobservable_engine(warm: Callable[[Any], object]) -> tuple[Any, int]:
    """The copy, and how many checks were taken out. The engine itself stays as it is.

    ``warm(copy)`` does once what will be measured: what imports more of the package then finds the copy's own parts.
    """
    finder: Any = _Finder()
    kept = _taken_out()
    sys.meta_path.insert(0, finder)
    try:
        import engine

        copy = engine
        warm(copy)
    finally:
        sys.meta_path.remove(finder)
        _taken_out()
        sys.modules.update(kept)
    return copy, _Loader.removed


def _taken_out() -> dict[str, ModuleType]:
    """Remove the engine's modules from Python's table; returns them."""
    names = [name for name in sys.modules if name.partition(".")[0] == "engine"]
    return {name: sys.modules.pop(name) for name in names}

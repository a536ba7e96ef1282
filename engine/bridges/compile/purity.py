"""Whether a function's Python part can be left out: its result depends on nothing but what guards look at, and it
has no effect.

Only what is plainly so counts: assignments to local names, decisions and loops, ops of imported modules of the
engine or a dialect, methods of tensors that do not write. Everything else runs as Python at every call.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

from engine.bridges.function.autograph.convert import tree_of
from engine.ops import TABLE

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.Return, ast.If, ast.For, ast.While, ast.Pass, ast.Break, ast.Continue)
_VALUES = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant, ast.Name, ast.Tuple, ast.Slice)
_WORDS = (ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_FINE = (*_STATEMENTS, *_VALUES, *_WORDS)
_BUILTINS = frozenset({"range", "float", "int", "bool", "abs"})
_PARTS = frozenset({"T", "ndim", "dtype", "shape", "size"})
_EFFECTS = frozenset({"backward", "register_hook", "requires_grad", "retain_grad", "grad", "data"})


def is_pure(function: Callable[..., Any], tensor: type) -> bool:
    """Whether ``function`` only computes; ``tensor`` is the class of its tensors.

    A function without source is not.
    """
    if not isinstance(function, types.FunctionType) or function.__code__.co_freevars:
        return False
    try:
        tree = tree_of(function)
    except (OSError, TypeError, SyntaxError):
        return False
    return all(_fine(node, function.__globals__, tensor) for statement in tree.body for node in ast.walk(statement))


def _fine(node: ast.AST, scope: dict[str, Any], tensor: type) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call):
        callee = node.func
        if isinstance(callee, ast.Name):
            return callee.id in _BUILTINS and callee.id not in scope
        return isinstance(callee, ast.Attribute)  # its attribute is looked at below
    if isinstance(node, ast.Attribute):
        return isinstance(node.ctx, ast.Load) and _attribute(node, scope, tensor)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return not isinstance(scope.get(node.id), list | dict | set)
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load)
    return isinstance(node, _FINE)


def _attribute(node: ast.Attribute, scope: dict[str, Any], tensor: type) -> bool:
    """An op of a module, or a part or method of a tensor."""
    path = [node.attr]
    root: ast.expr = node.value
    while isinstance(root, ast.Attribute):
        path.append(root.attr)
        root = root.value
    named = scope.get(root.id) if isinstance(root, ast.Name) else None
    if isinstance(named, types.ModuleType):
        return _of_module(named, path[::-1], tensor)
    if isinstance(root, ast.Name) and root.id in scope and not isinstance(named, tensor):
        return False
    return node.attr in _PARTS or _computes(node.attr, tensor)


def _of_module(module: types.ModuleType, path: list[str], tensor: type) -> bool:
    """Whether a path into a module of the engine, a dialect or ``math`` ends at a module or at something that only
    computes."""
    family = module.__name__.partition(".")[0]
    if family == "math":
        return True
    inner: object = module
    for name in path[:-1]:
        inner = getattr(inner, name, None)
        if not isinstance(inner, types.ModuleType):
            return False
    if isinstance(getattr(inner, path[-1], None), types.ModuleType):
        return True
    return family in ("engine", "torch", "tensorflow") and _computes(path[-1], tensor)


def _computes(name: str, tensor: type) -> bool:
    """Whether a name is that of an op, or of a method of tensors that does not write."""
    return (name in TABLE or hasattr(tensor, name)) and not name.endswith("_") and name not in _EFFECTS

"""Whether the Python part of a function can be left out when its graph is known: it only computes with tensors.

Only what is plainly so counts: assignments to local names, decisions and loops, functions of the dialect, methods of
tensors that do not write, other functions and modules of which the same holds. What such a function reads from outside
is listed, so that a cache can compare it; so is what was looked into, because another function under the same name has
to be looked into again.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor

_NODES = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.If, ast.For, ast.While, ast.Pass, ast.Break, ast.Continue,
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Dict,
    ast.Slice, ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.Starred, ast.keyword, ast.arguments, ast.arg,
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
_BUILTINS = frozenset({"range", "float", "int", "bool", "abs", "len", "enumerate", "zip", "tuple", "min", "max", "sum",
                       "isinstance", "reversed", "sorted", "super"})  # fmt: skip
_PARTS = frozenset({"T", "mT", "ndim", "dtype", "shape", "device", "training"})
_EFFECTS = frozenset(
    {"backward", "register_hook", "grad", "data", "manual_seed", "seed", "set_rng_state", "save", "load"}
)
_PLAIN = (int, float, str, bool, type(None), tuple)


class NotPlain(Exception):
    """Something that may do more than compute, or that a cache cannot compare."""


class Computing:
    """What a function consists of: ``outside`` gives each value that it reads beside its arguments, as it is now, and
    ``holds`` says whether it still consists of the same functions and modules.

    :raises NotPlain: it may do more than compute.

    >>> scale = 2.0
    >>> def f(x):
    ...     return x * 2
    >>> Computing(f).outside
    []
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.outside: list[Callable[[], Any]] = []
        self._parts: list[tuple[Callable[[], Any], Any]] = []
        self._seen: set[Any] = set()
        if isinstance(function, Module):
            self._module(function)
        else:
            owner = getattr(function, "__self__", None)
            self._function(function, owner)
            if isinstance(owner, Module):
                self._module(owner)

    def holds(self) -> bool:
        """Whether all that was looked into is still there, in its place."""
        return all(read() == found for read, found in self._parts)

    def part(self, read: Callable[[], Any]) -> Any:
        """What ``read`` gives is looked into."""
        found = read()
        self._parts.append((read, found))
        return found

    def _module(self, module: Module) -> None:
        """A module and all in it."""
        self.note(lambda: module)
        for part, _, hooked in self.part(lambda: _structure(module)):
            if hooked:
                raise NotPlain
            if not _of_dialect(type(part)):
                self._function(part.forward, part)

    def _function(self, function: Any, owner: Any = None) -> None:
        plain = getattr(function, "__func__", function)
        if (plain, id(owner)) in self._seen:
            return
        self._seen.add((plain, id(owner)))
        if not isinstance(plain, types.FunctionType) or set(plain.__code__.co_freevars) - {"__class__"}:
            raise NotPlain
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(plain))).body[0]
        except (OSError, TypeError, SyntaxError):
            raise NotPlain from None
        if not isinstance(tree, ast.FunctionDef):
            raise NotPlain
        me = tree.args.args[0].arg if owner is not None and tree.args.args else ""
        scope = _Scope(self, plain, owner, me)
        for statement in tree.body:
            scope.check(statement)

    def note(self, read: Callable[[], Any]) -> None:
        """What ``read`` gives is read from outside."""
        self.outside.append(read)


class _Scope:
    """The names that one function sees."""

    def __init__(self, computing: Computing, function: types.FunctionType, owner: Any, me: str) -> None:
        self.computing, self.owner, self.me = computing, owner, me
        self.names, self.local = function.__globals__, set(function.__code__.co_varnames)

    def check(self, node: ast.AST) -> None:
        if isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                raise NotPlain
            return
        if isinstance(node, ast.Attribute):
            self._attribute(node, called=False)
            return
        if isinstance(node, ast.Call):
            self._call(node)
            return
        if isinstance(node, ast.Subscript):
            if not isinstance(node.ctx, ast.Load):
                raise NotPlain
        elif isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Name):
            raise NotPlain
        elif isinstance(node, ast.Name):
            self._name(node)
        elif not isinstance(node, _NODES):
            raise NotPlain
        for inner in ast.iter_child_nodes(node):
            self.check(inner)

    def _name(self, node: ast.Name) -> None:
        if node.id in self.local or not isinstance(node.ctx, ast.Load):
            return
        if node.id in self.names:
            self.computing.note(lambda: self.names.get(node.id))
        elif node.id not in _BUILTINS and not hasattr(builtins, node.id):
            raise NotPlain

    def _call(self, node: ast.Call) -> None:
        callee = node.func
        if isinstance(callee, ast.Attribute):
            self._attribute(callee, called=True)
        elif isinstance(callee, ast.Name) and callee.id not in self.local:
            self._called(self.computing.part(lambda: self.names.get(callee.id)), callee.id)
        else:
            raise NotPlain
        for inner in [*node.args, *node.keywords]:
            self.check(inner)

    def _called(self, value: Any, name: str) -> None:
        if value is None:
            if name not in _BUILTINS:
                raise NotPlain
        elif isinstance(value, Module):
            self.computing._module(value)
        elif not _of_dialect(value):
            self.computing._function(value)
        elif name in _EFFECTS or name.endswith("_"):
            raise NotPlain

    def _attribute(self, node: ast.Attribute, *, called: bool) -> None:
        """A part of a module of the dialect, of ``self``, or of a tensor."""
        if not isinstance(node.ctx, ast.Load):
            raise NotPlain
        path, root = [node.attr], node.value
        while isinstance(root, ast.Attribute):
            path.insert(0, root.attr)
            root = root.value
        if isinstance(root, ast.Name) and (root.id == self.me or (root.id not in self.local and root.id in self.names)):
            if root.id == self.me:
                start = partial(getattr, self, "owner")
            else:
                start = partial(self.names.get, root.id)
                self.computing.note(start)
            if isinstance(start(), types.ModuleType | Module):
                self._reached(start, path, called=called)
                return
        self.check(root)
        if not all(name in _PARTS or _computes(name) for name in path):
            raise NotPlain

    def _reached(self, start: Callable[[], Any], path: list[str], *, called: bool) -> None:
        """What stands at the end of ``path``, which begins with a module."""
        for i in range(1, len(path) + 1):
            read = partial(_at, start, path[:i])
            held = read()
            if isinstance(held, Tensor):
                if not all(name in _PARTS or _computes(name) for name in path[i:]):
                    raise NotPlain
                self.computing.note(read)
                return
        if not called and isinstance(held, _PLAIN):
            self.computing.note(read)
            return
        self.computing.part(read)
        if called:
            if held is None or isinstance(held, types.ModuleType):
                raise NotPlain
            if isinstance(held, types.MethodType) and isinstance(held.__self__, Module):
                if not _of_dialect(type(held.__self__)) or path[-1] not in ("forward", "size"):
                    self.computing._function(held, held.__self__)
                return
            self._called(held, path[-1])
        elif not isinstance(held, Module | types.ModuleType) and not _of_dialect(held):
            raise NotPlain


def _at(start: Callable[[], Any], path: list[str]) -> Any:
    return reduce(lambda x, name: getattr(x, name, None), path, start())


def _structure(module: Module) -> tuple[Any, ...]:
    """The modules in a module, their classes, and whether they have hooks."""
    return tuple((part, type(part), part._hooked or bool(part._backward_hooks)) for part in module.modules())


def _of_dialect(value: Any) -> bool:
    """Whether a function or class is the dialect's, or Python's mathematics."""
    family = str(getattr(value, "__module__", None) or type(value).__module__).partition(".")[0]
    return family in ("engine", "torch", "math")


def _computes(name: str) -> bool:
    """Whether a name is that of a method of tensors that does not write."""
    return hasattr(Tensor, name) and not name.endswith("_") and name not in _EFFECTS

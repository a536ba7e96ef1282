"""Which variables a statement touches, and where they live: a small reading of the syntax tree.

Only what the probes need: the names that a scope binds, what a target binds, what a statement may change in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef
NEW_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
UNTOUCHED_CALLS = frozenset({"print", "len", "str", "repr", "type", "isinstance", "input", "int", "float"})


@dataclass(slots=True)
class Scope:
    """A module, function or class body. ``kind`` is one of these words."""

    kind: str
    parent: Scope | None = None
    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    is_generator: bool = False
    number: int = -1
    """The function's number in the tables of the probes."""

    def place(self, name: str) -> str:
        """Where ``name`` lives, seen from here: ``"local"``, ``"global"`` or ``"outer"`` (an enclosing function)."""
        if self.kind == "module" or name in self.globals:
            return "global"
        if name in self.nonlocals:
            return "outer"
        if name in self.bound:
            return "local"
        return "global" if self.owner(name) is None else "outer"

    def owner(self, name: str) -> Scope | None:
        """The enclosing function that binds ``name``, None if it is a variable of the module."""
        outer = self.parent
        while outer is not None:
            if outer.kind == "function" and name in outer.bound:
                return outer
            outer = outer.parent
        return None


def scope_of(node: Function | ast.ClassDef, parent: Scope) -> Scope:
    """The scope that a definition opens."""
    scope = Scope("class" if isinstance(node, ast.ClassDef) else "function", parent)
    if not isinstance(node, ast.ClassDef):
        scope.bound.update(argument.arg for argument in arguments_of(node.args))
        scope.is_generator = isinstance(node, ast.AsyncFunctionDef)
    for inner in own_nodes(node.body):
        if isinstance(inner, ast.Global):
            scope.globals.update(inner.names)
        elif isinstance(inner, ast.Nonlocal):
            scope.nonlocals.update(inner.names)
        elif isinstance(inner, (ast.Yield, ast.YieldFrom)):
            scope.is_generator = True
        else:
            scope.bound.update(bindings(inner))
    scope.bound -= scope.globals | scope.nonlocals
    return scope


def arguments_of(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters, in the order in which Python lists them."""
    positional = [*arguments.posonlyargs, *arguments.args]
    rest = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [*positional, *arguments.kwonlyargs, *rest]


def own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of ``body`` that belongs to its own scope (definitions themselves, but nothing inside them)."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, NEW_SCOPES):
            inner: list[ast.AST] = list(getattr(node, "decorator_list", []))
            if not isinstance(node, ast.ClassDef):
                defaults = [*node.args.defaults, *node.args.kw_defaults]
                inner += [default for default in defaults if default is not None]
            waiting.extend(inner)
        else:
            waiting.extend(ast.iter_child_nodes(node))


def bindings(node: ast.AST) -> Iterator[str]:
    """The names that ``node`` itself binds, without its children."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name.split(".")[0]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        if node.name:
            yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def bound_by(node: ast.AST) -> list[str]:
    """The names that an expression or target binds in its own scope, in order, each once."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        found.update(dict.fromkeys(bindings(part)))
        if isinstance(part, NEW_SCOPES):
            continue
        if isinstance(part, COMPREHENSIONS):
            # Inside a comprehension only := binds a name out here.
            walrus = (inner.target for inner in ast.walk(part) if isinstance(inner, ast.NamedExpr))
            found.update(dict.fromkeys(target.id for target in walrus))
            continue
        waiting.extend(reversed(list(ast.iter_child_nodes(part))))
    return list(found)


def base_name(node: ast.AST) -> str | None:
    """``a`` for ``a.b[0].c``; None where the expression does not begin with a name."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def changed_by(statement: ast.stmt) -> list[str]:
    """The names whose objects ``statement`` may change in place."""
    found: list[str | None] = []
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
        targets = statement.targets if isinstance(statement, (ast.Assign, ast.Delete)) else [statement.target]
        for target in targets:
            parts = ast.walk(target)
            found += [base_name(part) for part in parts if isinstance(part, (ast.Attribute, ast.Subscript))]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Name) and call.func.id in UNTOUCHED_CALLS:
            return []
        if isinstance(call.func, ast.Attribute):
            found.append(base_name(call.func.value))
        found += [argument.id for argument in call.args if isinstance(argument, ast.Name)]
    return list(dict.fromkeys(name for name in found if name is not None))

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
UNTOUCHED_CALLS = frozenset(
    (
        *("abs", "all", "any", "bool", "bytes", "callable", "complex", "dict", "enumerate", "float", "frozenset"),
        *("getattr", "hasattr", "hash", "id", "input", "int", "isinstance", "issubclass", "iter", "len", "list", "max"),
        *("min", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "super", "tuple"),
        *("type", "zip"),
    )
)
"""Built-in functions that leave what they are given as it is."""


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
        elif isinstance(node, ast.comprehension):
            waiting.extend([node.iter, *node.ifs])  # what it binds is its own
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


def named_by(node: ast.AST) -> list[str]:
    """The names that ``:=`` binds in an expression or a statement without a block, if it gets that far."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, NEW_SCOPES):
            continue
        if isinstance(part, ast.NamedExpr):
            found[part.target.id] = None
        waiting.extend(reversed(list(ast.iter_child_nodes(part))))
    return list(found)


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
            found.update(dict.fromkeys(name for inner in ast.iter_child_nodes(part) for name in named_by(inner)))
            continue
        waiting.extend(reversed(list(ast.iter_child_nodes(part))))
    return list(found)


def is_asynchronous(node: ast.AST) -> bool:
    """Whether a comprehension waits."""
    return any(
        isinstance(one, ast.Await) or (isinstance(one, ast.comprehension) and one.is_async) for one in ast.walk(node)
    )


def deleted_from_inside(tree: ast.AST) -> set[str]:
    """Names that are deleted somewhere and ``nonlocal`` somewhere: a call may take the caller's variable away."""
    gone = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)}
    return gone & {name for node in ast.walk(tree) if isinstance(node, ast.Nonlocal) for name in node.names}


def base_name(node: ast.AST) -> str | None:
    """``a`` for ``a.b[0].c``; None where the expression does not begin with a name."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def changed_by(statement: ast.stmt) -> list[str]:
    """The names whose objects ``statement`` (without a block), or what it calls for nothing, may change in place."""
    found: list[str | None] = []
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
        targets = statement.targets if isinstance(statement, (ast.Assign, ast.Delete)) else [statement.target]
        found += [name for target in targets for name in written_by(target)]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        found += _given_to(statement.value)
    return list(dict.fromkeys(name for name in found if name is not None))


def written_by(target: ast.AST) -> list[str]:
    """The names whose objects are written into by binding ``target``: ``a`` for ``a.b`` and ``a[0]``."""
    parts = (part for part in ast.walk(target) if isinstance(part, (ast.Attribute, ast.Subscript)))
    return [name for part in parts if (name := base_name(part)) is not None]


def _given_to(call: ast.Call) -> list[str | None]:
    """What a call may change: whose method it is, and what it is given by name."""
    if isinstance(call.func, ast.Constant) or (isinstance(call.func, ast.Name) and call.func.id in UNTOUCHED_CALLS):
        return []  # a constant: a probe
    found = [base_name(call.func.value)] if isinstance(call.func, ast.Attribute) else []
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return found + [base_name(one) for one in given if isinstance(one, (ast.Name, ast.Attribute, ast.Subscript))]


def used_by(node: ast.AST) -> list[str]:
    """The names whose objects the calls inside an expression may change: ``lst`` for ``1 + lst.pop()``."""
    found: dict[str, None] = {}
    waiting: list[ast.AST] = [node]
    hidden: set[str] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, NEW_SCOPES):
            continue
        if isinstance(part, ast.comprehension):
            hidden.update(name for one in ast.walk(part.target) for name in bindings(one))
        if isinstance(part, ast.Call):
            found.update(dict.fromkeys(name for name in _given_to(part) if name is not None))
        waiting.extend(reversed(list(ast.iter_child_nodes(part))))
    return [name for name in found if name not in hidden]

"""What statements assign, and whether they leave the block they stand in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.While, ast.AsyncFor)


def inside(nodes: Iterable[ast.AST], skip: tuple[type[ast.AST], ...] = ()) -> Iterator[ast.AST]:
    """All nodes of one scope below ``nodes``; what is of a type in ``skip`` is given, but not entered."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*SCOPES, *skip)):
            waiting.extend(ast.iter_child_nodes(node))


def assigned(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that statements bind in their own scope.

    >>> sorted(assigned(ast.parse("a = 1; b += 2; [c for c in d]; e.f = 3").body))
    ['a', 'b']
    """
    found: set[str] = set()
    declared: set[str] = set()
    for node in inside(nodes, COMPREHENSIONS):
        match node:
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.alias():
                found.add((node.asname or node.name).partition(".")[0])
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.Global() | ast.Nonlocal():
                declared.update(node.names)
    return found - declared


def returns(nodes: Iterable[ast.AST]) -> bool:
    """Whether a ``return`` stands among these statements."""
    return any(isinstance(node, ast.Return) for node in inside(nodes))


def yields(nodes: Iterable[ast.AST]) -> bool:
    """Whether they make their function a generator or a coroutine."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) for node in inside(nodes))


def leaves_loop(nodes: Iterable[ast.AST]) -> bool:
    """Whether a ``break`` or ``continue`` among them belongs to a loop around them."""
    return any(isinstance(node, ast.Break | ast.Continue) for node in inside(nodes, LOOPS))


def always_returns(body: Sequence[ast.stmt]) -> bool:
    """Whether control never comes out at the end of these statements."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise):
        return True
    return isinstance(last, ast.If) and always_returns(last.body) and always_returns(last.orelse)


def deleted(nodes: Iterable[ast.AST]) -> bool:
    """Whether a name is deleted or declared global or nonlocal among them: then they stay as they are."""
    return any(
        isinstance(node, ast.Global | ast.Nonlocal) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del))
        for node in inside(nodes)
    )

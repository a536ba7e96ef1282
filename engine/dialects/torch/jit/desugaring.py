"""Early ``return``, ``break`` and ``continue`` as decisions, so that a block has one end."""

from __future__ import annotations

import ast


def desugared(tree: ast.FunctionDef) -> ast.FunctionDef:
    """The function without early exits: what comes after a decision that may leave moves into its branches."""
    tree.body = _returns(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.While | ast.For):
            _loop(node)
    return ast.fix_missing_locations(tree)


def _returns(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements after an ``if`` one of whose branches returns become part of the branches that do not."""
    for place, statement in enumerate(body):
        if isinstance(statement, ast.If) and _leaves(statement, ast.Return) and body[place + 1 :]:
            rest = body[place + 1 :]
            taken = statement.body if _ends(statement.body) else [*statement.body, *rest]
            other = statement.orelse if statement.orelse and _ends(statement.orelse) else [*statement.orelse, *rest]
            made = ast.If(statement.test, _returns(taken), _returns(other))
            return [*body[:place], ast.copy_location(made, statement)]
        if isinstance(statement, ast.If):
            statement.body, statement.orelse = _returns(statement.body), _returns(statement.orelse)
    return body


def _ends(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends(last.body) and _ends(last.orelse)
    return isinstance(last, ast.Return | ast.Raise)


def _leaves(node: ast.AST, kinds: type | tuple[type, ...]) -> bool:
    """Whether there is an exit inside that belongs to this level of loops."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, kinds):
            return True
        if not isinstance(child, ast.While | ast.For | ast.FunctionDef | ast.Lambda) and _leaves(child, kinds):
            return True
    return False


GOING = "_going"


def _loop(loop: ast.While | ast.For) -> None:
    """``break`` clears a flag that the loop looks at; ``continue`` and ``break`` skip what is left of a pass."""
    holder = ast.Module(loop.body, [])
    if not _leaves(holder, (ast.Break, ast.Continue)):
        return
    loop.body = _skipping(loop.body)
    loop._stops = _has_break(loop.body)  # type: ignore[union-attr]


def _has_break(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == GOING
        for s in body
        for n in ast.walk(s)
    )


def _skipping(body: list[ast.stmt]) -> list[ast.stmt]:
    for place, statement in enumerate(body):
        if isinstance(statement, ast.Continue):
            return body[:place] or [ast.copy_location(ast.Pass(), statement)]
        if isinstance(statement, ast.Break):
            stop = ast.Assign([ast.Name(GOING, ast.Store())], ast.Constant(False))
            return [*body[:place], ast.copy_location(stop, statement)]
        if isinstance(statement, ast.If) and _leaves(statement, (ast.Break, ast.Continue)):
            rest = body[place + 1 :]
            taken = statement.body if _jumps(statement.body) else [*statement.body, *rest]
            other = statement.orelse if statement.orelse and _jumps(statement.orelse) else [*statement.orelse, *rest]
            made = ast.If(statement.test, _skipping(taken), _skipping(other) if other else [])
            return [*body[:place], ast.copy_location(made, statement)]
    return body


def _jumps(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _jumps(last.body) and _jumps(last.orelse)
    return isinstance(last, ast.Break | ast.Continue)

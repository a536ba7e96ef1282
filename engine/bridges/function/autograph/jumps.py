"""``break`` and ``continue`` as flags: what follows a jump runs only if no flag is up, and so becomes ordinary
decisions.

::

    while test:                     stopped = False
        if a: break                 while not stopped and test:
        b                               if a: stopped = True
                                        if not stopped: b
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.bridges.function.autograph import names


def can_lower(body: Sequence[ast.stmt]) -> bool:
    """Whether all jumps among these statements stand in decisions only (not in ``with`` or ``try``)."""
    for statement in body:
        if isinstance(statement, ast.If):
            if not can_lower([*statement.body, *statement.orelse]):
                return False
        elif not isinstance(statement, (ast.Break, ast.Continue, *names.LOOPS)) and names.leaves_loop([statement]):
            return False
    return True


def lowered(body: Sequence[ast.stmt], stopped: str, skipped: str) -> list[ast.stmt]:
    """The body of a loop with flags: ``stopped`` is set by ``break``, ``skipped`` by ``continue``, both are false
    before it.

    >>> tree = ast.parse("while t:\\n  if a: continue\\n  b").body[0]
    >>> print(ast.unparse(ast.Module(lowered(tree.body, "s", "c"), [])))
    if a:
        c = True
    if not (s or c):
        b
    """
    result: list[ast.stmt] = []
    for place, statement in enumerate(body):
        if isinstance(statement, ast.Break | ast.Continue):
            flag = stopped if isinstance(statement, ast.Break) else skipped
            result.append(_at(ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(True)), statement))
            break
        result.append(statement)
        if isinstance(statement, ast.If) and names.leaves_loop([statement]):
            statement.body = lowered(statement.body, stopped, skipped)
            statement.orelse = lowered(statement.orelse, stopped, skipped)
            rest = lowered(body[place + 1 :], stopped, skipped)
            if rest:
                result.append(_at(ast.If(none_of(stopped, skipped), rest, []), statement))
            break
    return result


def none_of(*flags: str) -> ast.expr:
    """Neither flag is up."""
    loads: list[ast.expr] = [ast.Name(flag, ast.Load()) for flag in flags]
    return ast.UnaryOp(ast.Not(), loads[0] if len(loads) == 1 else ast.BoolOp(ast.Or(), loads))


def lowering(flag: str, at: ast.stmt) -> ast.stmt:
    """``flag = False``."""
    return _at(ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False)), at)


def _at(node: ast.stmt, original: ast.stmt) -> ast.stmt:
    for part in ast.walk(node):
        if isinstance(part, ast.expr | ast.stmt) and not hasattr(part, "lineno"):
            ast.copy_location(part, original)
    return node

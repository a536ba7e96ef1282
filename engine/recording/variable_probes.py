"""The probes that tell of variables: what a statement binds, what it may have changed, and what holds that inside.

A probe that reads a name must never fail where the program would not: a name that may have no value is read in a
``try``, or not at all.
"""

from __future__ import annotations

import ast

from engine.recording.registration import Registration
from engine.recording.scopes import Scope, bound_by, changed_by, named_by, used_by, written_by

Statements = list[ast.stmt]
LOCALS = 32
"""Variables of one function that are told when something inside of what they hold has changed."""


class VariableProbes:
    """Builds the probes of one tree; ``_scope`` is the scope that they are to stand in."""

    def __init__(self, registration: Registration, marker: str) -> None:
        self._registration = registration
        self._marker = marker
        self._scope = Scope("module")
        self._vanishing: set[str] = set()
        """Variables of functions that another function may delete."""

    def _call(self, at: ast.AST, probe: str, *arguments: ast.expr | int) -> ast.Call:
        place = {
            "lineno": at.lineno,  # type: ignore[attr-defined]
            "col_offset": at.col_offset,  # type: ignore[attr-defined]
            "end_lineno": at.lineno,  # type: ignore[attr-defined]
            "end_col_offset": at.col_offset,  # type: ignore[attr-defined]
        }
        given = [ast.Constant(one, **place) if isinstance(one, int) else one for one in arguments]
        return ast.Call(ast.Constant(self._marker + probe, **place), given, [], **place)

    def _statement(self, at: ast.AST, probe: str, *arguments: ast.expr | int) -> ast.Expr:
        return ast.copy_location(ast.Expr(call := self._call(at, probe, *arguments)), call)

    def _variable(self, at: ast.AST, action: str, name: str, *more: int) -> list[ast.expr]:
        """The probe for a variable, or none where it cannot be looked at."""
        number = self._registration.name(name)
        place = self._scope.place(name)
        if self._scope.kind == "class" and place != "global":
            # Reading the name could call the mapping that a metaclass prepared: the probe looks into plain ones itself.
            return [self._call(at, f"{action}_class", number, *more)] if place == "local" else []
        if place == "global":
            return [self._call(at, f"{action}_global", number, *more)]
        owner = self._scope.owner(name) if place == "outer" else None
        whose = (owner.number, number) if owner is not None else (number,)
        if owner is not None:
            action += "_outer"
        if action.startswith("delete"):
            return [self._call(at, action, *whose)]
        call = self._call(at, action, *whose)
        call.args.append(ast.copy_location(ast.Name(name, ast.Load()), call))
        call.args.extend(ast.copy_location(ast.Constant(one), call) for one in more)
        return [call]

    def _variables(self, at: ast.AST, action: str, names: list[str]) -> Statements:
        return [_alone(probe) for name in names for probe in self._variable(at, action, name)]

    def _bound(self, at: ast.AST, node: ast.AST) -> Statements:
        """Probes for the names that ``node`` has bound, and for those that ``:=`` in it may have bound."""
        named = named_by(node)
        certain = [name for name in bound_by(node) if name not in named]
        return [*self._variables(at, "assign", certain), *self._named(at, node)]

    def _named(self, at: ast.AST, node: ast.AST) -> Statements:
        """Probes for the names that ``:=`` may have bound in ``node``: where it was not reached there is no value."""
        told: Statements = []
        for probe in self._variables(at, "assign", named_by(node)):
            unbound = ast.copy_location(ast.Constant(self._marker + "unbound"), probe)
            handler = ast.copy_location(ast.ExceptHandler(unbound, None, [ast.copy_location(ast.Pass(), probe)]), probe)
            told.append(ast.copy_location(ast.Try([probe], [handler], [], []), probe))
        return told

    def _touches(self, at: ast.AST, node: ast.AST, besides: list[str]) -> list[ast.expr]:
        """Probes for what the calls inside of ``node`` may have changed."""
        names = [name for name in used_by(node) if name not in besides and name not in self._vanishing]
        return [probe for name in names for probe in self._variable(at, "touch", name, 0)]

    def _value(self, node: ast.expr) -> ast.expr:
        """An expression of a header: what its calls may have changed is told before its value is used."""
        touches = self._touches(node, node, [])
        return self._call(node, "keep", node, *touches) if touches else node

    def _touched(self, statement: ast.stmt, besides: list[str]) -> Statements:
        """Probes for what ``statement`` may have changed in place, ``besides`` what else is told of it."""
        changed = [name for name in changed_by(statement) if name not in besides and name not in self._vanishing]
        touches = self._touches(statement, statement, [*besides, *changed])
        return self._and_containers([*self._variables(statement, "touch", changed), *map(_alone, touches)])

    def _and_containers(self, touches: Statements) -> Statements:
        """The last of these probes says whether variables of this function hold what has changed somewhere inside:
        those are shown to it then. Only variables with a value are ever among them."""
        names = [name for name in sorted(self._scope.bound - self._vanishing) if self._scope.place(name) == "local"]
        if not touches or self._scope.kind != "function" or not names:
            return touches
        last = touches[-1]
        if not isinstance(last, ast.Expr):
            return touches
        shown: list[ast.expr] = []
        for name in names[:LOCALS]:
            stale = self._call(last, "stale", self._registration.name(name))
            then = self._variable(last, "assign", name)
            shown.append(ast.copy_location(ast.BoolOp(ast.And(), [stale, *then]), last))
        all_shown = ast.copy_location(ast.Tuple(shown, ast.Load()), last)
        last.value = ast.copy_location(ast.BoolOp(ast.And(), [last.value, all_shown]), last)
        return touches

    def _target(self, statement: ast.stmt, target: ast.expr) -> Statements:
        """Probes for what a target binds, and what it writes into."""
        names = bound_by(target)
        written = [name for name in written_by(target) if name not in names]
        return [*self._variables(statement, "assign", names), *self._variables(statement, "touch", written)]


def _alone(call: ast.expr) -> ast.Expr:
    """A probe as a statement."""
    return ast.copy_location(ast.Expr(call), call)

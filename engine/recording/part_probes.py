"""Probes that stand inside of expressions: lambdas and comprehensions become calls, ``f_back`` asks first.

``probes.py`` puts probes around statements; what is rewritten here has none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from engine.recording.registration import Registration
from engine.recording.scopes import arguments_of, bound_by


class Behind(ast.NodeTransformer):
    """What is behind a frame, the program asks a probe: there is more than it should see."""

    def __init__(self, call: Callable[..., ast.Call]) -> None:
        self._call = call

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return self._call(node, "back", node.value) if node.attr == "f_back" and _is_read(node) else node


class Parts(ast.NodeTransformer):
    """Lambdas and comprehensions (not generator expressions, which run when somebody asks) are calls."""

    def __init__(self, call: Callable[..., ast.Call], registration: Registration) -> None:
        self._call = call
        self._registration = registration

    def _named(self, at: ast.AST, names: list[str]) -> list[ast.expr | int]:
        """Numbers and values of variables, by turns."""
        given: list[ast.expr | int] = []
        for name in names:
            given += [self._registration.name(name), ast.copy_location(ast.Name(name, ast.Load()), at)]
        return given

    def _after(self, probe: ast.Call, then: ast.expr) -> ast.expr:
        # The probe returns None, so that ``None or value`` is the value itself.
        return ast.copy_location(ast.BoolOp(ast.Or(), [probe, then]), then)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self.generic_visit(node)
        if any(isinstance(one, (ast.Yield, ast.YieldFrom, ast.Await)) for one in ast.walk(node.body)):
            return node
        number = self._registration.part("<lambda>", node.lineno)
        body = node.body
        begin = self._call(body, "brief", number, *self._named(body, [one.arg for one in arguments_of(node.args)]))
        node.body = self._call(body, "leave_brief", number, self._after(begin, body))
        return node

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp, name: str) -> ast.expr:
        self.generic_visit(node)
        if any(isinstance(one, (ast.Yield, ast.YieldFrom, ast.Await)) for one in ast.walk(node)) or any(
            one.is_async for one in node.generators
        ):
            return node
        number = self._registration.part(name, node.lineno)
        first = node.generators[0]
        names = [name for one in node.generators for name in bound_by(one.target)]
        first.iter = self._call(first.iter, "begin_comprehension", number, first.iter)
        made = node.key if isinstance(node, ast.DictComp) else node.elt
        told = self._after(self._call(made, "element", number, *self._named(made, names)), made)
        if isinstance(node, ast.DictComp):
            node.key = told
        else:
            node.elt = told
        return self._call(node, "leave_brief", number, node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._comprehension(node, "<listcomp>")

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return self._comprehension(node, "<setcomp>")

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return self._comprehension(node, "<dictcomp>")


def _is_read(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)

"""The rewriting: statements of control flow become calls of :mod:`.operators` on functions made of their blocks."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from itertools import count
from typing import Any

from engine.bridges.function.autograph import names
from engine.bridges.function.autograph.jumps import can_lower, lowered, lowering, none_of

AG = "ag__"
"""What rewritten code calls the module of operators."""


class Transformer(ast.NodeTransformer):
    """Rewrites one function. ``kept`` says of which statements it could not (line, why): these stay Python's."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, str]] = []
        self._numbers = count(1)

    def function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """The function with its body rewritten; decorators are dropped."""
        node.decorator_list = []
        node.body = self._block(_push_returns(node.body))
        return node

    # -- statements --------------------------------------------------------------------------------------------------
    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            made = self.visit(statement)
            result += made if isinstance(made, list) else [made]
        return result

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside are rewritten when they are called."""
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node

    def visit_If(self, node: ast.If) -> Any:
        blocks = [*node.body, *node.orelse]
        returning = names.returns(blocks)
        whole = returning and names.always_returns(node.body) and names.always_returns(node.orelse)
        why = ""
        if names.leaves_loop(blocks):
            why = "it holds a break or continue"
        elif returning and not whole:
            why = "only some of its ways return"
        elif names.deleted(blocks):
            why = "it deletes a name or declares it global"
        test = self.visit(node.test)
        if why:
            self.kept.append((node.lineno, why))
            node.test, node.body, node.orelse = test, self._block(node.body), self._block(node.orelse)
            return node
        number = next(self._numbers)
        then, otherwise = f"{AG}true_{number}", f"{AG}false_{number}"
        variables = sorted(names.assigned(blocks))
        made: list[ast.stmt] = [
            self._function(then, variables, self._block(node.body), whole),
            self._function(otherwise, variables, self._block(node.orelse) or [ast.Pass()], whole),
        ]
        call = _call("if_", test, _name(then), _name(otherwise), self._values(variables), _texts(variables))
        made.append(ast.Return(_call("returned", call)) if whole else _assign(variables, call))
        return [_placed(statement, node) for statement in made]

    def visit_While(self, node: ast.While) -> Any:
        why = self._why_not_loop(node.body, node.orelse)
        if why:
            self.kept.append((node.lineno, why))
            node.test, node.body, node.orelse = self.visit(node.test), self._block(node.body), self._block(node.orelse)
            return node
        number = next(self._numbers)
        before = self._lower_jumps(node, number)
        if before:
            node.test = ast.BoolOp(ast.And(), [none_of(f"{AG}stopped_{number}"), node.test])
        test, body = f"{AG}test_{number}", f"{AG}body_{number}"
        variables = sorted(names.assigned(node.body) | names.assigned([node.test]))
        condition = ast.FunctionDef(test, _parameters(variables), [ast.Return(self.visit(node.test))], [], None)
        made: list[ast.stmt] = [*before, condition, self._function(body, variables, self._block(node.body))]
        made.append(
            _assign(variables, _call("while_", _name(test), _name(body), self._values(variables), _texts(variables)))
        )
        return [_placed(statement, node) for statement in made]

    def visit_For(self, node: ast.For) -> Any:
        why = self._why_not_loop(node.body, node.orelse)
        iterated = self.visit(node.iter)
        if why:
            self.kept.append((node.lineno, why))
            node.iter, node.body, node.orelse = iterated, self._block(node.body), self._block(node.orelse)
            return node
        number = next(self._numbers)
        before = self._lower_jumps(node, number)
        body, item = f"{AG}body_{number}", f"{AG}item_{number}"
        variables = sorted(names.assigned([node.target, *node.body]))
        first = ast.Assign([node.target], _name(item))
        block = node.body
        if before:  # a loop over Python values goes on after a stop that only the graph knows of
            block = [_placed(ast.If(none_of(f"{AG}stopped_{number}"), block, []), node)]
        function = self._function(body, variables, [first, *self._block(block)])
        function.args.args.insert(0, ast.arg(item))
        arguments = [iterated, _name(body), self._values(variables), _texts(variables)]
        if before:
            stop = ast.Lambda(_parameters(variables), _name(f"{AG}stopped_{number}"))
            arguments.append(stop)
        made: list[ast.stmt] = [*before, function, _assign(variables, _call("for_", *arguments))]
        return [_placed(statement, node) for statement in made]

    def _lower_jumps(self, node: ast.While | ast.For, number: int) -> list[ast.stmt]:
        """If jumps leave passes of a loop, make flags of them; returns what has to stand before the loop."""
        if not names.leaves_loop(node.body):
            return []
        stopped, skipped = f"{AG}stopped_{number}", f"{AG}skipped_{number}"
        node.body = [lowering(skipped, node), *lowered(node.body, stopped, skipped)]
        return [lowering(stopped, node), lowering(skipped, node)]

    @staticmethod
    def _why_not_loop(body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> str:
        if names.leaves_loop(body) and not can_lower(body):
            return "the loop holds a break or continue inside of with or try"
        if names.returns(body):
            return "the loop holds a return"
        if orelse:
            return "the loop has an else"
        return "it deletes a name or declares it global" if names.deleted(body) else ""

    def _function(
        self, name: str, variables: Sequence[str], body: list[ast.stmt], returning: bool = False
    ) -> ast.FunctionDef:
        """A block as a function from the variables that it assigns to their next values."""
        if not returning:
            body = [*body, ast.Return(ast.Tuple([_name(v) for v in variables], ast.Load()))]
        else:
            body = [_wrapped_returns(statement) for statement in body]
        return ast.FunctionDef(name, _parameters(variables), body, [], None)

    def _values(self, variables: Sequence[str]) -> ast.expr:
        """The variables' values, some of which may not be there yet."""
        none = ast.arguments([], [], None, [], [], None, [])
        found = [_call("value", ast.Lambda(none, _name(v)), ast.Constant(v)) for v in variables]
        return ast.Tuple(list(found), ast.Load())

    # -- expressions -------------------------------------------------------------------------------------------------
    def visit_Lambda(self, node: ast.Lambda) -> Any:
        node.body = self.visit(node.body)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        word = "and_" if isinstance(node.op, ast.And) else "or_"
        return _placed(_call(word, *[_thunk(self.visit(value)) for value in node.values]), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        node.operand = self.visit(node.operand)
        return _placed(_call("not_", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test, body, otherwise = self.visit(node.test), self.visit(node.body), self.visit(node.orelse)
        return _placed(_call("if_expression", test, _thunk(body), _thunk(otherwise)), node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        steps: list[ast.expr] = []
        for op, right in zip(node.ops, node.comparators, strict=True):
            pair = ast.Compare(_name("a"), [op], [_name("b")])
            steps += [ast.Lambda(_parameters(["a", "b"]), pair), _thunk(right)]
        return _placed(_call("compared", node.left, *steps), node)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals", "print"):
            return node
        node.func = _placed(_call("callee", node.func), node.func)
        return node


def _push_returns(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Where only one way of an ``if`` returns, what follows becomes part of the other way; so every way returns."""
    result: list[ast.stmt] = []
    for place, statement in enumerate(body):
        if isinstance(statement, ast.If) and names.returns([statement]) and not names.leaves_loop([statement]):
            rest = list(body[place + 1 :])
            end: list[ast.stmt] = [] if _ends(statement, rest) else [_placed(ast.Return(ast.Constant(None)), statement)]
            statement.body, statement.orelse = (
                _push_returns(way if names.always_returns(way) else [*way, *deepcopy([*rest, *end])])
                for way in (statement.body, statement.orelse)
            )
            return [*result, statement]
        result.append(statement)
    return result


def _ends(statement: ast.If, rest: Sequence[ast.stmt]) -> bool:
    return names.always_returns(rest) or (not rest and names.always_returns([statement]))


class _Wrapping(ast.NodeTransformer):
    """``return x`` of a way that returns becomes ``return (x,)``: one value to choose."""

    def visit_Return(self, node: ast.Return) -> Any:
        node.value = ast.Tuple([node.value or ast.Constant(None)], ast.Load())
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node


def _wrapped_returns(statement: ast.stmt) -> ast.stmt:
    return _Wrapping().visit(statement)  # type: ignore[no-any-return]


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(operator: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(_name(AG), operator, ast.Load()), list(arguments), [])


def _thunk(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)


def _texts(variables: Sequence[str]) -> ast.expr:
    return ast.Tuple([ast.Constant(v) for v in variables], ast.Load())


def _parameters(variables: Sequence[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(v) for v in variables], None, [], [], None, [])


def _assign(variables: Sequence[str], value: ast.expr) -> ast.stmt:
    if not variables:
        return ast.Expr(value)
    return ast.Assign([ast.Tuple([ast.Name(v, ast.Store()) for v in variables], ast.Store())], value)


def _placed(node: Any, original: ast.AST) -> Any:
    """``node`` and what is new in it at the place of ``original`` in the source."""
    for part in ast.walk(node):
        if isinstance(part, ast.expr | ast.stmt | ast.arg) and not hasattr(part, "lineno"):
            ast.copy_location(part, original)
    return node

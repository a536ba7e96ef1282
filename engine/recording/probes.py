"""Putting probes into a program: its syntax tree is rewritten before it is compiled.

Probes are calls whose function is a *constant*: the tree holds a marker text, and after compiling the marker gives way
to the probe itself in the constants of the code. So a probe needs no name that the program could see, shadow or delete,
and costs no look-up. Every injected node stands where the statement it belongs to stands; the program's own nodes keep
their positions, so tracebacks and ``co_positions`` are those of the plain program.

``docs/decisions/0003-probes.md`` says why this and not ``sys.settrace``.
"""

from __future__ import annotations

import ast

from engine.recording.inner import InnerRegistration
from engine.recording.part_probes import Behind, Parts
from engine.recording.registration import Registration
from engine.recording.scopes import (
    COMPREHENSIONS,
    Function,
    Scope,
    arguments_of,
    bindings,
    bound_by,
    deleted_from_inside,
    is_asynchronous,
    named_by,
    own_nodes,
    scope_of,
)
from engine.recording.variable_probes import Statements, VariableProbes


class Rewriter(VariableProbes):
    """Rewrites one tree in place."""

    def __init__(self, registration: Registration, marker: str) -> None:
        super().__init__(registration, marker)
        self._inner = False

    def _line_probe(self) -> str:
        if self._scope.kind == "module":
            return "line_of_module"
        return "line_of_generator" if self._scope.is_generator else "line"

    def _line(self, statement: ast.stmt | ast.match_case, header: ast.AST | None = None) -> ast.Expr:
        number = self._registration.statement(statement, header)
        return self._statement(header or statement, self._line_probe(), number)

    # -- blocks ------------------------------------------------------------------------------------------------------
    def module(self, tree: ast.Module) -> None:
        """Rewrite a whole program."""
        for node in own_nodes(tree.body):
            if isinstance(node, ast.Global):
                self._scope.globals.update(node.names)
        self._vanishing = deleted_from_inside(tree)
        self._executed(tree)
        Behind(self._call).visit(tree)
        Parts(self._call, self._registration).visit(tree)
        head = _head(tree.body, module=True)
        tree.body[head:] = self._block(tree.body[head:])

    def inner_module(self, tree: ast.Module) -> None:
        """Rewrite a text that the program gives to ``exec``: its variables live wherever it is run."""
        self._scope = Scope("class")
        for node in own_nodes(tree.body):
            self._scope.bound.update(bindings(node))
            if isinstance(node, ast.Global):
                self._scope.globals.update(node.names)
        self._scope.bound -= self._scope.globals
        self._inner = True
        self._executed(tree)
        Behind(self._call).visit(tree)
        Parts(self._call, self._registration).visit(tree)
        head = _head(tree.body, module=True)
        body = tree.body[head:]
        if not body:
            return
        registration = self._registration
        assert isinstance(registration, InnerRegistration)
        enter = self._statement(body[0], "enter", registration.text())
        leave = self._statement(body[-1], "leave")
        tree.body[head:] = [enter, ast.copy_location(ast.Try(self._block(body), [], [], [leave]), enter)]

    def _executed(self, tree: ast.Module) -> None:
        """What is given to ``exec`` goes through a probe, unless the program has an ``exec`` of its own."""
        calls = []
        for node in ast.walk(tree):
            if "exec" in bindings(node) or (isinstance(node, ast.arg) and node.arg == "exec"):
                return
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exec":
                calls.append(node)
        for call in calls:
            if call.args and not isinstance(call.args[0], ast.Starred):
                call.args[0] = self._call(call, "executed", call.args[0])

    def _block(self, body: Statements) -> Statements:
        return [new for statement in body for new in self._rewrite(statement)]

    def _rewrite(self, statement: ast.stmt) -> Statements:
        method = getattr(self, f"_{type(statement).__name__.lower()}", None)
        if method is not None:
            result: Statements = method(statement)
            return result
        return self._simple(statement)

    def _simple(self, statement: ast.stmt) -> Statements:
        if isinstance(statement, (ast.Global, ast.Nonlocal)):
            return [statement]
        before = self._line(statement)
        self._expressions(statement)
        if isinstance(statement, ast.Return) and statement.value is not None:
            statement.value = self._value(statement.value)
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            statement.exc = self._value(statement.exc)
        if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return [before, statement]
        if isinstance(statement, ast.AnnAssign) and statement.value is None:
            return [before, statement]
        told = self._bound(statement, statement)
        if isinstance(statement, ast.AugAssign):  # ``row += [1]`` changes the object that it binds again
            told = self._and_containers(told)
        return [before, statement, *told, *self._touched(statement, bound_by(statement))]

    def _delete(self, statement: ast.Delete) -> Statements:
        before = self._line(statement)
        self._expressions(statement)
        named = named_by(statement)
        names = [name for name in bound_by(statement) if name not in named]
        gone = self._variables(statement, "delete", names)
        return [before, statement, *gone, *self._named(statement, statement), *self._touched(statement, names)]

    def _expressions(self, node: ast.AST) -> None:
        """Wrap the ``yield`` and ``await`` of one statement (blocks below it are rewritten by their own)."""
        if not self._scope.is_generator:
            return
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self._expression(value))
            elif isinstance(value, list):
                value[:] = [self._expression(item) if isinstance(item, ast.expr) else item for item in value]
                for item in value:
                    if isinstance(item, (ast.withitem, ast.keyword)):
                        self._expressions(item)

    def _expression(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, COMPREHENSIONS):
            # Inside it waits in a frame of its own; a generator expression does so whenever somebody asks.
            waits = not isinstance(node, ast.GeneratorExp) and is_asynchronous(node)
            return self._call(node, "resume", node) if waits else node
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self._expression(value))
            elif isinstance(value, list):
                value[:] = [self._expression(item) if isinstance(item, ast.expr) else item for item in value]
                for item in value:
                    if isinstance(item, ast.keyword):
                        item.value = self._expression(item.value)
        if isinstance(node, ast.Yield):
            given = node.value or ast.copy_location(ast.Constant(None), node)
            node.value = self._call(node, "suspend", self._value(given))
            return self._call(node, "resume", node)
        if isinstance(node, (ast.YieldFrom, ast.Await)):
            node.value = self._call(node, "suspend", node.value)
            return self._call(node, "resume", node)
        return node

    # -- compound statements -----------------------------------------------------------------------------------------
    def _if(self, statement: ast.If) -> Statements:
        before = self._line(statement, statement.test)
        self._expressions(statement)
        test = statement.test
        statement.body = self._named(test, test) + self._block(statement.body)
        statement.orelse = self._named(test, test) + self._block(statement.orelse)
        statement.test = self._value(test)
        return [before, statement]

    def _inner_loop(self, statement: ast.While | ast.For | ast.AsyncFor, header: ast.expr) -> Statements:
        before = self._line(statement, header)
        self._expressions(statement)
        again = self._line(statement, header)
        bound = [] if isinstance(statement, ast.While) else self._target(statement, statement.target)
        statement.body = [again, *self._named(header, header), *bound, *self._block(statement.body)]
        statement.orelse = self._named(header, header) + self._block(statement.orelse)
        return [before, statement]

    def _while(self, statement: ast.While) -> Statements:
        if self._inner:
            return self._inner_loop(statement, statement.test)
        loop = self._registration.loop(statement, statement.test)
        begin = self._statement(statement, "loop", loop)
        before = self._line(statement, statement.test)
        self._expressions(statement)
        body = self._named(statement.test, statement.test) + self._block(statement.body)
        after = self._named(statement.test, statement.test)
        probe = "loop_test_of_module" if self._scope.kind == "module" else "loop_test"
        if self._scope.is_generator:
            probe = "loop_test_of_generator"
        # The test probe returns None, so that ``None or test`` is the test itself, evaluated once.
        test = self._call(statement.test, probe, loop)
        tested = self._value(statement.test)
        statement.test = ast.copy_location(ast.BoolOp(ast.Or(), [test, tested]), statement.test)
        statement.body = [self._statement(statement, "loop_pass", loop), *body]
        statement.orelse = after + self._block(statement.orelse)
        return [begin, before, statement]

    def _for(self, statement: ast.For | ast.AsyncFor) -> Statements:
        if self._inner:
            return self._inner_loop(statement, statement.iter)
        loop = self._registration.loop(statement, statement.iter)
        begin = self._statement(statement, "loop", loop)
        before = self._line(statement, statement.iter)
        self._expressions(statement)
        named = self._named(statement, statement.iter)
        probe = "for_pass_of_module" if self._scope.kind == "module" else "for_pass"
        if self._scope.is_generator:
            probe = "for_pass_of_generator"
        statement.body = [
            self._statement(statement, probe, loop),
            *named,
            *self._target(statement, statement.target),
            *self._block(statement.body),
        ]
        statement.orelse = self._named(statement, statement.iter) + self._block(statement.orelse)
        statement.iter = self._value(statement.iter)
        return [begin, before, statement]

    _asyncfor = _for

    def _with(self, statement: ast.With | ast.AsyncWith) -> Statements:
        before = self._line(statement, statement.items[-1].context_expr)
        self._expressions(statement)
        bound: Statements = []
        if isinstance(statement, ast.AsyncWith):  # entering has waited
            bound.append(self._resumed(statement))
        for item in statement.items:
            bound += self._named(statement, item.context_expr)
            bound += self._target(statement, item.optional_vars) if item.optional_vars is not None else []
        for item in statement.items:
            item.context_expr = self._value(item.context_expr)
        statement.body = bound + self._block(statement.body)
        return [before, statement]

    def _resumed(self, at: ast.AST) -> ast.Expr:
        return self._statement(at, "resume", ast.copy_location(ast.Constant(None), at))

    _asyncwith = _with

    def _try(self, statement: ast.Try | ast.TryStar) -> Statements:
        statement.body = self._block(statement.body)
        for handler in statement.handlers:
            caught = [] if isinstance(statement, ast.TryStar) else [self._statement(handler, "caught")]
            if self._scope.is_generator:
                caught.insert(0, self._resumed(handler))
            handler.body = [*caught, *self._as(handler, self._block(handler.body))]
        statement.orelse = self._block(statement.orelse)
        statement.finalbody = self._block(statement.finalbody)
        return [statement]

    _trystar = _try

    def _as(self, handler: ast.ExceptHandler, body: Statements) -> Statements:
        """The body of ``except … as name``: the name is bound while it runs, and gone after it, however it ends."""
        if handler.name is None:
            return body
        bound = self._variables(handler, "assign", [handler.name])
        gone = self._variables(handler, "delete", [handler.name])
        if not bound or not gone:
            return [*bound, *body]
        if self._scope.is_generator:
            gone.insert(0, self._resumed(handler))
        return [ast.copy_location(ast.Try([*bound, *body], [], [], gone), bound[0])]

    def _match(self, statement: ast.Match) -> Statements:
        before = self._line(statement, statement.subject)
        self._expressions(statement)
        subject = statement.subject
        for case in statement.cases:
            at = case.body[0]
            bound = [*self._named(at, subject), *self._variables(at, "assign", bound_by(case.pattern))]
            if case.guard is not None:
                case.guard = self._expression(case.guard) if self._scope.is_generator else case.guard
                bound += self._named(at, case.guard)
                case.guard = self._value(case.guard)
            case.body = bound + self._block(case.body)
        statement.subject = self._value(subject)
        return [before, statement, *self._named(subject, subject)]

    # -- definitions -------------------------------------------------------------------------------------------------
    def _functiondef(self, statement: Function) -> Statements:
        before = self._line(statement, _first(statement))
        self._expressions_of_definition(statement)
        after = self._variables(statement, "assign", [statement.name])
        outer, self._scope = self._scope, scope_of(statement, self._scope)
        parameters = [argument.arg for argument in arguments_of(statement.args)]
        self._body(statement, self._variables(statement, "assign", parameters))
        self._scope = outer
        return [before, statement, *after]

    _asyncfunctiondef = _functiondef

    def _classdef(self, statement: ast.ClassDef) -> Statements:
        before = self._line(statement, _first(statement))
        self._expressions_of_definition(statement)
        after = self._variables(statement, "assign", [statement.name])
        outer, self._scope = self._scope, scope_of(statement, self._scope)
        self._body(statement, [])
        self._scope = outer
        return [before, statement, *after]

    def _expressions_of_definition(self, statement: Function | ast.ClassDef) -> None:
        if not self._scope.is_generator:
            return
        statement.decorator_list = [self._expression(one) for one in statement.decorator_list]
        if isinstance(statement, ast.ClassDef):
            statement.bases = [self._expression(one) for one in statement.bases]
        else:
            statement.args.defaults = [self._expression(one) for one in statement.args.defaults]

    def _body(self, statement: Function | ast.ClassDef, parameters: Statements) -> None:
        """``enter``, then the body in ``try``, then ``leave``: however it ends, a call that counted ends."""
        suffix = "_generator" if self._scope.is_generator else ""
        head = _head(statement.body)
        function = self._scope.number = self._registration.function(statement)
        enter = self._statement(statement, f"enter{suffix}", function)
        body = [*parameters, *self._block(statement.body[head:])] or [ast.copy_location(ast.Pass(), enter)]
        last = statement.body[-1]
        leave = self._statement(last, f"leave{suffix}")
        guarded = ast.copy_location(ast.Try(body, [], [], [leave]), enter)
        statement.body[head:] = [enter, guarded]


def _first(statement: Function | ast.ClassDef) -> ast.AST | None:
    """Where a definition begins to run: its first decorator."""
    return statement.decorator_list[0] if statement.decorator_list else None


def _head(body: Statements, *, module: bool = False) -> int:
    """How many statements stay first: the docstring, and in a module the imports from ``__future__``."""
    head = 0
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        head = 1
    while module and head < len(body):
        statement = body[head]
        if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
            break
        head += 1
    return head

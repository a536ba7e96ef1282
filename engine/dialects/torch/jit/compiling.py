"""The statements of a function as a graph."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.calls import Calls
from engine.dialects.torch.jit.desugaring import GOING, desugared
from engine.dialects.torch.jit.frontend import Text, check, text_of
from engine.dialects.torch.jit.ir import Block, Graph, Value
from engine.dialects.torch.jit.operands import Fixed, Missing, Part
from engine.dialects.torch.jit.types import BOOL, INT, NONE, TENSOR, Type

FOREVER = 9223372036854775807


class Compiler(Calls):
    """Compiles one function. ``owner`` is the module that it is a method of, if it is one: its submodules are
    called, its tensors read from the graph's first input."""

    def __init__(self, function: Callable[..., Any], owner: Any = None, name: str = "") -> None:
        self.function, self.owner = function, owner
        self.source: Text = text_of(function)
        check(self.source)
        tree = desugared(copy.deepcopy(self.source.tree))
        self.graph = Graph(name or tree.name, self.source.file)
        self.block: Block = self.graph
        self.scope: dict[str, Any] = {}
        self.tree = tree
        self.returned: Type | None = None
        self.expected: Type | None = None
        self.defaults: dict[str, Any] = {}

    def compile(self) -> Graph:
        """The graph of the function."""
        hints = _hints(self.function)
        parameters = [*self.tree.args.args, *self.tree.args.kwonlyargs]
        if self.owner is not None:
            kind = types.module_type(self.owner)
            self.scope[parameters.pop(0).arg] = self.graph.head.add_output(kind, "self")
        given = getattr(self.function, "__defaults__", None) or ()
        for parameter, default in zip(parameters[len(parameters) - len(given) :], given, strict=False):
            self.defaults[parameter.arg] = default
        for parameter in parameters:
            try:
                kind = types.from_annotation(hints[parameter.arg]) if parameter.arg in hints else TENSOR
            except TypeError as error:
                raise self.error(parameter, str(error)) from None
            self.scope[parameter.arg] = self.graph.head.add_output(kind, parameter.arg)
        if "return" in hints:
            self.expected = types.from_annotation(hints["return"])
        result = self.statements(self.tree.body)
        if result is None:
            result = self.constant(None)
        self.graph.tail.add_input(result)
        return self.graph

    # -- statements ---------------------------------------------------------------------------------------------------
    def statements(self, body: list[ast.stmt]) -> Value | None:
        """Compile statements; gives what they return, if they do."""
        for statement in body:
            self.line = self.source.first + statement.lineno - 1
            result = getattr(self, f"do_{type(statement).__name__}", self._unsupported)(statement)
            if result is not None:
                return result  # type: ignore[no-any-return]
        return None

    def _unsupported(self, statement: ast.stmt) -> None:
        raise self.error(statement, f"{type(statement).__name__} statements aren't supported")

    def do_Pass(self, statement: ast.Pass) -> None:
        """Nothing."""

    def do_Delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if isinstance(target, ast.Name):
                self.scope.pop(target.id, None)

    def do_Expr(self, statement: ast.Expr) -> None:
        if not isinstance(statement.value, ast.Constant):
            self.value(statement.value)

    def do_Return(self, statement: ast.Return) -> Value:
        if statement.value is None:
            return self.constant(None)
        wanted = self.expected or self.returned
        made = self.as_value(self.expression(statement.value, wanted), statement.value)
        kind = made.kind
        if self.expected is not None and not _fits(kind, self.expected):
            raise self.error(
                statement,
                f"Return value was annotated as having type {self.expected.annotation_str} but is actually of type "
                f"{kind.annotation_str}",
            )
        if self.returned is not None and not _fits(kind, self.returned):
            raise self.error(
                statement,
                f"Previous return statement returned a value of type {_inferred(self.returned)} but this return "
                f"statement returns a value of type {_inferred(kind)}",
            )
        self.returned = self.returned or kind
        return made

    def do_Assign(self, statement: ast.Assign) -> None:
        (first, *_), given = statement.targets, statement.value
        if isinstance(first, ast.Tuple) and isinstance(given, ast.Tuple) and len(first.elts) == len(given.elts):
            for inner, part in zip(first.elts, [self.expression(x) for x in given.elts], strict=True):
                self.assign(inner, part, statement)
            return
        value = self.expression(statement.value)
        for target in statement.targets:
            self.assign(target, value, statement)

    def do_AnnAssign(self, statement: ast.AnnAssign) -> None:
        kind = types.from_annotation(self.evaluated(statement.annotation))
        if statement.value is not None:
            made = self.as_value(self.expression(statement.value, kind), statement.value)
            if made.kind != kind and kind.kind in ("Optional", "List", "Dict"):
                made.kind = kind
            self.assign(statement.target, made, statement)

    def do_AugAssign(self, statement: ast.AugAssign) -> None:
        load = copy.deepcopy(statement.target)
        load.ctx = ast.Load()
        left = self.as_value(self.expression(load), load)
        right = self.value(statement.value)
        name = self.operator_name(statement.op)
        in_place = left.kind == TENSOR and name in ("add", "sub", "mul", "div")
        made = self.apply(f"{name}_" if in_place else name, [left, right], statement)
        self.assign(statement.target, made, statement)

    def assign(self, target: ast.expr, value: Any, statement: ast.stmt) -> None:
        """Bind a name, the names of a tuple, a part of a list or tensor, or an attribute."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            for inner, part in zip(target.elts, self.unpacked(value, len(target.elts), statement), strict=True):
                self.assign(inner, part, statement)
        elif isinstance(target, ast.Subscript):
            self.store(target, self.as_value(value, statement), statement)
        elif isinstance(target, ast.Attribute):
            owner = self.value(target.value)
            self.add("prim::SetAttr", [owner, self.as_value(value, statement)], None, {"name": target.attr})
        else:
            raise self.error(target, "cannot be assigned to")

    def bind(self, name: str, value: Any) -> None:
        if isinstance(value, Value):
            owned = value in self.scope.values()
            if not value.name and not owned and value.node()._kind != "prim::Constant":
                value.name = name
        self.scope[name] = value

    def do_Raise(self, statement: ast.Raise) -> None:
        error = statement.exc
        message = error.args[0] if isinstance(error, ast.Call) and error.args else ast.Constant("")
        kind = error.func if isinstance(error, ast.Call) else error
        name = kind.id if isinstance(kind, ast.Name) else "Exception"
        self.add("prim::RaiseException", [self.value(message), self.constant(f"builtins.{name}")], None)

    def do_Assert(self, statement: ast.Assert) -> None:
        condition = self.condition(statement.test)
        node = self.block.add("prim::If", [condition], line=self.line)
        node.add_block()
        other = node.add_block()
        before, self.block = self.block, other
        message = "AssertionError: "
        if isinstance(statement.msg, ast.Constant):
            message += str(statement.msg.value)
        self.add("prim::RaiseException", [self.constant(message)], None)
        self.block = before

    # -- decisions ----------------------------------------------------------------------------------------------------
    def do_If(self, statement: ast.If) -> Value | None:
        known = self.known(statement.test)
        if known is not None:
            return self.statements(statement.body if known else statement.orelse)
        condition = self.condition(statement.test)
        node = self.block.add("prim::If", [condition], line=self.line)
        refined = self.refinements(statement.test)
        ends: list[Any] = []
        casts: list[Any] = []
        outer, scope = self.block, self.scope
        for part, refine, body in zip(("true", "false"), refined, (statement.body, statement.orelse), strict=True):
            self.block, self.scope = node.add_block(), dict(scope)
            self.refine(refine)
            casts.append(None if refine is None else self.scope[refine[0]])
            ends.append((part, self.statements(body), self.scope))
        self.block, self.scope = outer, scope
        for refine, cast, (_, _, own), (_, _, other) in zip(refined, casts, ends, ends[::-1], strict=True):
            # What is known inside a branch holds behind it only if the other branch gives the name a value, too.
            if refine is not None and own.get(refine[0]) is cast and other.get(refine[0]) is scope[refine[0]]:
                own[refine[0]] = scope[refine[0]]
        (_, first, _), (_, second, _) = ends
        if first is not None and second is not None:
            result = node.add_output(first.kind if first.kind != NONE else second.kind)
            for block, value in zip(node._blocks, (first, second), strict=True):
                block.tail.add_input(value)
            return result
        self._join(node, statement, [s for _, _, s in ends], scope)
        return None

    def _join(self, node: Any, statement: ast.If, ends: list[dict[str, Any]], scope: dict[str, Any]) -> None:
        """Names that differ after the branches become results of the decision."""
        names = [n for n in dict.fromkeys([*ends[0], *ends[1]]) if ends[0].get(n) is not ends[1].get(n)]
        for name in sorted(names):
            values = [end.get(name) for end in ends]
            raised = [self._raises(block) for block in node._blocks]
            if any(v is None or isinstance(v, Missing) for v in values) and not any(raised):
                which = "true" if values[0] is None or isinstance(values[0], Missing) else "false"
                self.scope[name] = Missing(name, which, statement)
                continue
            if any(raised):
                values = [values[1 - i] if raised[i] and values[i] is None else v for i, v in enumerate(values)]
            made = []
            for block, value in zip(node._blocks, values, strict=True):
                before, self.block = self.block, block
                made.append(self.as_value(value, statement))
                self.block = before
            kinds = [v.kind for v in made]
            kind = kinds[0] if kinds[0] == kinds[1] else self.unified(kinds, name, statement)
            for block, value in zip(node._blocks, made, strict=True):
                block.tail.add_input(value)
            self.scope[name] = node.add_output(kind, "" if name == GOING else name)

    def unified(self, kinds: list[Type], name: str, statement: ast.stmt) -> Type:
        if NONE in kinds:
            return types.optional(next(k for k in kinds if k != NONE))
        if TENSOR in kinds or kinds[0].kind != kinds[1].kind:
            raise self.error(
                statement,
                f"Type mismatch: {name} is set to type {kinds[0].annotation_str} in the true branch and type "
                f"{kinds[1].annotation_str} in the false branch",
            )
        return kinds[0]

    def _raises(self, block: Block) -> bool:
        return any(n._kind == "prim::RaiseException" for n in block.body)

    # -- loops --------------------------------------------------------------------------------------------------------
    def do_While(self, statement: ast.While) -> None:
        self._run_loop(statement, lambda: self.condition(statement.test), self.constant(FOREVER), None, None)

    def do_For(self, statement: ast.For) -> Value | None:
        if statement.orelse:
            raise self.error(statement, "else branches of for loops aren't supported")
        over = self.expression(statement.iter)
        if isinstance(over, Part):
            over = Fixed(self.members(over))
        if isinstance(over, Fixed) and isinstance(over.value, list | tuple):
            for item in over.value:
                self.assign(statement.target, item, statement)
                result = self.statements(copy.deepcopy(statement.body))
                if result is not None:
                    return result
            return None
        count, item_of = self.iterated(over, statement)
        self._run_loop(statement, None, count, item_of, statement.target)
        return None

    def _run_loop(self, statement: Any, test: Any, count: Value, item_of: Any, target: Any) -> None:
        stops = getattr(statement, "_stops", False)
        if stops:
            self.scope[GOING] = self.constant(True)
        names = [n for n in _assigned(statement.body) if isinstance(self.scope.get(n), Value | Fixed)]
        names = [n for n in names if n != GOING] + ([GOING] if stops else [])
        before = {n: self.as_value(self.scope[n], statement) for n in names}
        changing = [n for n in names if not isinstance(target, ast.Name) or n != target.id]
        start = test() if test is not None else self.constant(True)
        node = self.block.add("prim::Loop", [count, start, *(before[n] for n in changing)], line=self.line)
        body = node.add_block()
        outer, scope = self.block, dict(self.scope)
        self.block = body
        counter = body.head.add_output(INT)
        for name in changing:
            self.scope[name] = body.head.add_output(before[name].kind, "" if name == GOING else name)
        if item_of is not None:
            self.assign(target, item_of(counter), statement)
        self.statements(statement.body)
        going = test() if test is not None else self.constant(True)
        if stops:
            flag = self.as_value(self.scope[GOING], statement)
            going = flag if test is None else self.both(flag, going)
        body.tail.add_input(going)
        for name in changing:
            after = self.as_value(self.scope[name], statement)
            if after.kind != before[name].kind:
                raise self.error(
                    statement,
                    f"Variable '{name}' previously had type {before[name].kind.annotation_str} but is now being "
                    f"assigned to a value of type {after.kind.annotation_str}",
                )
            body.tail.add_input(after)
        self.block, self.scope = outer, scope
        for name in changing:
            self.scope[name] = node.add_output(before[name].kind, "" if name == GOING else name)

    def both(self, first: Value, second: Value) -> Value:
        """Whether both are true, as a decision."""
        node = self.block.add("prim::If", [first], line=self.line)
        yes, no = node.add_block(), node.add_block()
        yes.tail.add_input(second)
        before, self.block = self.block, no
        no.tail.add_input(self.constant(False))
        self.block = before
        return node.add_output(BOOL)


def _assigned(body: list[ast.stmt]) -> list[str]:
    """The names that statements bind, in order."""
    found: list[str] = []
    for statement in body:
        found += [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return list(dict.fromkeys(found))


def _fits(kind: Type, wanted: Type) -> bool:
    if kind == wanted or wanted.kind == "Any":
        return True
    if wanted.kind == "Optional":
        return kind == NONE or _fits(kind, wanted.inside[0])
    if kind.kind == wanted.kind and len(kind.inside) == len(wanted.inside):
        return all(_fits(a, b) for a, b in zip(kind.inside, wanted.inside, strict=True))
    return kind.kind in ("Any", "number")


def _inferred(kind: Type) -> str:
    return "Tensor (inferred)" if kind == TENSOR else kind.annotation_str


def _hints(function: Any) -> dict[str, Any]:
    import typing

    try:
        return typing.get_type_hints(function)
    except Exception:  # an annotation may be any text: what cannot be read says nothing
        return {}

"""The expressions of a function as nodes."""

from __future__ import annotations

import ast
import builtins
import types as python_types
from collections.abc import Callable
from typing import Any

from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.frontend import Text
from engine.dialects.torch.jit.ir import Block, Graph, Node, Value
from engine.dialects.torch.jit.operands import (
    Bound,
    Fixed,
    Missing,
    Part,
    Range,
    type_of_constant,
)
from engine.dialects.torch.jit.types import ANY, BOOL, FLOAT, INT, NONE, NUMBER, STR, TENSOR, Type
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import device, dtype

_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "__and__", ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
}  # fmt: skip
_COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Is: "__is__",
    ast.IsNot: "__isnot__", ast.In: "__contains__",
}  # fmt: skip
_PARTS = {
    "shape": ("aten::size", types.list_of(INT)), "dtype": ("prim::dtype", INT),
    "device": ("prim::device", types.DEVICE), "requires_grad": ("prim::requires_grad", BOOL),
    "T": ("aten::numpy_T", TENSOR), "ndim": ("aten::dim", INT),
}  # fmt: skip
_KINDS: dict[str, Type] = {
    "item": NUMBER, "dim": INT, "numel": INT, "len": INT, "equal": BOOL, "allclose": BOOL, "is_floating_point": BOOL,
    "chunk": types.list_of(TENSOR), "unsafe_chunk": types.list_of(TENSOR),
    "split": types.list_of(TENSOR), "unbind": types.list_of(TENSOR),
    "sort": types.tuple_of((TENSOR, TENSOR)), "topk": types.tuple_of((TENSOR, TENSOR)), "tolist": ANY,
    "Bool": BOOL, "Int": INT, "Float": FLOAT, "str": STR, "format": STR, "append": NONE, "__not__": BOOL,
    "eq": BOOL, "ne": BOOL, "lt": BOOL, "le": BOOL, "gt": BOOL, "ge": BOOL, "__is__": BOOL, "__isnot__": BOOL,
    "__contains__": BOOL, "is_available": BOOL,
}  # fmt: skip


class Expressions:
    """What a compiler of statements stands on."""

    function: Callable[..., Any]
    owner: Any
    source: Text
    graph: Graph
    block: Block
    scope: dict[str, Any]
    line = 0

    # -- making nodes -------------------------------------------------------------------------------------------------
    def error(self, node: Any, message: str, kind: type[Exception] = RuntimeError) -> Exception:
        return kind(f"\n{message}:\n{self.source.marked(node)}")

    def add(self, kind: str, inputs: list[Value], output: Type | None, attributes: dict[str, Any] | None = None) -> Any:
        """A node; gives its output, if it has one."""
        node = self.block.add(kind, inputs, attributes, self.line)
        return None if output is None else node.add_output(output)

    def made(self, kind: str, inputs: list[Value], output: Type) -> Value:
        """A node's only output."""
        value: Value = self.add(kind, inputs, output)
        return value

    def constant(self, value: Any) -> Value:
        """A constant: each is there once, at the beginning of the graph."""
        key = (type(value), repr(value)) if not isinstance(value, Tensor) else id(value)
        pool = self.graph.pool
        if key not in pool:
            node = Node(self.graph, "prim::Constant", (), {"value": value}, self.line)
            self.graph.body.insert(len(pool), node)
            pool[key] = node.add_output(type_of_constant(value))
        found: Value = pool[key]
        return found

    def value(self, node: ast.expr) -> Value:
        return self.as_value(self.expression(node), node)

    def as_value(self, found: Any, node: Any) -> Value:
        """What an expression gave, as a value of the graph."""
        if isinstance(found, Value):
            return found
        if isinstance(found, Part):
            return found.target
        if isinstance(found, Fixed):
            if found.value is None or isinstance(found.value, bool | int | float | str | dtype | device):
                return self.constant(found.value)
            if isinstance(found.value, Tensor):
                return self.constant(found.value)
            if isinstance(found.value, tuple | list):
                items = [self.as_value(Fixed(x) if not isinstance(x, Value) else x, node) for x in found.value]
                if isinstance(found.value, tuple):
                    return self.made("prim::TupleConstruct", items, types.tuple_of(i.kind for i in items))
                return self.made("prim::ListConstruct", items, types.list_of(items[0].kind if items else TENSOR))
            word = getattr(found.value, "__name__", type(found.value).__name__)
            raise self.error(
                node, f"python value of type '{type(found.value).__name__}' cannot be used as a value ({word})"
            )
        if isinstance(found, Missing):
            raise self._missing(found, node)
        raise self.error(node, "cannot be used as a value")

    def _missing(self, found: Missing, node: Any) -> Exception:
        first = self.source.marked(found.statement)
        return RuntimeError(
            f"\n\n{found.name} is not defined in the {found.branch} branch:\n{first}and was used here:\n"
            + self.source.marked(node)
        )

    # -- expressions --------------------------------------------------------------------------------------------------
    def expression(self, node: ast.expr, wanted: Type | None = None) -> Any:
        """A value, or what is known while compiling."""
        self.line = self.source.first + node.lineno - 1
        if isinstance(node, ast.List) and wanted is not None and wanted.kind == "List":
            return self.add("prim::ListConstruct", [self.value(x) for x in node.elts], wanted)
        if isinstance(node, ast.Dict) and wanted is not None and wanted.kind == "Dict":
            return self._dict(node, wanted)
        method = getattr(self, f"see_{type(node).__name__}", None)
        if method is None:
            raise self.error(node, f"{type(node).__name__} aren't supported")
        return method(node)

    def see_Constant(self, node: ast.Constant) -> Any:
        return self.constant(node.value)

    def see_Name(self, node: ast.Name) -> Any:
        if node.id in self.scope:
            found = self.scope[node.id]
            if isinstance(found, Missing):
                raise self._missing(found, node)
            return found
        found = self.outside(node.id)
        if found is _NOTHING:
            raise self.error(node, f"undefined value {node.id}")
        return Fixed(found)

    def outside(self, name: str) -> Any:
        """What a name means around the function."""
        function = self.function
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        if name in cells:
            return cells[name].cell_contents
        if name in function.__globals__:
            return function.__globals__[name]
        return getattr(builtins, name, _NOTHING)

    def evaluated(self, node: ast.expr) -> Any:
        """An annotation's value."""
        return eval(compile(ast.Expression(node), "<annotation>", "eval"), self.function.__globals__)

    def see_Tuple(self, node: ast.Tuple) -> Any:
        items = [self.value(x) for x in node.elts]
        return self.add("prim::TupleConstruct", items, types.tuple_of(i.kind for i in items))

    def see_List(self, node: ast.List) -> Any:
        items = [self.value(x) for x in node.elts]
        return self.add("prim::ListConstruct", items, types.list_of(items[0].kind if items else TENSOR))

    def see_Dict(self, node: ast.Dict) -> Any:
        return self._dict(node, None)

    def _dict(self, node: ast.Dict, wanted: Type | None) -> Any:
        pairs = [self.value(x) for pair in zip(node.keys, node.values, strict=True) for x in pair if x is not None]
        kind = Type("Dict", (pairs[0].kind, pairs[1].kind) if pairs else (STR, TENSOR))
        return self.add("prim::DictConstruct", pairs, wanted or kind)

    def see_JoinedStr(self, node: ast.JoinedStr) -> Any:
        text, parts = "", []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                text += "{}"
                parts.append(self.value(part.value))
            elif isinstance(part, ast.Constant):
                text += str(part.value)
        return self.add("aten::format", [self.constant(text), *parts], STR)

    def see_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self.constant(-node.operand.value)  # type: ignore[operator]
        if isinstance(node.op, ast.Not):
            return self.add("aten::__not__", [self.condition(node.operand)], BOOL)
        name = {ast.USub: "neg", ast.Invert: "bitwise_not"}.get(type(node.op), "positive")
        return self.apply(name, [self.value(node.operand)], node)

    def operator_name(self, op: ast.operator) -> str:
        return _BINARY[type(op)]

    def see_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        name = _BINARY.get(type(node.op))
        if name is None:
            raise self.error(node, "unsupported binary operator")
        if name == "sub" and left.kind in (INT, FLOAT) and right.kind == TENSOR:
            return self.apply("rsub", [right, left], node)
        if name == "div" and left.kind in (INT, FLOAT) and right.kind == TENSOR:
            return self.apply("mul", [self.apply("reciprocal", [right], node), left], node)
        if right.kind == TENSOR and left.kind in (INT, FLOAT) and name in ("add", "mul"):
            left, right = right, left
        if name == "floor_divide" and TENSOR not in (left.kind, right.kind):
            name = "floordiv"
        return self.apply(name, [left, right], node)

    def see_Compare(self, node: ast.Compare) -> Any:
        known = self.known(node)
        if known is not None:
            return self.constant(known)
        left = self.value(node.left)
        result = None
        for op, other in zip(node.ops, node.comparators, strict=True):
            right = self.value(other)
            if isinstance(op, ast.In | ast.NotIn):
                made = self.add("aten::__contains__", [right, left], BOOL)
                made = self.add("aten::__not__", [made], BOOL) if isinstance(op, ast.NotIn) else made
            else:
                made = self.apply(_COMPARE[type(op)], [left, right], node)
            result = made if result is None else self.both(result, made)  # type: ignore[attr-defined]
            left = right
        return result

    def apply(self, name: str, inputs: list[Value], node: Any) -> Value:
        """An operator on values; what it gives follows from theirs."""
        kinds = [v.kind for v in inputs]
        if name in ("add", "sub", "add_", "sub_") and kinds[0] == TENSOR:
            inputs = [*inputs, self.constant(1)]
        if name in ("__is__", "__isnot__"):
            out = BOOL
        elif TENSOR in kinds:
            out = TENSOR
        elif name in _KINDS:
            out = _KINDS[name]
        elif name == "div":
            out = FLOAT
        elif ANY in kinds or NUMBER in kinds:
            out = NUMBER
        else:
            out = FLOAT if FLOAT in kinds else kinds[0]
        if kinds[0].kind in ("str", "int", "float") and len(kinds) > 1 and STR in kinds and set(kinds) != {STR}:
            raise self.error(node, f"Arguments for call are not valid: aten::{name} of {kinds[0]} and {kinds[1]}")
        made: Value = self.add(f"aten::{name}", inputs, out)
        return made

    # -- decisions ----------------------------------------------------------------------------------------------------
    def condition(self, node: ast.expr) -> Value:
        """An expression as a bool."""
        found = self.value(node)
        if found.kind == BOOL:
            return found
        if found.kind in (TENSOR, INT, FLOAT, NUMBER, ANY):
            made: Value = self.add("aten::Bool", [found], BOOL)
            return made
        raise self.error(node, f"Could not cast value of type {found.kind.annotation_str} to bool")

    def see_BoolOp(self, node: ast.BoolOp) -> Any:
        first, *rest = node.values
        made = self.condition(first)
        for other in rest:
            decision = self.block.add("prim::If", [made], line=self.line)
            blocks = [decision.add_block(), decision.add_block()]
            if isinstance(node.op, ast.Or):
                blocks.reverse()
            outer = self.block
            self.block = blocks[0]
            self.block.tail.add_input(self.condition(other))
            self.block = blocks[1]
            self.block.tail.add_input(self.constant(isinstance(node.op, ast.Or)))
            self.block = outer
            made = decision.add_output(BOOL)
        return made

    def see_IfExp(self, node: ast.IfExp) -> Any:
        known = self.known(node.test)
        if known is not None:
            return self.expression(node.body if known else node.orelse)
        decision = self.block.add("prim::If", [self.condition(node.test)], line=self.line)
        outer, scope = self.block, self.scope
        kinds = []
        for refine, part in zip(self.refinements(node.test), (node.body, node.orelse), strict=True):
            self.block, self.scope = decision.add_block(), dict(scope)
            self.refine(refine)
            made = self.value(part)
            kinds.append(made.kind)
            self.block.tail.add_input(made)
        self.block, self.scope = outer, scope
        return decision.add_output(kinds[0] if kinds[0] == kinds[1] else types.optional(kinds[0]))

    def known(self, node: ast.expr) -> bool | None:
        """What a test gives, if that follows from types and constants of modules alone."""
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.known(node.operand)
            return None if inner is None else not inner
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
            name, other = node.left, node.comparators[0]
            if isinstance(other, ast.Constant) and other.value is None and isinstance(name, ast.Name):
                found = self.scope.get(name.id)
                if isinstance(found, Value) and found.kind.kind not in ("Optional", "Any"):
                    return (found.kind == NONE) == isinstance(node.ops[0], ast.Is)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch.jit.is_scripting", "is_scripting"):
            return True
        return None

    def refinements(self, node: ast.expr) -> list[tuple[str, Type] | None]:
        """Which name is not ``None`` if a test holds, and if it does not."""
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and len(node.ops) == 1:
            other, found = node.comparators[0], self.scope.get(node.left.id)
            optional = isinstance(found, Value) and found.kind.kind == "Optional"
            if isinstance(other, ast.Constant) and other.value is None and optional:
                assert isinstance(found, Value)
                refined = (node.left.id, found.kind.inside[0])
                return [refined, None] if isinstance(node.ops[0], ast.IsNot) else [None, refined]
        return [None, None]

    def refine(self, refined: tuple[str, Type] | None) -> None:
        if refined is not None:
            name, kind = refined
            made = self.add("prim::unchecked_cast", [self.scope[name]], kind)
            made.name = name
            self.scope[name] = made

    # -- parts --------------------------------------------------------------------------------------------------------
    def see_Attribute(self, node: ast.Attribute) -> Any:
        target = self.expression(node.value)
        if isinstance(target, Fixed):
            if not hasattr(target.value, node.attr):
                raise self.error(node, f"object has no attribute {node.attr}")
            return Fixed(getattr(target.value, node.attr))
        module = target.module if isinstance(target, Part) else self.owner
        made = target.target if isinstance(target, Part) else self.as_value(target, node.value)
        if made.kind.kind == "Module":
            return self._member(made, module, node)
        if made.kind == TENSOR and node.attr in _PARTS:
            kind, out = _PARTS[node.attr]
            return self.add(kind, [made], out)
        if made.kind == TENSOR and not hasattr(Tensor, node.attr):
            raise self.error(node, f"'Tensor (inferred)' object has no attribute or method '{node.attr}'.")
        if made.kind in (INT, FLOAT, BOOL):
            raise self.error(node, f"'{made.kind}' object has no attribute or method '{node.attr}'.")
        return Bound(made, node.attr)

    def _member(self, made: Value, module: Any, node: ast.Attribute) -> Any:
        if not hasattr(module, node.attr):
            raise self.error(node, f"Module '{type(module).__name__}' has no attribute '{node.attr}' ")
        held = getattr(module, node.attr)
        if isinstance(held, Module):
            kind = types.module_type(held)
            value = self.add("prim::GetAttr", [made], kind, {"name": node.attr})
            value.name = node.attr
            return Part(value, held)
        if callable(held) and not isinstance(held, Tensor):
            return Bound(made, node.attr) if isinstance(held, python_types.MethodType) else Fixed(held)
        if node.attr in getattr(type(module), "__constants__", ()):
            return Fixed(held)
        value = self.add("prim::GetAttr", [made], types.type_of(held), {"name": node.attr})
        value.name = node.attr
        return value

    def unpacked(self, found: Any, count: int, node: Any) -> list[Any]:
        """The parts of a tuple or list."""
        if isinstance(found, Fixed) and isinstance(found.value, list | tuple):
            return list(found.value)
        value = self.as_value(found, node)
        kind = value.kind
        if kind.kind == "Tuple":
            if len(kind.inside) != count:
                raise self.error(node, f"need {count} values to unpack but found {len(kind.inside)}")
            unpack = self.block.add("prim::TupleUnpack", [value], line=self.line)
            return [unpack.add_output(inside) for inside in kind.inside]
        if kind == TENSOR:
            raise self.error(node, "Provided tuple is not unpackable: Tensor cannot be used as a tuple")
        unpack = self.block.add("prim::ListUnpack", [value], line=self.line)
        return [unpack.add_output(kind.inside[0] if kind.inside else ANY) for _ in range(count)]

    def see_Subscript(self, node: ast.Subscript) -> Any:
        found = self.expression(node.value)
        if isinstance(found, Part):
            members = self.members(found)
            place = ast.literal_eval(node.slice)
            return members[place]
        value = self.as_value(found, node.value)
        kind = value.kind
        if kind == TENSOR:
            return self._indexed(value, node.slice)
        if isinstance(node.slice, ast.Slice):
            parts = [self._bound(b) for b in (node.slice.lower, node.slice.upper, node.slice.step)]
            return self.add("aten::slice_list", [value, *parts], kind)
        index = self.value(node.slice)
        if kind.kind == "Tuple":
            place = ast.literal_eval(node.slice)
            return self.add("prim::TupleIndex", [value, index], kind.inside[place])
        inside = kind.inside[-1] if kind.inside else STR if kind == STR else ANY
        return self.add("aten::__getitem__", [value, index], inside)

    def _bound(self, node: ast.expr | None) -> Value:
        return self.constant(None) if node is None else self.value(node)

    def _indexed(self, value: Value, index: ast.expr) -> Value:
        """A part of a tensor, one step for each subscript."""
        axis = 0
        masks: list[Value] = []
        items = index.elts if isinstance(index, ast.Tuple) else [index]
        for i, item in enumerate(items):
            if isinstance(item, ast.Slice):
                bounds = [self._bound(b) for b in (item.lower, item.upper)]
                step = self.constant(1) if item.step is None else self.value(item.step)
                lower = self.constant(0) if item.lower is None and item.upper is not None else bounds[0]
                value = self.add("aten::slice", [value, self.constant(axis), lower, bounds[1], step], TENSOR)
                axis += 1
            elif isinstance(item, ast.Constant) and item.value is None:
                value = self.add("aten::unsqueeze", [value, self.constant(axis)], TENSOR)
                axis += 1
            elif isinstance(item, ast.Constant) and item.value is Ellipsis:
                axis = i + 1 - len(items)
                axis = -1 if axis == 0 else axis
            else:
                at = self.value(item)
                if at.kind == TENSOR:
                    places = [self.constant(None)] * axis if not masks else []
                    masks += [*places, at]
                    axis += 1
                else:
                    value = self.add("aten::select", [value, self.constant(axis), at], TENSOR)
        if masks:
            listed = self.add("prim::ListConstruct", masks, types.list_of(types.optional(TENSOR)))
            value = self.add("aten::index", [value, listed], TENSOR)
        return value

    def store(self, target: ast.Subscript, value: Value, statement: ast.stmt) -> None:
        """Write into a part."""
        owner = self.value(target.value)
        if owner.kind != TENSOR:
            self.add("aten::_set_item", [owner, self.value(target.slice), value], None)
            return
        if not isinstance(target.slice, ast.Slice | ast.Tuple | ast.Constant):
            at = self.value(target.slice)
            if at.kind == TENSOR:
                self.add("prim::PythonOp", [owner, at, value], TENSOR, {"name": "index_put_", "_callee": _put})
                return
        part = self._indexed(owner, target.slice)
        if value.kind != TENSOR:
            kind = self.add("prim::dtype", [part], INT)
            where = self.add("prim::device", [part], types.DEVICE)
            value = self.add("aten::tensor", [value, kind, where, self.constant(False)], TENSOR)
        self.add("aten::copy_", [part, value, self.constant(False)], TENSOR)

    # -- loops over ---------------------------------------------------------------------------------------------------
    def iterated(self, over: Any, node: Any) -> tuple[Value, Callable[[Value], Any]]:
        """How many items there are, and the item of a number."""
        if isinstance(over, Range):
            if over.start is None:
                return over.stop, lambda i: i
            start, step = over.start, over.step or self.constant(1)
            count = self.add("aten::__range_length", [start, over.stop, step], INT)
            return count, lambda i: self.add("aten::__derive_index", [i, start, step], INT)
        if isinstance(over, tuple):  # enumerate, zip
            word, inner = over
            pairs = [self.iterated(x, node) for x in inner]
            if word == "enumerate":
                count, item_of = pairs[0]
                return count, lambda i: Fixed((i, item_of(i)))
            counts = self.add("prim::ListConstruct", [c for c, _ in pairs], types.list_of(INT))
            return self.add("prim::min", [counts], INT), lambda i: Fixed(tuple(f(i) for _, f in pairs))
        value = self.as_value(over, node)
        count = self.add("aten::len", [value], INT)
        if value.kind == TENSOR:
            return count, lambda i: self.add("aten::select", [value, self.constant(0), i], TENSOR)
        if value.kind.kind == "Dict":
            value = self.add("aten::keys", [value], types.list_of(value.kind.inside[0]))
        inside = value.kind.inside[0] if value.kind.inside else STR
        return count, lambda i: self.add("aten::__getitem__", [value, i], inside)

    def members(self, part: Part) -> list[Part]:
        """The modules in a list of modules."""
        found = []
        for name, module in part.module._modules.items():
            kind = types.module_type(module)
            found.append(Part(self.add("prim::GetAttr", [part.target], kind, {"name": name}), module))
        return found

    def see_ListComp(self, node: ast.ListComp) -> Any:
        (generator,) = node.generators
        over = self.expression(generator.iter)
        made = self.add("prim::ListConstruct", [], types.list_of(TENSOR))
        append = ast.Call(ast.Attribute(ast.Name("_list", ast.Load()), "append", ast.Load()), [node.elt], [])
        body: ast.stmt = ast.Expr(append)
        if generator.ifs:
            body = ast.If(generator.ifs[0], [body], [])
        self.scope["_list"], self.scope["_over"] = made, over
        loop = ast.For(generator.target, ast.Name("_over", ast.Load()), [body], [])
        ast.fix_missing_locations(ast.copy_location(loop, node))
        self.do_For(loop)  # type: ignore[attr-defined]
        return self.scope.pop("_list")


_NOTHING = object()


def _put(target: Any, at: Any, value: Any) -> Any:
    target[at] = value
    return target

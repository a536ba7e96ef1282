"""The calls of a function as nodes."""

from __future__ import annotations

import ast
import builtins
import math
import types as python_types
from collections.abc import Callable
from typing import Any

from engine.dialects.torch import overrides
from engine.dialects.torch.fx.functional_form import called, written
from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.expressions import _KINDS, Expressions
from engine.dialects.torch.jit.ir import Value
from engine.dialects.torch.jit.operands import (
    Bound,
    Fixed,
    Part,
    Range,
    dtype_named,
    inside_of,
    is_list,
    is_plain,
)
from engine.dialects.torch.jit.schemas import ordered
from engine.dialects.torch.jit.types import ANY, FLOAT, INT, NONE, STR, TENSOR

_SIZES = frozenset({"view", "reshape", "expand", "repeat", "permute", "zeros", "ones", "rand", "randn", "empty"})
_DIMS = frozenset({"sum", "mean"})
_CASTS = {"int": "aten::Int", "float": "aten::Float", "bool": "aten::Bool", "str": "aten::str"}


class Calls(Expressions):
    """Expressions with calls among them."""

    def _attribute_by_name(self, node: ast.Call) -> ast.Attribute | None:
        """``getattr(module, "0")`` is ``module.0``, which Python cannot write."""
        if not isinstance(node.func, ast.Name) or node.func.id != "getattr" or "getattr" in self.scope:
            return None
        match node.args:
            case [owner, ast.Constant(value=str() as word)]:
                return ast.copy_location(ast.Attribute(owner, word, ast.Load()), node)
        return None

    def see_Call(self, node: ast.Call) -> Any:
        attribute = self._attribute_by_name(node)
        if attribute is not None:
            return self.see_Attribute(attribute)
        function = self.expression(node.func)
        if isinstance(function, Part):
            return self._method(function.target, function.module, "forward", node)
        if isinstance(function, Bound):
            if function.target.kind.kind == "Module":
                owner = self.owner if function.target.name == "self" else self.module_of(node.func)
                return self._method(function.target, owner, function.name, node)
            return self._on_value(function, node)
        if isinstance(function, Fixed):
            return self._call(function.value, node)
        raise self.error(node, "cannot be called")

    def module_of(self, node: Any) -> Any:
        """The module whose method an expression names."""
        found = self.expression(node.value)
        return found.module if isinstance(found, Part) else self.owner

    def given(self, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call."""
        return [self.expression(a) for a in node.args], {k.arg or "": self.expression(k.value) for k in node.keywords}

    def _method(self, target: Value, module: Any, name: str, node: ast.Call) -> Any:
        from engine.dialects.torch.jit.scripting import method_of

        args, kwargs = self.given(node)
        called_method = method_of(module, name)
        if called_method is None:
            raise self.error(node, f"Method '{name}' of '{type(module).__name__}' cannot be called from TorchScript")
        places = called_method.bound([self.as_value(a, node) for a in args], kwargs, self, node)
        return self.add("prim::CallMethod", [target, *places], called_method.kind, {"name": name})

    def _on_value(self, function: Bound, node: ast.Call) -> Any:
        args, kwargs = self.given(node)
        target, name = function.target, function.name
        kind = target.kind
        if kind.kind == "List" and name == "append":
            item = self.as_value(args[0], node)
            if kind.inside[0] == TENSOR and item.kind != TENSOR and not target.node()._inputs:
                target.kind = types.list_of(item.kind)
            return self.add("aten::append", [target, item], target.kind)
        values = [self.as_value(a, node) for a in args]
        if kind.kind in ("List", "Dict", "str") or kind in (STR, ANY):
            outs = {"keys": types.list_of(kind.inside[0] if kind.inside else STR), "pop": inside_of(kind)}
            outs |= {"values": types.list_of(inside_of(kind)), "items": types.list_of(types.tuple_of(kind.inside))}
            out = outs.get(name, STR if kind == STR else NONE)
            return self.add(f"aten::{name}", [target, *values], out)
        return self.builtin(name, [target, *args], kwargs, node)

    def _call(self, function: Any, node: ast.Call) -> Any:
        from engine.dialects.torch.jit.modules import ScriptFunction, ignored
        from engine.dialects.torch.jit.scripting import script_function

        name = getattr(function, "__name__", "")
        if getattr(builtins, name, None) is function:
            return self._builtin(name, node)
        args, kwargs = self.given(node)
        if function in (overrides.NAMES) if callable(function) and _hashable(function) else False:
            path = overrides.NAMES[function]
            if path.startswith("torch.nn.functional."):
                return self._functional(function, path, args, kwargs, node)
            return self.builtin(name, args, kwargs, node)
        if getattr(function, "__module__", "").startswith("engine.dialects.torch"):
            return self.builtin(name, args, kwargs, node)
        values = [self.as_value(a, node) for a in args]
        if getattr(math, name, None) is function:
            out = INT if name in ("floor", "ceil") else FLOAT
            return self.add(f"aten::{name}", values, out, {"_callee": function})
        if isinstance(function, python_types.FunctionType) and not ignored(function):
            function = script_function(function)
        if isinstance(function, ScriptFunction):
            places = function.method.bound(values, kwargs, self, node)
            attributes = {"name": function.name, "_callee": function}
            return self.add("prim::CallFunction", places, function.method.kind, attributes)
        if ignored(function):
            return self.add("prim::PythonOp", values, TENSOR, {"name": name, "_callee": function})
        raise self.error(node.func, f"Python builtin {function!r} is currently not supported in Torchscript")

    def _functional(self, function: Any, path: str, args: Any, kwargs: Any, node: Any) -> Any:
        """A function of ``torch.nn.functional``, which is itself Python that PyTorch compiles."""
        places, named = written(path, tuple(args), kwargs)
        values = [self.as_value(x if not is_plain(x) else Fixed(x), node) for x in (*places, *named.values())]
        return self.add("prim::CallFunction", values, TENSOR, {"name": path, "_callee": by_place(function, path)})

    def builtin(self, name: str, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """An ``aten`` function; its arguments in the order of the schema."""
        owner = [] if name in ("zeros", "ones", "rand", "randn", "empty") else args[:1]
        rest = args[len(owner) :]
        if name in _SIZES and rest and not is_list(rest[0]):
            rest = [self.listed(rest, node)]
        if name in _DIMS:
            rest = [self.listed([rest[0]], node) if not is_list(rest[0]) else rest[0], *rest[1:]] if rest else rest
            if "dim" in kwargs and not is_list(kwargs["dim"]):
                kwargs = {**kwargs, "dim": self.listed([kwargs["dim"]], node)}
        if name == "float":
            name, rest = "to", [Fixed(dtype_named("float32"))]
        if name in ("long", "int", "double", "bool") and not rest and owner:
            name, rest = (
                "to",
                [Fixed(dtype_named({"long": "int64", "int": "int32", "double": "float64"}.get(name, name)))],
            )
        if name == "size" and not rest and not kwargs:
            return self.add("aten::size", [self.as_value(owner[0], node)], types.list_of(INT))
        items = ordered(name, [*owner, *rest], kwargs)
        while name in ("size", "max", "min", "sum", "mean") and len(items) > 1 and items[-1] in (None, False):
            items.pop()
        values = [self.as_value(x if not is_plain(x) else Fixed(x), node) for x in items]
        kinds = {"size": INT, "max": TENSOR, "min": TENSOR}
        out = kinds.get(name) or (TENSOR if name in ("eq", "ne", "lt", "le", "gt", "ge") else _KINDS.get(name, TENSOR))
        if name in ("max", "min") and len(values) > 1 and values[1].kind == INT:
            out = types.tuple_of((TENSOR, TENSOR))
        return self.add(f"aten::{name}", values, out)

    def listed(self, items: list[Any], node: Any) -> Value:
        values = [self.as_value(i, node) for i in items]
        made: Value = self.add("prim::ListConstruct", values, types.list_of(INT))
        return made

    def _builtin(self, name: str, node: ast.Call) -> Any:
        args, _ = self.given(node)
        if name in ("enumerate", "zip"):
            return name, args
        if name in ("list", "tuple", "reversed") and args and isinstance(args[0], Fixed):
            return args[0]
        if name == "isinstance":
            return self.constant(True)
        if name == "len" and isinstance(args[0], Part):
            return self.constant(len(args[0].module._modules))
        values = [self.as_value(a, node) for a in args]
        if name == "range":
            if len(values) == 1:
                return Range(None, values[0], None)
            return Range(values[0], values[1], values[2] if len(values) > 2 else None)
        if name == "print":
            return self.add("prim::Print", values, None) or Fixed(None)
        if name in _CASTS:
            return self.add(_CASTS[name], values, _KINDS[_CASTS[name][6:]])
        if name == "len":
            return self.add("aten::len", values, INT)
        if name in ("min", "max", "abs"):
            if TENSOR in [v.kind for v in values]:
                return self.builtin(name, values, {}, node)
            return self.add(f"prim::{name}", values, values[0].kind)
        if name in ("list", "sorted"):
            return values[0] if values else self.add("prim::ListConstruct", [], types.list_of(TENSOR))
        if name == "round":
            return self.add("aten::round", values, FLOAT, {"_callee": round})
        if name == "sum":
            return self.add("aten::sum", values, inside_of(values[0].kind), {"_callee": sum})
        function = getattr(builtins, name)
        raise self.error(node.func, f"Python builtin {function!r} is currently not supported in Torchscript")


def by_place(function: Any, path: str) -> Callable[..., Any]:
    """A function of ``torch.nn.functional`` that takes all its arguments by place, in the order of its signature."""
    _, named = written(path, (), {})
    keys = list(named)

    def callee(*given: Any) -> Any:
        count = len(given) - len(keys)
        return called(function, given[:count], dict(zip(keys, given[count:], strict=True)))

    return callee


def _hashable(x: Any) -> bool:
    return type(x).__hash__ is not None

"""Runs graphs on the dialect's tensors."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from engine.dialects.torch import overrides
from engine.dialects.torch.jit.ir import Block, Graph, Node, Value
from engine.dialects.torch.jit.schemas import REQUIRED, schema
from engine.dialects.torch.tensor import Tensor


class ScriptRaised(RuntimeError):
    """A script's own ``raise``."""


def run(graph: Graph, arguments: Sequence[Any]) -> Any:
    """The result of a graph for these arguments."""
    env: dict[Value, Any] = dict(zip(graph.parameters, arguments, strict=True))
    _run_block(graph, env)
    found = [env[v] for v in graph.results]
    return found[0] if len(found) == 1 else tuple(found)


def _run_block(block: Block, env: dict[Value, Any]) -> list[Any]:
    for node in block.body:
        given = [env[v] for v in node._inputs]
        results = _step(node, given, env)
        env.update(zip(node._outputs, results, strict=True))
    return [env[v] for v in block.results]


def _step(node: Node, given: list[Any], env: dict[Value, Any]) -> Sequence[Any]:
    kind = node._kind
    if kind == "prim::Constant":
        return [node.attributes.get("_number", node.attributes.get("value"))]
    if kind == "prim::If":
        return _run_block(node._blocks[0 if given[0] else 1], env)
    if kind == "prim::Loop":
        return _loop(node, given, env)
    if kind in ("prim::TupleUnpack", "prim::ListUnpack"):
        return list(given[0])
    rule = _PRIM.get(kind)
    if rule is not None:
        return [rule(node, given)][: len(node._outputs)]
    callee = node.attributes.get("_callee")
    if callee is not None:
        return [callee(*given)]
    result = call(node.attributes.get("_function") or kind.partition("::")[2], given)
    return list(result) if len(node._outputs) > 1 else [result][: len(node._outputs)]


def _loop(node: Node, given: list[Any], env: dict[Value, Any]) -> list[Any]:
    most, going, *carried = given
    (body,) = node._blocks
    number = 0
    while number < most and going:
        env.update(zip(body.parameters, [number, *carried], strict=True))
        going, *carried = _run_block(body, env)
        number += 1
    return carried


def _raise(node: Node, given: list[Any]) -> Any:
    raise ScriptRaised(f"The following operation failed in the TorchScript interpreter.\n{given[0]}")


def _method(node: Node, given: list[Any]) -> Any:
    return getattr(given[0], node.attributes["name"])(*given[1:])


_PRIM: dict[str, Callable[[Node, list[Any]], Any]] = {
    "prim::ListConstruct": lambda n, g: list(g),
    "prim::TupleConstruct": lambda n, g: tuple(g),
    "prim::DictConstruct": lambda n, g: dict(zip(g[::2], g[1::2], strict=True)),
    "prim::TupleIndex": lambda n, g: g[0][g[1]],
    "prim::GetAttr": lambda n, g: getattr(g[0], n.attributes["name"]),
    "prim::SetAttr": lambda n, g: setattr(g[0], n.attributes["name"], g[1]),
    "prim::CallMethod": _method,
    "prim::CallFunction": lambda n, g: n.attributes["_callee"](*g),
    "prim::PythonOp": lambda n, g: n.attributes["_callee"](*g),
    "prim::Print": lambda n, g: print(*g),
    "prim::RaiseException": _raise,
    "prim::NumToTensor": lambda n, g: g[0],
    "prim::unchecked_cast": lambda n, g: g[0],
    "prim::dtype": lambda n, g: g[0].dtype,
    "prim::device": lambda n, g: g[0].device,
    "prim::requires_grad": lambda n, g: g[0].requires_grad,
    "prim::min": lambda n, g: min(*g),
    "prim::max": lambda n, g: max(*g),
    "prim::abs": lambda n, g: abs(g[0]),
}


def _pop(target: list[Any], place: int = -1) -> Any:
    return target.pop(place)


def _int_div(a: Any, b: Any) -> Any:
    return a / b


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "floordiv": operator.floordiv, "floor_divide": operator.floordiv, "remainder": operator.mod, "pow": operator.pow,
    "neg": operator.neg, "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "__not__": operator.not_, "bitwise_not": operator.invert,
    "__and__": operator.and_, "__or__": operator.or_, "__xor__": operator.xor, "matmul": operator.matmul,
}  # fmt: skip
"""What numbers, texts and lists do as well."""
_OWN: dict[str, Callable[..., Any]] = {
    "Bool": bool, "Int": int, "Float": float, "str": str, "len": len, "ScalarImplicit": lambda x: x,
    "__is__": operator.is_, "__isnot__": operator.is_not, "__getitem__": operator.getitem,
    "__contains__": operator.contains, "_set_item": operator.setitem, "append": lambda a, b: a.append(b),
    "extend": lambda a, b: a.extend(b), "pop": _pop, "insert": lambda a, i, b: a.insert(i, b),
    "format": lambda text, *a: text.format(*a), "keys": lambda d: list(d.keys()), "values": lambda d: list(d.values()),
    "items": lambda d: list(d.items()), "slice_list": lambda a, b, c, d: a[b:c:d], "sorted": sorted,
    "__range_length": lambda a, b, c: len(range(a, b, c)), "__derive_index": lambda i, a, c: a + i * c,
    "size": lambda x, dim=None: list(map(int, x.shape)) if dim is None else int(x.shape[dim]),
    "dim": lambda x: x.dim(), "numel": lambda x: x.numel(), "numpy_T": lambda x: x.T, "IntImplicit": int,
    "index": lambda x, i: x[tuple(slice(None) if v is None else v for v in i)], "item": lambda x: x.item(),
    "slice": lambda x, dim=0, a=None, b=None, c=1: x[(slice(None),) * (dim % max(x.dim(), 1)) + (slice(a, b, c),)],
    "tensor": lambda data, dtype=None, device=None, requires_grad=False: _torch("tensor")(
        data, dtype=dtype, requires_grad=requires_grad
    ),
    "detach": lambda x: x.detach(), "to": lambda x, *a: x.to(a[0]) if a else x, "rsub": lambda a, b, alpha=1: b - a,
    "floor_int": int, "sqrt_float": lambda x: x**0.5, "copy_": lambda a, b, *_: a.copy_(b),
    "prelu": lambda x, w: _torch("nn.functional.prelu")(x, w), "type_as": lambda x, y: x.type_as(y),
    "batch_norm": lambda x, w, b, mean, var, *how: _torch("nn.functional.batch_norm")(x, mean, var, w, b, *how[:3]),
    "embedding": lambda weight, indices, *_: _torch("nn.functional.embedding")(indices, weight),
    "_assert_dim": lambda *_: None, "contiguous": lambda x, *_: x, "log_int": lambda x: __import__("math").log(x),
}  # fmt: skip
"""Functions that mean something of their own here."""


@cache
def _by_name() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for function, path in overrides.NAMES.items():
        found.setdefault(path.rpartition(".")[2], function)
    return found


def _torch(path: str) -> Any:
    found: Any = sys.modules["torch"]
    for part in path.split("."):
        found = getattr(found, part)
    return found


def call(name: str, given: list[Any]) -> Any:
    """An ``aten`` function on values in the order of its schema."""
    tensors = any(isinstance(x, Tensor) for x in given)
    if name in _OPERATORS and (not tensors or len(given) <= 2):
        return _OPERATORS[name](*given)
    if name in _OWN:
        return _OWN[name](*given)
    places, named = _cut(name, given)
    function = _by_name().get(name) or _constructor(name)
    if function is None:
        raise RuntimeError(f"Unknown builtin op: aten::{name}. This teaching engine has no such function.")
    return function(*places, **named)


def _constructor(name: str) -> Any:
    return getattr(sys.modules.get("torch"), name, None)


def _cut(name: str, given: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by place and by name, without those that are at their defaults at the end."""
    known = schema(name)
    if known is None or len(given) > len(known[0]) + len(known[1]):
        return given, {}
    places, rest = list(given[: len(known[0])]), given[len(known[0]) :]
    while places:
        default = known[0][len(places) - 1][1]
        if default is REQUIRED or (places[-1] is not default and places[-1] != default):
            break
        places.pop()
    named = {
        key: value
        for (key, default), value in zip(known[1], rest, strict=False)
        if value is not None and value != default and key not in ("layout", "device", "pin_memory", "memory_format")
    }
    return places, named

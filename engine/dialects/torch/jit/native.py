"""Graphs of the dialect's own modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.torch.jit import types
from engine.dialects.torch.jit.functional_names import functional_named
from engine.dialects.torch.jit.ir import Graph
from engine.dialects.torch.jit.types import TENSOR, Type


def sequence_graph(source: Any) -> Graph:
    graph = Graph("forward")
    own = graph.head.add_output(Type("Module", detail="Sequential"), "self")
    value = graph.head.add_output(TENSOR, "input")
    parts = []
    for name, module in source._modules.items():
        kind = types.module_type(module)
        parts.append(graph.add("prim::GetAttr", [own], {"name": name}).add_output(kind))
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        value = graph.add("prim::CallMethod", [part, value], {"name": "forward"}).add_output(
            TENSOR, "" if last else "input"
        )
    graph.tail.add_input(value)
    return graph


_NATIVE: dict[str, Callable[[Any], tuple[str, list[Any]]]] = {
    "Linear": lambda m: ("linear", ["weight", "bias"]),
    "Tanh": lambda m: ("tanh", []), "Sigmoid": lambda m: ("sigmoid", []),
    "ReLU": lambda m: ("torch.nn.functional.relu", [(m.inplace if hasattr(m, "inplace") else False,)]),
    "Dropout": lambda m: ("torch.nn.functional.dropout", [(m.p,), "training", (m.inplace,)]),
}  # fmt: skip
"""Modules of the dialect that are one call: which, and with what besides their input (a name: an attribute)."""


def native_graph(module: Any) -> Graph | None:
    """The graph of a module of the dialect, where it is one call."""
    rule = _NATIVE.get(type(module).__name__)
    if rule is None:
        return None
    name, rest = rule(module)
    graph = Graph("forward")
    own = graph.head.add_output(types.module_type(module), "self")
    given = [graph.head.add_output(TENSOR, "input")]
    for item in rest:
        if isinstance(item, str):
            kind = types.type_of(getattr(module, item))
            given.append(graph.add("prim::GetAttr", [own], {"name": item}).add_output(kind, item))
        else:
            kind = types.type_of(item[0])
            given.append(graph.add("prim::Constant", (), {"value": item[0]}).add_output(kind))
    if name.startswith("torch."):
        node = graph.add("prim::CallFunction", given, {"name": name, "_callee": functional_named(name)})
    else:
        node = graph.add(f"aten::{name}", given)
    graph.tail.add_input(node.add_output(TENSOR))
    return graph

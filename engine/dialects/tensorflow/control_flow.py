"""Decisions of 1.x: ``tf.cond`` and ``tf.case``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import convert, graph_of
from engine.dialects.tensorflow.control_plumbing import Context, build_checked, output_tensors
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.static import Node
from engine.static.building_control import flatten
from engine.static.fetches import rebuild

Function = Callable[..., Any]


def cond(
    pred: Any,
    true_fn: Any = None,
    false_fn: Any = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Any = None,
    fn2: Any = None,
) -> Any:
    """The result of ``true_fn()`` where ``pred`` is true, else of ``false_fn()``. Both are called once, now."""
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    if not callable(true_fn):
        raise TypeError("'true_fn' must be callable.")
    if not callable(false_fn):
        raise TypeError("'false_fn' must be callable.")
    if isinstance(pred, bool):
        raise TypeError("'pred' must not be a Python bool.")
    graph = graph_of([pred])
    graph.check_open()
    seen: list[tuple[Any, list[Tensor]]] = []

    def branch(context: Context, function: Function, word: str) -> list[Node]:
        context.known.clear()
        with context.part():
            value = function()
            if value is None:
                raise ValueError(f"'{word}' must have a return value.")
            leaves: list[Any] = []
            structure = flatten(value if strict else _unpacked(value), leaves)
            seen.append((structure, [_result(graph, leaf, word == "true_fn") for leaf in leaves]))
            for tensor in seen[-1][1]:
                context.brought(tensor)
        if len(seen) == 2:
            _compare(*seen)
        return [tensor._node for tensor in seen[-1][1]]

    with graph.as_default():
        chosen = convert(pred, name="pred")
        if chosen.dtype.base_dtype.name != "bool":
            raise TypeError(
                f"Input 'pred' of 'Switch' Op has type {chosen.dtype.base_dtype.name} that does not match expected "
                "type of bool."
            )
        with graph.name_scope(name or "cond") as scope:
            context = Context(graph, "Switch")
            _choosing(context, chosen)
            found = build_checked(
                graph,
                lambda: graph.core.cond(
                    chosen._node,
                    lambda: branch(context, true_fn, "true_fn"),
                    lambda: branch(context, false_fn, "false_fn"),
                    name=scope,
                ),
            )
    outputs = output_tensors(graph, found, *(tensors for _, tensors in reversed(seen)))
    context.finish(outputs[0]._node.inputs[0][0])
    for place, tensor in enumerate(outputs):
        tensor.ref_ = all(tensors[place].ref_ for _, tensors in seen)
    return rebuild(seen[0][0], iter(outputs))


def _choosing(context: Context, pred: Tensor) -> None:
    """The ops that say which branch runs."""
    kind = pred._node.type
    switch = context.add("Switch", [pred, pred], kind)
    for name, side in (("switch_t", 1), ("switch_f", 0)):
        context.add("Identity", [switch.outputs[side]], kind, name)
    context.add("Identity", [pred], kind, "pred_id")


def _unpacked(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _result(graph: Graph, value: Any, taken: bool) -> Tensor:
    """What a branch gives as a tensor; an op becomes the predicate's value, there once the op has run."""
    if isinstance(value, Operation):
        with graph.control_dependencies([value]):
            node = graph.core.constant(np.array(taken), name="control_dependency", label="Identity")
            return graph.tensor(node)
    return convert(value)


def _compare(first: tuple[Any, list[Tensor]], second: tuple[Any, list[Tensor]]) -> None:
    """:raises ValueError: the branches give different things."""
    if first[0] != second[0]:
        raise ValueError(
            "Incompatible return values of true_fn and false_fn: The two structures don't have the same "
            "nested structure."
        )
    for a, b in zip(first[1], second[1], strict=True):
        if a.dtype.base_dtype != b.dtype.base_dtype:
            raise ValueError(
                "Outputs of 'true_fn' and 'false_fn' must have the same type(s). Received "
                f"{a.dtype.base_dtype.name} from 'true_fn' and {b.dtype.base_dtype.name} from 'false_fn'."
            )


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The result of the first function whose predicate is true."""
    pairs = _pairs(pred_fn_pairs)
    if default is not None and not callable(default):
        raise TypeError("default must be callable.")
    graph = graph_of([pred for pred, _ in pairs])
    with graph.as_default(), graph.name_scope(name):
        waits: list[Node] = []
        if exclusive and len(pairs) > 1:
            waits = [build_checked(graph, lambda: _exclusive(graph, [pred._node for pred, _ in pairs], name))]
        with graph.core.control_dependencies(waits):
            return _decide(pairs, default, strict)


def _pairs(given: Any) -> list[tuple[Tensor, Function]]:
    if not isinstance(given, list | tuple | Mapping):
        raise TypeError("pred_fn_pairs must be a list, tuple, or dict")
    pairs = list(given.items()) if isinstance(given, Mapping) else list(given)
    if not pairs:
        raise ValueError("pred_fn_pairs must contain at least one (predicate, function) pair.")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        if not isinstance(pair[0], Tensor):
            raise TypeError(f"pred must be a Tensor, got: {pair[0]}")
        if pair[0].dtype.base_dtype.name != "bool":
            raise TypeError(f"pred must be Tensor of type bool: {pair[0].name}")
        if not callable(pair[1]):
            raise TypeError(f"fn for pred {pair[0].name} must be callable.")
    return pairs


def _exclusive(graph: Graph, predicates: Sequence[Node], name: str) -> Node:
    core = graph.core
    counted = core.apply("cast", core.apply("stack", *predicates, axis=0), dtype=np.dtype(np.int32))
    return core.apply("at_most_one", core.apply("sum", counted), name="assert_exclusive", label="Assert")


def _decide(pairs: Sequence[tuple[Tensor, Function]], default: Any, strict: bool) -> Any:
    (pred, function), rest = pairs[0], pairs[1:]
    if not rest and default is None:
        return function()
    return cond(pred, function, (lambda: _decide(rest, default, strict)) if rest else default, strict=strict)

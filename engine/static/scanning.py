"""Loops over the rows of arrays: ``scan``, ``map_fn`` and folds, all made of one ``for_loop`` node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DtypeError, GraphError, ShapeError
from engine.ops.indexing import describe_index
from engine.static.building_control import about, as_node, described, filling, finish, flatten, output
from engine.static.fetches import rebuild
from engine.static.loops import carried_types, next_values, parameters
from engine.static.node import Node
from engine.static.regions import Region
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.static.graph import Graph

COUNT = TensorType(np.dtype("int32"), ())


def build_scan(
    graph: Graph,
    function: Callable[..., tuple[Any, Any]],
    carried: Any,
    elements: Any,
    *,
    count: Any = None,
    reverse: bool = False,
    shape_invariants: Any = None,
    name: str = "scan",
) -> tuple[Any, Any]:
    """See :meth:`engine.static.control.ControlFlow.for_loop`."""
    leaves: list[Any] = []
    structure = flatten(carried, leaves)
    rows: list[Any] = []
    row_structure = flatten(elements, rows) if elements is not None else (tuple, None, [])
    with graph.scope(name) as scope:
        where = scope[:-1]
        inits = [as_node(graph, leaf) for leaf in leaves]
        types = carried_types(inits, structure, shape_invariants, where)
        stacks = [as_node(graph, row) for row in rows]
        inner = [_entry_type(stack, where) for stack in stacks]
        total = _count(graph, count, stacks, where)
        body = Region(graph, "body", where, graph._region)
        with filling(graph, body, "body"):
            variables = parameters(graph, body, "carried", types)
            entries = parameters(graph, body, "slice", inner)
            given = rebuild(row_structure, iter(entries)) if elements is not None else None
            answer = function(rebuild(structure, iter(variables)), given)
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise GraphError(
                    f"the body of {where!r} must give two things: the next values, and what to stack (or None)"
                )
            after = next_values(graph, answer[0], structure, inits, types, where)
            made: list[Any] = []
            made_structure = None if answer[1] is None else flatten(answer[1], made)
            stacked = [] if answer[1] is None else [as_node(graph, leaf) for leaf in made]
            for node in stacked:
                if node.type is None:
                    raise about(node, DtypeError(f"{where}: {node.name!r} has no result to stack"))
            body.results = [*after, *stacked]
        attributes = {"carried": len(types), "slices": len(stacks), "results": len(types), "reverse": reverse}
        control = finish(graph, "for_loop", [total, *inits, *stacks], [body], attributes, name=scope)
    length = next((s.type.shape[0] for s in stacks if s.type is not None and s.type.shape), None)
    last = [output(graph, control, "value", i, type) for i, type in enumerate(types)]
    piles = [output(graph, control, "stack", j, _stack_type(node, length)) for j, node in enumerate(stacked)]
    return rebuild(structure, iter(last)), None if answer[1] is None else rebuild(made_structure, iter(piles))


def _stack_type(node: Node, length: int | None) -> TensorType | None:
    return node.type and TensorType(node.type.dtype, None if node.type.shape is None else (length, *node.type.shape))


def _entry_type(stack: Node, name: str) -> TensorType:
    if stack.type is None:
        raise about(stack, DtypeError(f"{name}: {stack.name!r} has no result to go through"))
    if stack.type.shape == ():
        raise about(
            stack,
            ShapeError(
                f"{name}: {stack.name!r} is a single value and has no rows to go through", op="for_loop", shapes=((),)
            ),
        )
    return TensorType(stack.type.dtype, None if stack.type.shape is None else stack.type.shape[1:])


def _count(graph: Graph, count: Any, stacks: Sequence[Node], name: str) -> Node:
    """How often the loop runs: given, or the number of rows; all must have the same."""
    known = {s.type.shape[0]: s for s in stacks if s.type is not None and s.type.shape and s.type.shape[0] is not None}
    if len(known) > 1:
        shapes = " and ".join(f"{s.name!r} of shape {s.shape}" for s in known.values())
        raise ShapeError(f"{name}: all must have the same number of rows, but there is {shapes}", op="for_loop",
                         shapes=tuple(s.shape for s in known.values()))  # fmt: skip
    if count is not None:
        return as_node(graph, count)
    if not stacks:
        raise GraphError(f"{name}: give elements to go through, or a count")
    if known:
        return graph.constant(next(iter(known)), np.dtype("int32"), name="count")
    if len(stacks) == 1:
        return graph.apply("rows_of", stacks[0], name="count")
    return graph.apply("rows_of", *stacks, name="count")


def build_map(graph: Graph, function: Callable[..., Any], elements: Any, *, name: str = "map") -> Any:
    """See :meth:`engine.static.control.ControlFlow.map_fn`."""
    _, stacked = build_scan(graph, lambda _, row: ((), function(row)), (), elements, name=name)
    return stacked


def build_fold(
    graph: Graph,
    function: Callable[..., Any],
    elements: Any,
    initializer: Any,
    *,
    reverse: bool,
    all_values: bool,
    name: str,
) -> Any:
    """``function(value so far, row)`` over all rows: the last value, or all of them stacked. Without an initial value
    the first (``reverse``: last) row is it."""
    rest = elements
    with graph.scope(name) as scope:
        leaves: list[Any] = []
        structure = flatten(elements, leaves)
        nodes = [as_node(graph, leaf) for leaf in leaves]
        if not nodes:
            raise GraphError(f"{scope[:-1]}: give elements to go through, not {described(structure)}")
        first = None
        if initializer is None:
            for node in nodes:
                _entry_type(node, scope[:-1])
            at = (-1,) if reverse else (0,)
            others = describe_index(slice(None, -1) if reverse else slice(1, None))
            first = [graph.apply("getitem", node, index=at) for node in nodes]
            initializer = rebuild(structure, iter(first))
            rest = rebuild(structure, iter([graph.apply("getitem", node, index=others) for node in nodes]))
        else:
            rest = rebuild(structure, iter(nodes))

        def step(so_far: Any, row: Any) -> tuple[Any, Any]:
            value = function(so_far, row)
            return value, value if all_values else None

        last, piles = build_scan(graph, step, initializer, rest, reverse=reverse, name=scope)
        if not all_values:
            return last
        if first is None:
            return piles
        found: list[Any] = []
        shape = flatten(piles, found)
        starts: list[Any] = []
        flatten(initializer, starts)
        joined = []
        for start, pile in zip(starts, found, strict=True):
            one = graph.apply("expand_dims", start, axis=0)
            joined.append(graph.apply("concat", *((pile, one) if reverse else (one, pile)), axis=0))
        return rebuild(shape, iter(joined))


__all__ = ["build_fold", "build_map", "build_scan"]

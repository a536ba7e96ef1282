"""Building loops: what they hand on, and the checks that it keeps its type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engine.errors import DtypeError, GraphError, ShapeError
from engine.static.building_control import (
    about,
    as_node,
    call,
    checked_pred,
    described,
    filling,
    finish,
    fits,
    flatten,
    output,
)
from engine.static.fetches import rebuild
from engine.static.node import Node
from engine.static.regions import Region
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.static.graph import Graph

Function = Callable[..., Any]


def parameters(graph: Graph, region: Region, kind: str, types: Sequence[TensorType]) -> list[Node]:
    """Loop variables of a region, one for each type."""
    made = []
    word = graph.control_names.variables.get(region.name, "")
    for type in types:
        place = sum(one == kind for one, _ in region.parameters)
        node = graph.add(
            "loop_variable", (), {"kind": kind, "index": place}, type=type,
            name=word or ("variable" if kind == "carried" else kind), label=word,
            role="control" if graph._role == "op" else "",
        )  # fmt: skip
        region.parameters[kind, place] = node
        made.append(node)
    return made


def build_while(
    graph: Graph,
    cond_fn: Function,
    body_fn: Function,
    loop_vars: Any,
    *,
    shape_invariants: Any = None,
    maximum_iterations: Any = None,
    name: str = "while",
    effects: bool = False,
) -> Any:
    """See :meth:`engine.static.control.ControlFlow.while_loop`."""
    leaves: list[Any] = []
    structure = flatten(loop_vars, leaves)
    with graph.scope(name) as scope:
        where = scope[:-1]
        inits = [as_node(graph, leaf) for leaf in leaves]
        types = carried_types(inits, structure, shape_invariants, where)
        operands = list(inits)
        if maximum_iterations is not None:
            operands.append(as_node(graph, maximum_iterations))
        condition = Region(graph, "condition", where, graph._region)
        with filling(graph, condition, "condition", effects):
            given = parameters(graph, condition, "carried", types)
            condition.results = [checked_pred(graph, as_node(graph, call(cond_fn, structure, given)), where)]
        body = Region(graph, "body", where, graph._region)
        with filling(graph, body, "body", effects):
            given = parameters(graph, body, "carried", types)
            body.results = next_values(graph, call(body_fn, structure, given), structure, inits, types, where)
        attributes = {"carried": len(types), "results": len(types), "maximum": maximum_iterations is not None}
        control = finish(graph, "while_loop", operands, [condition, body], attributes, name=scope)
    results = [output(graph, control, "value", i, type) for i, type in enumerate(types)]
    return rebuild(structure, iter(results))


def carried_types(inits: Sequence[Node], structure: Any, invariants: Any, name: str) -> list[TensorType]:
    """The types that loop variables keep: those of the initial values, with dimensions left open by the invariants."""
    types = []
    for node in inits:
        if node.type is None:
            raise about(node, DtypeError(f"{name}: the loop variable {node.name!r} has no result"))
        types.append(node.type)
    if invariants is None:
        return types
    shapes = list(_shapes(invariants, structure, name))
    for i, (node, shape) in enumerate(zip(inits, shapes, strict=True)):
        if shape is not Ellipsis:
            if not fits(types[i].shape, shape):
                raise about(
                    node,
                    ShapeError(
                        f"{name}: the loop variable {node.name!r} enters with shape {types[i].shape}, which the "
                        f"invariant {shape} does not allow",
                        op="while_loop",
                        shapes=(types[i].shape, shape),
                    ),
                )
            types[i] = TensorType(types[i].dtype, shape)
    return types


def _shapes(invariants: Any, structure: Any, name: str) -> Iterator[Any]:
    """One shape for each leaf of ``structure``: a tuple, ``None`` (anything) or ``...`` (as it enters)."""
    if structure is None:
        yield invariants if invariants is None or invariants is Ellipsis else tuple(invariants)
        return
    _, keys, parts = structure
    items = [invariants[key] for key in keys] if keys is not None else list(invariants)
    if len(items) != len(parts):
        raise GraphError(
            f"{name}: the shape invariants must have the structure of the loop variables, one shape for each"
        )
    for item, part in zip(items, parts, strict=True):
        yield from _shapes(item, part, name)


def next_values(
    graph: Graph, value: Any, structure: Any, inits: Sequence[Node], types: Sequence[TensorType], name: str
) -> list[Node]:
    """What the body gives, checked against what the loop variables are."""
    leaves: list[Any] = []
    given = flatten(value, leaves)
    if len(leaves) != len(types) or (given != structure and not _alike(given, structure)):
        raise GraphError(
            f"the body of {name!r} gives {described(given)}, but the loop variables are {described(structure)}: it "
            "must give their next values in the same structure"
        )
    found = []
    for leaf, init, type in zip(leaves, inits, types, strict=True):
        node = as_node(graph, leaf, type.dtype)
        got = node.type
        if got is None or got.dtype != type.dtype:
            dtype = "no result" if got is None else f"dtype {got.dtype}"
            raise about(
                node,
                DtypeError(f"{name}: the loop variable {init.name!r} enters with dtype {type.dtype} and has {dtype} "
                           f"({node.name!r}) after one iteration; cast it"),
            )  # fmt: skip
        if not fits(got.shape, type.shape):
            raise about(
                node,
                ShapeError(
                    f"{name}: the loop variable {init.name!r} enters with shape {type.shape} and has shape {got.shape} "
                    f"({node.name!r}) after one iteration; say with shape_invariants which dimensions may change",
                    op="while_loop",
                    shapes=(type.shape, got.shape),
                ),
            )
        found.append(node)
    return found


def _alike(given: Any, structure: Any) -> bool:
    """Whether two structures only differ in lists and tuples, or in a single value with or without a list around it."""
    if given is None or structure is None:
        other = structure if given is None else given
        return other is None or (other[1] is None and len(other[2]) == 1 and other[2][0] is None)
    return given[1] == structure[1] and len(given[2]) == len(structure[2]) and all(
        a == b or (a is not None and b is not None and _alike(a, b))
        for a, b in zip(given[2], structure[2], strict=True)
    )  # fmt: skip

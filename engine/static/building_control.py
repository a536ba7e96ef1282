"""Building decisions and loops: regions are filled by calling the program's functions once, then their owner is added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DtypeError, GraphError, ShapeError, StepgraphError
from engine.static.fetches import rebuild
from engine.static.node import Node
from engine.static.regions import Region, captured
from engine.tensor_type import Shape, TensorType

if TYPE_CHECKING:
    from engine.static.graph import Graph

BOOL = np.dtype(np.bool_)
Function = Callable[..., Any]


# -- structures ------------------------------------------------------------------------------------------------------
def flatten(value: Any, leaves: list[Any]) -> Any:
    """Append the leaves of nested lists, tuples and dictionaries to ``leaves``; returns the structure for ``rebuild``."""
    if isinstance(value, Mapping):
        return (dict, list(value), [flatten(item, leaves) for item in value.values()])
    if isinstance(value, list | tuple):
        return (type(value), None, [flatten(item, leaves) for item in value])
    leaves.append(value)
    return None


def call(function: Function, structure: Any, values: Sequence[Node]) -> Any:
    """``function`` on loop variables: one argument for each item of a list or tuple, else the structure itself."""
    given = rebuild(structure, iter(values))
    is_row = structure is not None and structure[1] is None
    return function(*given) if is_row else function(given)


def as_node(graph: Graph, value: Any, dtype: Any = None) -> Node:
    """``value`` as a node; ``None`` becomes a node without a result."""
    if isinstance(value, Node):
        if value.graph is not graph:
            raise GraphError(f"{value.name!r} belongs to another graph: build both in the same graph")
        return value
    return graph.add("no_op", role="control") if value is None else graph.constant(value, dtype)


# -- regions ---------------------------------------------------------------------------------------------------------
@contextmanager
def inside(graph: Graph, region: Region | None) -> Iterator[None]:
    """New nodes lie in ``region``; orders from outside hold for its owner, not for them."""
    previous = graph._region, graph._control
    graph._region, graph._control = region, []
    try:
        yield
    finally:
        graph._region, graph._control = previous


@contextmanager
def filling(graph: Graph, region: Region, scope: str, effects: bool = False) -> Iterator[None]:
    """The region is being built, with names in ``scope``."""
    with inside(graph, region), graph.scope(scope if graph.control_names.scopes else f"{graph.names.scope}/"):
        yield
        if effects:
            region.effects = [node for node in region.nodes if has_effect(node)]


def has_effect(node: Node) -> bool:
    """Whether ``node`` writes a variable, itself or in its regions."""
    return node.op.startswith("assign") or any(has_effect(one) for region in node.regions for one in region.nodes)


def finish(
    graph: Graph,
    op: str,
    operands: Sequence[Node],
    regions: Sequence[Region],
    attributes: Mapping[str, Any],
    *,
    name: str,
    label: str = "",
    role: str = "",
) -> Node:
    """Add the node that owns ``regions``: it reads ``operands`` and whatever they capture."""
    read, waited = captured(regions)
    node = graph.add(
        op,
        [*operands, *read],
        attributes,
        name=name,
        label=label,
        role=role or ("control" if graph._role == "op" else ""),
        control=waited,
        regions=tuple(regions),
    )
    return node


def output(graph: Graph, control: Node, kind: str, index: int, type: TensorType | None) -> Node:
    """The node that stands for one result of a control node."""
    word = graph.control_names.outputs.get(control.op, "output")
    with graph.scope(None):
        node = graph.add(
            "output", [control], {"kind": kind, "index": index}, type=type, name=f"{control.name}/{word}",
            label="" if word == "output" else word,
        )  # fmt: skip
    graph.set_serves(node, control)
    control.regions[-1].picks.setdefault((kind, index), node)
    return node


# -- decisions -------------------------------------------------------------------------------------------------------
def build_cond(
    graph: Graph,
    pred: Any,
    true_fn: Function,
    false_fn: Function,
    *,
    name: str = "cond",
    effects: bool = False,
) -> Any:
    """See :meth:`engine.static.control.ControlFlow.cond`."""
    structures, regions = [], []
    with graph.scope(name) as scope:
        pred = checked_pred(graph, as_node(graph, pred), scope[:-1])
        for branch, function in (("true", true_fn), ("false", false_fn)):
            region = Region(graph, branch, scope[:-1], graph._region)
            with filling(graph, region, branch, effects):
                leaves: list[Any] = []
                structures.append(flatten(function(), leaves))
                region.results = [as_node(graph, leaf) for leaf in leaves]
            regions.append(region)
        control, types = add_cond(graph, pred, regions, structures, scope)
    results = [output(graph, control, "value", i, type) for i, type in enumerate(types)]
    return rebuild(structures[0], iter(results))


def add_cond(
    graph: Graph, pred: Node, regions: Sequence[Region], structures: Sequence[Any], name: str, label: str = ""
) -> tuple[Node, list[TensorType | None]]:
    """The node of a decision whose branches are built, and the types of its results."""
    first, second = (region.results for region in regions)
    if structures[0] != structures[1]:
        raise GraphError(
            f"the branches of {name.rstrip('/')!r} give different structures ({described(structures[0])} and "
            f"{described(structures[1])}): both must give the same"
        )
    types = [joined(a, b, name.rstrip("/")) for a, b in zip(first, second, strict=True)]
    control = finish(graph, "cond", [pred], regions, {"results": len(types)}, name=name, label=label)
    return control, types


def checked_pred(graph: Graph, pred: Node, name: str) -> Node:
    """:raises DtypeError: ``pred`` is no bool (:class:`ShapeError`: not a single one)."""
    if pred.type is None or pred.type.dtype != BOOL:
        found = "no result" if pred.type is None else f"dtype {pred.type.dtype}"
        raise about(pred, DtypeError(f"{name}: the predicate {pred.name!r} must be a bool, but it has {found}; compare it with something"))
    if pred.type.shape not in ((), None):
        raise about(
            pred,
            ShapeError(
                f"{name}: the predicate {pred.name!r} must be a single value, but it has shape {pred.type.shape}; reduce it "
                "with all or any",
                op="cond",
                shapes=(pred.type.shape,),
            ),
        )
    return pred


def about(node: Node, error: StepgraphError) -> StepgraphError:
    """``error``, which knows that it is about ``node``."""
    error.__dict__["node"] = node
    return error


def joined(a: Node, b: Node, name: str) -> TensorType | None:
    """The type of what is ``a`` or ``b``: dimensions in which they differ are unknown."""
    if a.type is None or b.type is None:
        if a.type is not b.type:
            raise about(a, DtypeError(f"{name}: one branch gives {b.name if a.type is None else a.name!r}, the other a node without a result"))
        return None
    if a.type.dtype != b.type.dtype:
        raise about(
            b,
            DtypeError(
                f"{name}: the branches give {a.name!r} of dtype {a.type.dtype} and {b.name!r} of dtype {b.type.dtype}; cast one "
                "of them"
            ),
        )
    return TensorType(a.type.dtype, join_shapes(a.type.shape, b.type.shape))


def join_shapes(a: Shape | None, b: Shape | None) -> Shape | None:
    """What is known of a shape that is one of two."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(m if m == n else None for m, n in zip(a, b, strict=True))


def described(structure: Any) -> str:
    """A structure in words."""
    if structure is None:
        return "one value"
    kind, keys, parts = structure
    return f"a {kind.__name__} of {len(parts)}" + (f" with the keys {keys}" if keys is not None else "")


def build_case(
    graph: Graph,
    pairs: Sequence[tuple[Any, Function]] | Mapping[Any, Function],
    default: Function | None,
    *,
    exclusive: bool = False,
    name: str = "case",
) -> Any:
    """See :meth:`engine.static.control.ControlFlow.case`: decisions inside each other's false branches."""
    choices = list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
    if not choices:
        raise GraphError(f"{name}: give at least one (predicate, function) pair")
    with graph.scope(name) as scope:
        predicates = [checked_pred(graph, as_node(graph, pred), name) for pred, _ in choices]
        controls: list[Node] = []
        if exclusive and len(predicates) > 1:
            chosen = graph.apply("sum", graph.apply("cast", graph.apply("stack", *predicates, axis=0), dtype=np.dtype("int32")))
            controls = [graph.apply("at_most_one", chosen, name="exclusive")]
        with graph.control_dependencies(controls):
            return _decide(graph, predicates, [function for _, function in choices], default, scope)


def _decide(graph: Graph, predicates: Sequence[Node], functions: Sequence[Function], default: Function | None, name: str) -> Any:
    if len(functions) == 1 and default is None:
        return functions[0]()
    if not functions:
        assert default is not None
        return default()
    return build_cond(
        graph,
        predicates[0],
        functions[0],
        lambda: _decide(graph, predicates[1:], functions[1:], default, name),
    )


# -- loops -----------------------------------------------------------------------------------------------------------
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
                        f"{name}: the loop variable {node.name!r} enters with shape {types[i].shape}, which the invariant {shape} "
                        "does not allow",
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
        raise GraphError(f"{name}: the shape invariants must have the structure of the loop variables, one shape for each")
    for item, part in zip(items, parts, strict=True):
        yield from _shapes(item, part, name)


def fits(shape: Shape | None, wanted: Shape | None) -> bool:
    """Whether every value of ``shape`` has the shape ``wanted``, in which some dimensions may be open."""
    if wanted is None:
        return True
    return shape is not None and len(shape) == len(wanted) and all(w is None or w == s for s, w in zip(shape, wanted, strict=True))


def next_values(
    graph: Graph, value: Any, structure: Any, inits: Sequence[Node], types: Sequence[TensorType], name: str
) -> list[Node]:
    """What the body gives, checked against what the loop variables are."""
    leaves: list[Any] = []
    given = flatten(value, leaves)
    if len(leaves) != len(types) or (given != structure and not _alike(given, structure)):
        raise GraphError(
            f"the body of {name!r} gives {described(given)}, but the loop variables are {described(structure)}: it must give their "
            "next values in the same structure"
        )
    found = []
    for leaf, init, type in zip(leaves, inits, types, strict=True):
        node = as_node(graph, leaf, type.dtype)
        got = node.type
        if got is None or got.dtype != type.dtype:
            dtype = "no result" if got is None else f"dtype {got.dtype}"
            raise about(
                node,
                DtypeError(f"{name}: the loop variable {init.name!r} enters with dtype {type.dtype} and has {dtype} ({node.name!r}) "
                           "after one iteration; cast it"),
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
        a == b or (a is not None and b is not None and _alike(a, b)) for a, b in zip(given[2], structure[2], strict=True)
    )  # fmt: skip

"""What building decisions and loops has in common: regions are filled by calling the program's functions once, then the
node that owns them is added."""

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
    """Append the leaves of nested lists, tuples and dictionaries to ``leaves``; returns the structure for
    ``rebuild``."""
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
    """Whether ``node`` writes a variable or acts outside of the graph, itself or in its regions."""
    if node.op.startswith("assign") or node.op in node.graph.effects:
        return True
    return any(has_effect(one) for region in node.regions for one in region.nodes)


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
    return graph.add(
        op,
        [*operands, *read],
        attributes,
        name=name,
        label=label,
        role=role or ("control" if graph._role == "op" else ""),
        control=waited,
        regions=tuple(regions),
    )


def output(graph: Graph, control: Node, kind: str, index: int, type: TensorType | None) -> Node:
    """The node that stands for one result of a control node."""
    word = graph.control_names.outputs.get(kind if control.op == "for_loop" else control.op, "output")
    if index and "/" in word:
        first, _, rest = word.partition("/")
        word = f"{first}_{index}/{rest}"
    with graph.scope(None):
        node = graph.add(
            "output", [control], {"kind": kind, "index": index}, type=type, name=f"{control.name}/{word}",
            label="" if word == "output" else word.rpartition("/")[2],
        )  # fmt: skip
    graph.set_serves(node, control)
    control.regions[-1].picks.setdefault((kind, index), node)
    return node


# -- checks ---------------------------------------------------------------------------------------------------------
def about(node: Node, error: StepgraphError) -> StepgraphError:
    """``error``, which knows that it is about ``node``."""
    error.node = node
    return error


def described(structure: Any) -> str:
    """A structure in words."""
    if structure is None:
        return "one value"
    kind, keys, parts = structure
    return f"a {kind.__name__} of {len(parts)}" + (f" with the keys {keys}" if keys is not None else "")


def join_shapes(a: Shape | None, b: Shape | None) -> Shape | None:
    """What is known of a shape that is one of two."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(m if m == n else None for m, n in zip(a, b, strict=True))


def checked_pred(graph: Graph, pred: Node, name: str) -> Node:
    """:raises DtypeError: ``pred`` is no bool (:class:`ShapeError`: not a single one)."""
    if pred.type is None or pred.type.dtype != BOOL:
        found = "no result" if pred.type is None else f"dtype {pred.type.dtype}"
        raise about(
            pred,
            DtypeError(
                f"{name}: the predicate {pred.name!r} must be a bool, but it has {found}; compare it with something"
            ),
        )
    if pred.type.shape not in ((), None):
        raise about(
            pred,
            ShapeError(
                f"{name}: the predicate {pred.name!r} must be a single value, but it has shape {pred.type.shape}; "
                "reduce it with all or any",
                op="cond",
                shapes=(pred.type.shape,),
            ),
        )
    return pred


def fits(shape: Shape | None, wanted: Shape | None) -> bool:
    """Whether every value of ``shape`` has the shape ``wanted``, in which some dimensions may be open."""
    if wanted is None:
        return True
    return (
        shape is not None
        and len(shape) == len(wanted)
        and all(w is None or w == s for s, w in zip(shape, wanted, strict=True))
    )

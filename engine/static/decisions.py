"""Building decisions: two branches and the node that chooses between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DtypeError, GraphError
from engine.static.building_control import (
    about,
    as_node,
    checked_pred,
    described,
    filling,
    finish,
    flatten,
    join_shapes,
    output,
)
from engine.static.fetches import rebuild
from engine.static.node import Node
from engine.static.regions import Region
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.static.graph import Graph

Function = Callable[..., Any]


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


def joined(a: Node, b: Node, name: str) -> TensorType | None:
    """The type of what is ``a`` or ``b``: dimensions in which they differ are unknown."""
    if a.type is None or b.type is None:
        if a.type is not b.type:
            raise about(
                a,
                DtypeError(
                    f"{name}: one branch gives {b.name if a.type is None else a.name!r}, the other a node without a "
                    "result"
                ),
            )
        return None
    if a.type.dtype != b.type.dtype:
        raise about(
            b,
            DtypeError(
                f"{name}: the branches give {a.name!r} of dtype {a.type.dtype} and {b.name!r} of dtype {b.type.dtype}; "
                "cast one of them"
            ),
        )
    return TensorType(a.type.dtype, join_shapes(a.type.shape, b.type.shape))


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
            chosen = graph.apply(
                "sum", graph.apply("cast", graph.apply("stack", *predicates, axis=0), dtype=np.dtype("int32"))
            )
            controls = [graph.apply("at_most_one", chosen, name="exclusive")]
        with graph.control_dependencies(controls):
            return _decide(graph, predicates, [function for _, function in choices], default, scope)


def _decide(
    graph: Graph, predicates: Sequence[Node], functions: Sequence[Function], default: Function | None, name: str
) -> Any:
    if len(functions) == 1 and default is None:
        return functions[0]()
    if not functions:
        assert default is not None
        return default()

    def others() -> Any:
        # The next decision stands beside this one by name, though it lies in its false branch.
        with graph.scope(name):
            return _decide(graph, predicates[1:], functions[1:], default, name)

    return build_cond(graph, predicates[0], functions[0], others)

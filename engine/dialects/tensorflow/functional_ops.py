"""``tf.map_fn``, ``tf.scan``, ``tf.foldl`` and ``tf.foldr`` of 1.x: loops over the rows of tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import convert, graph_of
from engine.dialects.tensorflow.control_plumbing import build_checked, output_tensors, renamed
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.static import Node
from engine.static.building_control import flatten
from engine.static.fetches import rebuild


def map_fn(
    fn: Any,
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """``fn`` of each row of ``elems``, stacked. ``dtype`` says what ``fn`` gives if that differs from ``elems``."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with _scope(elems, name or "map") as (graph, scope):
        rows = _Rows(elems, graph)
        leaves: list[Any] = []
        wanted = rows.structure if dtype is None else flatten(dtype, leaves)

        def step(_: Any, row: Any) -> tuple[Any, Any]:
            return [], rows.results(fn(rows.packed(row)), wanted, leaves or None)

        nodes = [tensor._node for tensor in rows.tensors]
        _, piles = build_checked(graph, lambda: graph.core.for_loop(step, [], nodes, name=scope))
    return rebuild(wanted, iter(output_tensors(graph, piles)))


def scan(
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """``fn(accumulated, row)`` over the rows of ``elems``: every accumulated value, stacked."""
    return _folded(fn, elems, initializer, name or "scan", reverse=reverse, keep=True)


def foldl(
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """``fn(accumulated, row)`` from the first row to the last: the last accumulated value."""
    return _folded(fn, elems, initializer, name or "foldl", reverse=False, keep=False)


def foldr(
    fn: Any,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """``fn(accumulated, row)`` from the last row to the first: the last accumulated value."""
    return _folded(fn, elems, initializer, name or "foldr", reverse=True, keep=False)


def _folded(fn: Any, elems: Any, initializer: Any, name: str, *, reverse: bool, keep: bool) -> Any:
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with _scope(elems, name) as (graph, scope):
        rows = _Rows(elems, graph)
        starts: list[Any] = []
        structure = rows.structure if initializer is None else flatten(initializer, starts)

        def step(so_far: Any, row: Any) -> Any:
            packed = rebuild(structure, iter([graph.tensor(node) for node in so_far]))
            return rows.results(fn(packed, rows.packed(row)), structure, None)

        first = None if initializer is None else [convert(start)._node for start in starts]

        def build() -> Any:
            nodes = [tensor._node for tensor in rows.tensors]
            if keep:
                return graph.core.scan(step, nodes, first, reverse=reverse, name=scope)
            return (graph.core.foldr if reverse else graph.core.foldl)(step, nodes, first, name=scope)

        found = build_checked(graph, build)
    flat: list[Any] = []
    flatten(found, flat)
    for node in flat:
        if node.op == "output":
            graph.hidden.add(node.inputs[0][0])
    return rebuild(structure, iter([_called(graph, node, place, keep) for place, node in enumerate(flat)]))


def _called(graph: Graph, node: Node, place: int, keep: bool) -> Tensor:
    """A result under the name that it has in the real graph: the exit of a variable of the loop, before which come the
    number of the row and the counter."""
    if keep and node.op != "output":  # the first row and the others, which the real one gathers alike
        wanted = f"{node.name.rpartition('/')[0]}/TensorArrayStack{f'_{place}' if place else ''}/TensorArrayGatherV3"
        return renamed(graph, node, wanted, "TensorArrayGatherV3")
    scope, loop, _ = node.name.rpartition("/while/")
    wanted = f"{scope}/while/Exit_{place + 2}"
    if keep or not loop or graph.core.by_name(wanted) is not None:
        return graph.tensor(node)
    return renamed(graph, node, graph.core.names.unique(wanted), "Exit")


def _leaves(elems: Any) -> tuple[Any, list[Any]]:
    """The structure of what a loop goes through, and its tensors."""
    leaves: list[Any] = []
    return flatten(elems, leaves), leaves


@contextmanager
def _scope(elems: Any, name: str) -> Iterator[tuple[Graph, str]]:
    """The graph of ``elems``, and the scope in which all of a loop over them stands."""
    _, leaves = _leaves(elems)
    graph = graph_of(leaves) if leaves else get_default_graph()
    graph.check_open()
    with graph.as_default(), graph.name_scope(name) as scope:
        yield graph, scope


class _Rows:
    """The structure of tensors whose rows a loop goes through."""

    def __init__(self, elems: Any, graph: Graph) -> None:
        self.graph = graph
        self.structure, leaves = _leaves(elems)
        self.tensors = [convert(leaf, name="elem") for leaf in leaves]
        for tensor in self.tensors:
            if tensor.shape.ndims == 0:
                raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")

    def packed(self, nodes: Any) -> Any:
        return rebuild(self.structure, iter([self.graph.tensor(node) for node in nodes]))

    def results(self, value: Any, structure: Any, kinds: Sequence[Any] | None) -> list[Node]:
        """What the function gave, as nodes; ``kinds`` are the dtypes that it was said to give."""
        leaves: list[Any] = []
        flatten(value, leaves)
        count: list[Any] = []
        rebuild(structure, iter(_Counter(count)))
        if len(leaves) != len(count):
            raise ValueError("The two structures don't have the same nested structure.")
        wanted = [dtypes.as_dtype(kind) for kind in kinds] if kinds is not None else [None] * len(leaves)
        return [convert(leaf, kind)._node for leaf, kind in zip(leaves, wanted, strict=True)]


class _Counter:
    """Counts the leaves that a structure asks for."""

    def __init__(self, seen: list[Any]) -> None:
        self._seen = seen

    def __iter__(self) -> Any:
        while True:
            self._seen.append(None)
            yield None

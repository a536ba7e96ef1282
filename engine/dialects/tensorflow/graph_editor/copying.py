"""Copies of parts of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.graph_editor.changing import nodes_of
from engine.dialects.tensorflow.graph_editor.selecting import check_graphs, get_backward_walk_ops, make_list_of_t
from engine.dialects.tensorflow.graph_editor.views import SubGraphView, make_view
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.errors import StepgraphError
from engine.static import Node, editor


class Info:
    """What became of what: ``transformed`` gives the copy of an op or a tensor, ``original`` the way back."""

    def __init__(self, ops: Mapping[Operation, Operation], ts: Mapping[Tensor, Tensor]) -> None:
        self._ops, self._ts = dict(ops), dict(ts)

    def _looked_up(self, given: Any, ops: Mapping[Any, Any], ts: Mapping[Any, Any], missing: Any) -> Any:
        if isinstance(given, SubGraphView):
            return make_view([ops[op] for op in given.ops])
        if isinstance(given, list | tuple):
            return type(given)(self._looked_up(item, ops, ts, missing) for item in given)
        if isinstance(given, str):
            found = [item for item in (*ops, *ts) if item.name == given]
            given = found[0] if found else None
        return (ops if isinstance(given, Operation) else ts).get(given, missing)

    def transformed(self, original: Any, missing_fn: Any = None) -> Any:
        """The copy of ``original``; ``None`` if there is none."""
        return self._looked_up(original, self._ops, self._ts, None)

    def original(self, transformed: Any, missing_fn: Any = None) -> Any:
        """What ``transformed`` is a copy of."""
        back = {copy: op for op, copy in self._ops.items()}, {copy: t for t, copy in self._ts.items()}
        return self._looked_up(transformed, *back, None)


def copy_(
    sgv: Any, dst_graph: Graph | None = None, dst_scope: str = "", src_scope: str = "", reuse_dst_scope: bool = False
) -> tuple[SubGraphView, Info]:
    """A copy of a part, its names below ``dst_scope`` (without ``src_scope``)."""
    return copy_with_input_replacements(sgv, {}, dst_graph, dst_scope, src_scope, reuse_dst_scope)


copy_.__name__ = "copy"


def copy_with_input_replacements(
    sgv: Any, replacement_ts: Mapping[Any, Any], dst_graph: Graph | None = None, dst_scope: str = "",
    src_scope: str = "", reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, Info]:  # fmt: skip
    """A copy in which each tensor that ``replacement_ts`` names is read from another one.

    :raises ValueError: a replacement of another graph; a decision or loop is in the part.
    """
    view = make_view(sgv)
    target = dst_graph or view.graph
    if not isinstance(target, Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(target)}")
    instead = dict(
        zip(make_list_of_t(list(replacement_ts)), make_list_of_t(list(replacement_ts.values())), strict=True)
    )
    check_graphs(view, *instead)
    check_graphs(target.get_operations()[0] if target.get_operations() else view, *instead.values())
    scope = f"{dst_scope.rstrip('/')}/" if dst_scope and reuse_dst_scope else dst_scope
    try:
        _, copied = editor.copy_with_input_replacements(
            sorted(nodes_of(view.ops), key=lambda node: node.index), {a._node: b._node for a, b in instead.items()},
            target.core, dst_scope=scope, src_scope=src_scope,
        )  # fmt: skip
    except StepgraphError as error:
        raise ValueError(str(error)) from None
    return _described(view, target, copied.of, instead)


def _described(
    view: SubGraphView, target: Graph, of: Mapping[Node, Node], instead: Mapping[Tensor, Tensor]
) -> tuple[SubGraphView, Info]:
    """The handles of the copies; hidden nodes of the original are hidden in the copy."""
    source = view.graph
    for node, twin in of.items():
        if node in source.hidden:
            target.hidden.add(twin)
    ops: dict[Operation, Operation] = {}
    ts: dict[Tensor, Tensor] = {}
    for op in view.ops:
        copy = ops[op] = target.operation(of[op._node])
        copy.outputs[:] = [Tensor(copy, place, of[t._node]) for place, t in enumerate(op.outputs)]
        ts.update(zip(op.outputs, copy.outputs, strict=True))
    doors = {node.name.rpartition("/")[2]: node for node in target.core.nodes if node.op == "placeholder"}
    for op, copy in ops.items():
        found = []
        for t in op.inputs:
            if t in instead or t in ts:
                found.append(instead[t] if t in instead else ts[t])
            elif target is source:
                found.append(t)
            else:
                door = doors.get(f"geph__{t.op.name.rpartition('/')[2]}_{t.value_index}")
                if door is not None:
                    found.append(target.tensor(door))
        copy._inputs = found
    return SubGraphView(ops.values()), Info(ops, ts)


def graph_replace(
    target_ts: Any, replacement_ts: Mapping[Any, Any], dst_scope: str = "", src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> Any:  # fmt: skip
    """New versions of ``target_ts`` (a tensor, a list or a dictionary) that read other tensors.

    :raises ValueError: the targets do not depend on what is replaced.
    """
    wanted = make_list_of_t(list(target_ts.values()) if isinstance(target_ts, Mapping) else target_ts)
    old = make_list_of_t(list(replacement_ts))
    ops = set(get_backward_walk_ops([t.op for t in wanted], stop_at_ts=old))
    depending: set[Operation] = set()
    graph = wanted[0].graph
    for op in graph.get_operations():
        if op in ops and any(t in old or t.op in depending for t in op.inputs):
            depending.add(op)
    if not depending:
        raise ValueError("Targets and replacements are not connected!")
    chosen = [op for op in graph.get_operations() if op in depending]
    _, info = copy_with_input_replacements(chosen, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope)

    def new(t: Any) -> Any:
        found = info.transformed(t)
        return t if found is None else found

    if isinstance(target_ts, Mapping):
        return {key: new(t) for key, t in target_ts.items()}
    return [new(t) for t in target_ts] if isinstance(target_ts, list | tuple) else new(target_ts)


class Transformer:
    """``Transformer()(sgv, dst_graph, dst_scope)``: a copy, as :func:`copy_`."""

    def __call__(
        self, sgv: Any, dst_graph: Graph, dst_scope: str, src_scope: str = "", reuse_dst_scope: bool = False
    ) -> tuple[SubGraphView, Info]:
        return copy_(sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope)

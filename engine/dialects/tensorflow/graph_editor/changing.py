"""Edits of a graph: rerouting, swapping, connecting, bypassing, detaching."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.creation import placeholder
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.graph_editor.selecting import check_graphs, make_list_of_op, make_list_of_t
from engine.dialects.tensorflow.graph_editor.views import SubGraphView, make_view
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.errors import GraphError, StepgraphError
from engine.static import Node, editor
from engine.static.editor.rewiring import rewire

PREFIX = "geph"
_STALE = (
    "Operation '{}' was changed by updating input tensor after it was run by a session. This mutation will have no "
    "effect, and will trigger an error in the future. Either don't modify nodes after running them or create a new "
    "session."
)


# -- placeholders ----------------------------------------------------------------------------------------------------
def make_placeholder_from_tensor(t: Tensor, scope: str | None = None, prefix: str = PREFIX) -> Tensor:
    """A placeholder like ``t``, named ``geph__<name>_<output>`` in its scope (or in ``scope``)."""
    home, _, base = t.op.name.rpartition("/")
    name = base if base.startswith(f"{prefix}__") else f"{prefix}__{base}_{t.value_index}"
    where = home if scope is None else scope.rstrip("/")
    with t.graph.as_default(), t.graph.core.scope(f"{where}/" if where else None):
        return placeholder(t.dtype.base_dtype, t.shape, name=name)


def make_placeholder_from_dtype_and_shape(
    dtype: Any, shape: Any = None, scope: str | None = None, prefix: str = PREFIX
) -> Tensor:
    """A placeholder of one's own choice, named ``geph``."""
    name = f"{prefix}" if scope is None else f"{scope.rstrip('/')}/{prefix}"
    return placeholder(dtypes.as_dtype(dtype), shape, name=name)


# -- the edit itself -------------------------------------------------------------------------------------------------
def nodes_of(ops: Iterable[Operation]) -> set[Node]:
    """The engine's nodes of ops, with those that stand hidden behind them."""
    wanted = {op._node for op in ops}
    if not wanted:
        return wanted
    graph: Graph = next(iter(ops)).graph
    for node in graph.core.nodes:
        owner = node
        while owner in graph.hidden and owner.serves is not None:
            owner = owner.serves
        if owner in wanted:
            wanted.add(node)
    return wanted


def exchange(graph: Graph, instead: dict[Tensor, Tensor], readers: Iterable[Operation]) -> int:
    """Let ``readers`` read the values of ``instead`` in the place of its keys; gives how many inputs changed.

    :raises ValueError: types that do not go together, a cycle, a part of a loop, a finalized graph.
    """
    chosen = [op for op in readers if any(t in instead for t in op.inputs)]
    if not chosen:
        return 0
    swap = {old._node: new._node for old, new in instead.items()}
    allowed = nodes_of(chosen)
    inputs = {
        node: tuple((swap.get(read, read), port) for read, port in node.inputs)
        for node in allowed
        if any(read in swap for read, _ in node.inputs)
    }
    with warnings.catch_warnings():
        # The core warns of ops that a plan computes; TensorFlow's runtime of all that a session has seen.
        warnings.simplefilter("ignore", editor.StalePlanWarning)
        try:
            rewire(graph.core, inputs, {})
        except StepgraphError as error:
            if graph.core.finalized:
                raise RuntimeError("Graph is finalized and cannot be modified.") from None
            raise ValueError(str(error)) from None
    for op in chosen:
        if op._node.index < graph.known_to_sessions:
            print(f"WARNING:tensorflow:{_STALE.format(op.name)}", file=sys.stderr)
    changed = 0
    for op in chosen:
        old = list(op.inputs)
        op._inputs = [instead.get(t, t) for t in old]
        changed += sum(t in instead for t in old)
    return changed


def _readers(graph: Graph, can_modify: Any, cannot_modify: Any) -> list[Operation]:
    allowed = graph.get_operations() if can_modify is None else make_list_of_op(can_modify, ignore_ts=True)
    barred = set() if cannot_modify is None else set(make_list_of_op(cannot_modify, ignore_ts=True))
    return [op for op in allowed if op not in barred]


def _paired(ts0: Any, ts1: Any) -> tuple[Graph, list[Tensor], list[Tensor]]:
    first, second = make_list_of_t(ts0), make_list_of_t(ts1)
    check_graphs(*first, *second)
    if len(first) != len(second):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(first)} != {len(second)}")
    for a, b in zip(first, second, strict=True):
        if a.dtype.base_dtype != b.dtype.base_dtype:
            raise ValueError(f"Dtypes {a.dtype} and {b.dtype} are not compatible.")
        if not a.shape.is_compatible_with(b.shape):
            raise ValueError(f"Shapes {a.shape} and {b.shape} are not compatible.")
    if not first:
        raise ValueError("there is nothing to reroute: give at least one tensor of each")
    return first[0].graph, first, second


def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Whoever read ``ts1[i]`` reads ``ts0[i]``; gives how many inputs changed."""
    graph, first, second = _paired(ts0, ts1)
    return exchange(graph, dict(zip(second, first, strict=True)), _readers(graph, can_modify, cannot_modify))


def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Readers of ``ts0[i]`` and readers of ``ts1[i]`` change places."""
    graph, first, second = _paired(ts0, ts1)
    both = dict(zip(second, first, strict=True)) | dict(zip(first, second, strict=True))
    return exchange(graph, both, _readers(graph, can_modify, cannot_modify))


# -- whole parts -----------------------------------------------------------------------------------------------------
def _parts(*given: Any) -> list[SubGraphView]:
    views = [make_view(part) for part in given]
    check_graphs(*views)
    return views


def _fresh(view: SubGraphView) -> SubGraphView:
    return SubGraphView(view.ops, view.passthroughs)


def _same_length(first: Sequence[Tensor], second: Sequence[Tensor]) -> None:
    if len(first) != len(second):
        raise ValueError(f"sgv0 and sgv1 have different sizes: {len(first)} != {len(second)}")


def _reroute_inputs(sgv0: Any, sgv1: Any, both: bool) -> tuple[SubGraphView, SubGraphView]:
    first, second = _parts(sgv0, sgv1)
    _same_length(first.inputs, second.inputs)
    pairs = list(zip(first.inputs, second.inputs, strict=True))
    for a, b in pairs:
        reroute_ts([a], [b], can_modify=second.ops) if not both else None
    if both:
        graph = first.graph
        exchange(graph, dict(zip(second.inputs, first.inputs, strict=True)), second.ops)
        exchange(graph, dict(pairs), first.ops)
    return _fresh(first), _fresh(second)


def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """``sgv1`` reads what ``sgv0`` reads."""
    return _reroute_inputs(sgv0, sgv1, False)


def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Each reads what the other one read."""
    return _reroute_inputs(sgv0, sgv1, True)


def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Whoever read ``sgv1`` reads ``sgv0``."""
    first, second = _parts(sgv0, sgv1)
    _same_length(first.outputs, second.outputs)
    reroute_ts(first.outputs, second.outputs, cannot_modify=[*first.ops, *second.ops])
    return _fresh(first), _fresh(second)


def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """The readers of both change places."""
    first, second = _parts(sgv0, sgv1)
    _same_length(first.outputs, second.outputs)
    swap_ts(first.outputs, second.outputs, cannot_modify=[*first.ops, *second.ops])
    return _fresh(first), _fresh(second)


def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Inputs and outputs of ``sgv1`` are those of ``sgv0`` from now on."""
    reroute_outputs(sgv0, sgv1)
    return reroute_inputs(sgv0, sgv1)


def swap_ios(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Both parts change places."""
    swap_outputs(sgv0, sgv1)
    return swap_inputs(sgv0, sgv1)


def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[SubGraphView, list[Tensor]]:
    """Let the part read new placeholders; gives it and them."""
    (view,) = _parts(sgv)
    made = [make_placeholder_from_tensor(t) for t in view.inputs]
    exchange(view.graph, dict(zip(view.inputs, made, strict=True)), view.ops)
    if control_inputs:
        detach_control_inputs(view)
    return _fresh(view), made


def detach_outputs(sgv: Any, control_outputs: Any = None) -> tuple[SubGraphView, list[Tensor]]:
    """Let whoever outside reads the part read new placeholders; gives it and them."""
    (view,) = _parts(sgv)
    read = [t for t in view.outputs if any(op not in view.ops for op in t.consumers())]
    made = [make_placeholder_from_tensor(t) for t in read]
    if made:
        reroute_ts(made, read, cannot_modify=view.ops)
    return _fresh(view), made


def detach(
    sgv: Any, control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[SubGraphView, list[Tensor], list[Tensor]]:
    """Both: gives the part, the placeholders before it and those behind it."""
    view, before = detach_inputs(sgv, control_inputs)
    view, after = detach_outputs(view)
    return view, before, after


def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[SubGraphView, SubGraphView]:
    """``sgv1`` reads the outputs of ``sgv0``, in order."""
    first, second = _parts(sgv0, sgv1)
    outputs, inputs = first.outputs, second.inputs
    _same_length(outputs, inputs)
    if disconnect_first:
        detach_outputs(first)
    reroute_ts(outputs, inputs, can_modify=second.ops)
    return _fresh(first), _fresh(second)


def bypass(sgv: Any) -> tuple[SubGraphView, list[Tensor]]:
    """Whoever read the part reads its inputs; the part itself reads placeholders."""
    (view,) = _parts(sgv)
    inputs, outputs = view.inputs, view.outputs
    _same_length(inputs, outputs)
    view, made = detach_inputs(view)
    reroute_ts(inputs, outputs)
    return _fresh(view), made


# -- what waits for what ---------------------------------------------------------------------------------------------
def _wait(op: Operation, others: Iterable[Operation]) -> None:
    try:
        rewire(op.graph.core, {}, {op._node: tuple(dict.fromkeys(other._node for other in others))})
    except GraphError as error:
        raise ValueError(str(error)) from None


def add_control_inputs(op: Operation, cops: Any) -> None:
    """Let ``op`` wait for others too.

    :raises ValueError: it waits for one of them already.
    """
    new = make_list_of_op(cops, allow_graph=False)
    check_graphs(op, *new)
    for other in new:
        if other in op.control_inputs:
            raise ValueError(f"{other.name} is already a control_input of {op.name}")
    _wait(op, [*op.control_inputs, *new])


def remove_control_inputs(op: Operation, cops: Any) -> None:
    """Let ``op`` no longer wait for these.

    :raises ValueError: it does not.
    """
    gone = make_list_of_op(cops, allow_graph=False)
    for other in gone:
        if other not in op.control_inputs:
            raise ValueError(f"{other.name} is not a control_input of {op.name}")
    _wait(op, [other for other in op.control_inputs if other not in gone])


def detach_control_inputs(sgv: Any) -> None:
    """Let the part wait for nothing outside."""
    (view,) = _parts(sgv)
    for op in view.ops:
        outside = [other for other in op.control_inputs if other not in view.ops]
        if outside:
            remove_control_inputs(op, outside)

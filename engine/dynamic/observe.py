"""What the dynamic mode tells a listener. Nothing here runs unless somebody listens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from engine import events
from engine.dynamic.facade import Primitive
from engine.dynamic.nodes import AccumulateGrad, GradNode, Port, follow_ends
from engine.dynamic.tensor import Number, Operand, Storage, Tensor, version_of
from engine.tensor_type import TensorType

_storages = count()
_told: tuple[events.Listener | None, int] = (None, -1)
"""The listener that knows of the dynamic graph, and the graph's id."""

_applied: Callable[..., int] | None = None
_taped: Callable[..., int] | None = None
"""What that listener has for several events at once (:class:`engine.events.Brief`), if anything."""

KNOWN_TYPES = 1024
_types: dict[Any, TensorType] = {}
_ndarray = np.ndarray

gradients: set[int] = set()
"""Ids of accumulate nodes: a tensor with such an id is some leaf's ``.grad``."""

leaves: set[int] = set()
"""Ids of nodes that no op made."""

serving = -1
"""The gradient node whose hand-written function runs: what it computes belongs to it. -1: none."""

scope = ""
"""Path of the module whose forward runs, set by dialects that have modules."""


def graph_of(listener: events.Listener) -> int:
    """The id of the one dynamic graph of a run; it is announced with its first node."""
    global _told, _applied, _taped
    if _told[0] is not listener:
        leaves.clear()  # another listener counts nodes anew
        # Of the type: a listener that stands in for another one answers to every name.
        brief: Any = listener if hasattr(type(listener), "op_applied") else None
        _applied, _taped = (None, None) if brief is None else (brief.op_applied, brief.op_taped)
        _told = (listener, listener.graph_created("dynamic", ""))
    return _told[1]


def watch_ends(listening: bool) -> None:
    """Tell of gradient nodes that go with what they had saved, because nobody holds them any more, or stop that."""
    follow_ends(_gone if listening else None)


def _gone(node: GradNode) -> None:
    # Of a node that was never announced no more is known, perhaps: it may have been given up half made.
    if node.node >= 0 and node.saved is not None and (node.recipe is None or node.recipe.holds_values):
        listener = _told[0]
        if listener is not None:
            listener.gradient_dropped(node.node)


def storage_number(storage: Storage) -> int:
    """The number of some memory in this process, given out when first asked for."""
    if storage.number < 0:
        storage.number = next(_storages)
    return storage.number


def type_of(tensor: Tensor) -> TensorType:
    """The tensor's type; equal ones are the same object, because making one takes longer than finding it."""
    array = tensor._array
    key = (array.dtype, array.shape)
    known = _types.get(key)
    if known is None:
        if len(_types) >= KNOWN_TYPES:
            _types.clear()
        known = _types[key] = TensorType(*key)
    return known


def created(listener: events.Listener, tensor: Tensor, label: str = "tensor", op: str = "input", name: str = "") -> int:
    """A tensor came into being without an op: data, or a parameter. Tells its value too."""
    role = "variable" if tensor._requires_grad else "input"
    tensor._node = listener.node_created(
        graph_of(listener), op, (), type_of(tensor), role=role, label=label, name=name, scope=scope, serves=serving
    )
    leaves.add(tensor._node)
    storage = storage_number(tensor._storage)
    listener.variable_written(
        tensor._node, tensor._array, "initial", storage=storage, version=version_of(tensor._storage)
    )
    return tensor._node


def node_of(listener: events.Listener, tensor: Tensor) -> int:
    """The tensor's node; one that was made while nobody listened is announced now."""
    graph = graph_of(listener)
    if tensor._node < 0 and graph >= 0:
        return created(listener, tensor)
    return tensor._node


def describe(
    listener: events.Listener, primitive: Primitive, operands: Sequence[Operand], attributes: Mapping[str, Any]
) -> tuple[list[int], dict[str, Any]]:
    """The nodes that an op reads, and its attributes with the Python numbers among its operands."""
    inputs: list[int] = []
    shown: Any = attributes
    for position, x in enumerate(operands):
        if x.__class__ is Number:
            if shown is attributes:
                shown = dict(attributes)
            names = primitive.op.inputs
            shown[names[position] if position < len(names) else f"{names[0]}_{position}"] = x._array
        else:
            node = x._node
            inputs.append(node if node >= 0 else node_of(listener, x))  # type: ignore[arg-type]
    return inputs, shown


def _edges(inputs: Sequence[int]) -> list[tuple[int, int]]:
    """As nodes and ports: every op of a dynamic graph has one output."""
    return [(node, 0) for node in inputs]


def ran(
    listener: events.Listener,
    primitive: Primitive,
    inputs: Sequence[int],
    shown: Mapping[str, Any],
    out: Tensor,
    start: int,
    end: int,
    role: str = "op",
    overwrites: int = -1,
) -> int:
    """An op joined the graph and ran; gives its node. ``overwrites``: the node whose value it has overwritten."""
    graph = _told[1] if _told[0] is listener else graph_of(listener)
    storage = out._storage
    number = storage.number
    if number < 0:
        number = storage.number = next(_storages)
    version = version_of(storage)
    if _applied is not None:
        return _applied(
            graph, primitive.name, inputs, out._array, start, end, primitive.label, shown, scope, serving,
            number, version, role, overwrites,
        )  # fmt: skip
    node = listener.node_created(
        graph, primitive.name, _edges(inputs), type_of(out), role=role, label=primitive.label, attributes=shown or None,
        scope=scope, serves=serving,
    )  # fmt: skip
    listener.op_ran(node, out._array, start, end, storage=number, version=version)
    if overwrites >= 0:
        listener.variable_written(overwrites, out._array, "in-place", storage=number, version=version)
    return node


def failed(
    listener: events.Listener,
    primitive: Primitive,
    inputs: Sequence[int],
    shown: Mapping[str, Any],
    error: BaseException,
) -> None:
    """An op could not run: it joins the graph without a result."""
    node = listener.node_created(
        graph_of(listener),
        primitive.name,
        _edges(inputs),
        None,
        label=primitive.label,
        attributes=shown or None,
        scope=scope,
    )
    listener.op_failed(node, error)


def accumulate_node(listener: events.Listener, node: AccumulateGrad) -> int:
    """The id of an accumulate node, announced when its variable is first used by an op on the tape."""
    if node.node < 0:
        variable = node.variable
        node.node = listener.node_created(
            graph_of(listener), "accumulate", (), type_of(variable), role="accumulate", label=node.label,
            mirrors=node_of(listener, variable),
        )  # fmt: skip
        gradients.add(node.node)
    return node.node


def gradient_node(listener: events.Listener, node: GradNode) -> int:
    """The id of a gradient node; one made while nobody listened is announced now (without what it saved)."""
    if isinstance(node, AccumulateGrad):
        return accumulate_node(listener, node)
    if node.node < 0:
        op = node.primitive.name if node.primitive is not None else node.label
        node.node = listener.node_created(
            graph_of(listener), op, (), None, role="gradient", label=node.label, mirrors=node.forward
        )
    return node.node


def taped(listener: events.Listener, node: GradNode, operands: Sequence[Operand], out: Tensor) -> None:
    """An op was put on the tape: its gradient node joins the graph, and says where it will send gradients."""
    forward = out._node
    node.forward = forward
    following: list[int] = []
    places: list[int] = []
    for position, (edge, x) in enumerate(zip(node.edges, operands)):  # noqa: B905  (strict costs time at every op)
        if x.__class__ is Number:
            continue
        places.append(position)
        if edge is None:
            following.append(-1)
            continue
        target: Any = edge.target if edge.__class__ is Port else edge
        following.append(target.node if target.node >= 0 else gradient_node(listener, target))
    if len(places) < len(operands):
        node.places = tuple(places)
    saved: list[int] = []
    recipe = node.recipe
    if recipe is not None:
        for position in recipe.operands:
            x = operands[position]
            if x.__class__ is not Number:
                saved.append(x._node)
        if recipe.saves_out:
            saved.append(forward)
    graph = _told[1] if _told[0] is listener else graph_of(listener)
    primitive, label = node.primitive, node.label
    op = label if primitive is None else primitive.name
    if _taped is not None:
        node.node = _taped(graph, op, label, out._array, following, saved, forward, scope)
        return
    node.node = listener.node_created(
        graph, op, (), type_of(out), role="gradient", label=label, attributes={"next": tuple(following)}, saved=saved,
        mirrors=forward, scope=scope,
    )  # fmt: skip


def written(listener: events.Listener, tensor: Tensor, node: int, how: str = "in-place") -> None:
    """The values of ``node`` were overwritten."""
    listener.variable_written(
        node, tensor._array, how, storage=storage_number(tensor._storage), version=version_of(tensor._storage)
    )


def gradient_assigned(listener: events.Listener, tensor: Tensor, gradient: Tensor) -> None:
    """The program itself put ``gradient`` where ``.grad`` of ``tensor`` is kept."""
    if tensor._accumulate is None:
        tensor._accumulate = AccumulateGrad(tensor)
    written(listener, gradient, accumulate_node(listener, tensor._accumulate), "assign")


def gradient_ran(listener: events.Listener, node: GradNode, gradients: Sequence[Any], start: int, end: int) -> None:
    """A gradient node ran and sent ``gradients`` (one for each operand) on."""
    places = node.places
    arrays: Any = gradients if places is None or len(places) == len(gradients) else [gradients[i] for i in places]
    for gradient in arrays:
        if gradient is not None and gradient.__class__ is not _ndarray:
            arrays = [one if one is None else np.asarray(getattr(one, "_array", one)) for one in arrays]
            break
    listener.gradient_ran(node.node if node.node >= 0 else gradient_node(listener, node), arrays, start, end)


def taped_by_hand(
    listener: events.Listener, node: GradNode, operands: Sequence[Tensor], result: Tensor, op: str
) -> None:
    """A function with a hand-written gradient ran: it joins the graph as one op over its operands."""
    inputs = [(node_of(listener, x), 0) for x in operands]
    made = result._node
    if made >= 0 and made not in leaves and (made, 0) not in inputs:
        inputs = [(made, 0)]  # what forward computed leads here from the operands
    result._node = listener.node_created(graph_of(listener), op, inputs, type_of(result), label=op, scope=scope)
    now = events.clock()
    storage = storage_number(result._storage)
    listener.op_ran(result._node, result._array, now, now, storage=storage, version=version_of(result._storage))
    taped(listener, node, operands, result)

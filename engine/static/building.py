"""What happens around a new node: its type is worked out, a listener hears of it, or it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine import events
from engine.errors import DtypeError, ShapeError, StepgraphError
from engine.ops import TABLE
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.static.node import Node


def infer(op: str, types: Sequence[TensorType | None], attributes: Mapping[str, Any]) -> TensorType:
    """The result's type by the table's rule; a shape that is only known at run time stays unknown.

    :raises ShapeError: the shapes cannot go together (likewise :class:`DtypeError` for dtypes).
    """
    known = [t for t in types if t is not None]
    if len(known) != len(types):
        raise DtypeError(f"{op} reads a node that has no result")
    return TABLE[op].type_rule(*known, **attributes)


def announce(node: Node, listener: events.Listener) -> None:
    """Tell ``listener`` of a node, and let the node know the listener's id for it."""
    more: dict[str, Any] = {} if node.region is None else {"region": node.region.traced}
    node.traced = listener.node_created(
        node.graph.traced,
        node.op,
        [(n.traced, port) for n, port in node.inputs],
        node.type,
        role=node.role,
        label=node.label,
        name=node.name,
        attributes=node.attributes,
        control=[n.traced for n in node.control],
        mirrors=-1 if node.mirrors is None else node.mirrors.traced,
        serves=-1 if node.serves is None else node.serves.traced,
        scope=node.name.rpartition("/")[0],
        **more,
    )
    for region in node.regions:
        if region.traced >= 0:
            listener.region_owned(region.traced, node.traced)


def refused(node: Node, error: StepgraphError) -> StepgraphError:
    """Tell the listener about a node that could not be built, and the caller which node and shapes it was."""
    operands = ", ".join(f"{n.name} {n.type.shape if n.type else 'without a result'}" for n, _ in node.inputs)
    raised: StepgraphError = error
    if isinstance(error, ShapeError | DtypeError):
        text = f"cannot build node {node.name!r} ({node.op}) from {operands}: {error.message}"
        if isinstance(error, ShapeError):
            raised = ShapeError(text, op=node.op, shapes=tuple(n.shape for n, _ in node.inputs))
        else:
            raised = DtypeError(text)
    raised.node, raised.reason = node, error.message
    if events.listener is not None:
        announce(node, events.listener)
        events.listener.op_failed(node.traced, raised)
    return raised

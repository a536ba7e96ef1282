"""Values from outside: which nodes take them, in which dtype and shape; and errors that know their node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.errors import FeedError, StepgraphError
from engine.static.graph import Graph
from engine.static.node import Node
from engine.static.regions import WORDS

Array = NDArray[Any]
Door = tuple[Node, np.dtype[Any]]


def opened(graph: Graph, nodes: tuple[Node, ...]) -> tuple[Door, ...]:
    """What ``nodes`` take when they are fed.

    :raises FeedError: one of them cannot be fed.
    """
    found = []
    for node in nodes:
        if not isinstance(node, Node):
            raise FeedError(f"only nodes can be fed, not {type(node).__name__}: use the placeholder itself as the key")
        if node.graph is not graph:
            raise about(
                node,
                f"{node.name!r} cannot be fed: it belongs to another graph than this session; feed a placeholder of "
                "the session's own graph",
            )
        if node.type is None:
            raise about(node, f"{node.name!r} cannot be fed: it has no result; feed something that has one")
        if node.region is not None:
            where = f"{WORDS[node.region.name]} of {node.region.scope!r}"
            raise about(node, f"{node.name!r} cannot be fed: it lies in {where}; feed what that reads from outside")
        found.append((node, node.type.dtype))
    return tuple(found)


def convert(node: Node, value: Any, dtype: np.dtype[Any]) -> Array:
    """``value`` as an array of ``dtype``.

    :raises FeedError: it is no such value.
    """
    if isinstance(value, Node):
        raise about(node, f"{node.name!r} is fed the node {value.name!r}: feed a value (run the node first to get one)")
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError) as error:
        raise about(
            node, f"{node.name!r} takes {dtype} values, and {type(value).__name__} is no such value: {error}"
        ) from None


def check_shape(node: Node, array: Array) -> None:
    """``array`` has a shape that ``node`` takes.

    :raises FeedError: it has not.
    """
    shape = node.shape
    if shape is None:
        return
    if len(shape) != array.ndim or any(
        want is not None and want != got for want, got in zip(shape, array.shape, strict=True)
    ):
        wanted = str(tuple(shape)).replace("None", "?")
        text = f"{node.name!r} has shape {wanted}, a value of shape {array.shape} does not fit: feed one that does"
        raise about(node, text)


def about(node: Node, text: str) -> FeedError:
    """The error of a feed or fetch, which knows its node."""
    error = FeedError(text)
    error.node = node
    return error


def told(error: StepgraphError) -> StepgraphError:
    """``error``, after telling a listener which node it is about."""
    node = getattr(error, "node", None)
    if events.listener is not None and isinstance(node, Node):
        events.listener.op_failed(node.traced, error)
    return error


def again(value: Any) -> Any:
    """A fetch asked for more than once is handed out as arrays of their own."""
    return value.copy() if isinstance(value, np.ndarray) else value

"""Ops that bring values in from outside the graph or act there: iterators, readers, queues, savers.

In the engine's graph the results of such an op are doors (placeholders): before a session runs something that needs
them, it asks their source and feeds what it gives. An op that acts has no result; the session lets it act first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from engine import events
from engine.dialects.tensorflow import dtypes, errors
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static import Node
from engine.tensor_type import TensorType

Spec = tuple[dtypes.DType, TensorShape]
Act = Callable[["Run"], Sequence[Any] | None]


class Run:
    """One call of ``Session.run``, for those who act in it."""

    def __init__(self, session: Any, feeds: Mapping[Node, Any], op: Operation | None = None) -> None:
        self.session = session
        self.feeds = feeds
        self.op = op

    def value(self, given: Any) -> Any:
        """The value of ``given`` if it is a tensor, else ``given`` itself."""
        as_tensor = getattr(type(given), "_as_tensor", None)
        tensor = given if as_tensor is None else as_tensor(given)
        return self.session._run([tensor._node], dict(self.feeds))[0] if isinstance(tensor, Tensor) else given

    def failure(self, kind: type[errors.OpError], message: str) -> errors.OpError:
        """An error of this op, in TensorFlow's form."""
        return kind(None, self.op, f"{message}\n\t [[{{{{node {self.op.name if self.op else ''}}}}}]]")


def state_of(session: Any) -> dict[Any, Any]:
    """What sources keep in a session."""
    found: dict[Any, Any] = session.__dict__.setdefault("_sources", {})
    return found


def source(
    graph: Graph, label: str, name: str, specs: Sequence[Spec], act: Act, inputs: Sequence[Tensor] = ()
) -> Operation:
    """An op with a result for each of ``specs``: those that ``act`` gives in a run."""
    graph.check_open()
    nodes: list[Node] = []
    for dtype, shape in specs:
        sizes = None if shape.ndims is None else tuple(shape.as_list())
        kind = TensorType(dtype.base_dtype._numpy, sizes)
        title = name if not nodes else f"{nodes[0].name}:{len(nodes)}/"
        node = graph.core.add("placeholder", type=kind, name=title, label=label, role="input")
        if nodes:
            graph.hidden.add(node)
            graph.core.set_serves(node, nodes[0])
        nodes.append(node)
    op = graph.operation(nodes[0])
    op.outputs[:] = [Tensor(op, place, node) for place, node in enumerate(nodes)]
    op._inputs = list(inputs)
    for node in nodes:
        _known(graph)[node] = (op, nodes, act)
    return op


def action(graph: Graph, label: str, name: str, act: Act, after: Sequence[Node] = ()) -> Operation:
    """An op without a result that acts when it runs."""
    graph.check_open()
    node = graph.core.add("group", control=list(after), name=name, label=label, role="control")
    op = graph.operation(node)
    _known(graph)[node] = (op, [], act)
    return op


def _known(graph: Graph) -> dict[Node, tuple[Operation, list[Node], Act]]:
    found: dict[Node, tuple[Operation, list[Node], Act]] = graph.__dict__.setdefault("sources", {})
    return found


def asked(session: Any, nodes: Sequence[Node], feeds: dict[Node, Any]) -> dict[Node, Any]:
    """Let everything act that ``nodes`` need; gives the feeds, with what the sources gave."""
    known = _known(session.graph)
    wanted = [known[node] for node in _needed(nodes, feeds) if node in known]
    if not wanted:
        return feeds
    found = dict(feeds)
    done: set[Operation] = set()
    for op, results, act in sorted(wanted, key=lambda entry: entry[0]._node.index):
        if op in done:
            continue
        done.add(op)
        values = act(Run(session, found, op))  # which knows what the sources before it gave
        for node, value in zip(results, values or (), strict=True):
            found.setdefault(node, value)
    return found


def _needed(nodes: Sequence[Node], feeds: Mapping[Node, Any]) -> set[Node]:
    seen: set[Node] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if node in seen or node in feeds:
            continue
        seen.add(node)
        todo += [read for read, _ in node.inputs]
        todo += node.control
        for region in node.regions:
            todo += region.nodes
    return seen


@contextmanager
def quiet() -> Iterator[None]:
    """What happens inside is not recorded: it is part of what a single op does."""
    listener, events.listener = events.listener, None
    try:
        yield
    finally:
        events.listener = listener

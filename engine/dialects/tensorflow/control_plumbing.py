"""The ops by which TensorFlow 1 moves values into branches and loops: ``Switch``, ``Merge``, ``Enter``, ``Exit``.

The engine runs a branch or a loop as a whole, so nothing of this computes here. The ops are in the graph with their
names, in the real order, collapsed under the decision or loop; like the real ones they cannot be fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.errors import DtypeError, GraphError, ShapeError
from engine.static import Node
from engine.static.building_control import flatten, inside
from engine.static.regions import Region, visible
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.dialects.tensorflow.graph import Graph


class Context:
    """A decision or loop that is being built; ``entry`` is the type of op that brings a value from outside in."""

    def __init__(self, graph: Graph, entry: str) -> None:
        self.graph, self.entry = graph, entry
        self.outer: Context | None = graph.context
        self.parent: Region | None = graph.core._region
        self.region: Region | None = None
        self.known: set[Tensor] = set()
        self.made: list[Node] = []

    @contextmanager
    def part(self) -> Iterator[None]:
        """A branch, a condition or a body is being built now: the engine has just begun its region."""
        previous, self.graph.context = self.graph.context, self
        self.region = self.graph.core._region
        try:
            yield
        finally:
            self.graph.context = previous

    def add(self, tf_type: str, inputs: Sequence[Tensor], type: TensorType | None, name: str = "") -> Operation:
        """An op of the plumbing around this decision or loop."""
        return self._listed(tf_type, inputs, type, name or tf_type, self.outer)

    def brought(self, tensor: Tensor, again: bool = False) -> None:
        """``tensor`` is read in here: if it comes from outside an op brings it in, once (or ``again``)."""
        inner = not visible(tensor._node, self.parent)  # made in here, or in a decision or loop in here
        if inner or (tensor in self.known and not again):
            return
        self.known.add(tensor)
        if self.outer is not None:
            self.outer.brought(tensor)
        self._listed(self.entry, [tensor], tensor._node.type, self.entry, None)

    def finish(self, owner: Node) -> None:
        """All is built: the plumbing is shown under the node that runs the regions."""
        for node in self.made:
            self.graph.core.set_serves(node, owner)

    def _listed(
        self, tf_type: str, inputs: Sequence[Tensor], type: TensorType | None, name: str, reader: Context | None
    ) -> Operation:
        graph, core = self.graph, self.graph.core
        with inside(core, self.parent):
            if tf_type == "Enter":  # the one that the real session gives
                node = core.add("identity", [inputs[0]._node], name=name, label=tf_type, role="control")
            else:
                node = core.add("no_op", name=name, label=tf_type, type=type, role="control")
                graph.unfetchable.add(node)
        self.made.append(node)
        operation = graph.operation(node)
        if tf_type in ("Switch", "Merge"):
            operation.outputs.append(Tensor(operation, 1, node))
        operation._inputs = list(inputs)
        if reader is not None:
            reader.note(operation)
        return operation

    def note(self, operation: Operation) -> None:
        """A new op in here: bring in what it reads."""
        with self.graph.core.scope(f"{operation.name}/"):
            for tensor in operation.inputs:
                self.brought(tensor)


def output_tensors(graph: Graph, nodes: Any, *inputs: Sequence[Tensor]) -> list[Tensor]:
    """The tensors of ``output`` nodes. The node that owns the regions is no op of the real graph: it is not listed."""
    flat: list[Any] = []
    flatten(nodes, flat)
    tensors = []
    for place, node in enumerate(flat):
        graph.hidden.add(node.inputs[0][0])
        tensor = graph.tensor(node)
        tensor.op._inputs = [given[place] for given in inputs if place < len(given)]
        tensors.append(tensor)
    return tensors


def renamed(graph: Graph, node: Node, name: str, tf_type: str) -> Tensor:
    """A result under the name and type that it has in the real graph; the engine's own is not listed."""
    found = graph.core.add("identity", [node], name=f"{name}/", label=tf_type)
    graph.hidden.add(node)
    graph.core.set_serves(node, found)
    return graph.tensor(found)


def build_checked(graph: Graph, build: Callable[[], Any]) -> Any:
    """Build, with errors as TensorFlow has them."""
    try:
        return build()
    except (DtypeError, GraphError, ShapeError) as error:
        kind = TypeError if isinstance(error, DtypeError) else ValueError
        raise kind(str(error)) from None


def flow_of(leaf: Any) -> Any:
    """What a loop carries of a variable: of a ``TensorArray`` the flow."""
    return leaf.flow if hasattr(type(leaf), "with_flow") else leaf


def with_flow_of(leaf: Any, tensor: Tensor) -> Any:
    """The variable again, of what a loop carried for it."""
    return leaf.with_flow(tensor) if hasattr(type(leaf), "with_flow") else tensor

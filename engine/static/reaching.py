"""How the gradient of a branch or loop body sees the values of the forward run: they are handed out of the region.

A branch hands out a value as one more result; in the other branch a zero stands there. A loop body hands out one value
for each iteration: a stack. The loop that runs backwards reads one entry of the stack in each of its iterations.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from engine.static.building_control import inside, output
from engine.static.control_ops import LOOPS
from engine.static.graph import Graph
from engine.static.needs import Label, operand_labels
from engine.static.node import Node
from engine.static.regions import Region
from engine.tensor_type import TensorType


class Reach:
    """Where the gradient is built outside all forward regions: every node can be read as it is."""

    def __call__(self, node: Node) -> Node:
        return node


class BranchReach(Reach):
    """Inside the gradient of a branch: ``forward`` is the branch, ``here`` the region of the gradient."""

    def __init__(self, outer: Reach, forward: Region, here: Region) -> None:
        self.outer = outer
        self.forward = forward
        self.here = here
        self._known: dict[Node, Node] = {}

    def __call__(self, node: Node) -> Node:
        if node.region is not self.forward:
            return self.outer(node)
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._copied(node) if node.op == "constant" else self._fetched(node)
        return found

    def _copied(self, node: Node) -> Node:
        graph = node.graph
        with inside(graph, self.here):
            return graph.add(
                "constant", (), node.attributes, type=node.type, name=node.name.rpartition("/")[2], role="constant"
            )

    def _fetched(self, node: Node) -> Node:
        return self.outer(handed_out(node))


class BodyReach(BranchReach):
    """Inside the loop that runs backwards: values are entries of stacks. ``stacks`` are what the loop has to be given,
    in the order of its ``slice`` variables."""

    def __init__(self, outer: Reach, forward: Region, here: Region) -> None:
        super().__init__(outer, forward, here)
        self.stacks: list[Node] = []
        self._entries: dict[Node, Node] = {}

    def _fetched(self, node: Node) -> Node:
        owner = self.forward.owner
        assert owner is not None
        if node.op == "loop_variable":
            kind, index = node.attributes["kind"], node.attributes["index"]
            given = owner.inputs[operand_labels(owner).index((kind, index))][0]
            if kind == "slice":
                return self.entry(self.outer(given), node.type)
            if self.forward.results[index] is node:
                # The loop hands it on unchanged: it is what it was when the loop began.
                return self.outer(given)
        return self.entry(self.outer(handed_out(node)), node.type)

    def entry(self, stack: Node, type: TensorType | None) -> Node:
        """The variable of the loop that holds the entry of ``stack`` for each iteration."""
        found = self._entries.get(stack)
        if found is None:
            index = len(self.stacks)
            with inside(stack.graph, self.here):
                found = stack.graph.add("loop_variable", (), {"kind": "slice", "index": index}, type=type, name="slice")
            self.here.parameters["slice", index] = found
            self.stacks.append(stack)
            self._entries[stack] = found
        return found


def handed_out(node: Node) -> Node:
    """The node, outside the region of ``node``, that has its value (of a loop body: the stack of its values)."""
    region = node.region
    assert region is not None
    assert region.owner is not None
    found = region.handed_out.get(node)
    if found is None:
        found = region.handed_out[node] = _hand_out(node, region, region.owner)
    return found


def _hand_out(node: Node, region: Region, owner: Node) -> Node:
    graph, index = node.graph, len(region.results)
    first = owner.attributes["carried"] if owner.op in LOOPS else 0
    if node in region.results[first:]:
        index = region.results.index(node, first)
    else:
        region.results.append(node)
        if owner.op not in LOOPS:
            for other in owner.regions:
                if other is not region:
                    with at(graph, other):
                        other.results.append(_nothing(graph, node))
    if owner.op in LOOPS:
        type = node.type and TensorType(node.type.dtype, None if node.type.shape is None else (None, *node.type.shape))
        return picked(owner, ("stack", index - first), type)
    return picked(owner, ("value", index), node.type)


def picked(owner: Node, label: Label, type: TensorType | None) -> Node:
    """The ``output`` node for a result of ``owner``, made if there is none."""
    found = owner.regions[-1].picks.get(label)
    if found is None:
        with at(owner.graph, owner.region):
            found = output(owner.graph, owner, *label, type)
    return found


def _nothing(graph: Graph, node: Node) -> Node:
    """What stands for ``node`` in the branch that does not have it: zeros that take no memory. Gradients only read it
    where the same predicate leads to the other branch; sums of such gradients are computed everywhere, so that unknown
    sizes are 1, which fits any other."""
    dtype = np.dtype(np.float32) if node.type is None else node.type.dtype
    shape = tuple(1 if n is None else n for n in (node.type and node.type.shape) or ())
    value = np.broadcast_to(np.zeros((), dtype), shape)
    return graph.add("constant", (), {"value": value}, type=TensorType(dtype, shape), name="nothing", role="constant")


@contextmanager
def at(graph: Graph, region: Region | None) -> Iterator[None]:
    """New nodes lie in ``region`` and belong to nothing that is being built right now."""
    before = graph._mirrors, graph._serves, graph._role
    graph._mirrors, graph._serves, graph._role = None, None, "op"
    try:
        with inside(graph, region), graph.scope(None):
            yield
    finally:
        graph._mirrors, graph._serves, graph._role = before

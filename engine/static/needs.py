"""What the fetches of one plan need: nodes, and of every decision and loop only the results that somebody reads."""

from __future__ import annotations

from collections.abc import Container, Iterable

from engine.errors import FeedError
from engine.static.control_ops import LOOPS
from engine.static.node import Node
from engine.static.regions import Region

Label = tuple[str, int]
"""What an operand, loop variable or result of a control node is: ``("carried", 0)``, ``("slice", 1)``, ``("value",
0)``."""


def operand_labels(node: Node) -> list[Label]:
    """What each input of a control node is: its own operands in order, then what its regions capture."""
    given = node.attributes
    labels: list[Label] = []
    if node.op == "cond":
        labels.append(("pred", 0))
    elif node.op == "for_loop":
        labels.append(("count", 0))
    if node.op in LOOPS:
        labels += [("carried", k) for k in range(given["carried"])]
        labels += [("slice", j) for j in range(given.get("slices", 0))]
        if given.get("maximum"):
            labels.append(("maximum", 0))
    return labels + [("capture", i) for i in range(len(node.inputs) - len(labels))]


def result_of(region: Region, label: Label) -> Node | None:
    """The node of ``region`` that gives the result ``label`` of its owner (``None``: a condition gives none of
    them)."""
    owner, (kind, index) = region.owner, label
    assert owner is not None
    if owner.op == "cond":
        return region.results[index]
    if region.name == "condition" or kind == "count":
        return None
    return region.results[index + (owner.attributes["carried"] if kind == "stack" else 0)]


class Needs:
    """``nodes`` are all that a plan for ``fetches`` runs, inside regions too; ``results`` what of each control node is
    read.

    :raises FeedError: a placeholder among them is not in ``fed``.
    """

    def __init__(self, fetches: Iterable[Node], fed: Container[Node]) -> None:
        self.nodes: set[Node] = set()
        self.results: dict[Node, dict[Label, None]] = {}
        self._waiting: list[Node] = list(fetches)
        nodes, waiting = self.nodes, self._waiting
        while waiting:
            node = waiting.pop()
            if node in nodes and not node.regions:
                continue
            if node.regions:
                # Somebody waits for the decision or loop itself: all that the program made of it runs.
                self._owner(node, fed)
                for index in range(node.attributes["results"]):
                    self._result(node, ("value", index))
                continue
            nodes.add(node)
            if node in fed:
                continue
            if node.op == "placeholder":
                raise unfed(node)
            if node.op == "output":
                self._owner(node.inputs[0][0], fed)
                self._result(node.inputs[0][0], (node.attributes["kind"], node.attributes["index"]))
            elif node.op == "loop_variable":
                self._variable(node)
            else:
                for source, _ in node.inputs:
                    waiting.append(source)
            if node.control:
                waiting += node.control

    def _owner(self, node: Node, fed: Container[Node]) -> None:
        """What a decision or loop needs whatever is read of it: its own operands, its condition, effects."""
        if node in self.nodes:
            return
        self.nodes.add(node)
        self.results.setdefault(node, {})
        self._waiting += node.control
        for (source, _), (kind, _) in zip(node.inputs, operand_labels(node), strict=True):
            if kind in ("pred", "count", "maximum"):
                self._waiting.append(source)
        for region in node.regions:
            self._waiting += region.effects
            if region.name == "condition":
                self._waiting += region.results

    def _result(self, node: Node, label: Label) -> None:
        known = self.results.setdefault(node, {})
        if label in known:
            return
        known[label] = None
        for region in node.regions:
            found = result_of(region, label)
            if found is not None:
                self._waiting.append(found)
        if label[0] == "value" and node.op in LOOPS:
            self._operand(node, ("carried", label[1]))

    def _variable(self, node: Node) -> None:
        assert node.region is not None
        assert node.region.owner is not None
        kind, index = node.attributes["kind"], node.attributes["index"]
        if kind == "carried":
            self._result(node.region.owner, ("value", index))
        elif kind == "slice":
            self._operand(node.region.owner, ("slice", index))

    def _operand(self, node: Node, label: Label) -> None:
        self._waiting.append(node.inputs[operand_labels(node).index(label)][0])


def unfed(node: Node) -> FeedError:
    """The error for a placeholder without a value."""
    error = FeedError(
        f"placeholder {node.name!r} has no value: feed it when you run, for example run(fetch, {{{node.name}: ...}})"
    )
    error.node = node
    return error

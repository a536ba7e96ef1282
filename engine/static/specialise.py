"""From a graph to a draft for one plan: what the fetches need, with the shapes that these feeds have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.ops import TABLE
from engine.passes.blocks import Block
from engine.passes.draft import Draft, Step
from engine.static.concrete import Concrete, Types
from engine.static.graph import Graph
from engine.static.needs import Label, Needs, operand_labels, result_of, unfed
from engine.static.node import Node
from engine.static.regions import Region
from engine.tensor_type import TensorType

CLONED = frozenset({"constant", "variable"})
"""What a block does not capture but knows itself: it is the same wherever it is read."""


def draft_for(graph: Graph, fetches: Sequence[Node], fed: Mapping[Node, TensorType], *, whole: bool) -> Draft:
    """A draft for these feeds. With ``whole`` it begins as a copy of the entire graph (so that a viewer sees what
    dead code removal takes away); without, only what is needed is copied.

    :raises ShapeError: these feeds' shapes cannot go together.
    """
    needs = Needs(fetches, fed)
    concrete = Concrete(needs, fed)
    root = Draft([], [], frozenset())
    level = _Level(_Drafting(needs, concrete, fed, whole), None, None, root)
    everything = sorted(graph.nodes, key=lambda node: node.order) if whole else ()
    level.fill([node for node in everything if node.region is None] if whole else concrete.nodes_of(None))
    root.fetches = [level.table[node] for node in dict.fromkeys(fetches)]
    root.fed = frozenset(level.table[node] for node in fed if node in level.table)
    return root


class _Drafting:
    """What all levels of one draft have in common."""

    def __init__(self, needs: Needs, concrete: Concrete, fed: Mapping[Node, TensorType], whole: bool) -> None:
        self.needs = needs
        self.concrete = concrete
        self.fed = fed
        self.whole = whole


class _Level:
    """The draft itself, or a block in it: a step for each node, and ways to what lies outside."""

    def __init__(self, common: _Drafting, outer: _Level | None, region: Region | None, draft: Draft) -> None:
        self.common = common
        self.outer = outer
        self.region = region
        self.draft = draft
        self.table: dict[Node, Step] = {}
        self.first: list[Step] = []
        """Parameters, constants and variables: they come before everything else."""
        self.captures: dict[Node, Label] = {}
        """What the blocks of one control node capture, shared by them."""

    def fill(self, nodes: Sequence[Node]) -> None:
        """Make the steps of ``nodes``."""
        common, table = self.common, self.table
        types = common.concrete.types
        steps = []
        for node in nodes:
            boundary = node in common.fed
            if node.op == "loop_variable":
                self._parameter(node)
                continue
            step = Step(
                node.index,
                node.op,
                [],
                node.attributes,
                [],
                types.get(node, node.type),
                node.name,
                node.label,
                node.traced,
            )
            if node.regions:
                if not boundary:
                    self._own(step, node)
            elif not boundary or common.whole:
                count = len(node.inputs) if boundary or node not in types else _fix_shape(step, node, types)
                step.inputs = [(self.find(source), port) for source, port in node.inputs[:count]]
            if not boundary or common.whole:
                step.control = [table[source] for source in node.control if source in table]
            table[node] = step
            steps.append(step)
        self.draft.steps = [*self.first, *steps] if self.first else steps

    def find(self, node: Node) -> Step:
        """The step of ``node`` here: its own, a copy, or one that stands for its value outside."""
        step = self.table.get(node)
        if step is not None:
            return step
        assert isinstance(self.draft, Block), node
        kind = "capture" if node.op not in CLONED or node in self.common.fed else node.op
        type = self.common.concrete.types.get(node, node.type)
        step = Step(node.index, kind, [], node.attributes, [], type, node.name, node.label, node.traced)
        if kind == "capture":
            label = self.captures.setdefault(node, ("capture", len(self.captures)))
            self.draft.parameters[label] = step
        self.first.append(step)
        self.table[node] = step
        return step

    def _parameter(self, node: Node) -> None:
        assert isinstance(self.draft, Block)
        type = self.common.concrete.types.get(node, node.type)
        step = Step(node.index, node.op, [], node.attributes, [], type, node.name, node.label, node.traced)
        self.draft.parameters[node.attributes["kind"], node.attributes["index"]] = step
        self.first.append(step)
        self.table[node] = step

    def _own(self, step: Step, node: Node) -> None:
        """The blocks of a decision or loop, and what it hands to them."""
        common, labels = self.common, operand_labels(node)
        captures: dict[Node, Label] = {}
        blocks = []
        for region in node.regions:
            block = Block(region.name, self.draft.root, region.traced)
            inner = _Level(common, self, region, block)
            inner.captures = captures
            inner.fill(region.nodes if common.whole else common.concrete.nodes_of(region))
            self._results(node, region, inner, block)
            first = set(inner.first)
            block.steps = [*inner.first, *(one for one in block.steps if one not in first)]
            block.seal()
            blocks.append(block)
        step.blocks = tuple(blocks)
        used = {label for block in blocks for label in block.parameters}
        carrying = [block for block in blocks if block.name != "condition"]
        used.update(("carried", index) for block in carrying for kind, index in block.results if kind == "value")
        used.update({("pred", 0), ("count", 0), ("maximum", 0)})
        for (source, port), label in zip(node.inputs, labels, strict=True):
            if label[0] != "capture" and label in used:
                step.inputs.append((self.find(source), port))
                step.labels.append(label)
        for source, label in captures.items():
            step.inputs.append((self.find(source), 0))
            step.labels.append(label)

    def _results(self, node: Node, region: Region, inner: _Level, block: Block) -> None:
        if region.name == "condition":
            block.results["value", 0] = inner.find(region.results[0])
        else:
            for label in self._labels(node, region):
                found = result_of(region, label)
                if found is not None:
                    block.results[label] = inner.find(found)
        block.effects = [inner.find(one) for one in region.effects]

    def _labels(self, node: Node, region: Region) -> list[Label]:
        if not self.common.whole:
            return sorted(self.common.needs.results[node])
        carried = node.attributes.get("carried", len(region.results))
        return [("value", i) if i < carried else ("stack", i - carried) for i in range(len(region.results))]


def _fix_shape(step: Step, node: Node, types: Types) -> int:
    """An op that reads its shape from a node becomes the one with a fixed shape, now that the shape is known; returns
    how many of its inputs the step has."""
    plain = _PLAIN.get(step.op)
    if plain is None:
        return len(node.inputs)
    # The operands of the plain op come first; of the others only the shapes are read.
    count = len(TABLE[plain].inputs)
    references = [types[source] for source, _ in node.inputs[count:]]
    shapes: list[Any] = [t.shape for t in references if t is not None and t.is_known]
    if len(shapes) < len(references):
        return len(node.inputs)
    step.op = plain
    several = "shapes" in TABLE[plain].attributes
    step.attributes = {**step.attributes, **({"shapes": tuple(shapes)} if several else {"shape": shapes[0]})}
    return count


class _Plain(dict[str, str]):
    """For each ``like`` op the op that it is a relative of; filled when first asked, after every family is declared."""

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        if not self:
            self.update({op.like: op.name for op in TABLE.values() if op.like})
        return super().get(name, default)


_PLAIN = _Plain()

__all__ = ["draft_for", "unfed"]

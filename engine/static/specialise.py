"""From a graph to a draft for one plan: what the fetches need, with the shapes that these feeds have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import FeedError, StepgraphError
from engine.ops import TABLE
from engine.passes.draft import Draft, Step
from engine.static.building import infer
from engine.static.graph import Graph
from engine.static.node import Node
from engine.tensor_type import TensorType


def reachable(fetches: Sequence[Node], fed: Mapping[Node, TensorType]) -> list[Node]:
    """The nodes that ``fetches`` need, in the order in which they were built; fed nodes need nothing.

    :raises FeedError: a placeholder among them is not fed.
    """
    found: set[Node] = set()
    waiting = list(fetches)
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.add(node)
        if node in fed:
            continue
        if node.op == "placeholder":
            raise unfed(node)
        for source, _ in node.inputs:
            waiting.append(source)
        waiting.extend(node.control)
    return sorted(found, key=lambda n: n.index)


def unfed(node: Node) -> FeedError:
    """The error for a placeholder without a value."""
    error = FeedError(
        f"placeholder {node.name!r} has no value: feed it when you run, for example run(fetch, {{{node.name}: ...}})"
    )
    error.__dict__["node"] = node
    return error


def draft_for(graph: Graph, fetches: Sequence[Node], fed: Mapping[Node, TensorType], *, whole: bool) -> Draft:
    """A draft for these feeds. With ``whole`` it begins as a copy of the entire graph (so that a viewer sees what
    dead code removal takes away); without, only what is needed is copied.

    :raises ShapeError: these feeds' shapes cannot go together.
    """
    needed = reachable(fetches, fed)
    types = concrete_types(needed, fed)
    steps: dict[Node, Step] = {}
    for node in graph.nodes if whole else needed:
        boundary = node in fed
        inputs = [] if boundary and not whole else [(steps[source], port) for source, port in node.inputs]
        control = [] if boundary and not whole else [steps[source] for source in node.control]
        steps[node] = Step(
            node.index,
            node.op,
            inputs,
            node.attributes,
            control,
            types.get(node, node.type),
            node.name,
            node.label,
            node.traced,
        )
    for node in needed:
        if node not in fed:
            _fix_shape(steps[node], node, types)
    fetched = [steps[node] for node in dict.fromkeys(fetches)]
    return Draft(list(steps.values()), fetched, frozenset(steps[node] for node in fed if node in steps))


def concrete_types(needed: Sequence[Node], fed: Mapping[Node, TensorType]) -> dict[Node, TensorType | None]:
    """The type of each needed node for these feeds; dimensions that depend on values stay unknown."""
    types: dict[Node, TensorType | None] = {}
    for node in needed:
        known = node.type
        if node in fed:
            types[node] = fed[node]
        elif (
            known is None or (known.is_known and not any(source in fed for source, _ in node.inputs)) or not node.inputs
        ):
            types[node] = known
        else:
            given = [types[source] for source, _ in node.inputs]
            if all(t is source.type for t, (source, _) in zip(given, node.inputs, strict=True)):
                types[node] = known
                continue
            try:
                types[node] = infer(node.op, given, node.attributes)
            except StepgraphError as error:
                error.__dict__["node"] = node
                shapes = ", ".join(
                    f"{s.name} {t.shape if t else None}" for (s, _), t in zip(node.inputs, given, strict=True)
                )
                error.args = (f"cannot run node {node.name!r} ({node.op}) on {shapes}: {error}", *error.args[1:])
                raise
    return types


def _fix_shape(step: Step, node: Node, types: Mapping[Node, TensorType | None]) -> None:
    """An op that reads its shape from a node becomes the one with a fixed shape, now that the shape is known."""
    plain = _PLAIN.get(step.op)
    if plain is None:
        return
    # The operands of the plain op come first; of the others only the shapes are read.
    count = len(TABLE[plain].inputs)
    references = [types[source] for source, _ in node.inputs[count:]]
    shapes = [t.shape for t in references if t is not None and t.is_known]
    if len(shapes) < len(references):
        return
    step.op = plain
    step.inputs = step.inputs[:count]
    several = "shapes" in TABLE[plain].attributes
    step.attributes = {**step.attributes, **({"shapes": tuple(shapes)} if several else {"shape": shapes[0]})}


class _Plain(dict[str, str]):
    """For each ``like`` op the op that it is a relative of; filled when first asked, after every family is declared."""

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        if not self:
            self.update({op.like: op.name for op in TABLE.values() if op.like})
        return super().get(name, default)


_PLAIN = _Plain()

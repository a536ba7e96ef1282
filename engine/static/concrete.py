"""The type of every node of a plan, now that the shapes of the feeds are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from engine.errors import StepgraphError
from engine.static.building import infer
from engine.static.building_control import join_shapes
from engine.static.control_ops import LOOPS
from engine.static.needs import Label, Needs, operand_labels, result_of
from engine.static.node import Node
from engine.static.regions import Region
from engine.tensor_type import Shape, TensorType

Types = dict[Node, TensorType | None]
COUNT = TensorType(np.dtype("int32"), ())


class Concrete:
    """``types`` has the type of each needed node; dimensions that depend on values stay unknown.

    A loop is worked through until its variables keep their shapes: a dimension that changes from one iteration to the
    next is unknown.

    :raises ShapeError: these feeds' shapes cannot go together.
    """

    def __init__(self, needs: Needs, fed: Mapping[Node, TensorType]) -> None:
        self.types: Types = {}
        self._fed = fed
        self._needs = needs
        self._results: dict[Node, dict[Label, TensorType | None]] = {}
        self._by_region: dict[Region | None, list[Node]] = {}
        for node in sorted(needs.nodes, key=lambda one: one.order):
            self._by_region.setdefault(node.region, []).append(node)
        self._work(self._by_region.get(None, ()))

    def nodes_of(self, region: Region | None) -> list[Node]:
        """The needed nodes of a region, in the order in which they were built."""
        return self._by_region.get(region, [])

    def _work(self, nodes: Iterable[Node]) -> None:
        types, fed = self.types, self._fed
        for node in nodes:
            known = node.type
            if node in fed:
                types[node] = fed[node]
            elif node.regions:
                types[node] = None
                self._results[node] = self._loop(node) if node.op in LOOPS else self._decision(node)
            elif node.op == "output":
                label = (node.attributes["kind"], node.attributes["index"])
                types[node] = narrowed(known, self._results.get(node.inputs[0][0], {}).get(label))
            elif node.op == "loop_variable":
                types.setdefault(node, known)
            elif (
                known is None
                or (known.is_known and not any(source in fed for source, _ in node.inputs))
                or not node.inputs
            ):
                types[node] = known
            else:
                types[node] = self._inferred(node)

    def _inferred(self, node: Node) -> TensorType | None:
        given = [self.types[source] for source, _ in node.inputs]
        if all(t is source.type for t, (source, _) in zip(given, node.inputs, strict=True)):
            return node.type
        try:
            return infer(node.op, given, node.attributes)
        except StepgraphError as error:
            error.node, error.reason = node, error.message
            shapes = ", ".join(
                f"{s.name} {t.shape if t else None}" for (s, _), t in zip(node.inputs, given, strict=True)
            )
            error.args = (f"cannot run node {node.name!r} ({node.op}) on {shapes}: {error.message}", *error.args[1:])
            raise

    # -- decisions and loops -------------------------------------------------------------------------------------------
    def _decision(self, node: Node) -> dict[Label, TensorType | None]:
        found: dict[Label, TensorType | None] = {}
        for region in node.regions:
            self._work(self.nodes_of(region))
            for label in self._needs.results[node]:
                result = result_of(region, label)
                assert result is not None
                type = self.types[result]
                found[label] = type if label not in found else joined_types(found[label], type)
        return found

    def _loop(self, node: Node) -> dict[Label, TensorType | None]:
        condition, body = (None, *node.regions)[-2:]
        assert body is not None
        operands = {
            label: self.types.get(source) for label, (source, _) in zip(operand_labels(node), node.inputs, strict=True)
        }
        carried = [label[1] for label in self._needs.results[node] if label[0] == "value"]
        current = {k: narrowed(body.parameters["carried", k].type, operands["carried", k]) for k in carried}
        # Each round makes at least one dimension unknown.
        for _ in range(sum(len(t.shape or ()) + 1 for t in current.values() if t is not None) + 1):
            self._enter(body, current, operands)
            after = {k: self.types[_sure(result_of(body, ("value", k)))] for k in carried}
            widened = {k: joined_types(current[k], after[k]) for k in carried}
            if widened == current:
                break
            current = widened
        if condition is not None:
            self._enter(condition, current, operands)
        found: dict[Label, TensorType | None] = {("value", k): current[k] for k in carried}
        rows = next(
            (t.shape[:1] for (kind, _), t in operands.items() if kind == "slice" and t is not None and t.shape), (None,)
        )
        for label in self._needs.results[node]:
            if label[0] == "count":
                found[label] = COUNT
            elif label[0] == "stack":
                one = self.types[_sure(result_of(body, label))]
                found[label] = one and TensorType(one.dtype, None if one.shape is None else (*rows, *one.shape))
        return found

    def _enter(
        self, region: Region, carried: Mapping[int, TensorType | None], operands: Mapping[Label, TensorType | None]
    ) -> None:
        for (kind, index), node in region.parameters.items():
            if kind == "carried" and index in carried:
                self.types[node] = carried[index]
            elif kind == "slice":
                stack = operands["slice", index]
                inner = stack and TensorType(stack.dtype, None if stack.shape is None else stack.shape[1:])
                self.types[node] = narrowed(node.type, inner)
        self._work(self.nodes_of(region))


def _sure(node: Node | None) -> Node:
    assert node is not None
    return node


def narrowed(known: TensorType | None, found: TensorType | None) -> TensorType | None:
    """What two true statements about a type say together."""
    if known is None or found is None:
        return known
    if known.shape is None or found.shape is None or len(known.shape) != len(found.shape):
        return known if found.shape is None else found
    shape: Shape = tuple(a if b is None else b for a, b in zip(known.shape, found.shape, strict=True))
    return known if shape == known.shape else TensorType(known.dtype, shape)


def joined_types(a: TensorType | None, b: TensorType | None) -> TensorType | None:
    """The type of what is one of two: dimensions in which they differ are unknown."""
    if a is None or b is None:
        return None
    return a if a == b else TensorType(a.dtype, join_shapes(a.shape, b.shape))

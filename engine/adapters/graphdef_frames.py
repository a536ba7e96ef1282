"""Decisions and loops as TensorFlow 1 writes them: a decision is ``Switch`` and ``Merge``, a loop a frame of ``Enter``,
``Merge``, ``LoopCond``, ``Switch``, ``NextIteration`` and ``Exit``.

Frames, not functions: the nodes of a branch or body stay nodes of the one graph, with their names, and may read and
write its variables, which a function cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import GraphError
from engine.static.node import Node
from engine.static.regions import Region

if TYPE_CHECKING:
    from engine.adapters.graphdef_writer import Writer

_BOOL, _INT32 = np.dtype(np.bool_), np.dtype(np.int32)


class Frames:
    """Writes the owners of regions for a :class:`Writer`, and says by which name a region reads what surrounds it."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._pivots: dict[Region, str] = {}
        self._doors: dict[Region, tuple[str, dict[str, Any]]] = {}
        """How a value comes into a region: the predicate of its decision, or the frame of its loop."""
        self._entered: dict[tuple[Node, Region], str] = {}
        self._merged: dict[tuple[Node, int], str] = {}
        self._constants: set[str] = set()

    def name(self, node: Node, region: Region | None) -> str:
        """How a row in ``region`` reads the value of ``node``."""
        if region is None or node.region is region:
            return self._writer.names[node]
        known = self._entered.get((node, region))
        if known is None:
            known = self._entered[node, region] = self._enter(region, node)
        return known

    def pivot(self, region: Region) -> str:
        """What a row without operands waits for, so that it runs when its region does."""
        return self._pivots[region]

    def _enter(self, region: Region, node: Node) -> str:
        kind = self._writer.dtype_of(node)
        old = "Ref" if node.op == "variable" else ""
        pred, attributes = self._doors[region]
        outside = self.name(node, region.parent)
        if pred:
            made = self._row(region, f"{old}Switch", [outside, pred], T=kind)
            return f"{made}:1" if region.name == "true" else made
        made = self._row(region, f"{old}Enter", [outside], T=kind, is_constant=True, **attributes)
        self._constants.add(made)
        return made

    def constant(self, reads: Iterable[str]) -> bool:
        """Whether all of ``reads`` are the same in every pass of a loop: nothing says then in which part of it they
        are read."""
        return all(read in self._constants for read in reads)

    def _row(
        self, region: Region, op: str, reads: Sequence[str], control: Sequence[str] = (), **attributes: Any
    ) -> str:
        assert region.owner is not None
        name = self._writer.unique(f"{self._writer.names[region.owner]}/{op}")
        self._writer.row(name, op, reads, attributes, control)
        return name

    def _waits(self, nodes: Sequence[Node]) -> list[str]:
        return [f"^{self._writer.names[node]}" for node in nodes]

    # -- decisions ---------------------------------------------------------------------------------------------------
    def cond(self, node: Node) -> None:
        """The rows of a decision: both branches, and a merge for each result."""
        writer, home = self._writer, node.region
        pred = self.name(node.inputs[0][0], home)
        true, false = node.regions
        pred = self._row(true, "Identity", [pred], self._waits(node.control), T=_BOOL)
        switch = self._row(true, "Switch", [pred, pred], T=_BOOL)
        found: list[list[str]] = []
        for region, port in ((false, ""), (true, ":1")):
            self._pivots[region] = self._row(region, "Identity", [switch + port], T=_BOOL)
            self._doors[region] = (pred, {})
            writer.nodes(region)
            found.append(self._results(region))
        ends = []
        for i, given in enumerate(zip(*found, strict=True)):
            kind = writer.dtype_of(true.results[i]) if i < len(true.results) and true.results[i].type else _BOOL
            merged = self._row(true, "Merge", given, T=kind, N=2)
            self._merged[node, i] = merged
            ends.append(f"^{merged}")
        writer.row(writer.names[node], "NoOp", [], {}, ends)

    def _results(self, region: Region) -> list[str]:
        """What a branch hands on; at the end, that all it had to do is done."""
        waits, found = self._waits(region.effects), []
        for result in region.results:
            if result.type is None:
                after = [*waits, *self._waits([result] if result.region is region else [])]
                found.append(self._row(region, "Identity", [self._pivots[region]], after, T=_BOOL))
                continue
            kind, text = self._writer.dtype_of(result), self.name(result, region)
            found.append(self._row(region, "Identity", [text], waits, T=kind))
        found.append(self._row(region, "Identity", [self._pivots[region]], waits, T=_BOOL))
        return found

    # -- loops -------------------------------------------------------------------------------------------------------
    def loop(self, node: Node) -> None:
        """The rows of a ``while_loop``.

        :raises GraphError: it keeps the values of all its passes, for its gradient.
        """
        writer, count = self._writer, node.attributes["carried"]
        condition, body = node.regions
        if len(body.results) > count:
            raise GraphError(
                f"node {node.name!r} (while_loop): it keeps the values of all its passes for a gradient, which has no "
                "form in a GraphDef; write the graph without the gradients of this loop"
            )
        frame = {"frame_name": writer.names[node].encode(), "parallel_iterations": 10}
        waits = self._waits(node.control)
        starts = [self.name(read, node.region) for read, _ in node.inputs[:count]]
        kinds = [writer.dtype_of(read) for read, _ in node.inputs[:count]]
        if node.attributes.get("maximum"):
            starts.append(writer.beside(node, "counter", 0))
            kinds.append(_INT32)
        merges = []
        for start, kind in zip(starts, kinds, strict=True):
            entered = self._row(body, "Enter", [start], waits, T=kind, is_constant=False, **frame)
            merges.append(self._row(body, "Merge", [entered, entered], T=kind, N=2))
        for region in (condition, body):
            self._doors[region] = ("", frame)
        # Whatever stands in the condition waits for a value of this pass.
        self._pivots[condition] = merges[0]
        for (_, i), variable in condition.parameters.items():
            writer.row(writer.names[variable], "Identity", [merges[i]], {"T": kinds[i]})
        writer.nodes(condition)
        pred = self.name(condition.results[0], condition)
        if node.attributes.get("maximum"):
            limit = node.inputs[count][0]
            least = self.name(limit, condition)
            if writer.dtype_of(limit) != _INT32:
                least = self._row(condition, "Cast", [least], SrcT=writer.dtype_of(limit), DstT=_INT32, Truncate=False)
            below = self._row(condition, "Less", [merges[-1], least], T=_INT32)
            pred = self._row(condition, "LogicalAnd", [below, pred])
        pred = self._row(condition, "LoopCond", [pred], self._waits(condition.effects))
        switches = [self._row(body, "Switch", [merge, pred], T=kind) for merge, kind in zip(merges, kinds, strict=True)]
        given = [
            self._row(body, "Identity", [f"{switch}:1"], T=kind) for switch, kind in zip(switches, kinds, strict=True)
        ]
        self._pivots[body] = given[0]
        for (_, i), variable in body.parameters.items():
            writer.row(writer.names[variable], "Identity", [given[i]], {"T": kinds[i]})
        writer.nodes(body)
        after = [self.name(result, body) for result in body.results]
        if node.attributes.get("maximum"):
            one = self._row(body, "Const", [], [f"^{given[0]}"], dtype=_INT32, value=np.array(1, np.int32))
            after.append(self._row(body, "AddV2", [given[-1], one], T=_INT32))
        ends = []
        done = self._waits(body.effects)
        for i, (text, kind) in enumerate(zip(after, kinds, strict=True)):
            if done:
                text = self._row(body, "Identity", [text], done, T=kind)
            writer.rows[merges[i]].input[1] = self._row(body, "NextIteration", [text], T=kind)
            left = self._row(body, "Exit", [switches[i]], T=kind)
            self._merged[node, i] = left
            ends.append(f"^{left}")
        writer.row(writer.names[node], "NoOp", [], {}, ends)

    def output(self, node: Node) -> None:
        """The row that bears the name of one result."""
        writer, control = self._writer, node.inputs[0][0]
        kind, index = node.attributes["kind"], node.attributes["index"]
        if kind != "value" or (control, index) not in self._merged:
            raise GraphError(f"node {node.name!r}: the {kind} of a loop has no form in a GraphDef")
        merged, name = self._merged[control, index], writer.names[node]
        if node.type is None:
            writer.row(name, "NoOp", [], {}, [f"^{merged}"])
        else:
            writer.row(name, "Identity", [merged], {"T": node.type.dtype})

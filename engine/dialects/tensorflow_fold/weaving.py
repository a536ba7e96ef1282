"""Expressions of many examples as numbers that a loop reads: which calls run at which depth, on which rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.bridges.batching import Call, Cell, Part, Schedule
from engine.dialects.tensorflow_fold.types import TensorType


@dataclass(eq=False)
class LoomOp:
    """A function of tensors that calls of all examples share."""

    name: str
    function: Any
    inputs: tuple[TensorType, ...]
    outputs: tuple[TensorType, ...]
    number: int = -1
    cell: Cell = field(init=False)

    def __post_init__(self) -> None:
        self.cell = Cell(lambda *rows: rows, name=self.name, outputs=len(self.outputs))

    def __call__(self, *values: Value) -> list[Value]:
        """One call: its results are values too."""
        call = self.cell(*(value.source for value in values))
        if len(self.outputs) == 1:
            return [Value(self.outputs[0], call)]
        return [Value(kind, part) for kind, part in zip(self.outputs, call, strict=True)]  # type: ignore[call-overload]


@dataclass(frozen=True)
class Value:
    """A tensor that an example has: a call's result, or the number of a constant of its type."""

    type: TensorType
    source: Any


class Weaver:
    """Gathers the calls and constants of a batch. ``shared`` constants are tensors of the graph."""

    def __init__(self, types: Sequence[TensorType], ops: Sequence[LoomOp], shared: dict[TensorType, int]) -> None:
        self.types, self.ops = list(types), list(ops)
        self._shared = shared
        self.constants: dict[TensorType, list[NDArray[Any]]] = {kind: [] for kind in types}
        self._known: dict[Any, Value] = {}

    def constant(self, kind: TensorType, value: Any) -> Value:
        """A value that the program gives.

        :raises TypeError: it does not have the shape that the block says.
        """
        array = np.asarray(value, kind.numpy)
        if array.shape != kind.shape:
            raise TypeError(f"expected a tensor of shape {kind.shape}, but got {array.shape}: {value!r}"[:200])
        key = (kind, array.tobytes())
        found = self._known.get(key)
        if found is None:
            held = self.constants[kind]
            found = self._known[key] = Value(kind, self._shared.get(kind, 0) + len(held))
            held.append(array)
        return found

    def woven(self, roots: Sequence[Sequence[Value]]) -> Woven:
        """The numbers for a loop that computes the values of ``roots``: one list for each output."""
        return Woven(self, roots)


class Woven:
    """``depth`` iterations; ``lists[d][j]`` are the rows that list ``j`` names in iteration ``d``.

    Lists come in this order: for each type the rows that are passed on, then for each op and argument the rows that
    are read.
    """

    def __init__(self, weaver: Weaver, roots: Sequence[Sequence[Value]]) -> None:
        self._weaver = weaver
        calls = [value.source for column in roots for value in column if isinstance(value.source, Call | Part)]
        self.groups = Schedule(calls).groups if calls else []
        self.depth = max((group.depth for group in self.groups), default=0)
        self._last: dict[Any, int] = {}
        self._kinds: dict[Any, TensorType] = {}
        self._uses(roots)
        self.lists: list[list[list[int]]] = []
        rows = self._rows()
        self.outputs = [[rows[self._key(value.type, value.source)] for value in column] for column in roots]
        for group in self.groups:
            if events.listener is not None:
                events.listener.batched(group.depth, group.cell.name, group.rows, ())

    @staticmethod
    def _key(kind: TensorType, source: Any) -> Any:
        if isinstance(source, Part):
            return (source.call, source.index)
        return (source, 0) if isinstance(source, Call) else (kind, source)

    def _uses(self, roots: Sequence[Sequence[Value]]) -> None:
        """The depth at which each value is read for the last time."""
        of_cell = {op.cell: op for op in self._weaver.ops}
        for group in self.groups:
            op = of_cell[group.cell]
            for call in group.calls:
                for kind, source in zip(op.inputs, call.arguments, strict=True):
                    key = self._key(kind, source)
                    self._last[key] = max(self._last.get(key, 0), group.depth)
                    self._kinds[key] = kind
                for place, kind in enumerate(op.outputs):
                    self._kinds[call, place] = kind
        for column in roots:
            for value in column:
                key = self._key(value.type, value.source)
                self._last[key] = self.depth + 1
                self._kinds[key] = value.type

    def _rows(self) -> dict[Any, int]:
        """Work through the depths; gives the rows of what is there at the end."""
        types, ops = self._weaver.types, self._weaver.ops
        pools: dict[TensorType, list[Any]] = {kind: [] for kind in types}
        rows: dict[Any, int] = {}
        for kind in types:
            total = self._weaver._shared.get(kind, 0) + len(self._weaver.constants[kind])
            pools[kind] = [(kind, number) for number in range(total)]
            rows.update({key: row for row, key in enumerate(pools[kind])})
        by_depth: dict[int, dict[Any, list[Call]]] = {}
        for group in self.groups:
            by_depth.setdefault(group.depth, {}).setdefault(group.cell, []).extend(group.calls)
        for depth in range(1, self.depth + 1):
            lists: list[list[int]] = []
            new: dict[TensorType, list[Any]] = {}
            for kind in types:
                kept = [key for key in pools[kind] if self._last.get(key, 0) > depth]
                lists.append([rows[key] for key in kept])
                new[kind] = kept
            for op in ops:
                calls = by_depth.get(depth, {}).get(op.cell, [])
                for place, kind in enumerate(op.inputs):
                    lists.append([rows[self._key(kind, call.arguments[place])] for call in calls])
                for place, kind in enumerate(op.outputs):
                    new[kind] = [*new[kind], *((call, place) for call in calls)]
            self.lists.append(lists)
            pools = new
            rows = {key: row for kind in types for row, key in enumerate(pools[kind])}
        return rows

"""Several rows of a GraphDef for one node: for ops that are one here and several there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import GraphError
from engine.static.node import Node

if TYPE_CHECKING:
    from engine.adapters.graphdef_writer import Writer

Name = str
"""The name of a row, as others read it."""
INT32 = np.dtype(np.int32)
_MORE: dict[str, dict[str, Any]] = {
    "Sum": {"keep_dims": False, "Tidx": INT32},
    "Mean": {"keep_dims": False, "Tidx": INT32},
    "Max": {"keep_dims": False, "Tidx": INT32},
    "MatMul": {"transpose_a": False, "transpose_b": False},
    "BatchMatMulV2": {"adj_x": False, "adj_y": False},
    "Reshape": {"Tshape": INT32},
    "BroadcastTo": {"Tidx": INT32},
    "Transpose": {"Tperm": INT32},
    "ExpandDims": {"Tdim": INT32},
    "Tile": {"Tmultiples": INT32},
    "Pad": {"Tpaddings": INT32},
    "PadV2": {"Tpaddings": INT32},
    "Slice": {"Index": INT32},
    "Shape": {"out_type": INT32},
    "Size": {"out_type": INT32},
    "GatherV2": {"batch_dims": 0, "Taxis": INT32},
    "ReverseV2": {"Tidx": INT32},
    "Roll": {"Tshift": INT32, "Taxis": INT32},
    "MatrixBandPart": {"Tindex": INT32},
    "Cumsum": {"Tidx": INT32, "exclusive": False, "reverse": False},
    "Cumprod": {"Tidx": INT32, "exclusive": False, "reverse": False},
    "NotEqual": {"incompatible_shape_error": True},
}


class Rows:
    """``rows.Mul(a, b)`` adds a row and gives its name; ``rows.done(…)`` makes the row that bears the node's own name.

    Attributes that are not given are those of ordinary use, and ``T`` is the dtype of the node's first operand (of the
    node itself, if it has none).
    """

    def __init__(self, writer: Writer, node: Node) -> None:
        self._writer = writer
        self.node = node
        self.reads = [writer.read(read) for read, _ in node.inputs]
        self.sources = [read for read, _ in node.inputs]
        first = node.inputs[0][0] if node.inputs else node
        self.kind: np.dtype[Any] = writer.dtype_of(first)

    def __getitem__(self, name: str) -> Any:
        return self.node.attributes[name]

    def __getattr__(self, op: str) -> Callable[..., Name]:
        def add(*reads: Name, **attributes: Any) -> Name:
            return self.add(op, *reads, **attributes)

        return add

    def add(self, op: str, *reads: Name, **attributes: Any) -> Name:
        """A row of ``op`` beside the node's own."""
        name = self._writer.unique(f"{self._writer.names[self.node]}/{op}")
        self._writer.row(name, op, reads, self._filled(op, attributes))
        return name

    def done(self, op: str, *reads: Name, **attributes: Any) -> None:
        """The row whose value is the node's."""
        control = self._writer.waits(self.node.control)
        self._writer.row(self._writer.names[self.node], op, reads, self._filled(op, attributes), control)

    def hand_on(self, name: Name) -> None:
        """The value of row ``name`` is the node's."""
        self.done("Identity", name, T=self._writer.dtype_of(self.node))

    def _filled(self, op: str, attributes: dict[str, Any]) -> dict[str, Any]:
        filled = {"T": self.kind, **_MORE.get(op, {}), **attributes}
        return {key: value for key, value in filled.items() if value is not None}

    # -- constants and shapes ------------------------------------------------------------------------------------------
    def ints(self, word: str, values: Any, dtype: Any = np.int32) -> Name:
        """A constant of integers."""
        return self._writer.beside(self.node, word, values, dtype)

    def number(self, value: Any, word: str = "y") -> Name:
        """A constant of the dtype in which the rows compute."""
        return self._writer.beside(self.node, word, value, self.kind)

    def shape(self, place: int) -> Name:
        """The shape of operand ``place``: a constant if it is known."""
        return self.sizes("shape", self.sources[place].shape, self.reads[place], self.sources[place])

    def sizes(self, word: str, shape: Sequence[int | None] | None, of: Name = "", source: Node | None = None) -> Name:
        """``shape`` as a constant, or as the shape that row ``of`` has in a run."""
        if shape is not None and None not in shape:
            return self.ints(word, np.array(shape, np.int32))
        if source is None:
            raise self.refused(f"the {word} {tuple(shape or ())} is not known before the run")
        return self.add("Shape", of, T=self._writer.dtype_of(source))

    def rank(self, place: int = 0) -> int:
        """How many dimensions operand ``place`` has.

        :raises GraphError: that is not known.
        """
        shape = self.sources[place].shape
        if shape is None:
            raise self.refused(f"the rank of {self.sources[place].name!r} is not known")
        return len(shape)

    def axes(self, axis: Any, place: int = 0) -> list[int]:
        """``axis`` (``None``, a number or several) as a list from 0."""
        count = self.rank(place)
        if axis is None:
            return list(range(count))
        return sorted(a % count for a in ((axis,) if isinstance(axis, int) else axis))

    def known(self, place: int = 0) -> list[int]:
        """The sizes of operand ``place``; -1 for one that is not known."""
        shape = self.sources[place].shape
        if shape is None or sum(size is None for size in shape) > 1:
            raise self.refused(f"the shape of {self.sources[place].name!r} is not known")
        return [-1 if size is None else size for size in shape]

    def refused(self, why: str) -> GraphError:
        """The error for what has no form there."""
        return GraphError(f"node {self.node.name!r} ({self.node.op}): {why}, so it has no form in a GraphDef")

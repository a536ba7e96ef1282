"""From a GraphDef to a graph of ours."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.adapters import graphdef_ops as ops
from engine.adapters.graphdef_values import dtype_of, shape_of, tensor_of
from engine.errors import GraphError, StepgraphError
from engine.static.graph import Graph
from engine.static.node import Node
from engine.tensor_type import TensorType

_WORDS = 80


class Reader:
    """Builds :attr:`graph` node by node; names stay what they are.

    :raises GraphError: an op, dtype or attribute that this engine does not have; inputs that are not there; a cycle.
    """

    def __init__(self, message: Any, name: str = "") -> None:
        self.graph = Graph(name)
        self._made: dict[str, Node] = {}
        self._used: list[Node] = []
        self._rows = {row.name: row for row in message.node}
        if len(self._rows) < len(message.node):
            raise GraphError("two nodes of this GraphDef have the same name")
        for row in self._sorted(list(message.node)):
            try:
                node = self._made[row.name] = self._node(row)
                for operand in self._used:
                    self.graph.set_serves(operand, node)
            except StepgraphError as error:
                if str(error).startswith("node "):
                    raise
                raise GraphError(f"node {row.name[:_WORDS]!r} ({row.op[:_WORDS]}): {error}") from None
            except (TypeError, ValueError, IndexError, OverflowError) as error:
                raise GraphError(f"node {row.name[:_WORDS]!r} ({row.op[:_WORDS]}) cannot be read: {error}") from None

    def _sorted(self, rows: list[Any]) -> list[Any]:
        place = {row.name: i for i, row in enumerate(rows)}
        after: list[list[int]] = [[] for _ in rows]
        missing = []
        for i, row in enumerate(rows):
            reads = {_source(text) for text in row.input}
            for read in reads:
                if read not in place:
                    raise GraphError(
                        f"node {row.name[:_WORDS]!r} reads {read[:_WORDS]!r}, which is not in this GraphDef"
                    )
                after[place[read]].append(i)
            missing.append(len(reads))
        ready = [i for i, count in enumerate(missing) if not count]
        found = []
        while ready:
            i = heapq.heappop(ready)
            found.append(rows[i])
            for later in after[i]:
                missing[later] -= 1
                if not missing[later]:
                    heapq.heappush(ready, later)
        if len(found) < len(rows):
            stuck = next(row for row, count in zip(rows, missing, strict=True) if count)
            raise GraphError(
                f"node {stuck.name[:_WORDS]!r} ({stuck.op[:_WORDS]}) is in a cycle: old loops cannot be read"
            )
        return found

    def _node(self, row: Any) -> Node:
        if not row.name or row.name.endswith("/"):
            raise GraphError(f"{row.name!r} is no name for a node")
        inputs = [self._value(text) for text in row.input if not text.startswith("^")]
        self._control = [self._made[text[1:]] for text in row.input if text.startswith("^")]
        self._used.clear()
        self._row = row
        same = ops.SAME.get(row.op) or ops.ALSO.get(row.op)
        if same is not None:
            if row.op == "BiasAdd" and self._text("data_format", "NHWC") != "NHWC":
                raise GraphError("the data format must be NHWC")
            return self._add(same, inputs)
        if row.op in ops.REDUCTIONS:
            axes = self._fixed(inputs[1])
            axis = tuple(int(a) for a in axes.ravel())
            return self._add(ops.REDUCTIONS[row.op], inputs[:1], axis=axis, keepdims=self._flag("keep_dims"))
        if row.op in ops.PICKS:
            return self._pick(inputs)
        if row.op in ops.WRITES:
            return self._write(inputs)
        special = _SPECIAL.get("VariableV2" if row.op in ops.VARIABLES else row.op)
        if special is None:
            raise GraphError(
                f"node {row.name[:_WORDS]!r} is of the op {row.op[:_WORDS]!r}, which this engine does not have"
            )
        return special(self, inputs)

    def _value(self, text: str) -> Node:
        name, _, port = text.partition(":")
        if port not in ("", "0"):
            raise GraphError(f"it reads {text[:_WORDS]!r}: this engine's ops have one result")
        return self._made[name]

    # -- attributes and constant operands ----------------------------------------------------------------------------
    def _attr(self, name: str) -> Any:
        if name not in self._row.attr:
            raise GraphError(f"the attribute {name!r} is missing")
        return self._row.attr[name]

    def _flag(self, name: str) -> bool:
        return bool(self._row.attr[name].b) if name in self._row.attr else False

    def _number(self, name: str, default: int = 0) -> int:
        return int(self._row.attr[name].i) if name in self._row.attr else default

    def _text(self, name: str, default: str) -> str:
        return self._row.attr[name].s.decode("utf-8", "replace") if name in self._row.attr else default

    def _dtype(self, name: str) -> np.dtype[Any]:
        return dtype_of(self._attr(name).type, name)

    def _fixed(self, node: Node) -> np.ndarray[Any, Any]:
        """The value of an operand that must not depend on a run."""
        while node.op == "identity":
            node = node.inputs[0][0]
        if node.op != "constant":
            raise GraphError(f"its operand {node.name[:_WORDS]!r} must be a constant for this engine")
        self._used.append(node)
        return np.asarray(node.attributes["value"])

    def _sizes(self, node: Node) -> tuple[int, ...]:
        return tuple(int(n) for n in self._fixed(node).ravel())

    # -- making nodes ------------------------------------------------------------------------------------------------
    def _add(self, op: str, inputs: list[Node], **attributes: Any) -> Node:
        from engine.ops import TABLE

        _, bound = TABLE[op].bind(tuple(inputs), attributes)
        return self._raw(op, inputs, bound)

    def _raw(self, op: str, inputs: list[Node], attributes: dict[str, Any], name: str = "", **more: Any) -> Node:
        full = name or self._row.name
        self.graph.names.unique(full)
        return self.graph.add(
            op, inputs, attributes, name=f"{full}/", label=self._row.op, control=self._control, **more
        )

    def _pick(self, inputs: list[Node]) -> Node:
        axis = int(self._fixed(inputs[1]).reshape(()))
        wanted = self._dtype("output_type") if "output_type" in self._row.attr else np.dtype(np.int64)
        if wanted == np.int64:
            return self._add(ops.PICKS[self._row.op], inputs[:1], axis=axis)
        wide = self._raw(
            ops.PICKS[self._row.op], inputs[:1], {"axis": axis, "keepdims": False}, f"{self._row.name}/wide"
        )
        node = self._add("cast", [wide], dtype=wanted)
        self.graph.set_serves(wide, node)
        return node

    def _write(self, inputs: list[Node]) -> Node:
        node = self._raw(ops.WRITES[self._row.op], inputs, {}, role="update")
        if node.op == "assign" and self._row.name == f"{inputs[0].name}/Assign":
            self.graph.collect("initializers", node)
        return node

    def _placeholder(self, _inputs: list[Node]) -> Node:
        shape = shape_of(self._attr("shape").shape) if "shape" in self._row.attr else None
        return self._raw("placeholder", [], {}, type=TensorType(self._dtype("dtype"), shape), role="input")

    def _const(self, _inputs: list[Node]) -> Node:
        value = tensor_of(self._attr("value").tensor, "its value")
        value.flags.writeable = False
        kind = TensorType(value.dtype, value.shape)
        return self._raw("constant", [], {"value": value}, type=kind, role="constant")

    def _variable(self, _inputs: list[Node]) -> Node:
        kind = TensorType(self._dtype("dtype"), shape_of(self._attr("shape").shape))
        node = self._raw("variable", [], {}, type=kind, role="variable")
        self.graph.collect("variables", node)
        return node

    def _matmul(self, inputs: list[Node]) -> Node:
        batch = self._row.op.startswith("Batch")
        a, b = ("adj_x", "adj_y") if batch else ("transpose_a", "transpose_b")
        return self._add("matmul", inputs, transpose_a=self._flag(a), transpose_b=self._flag(b))

    def _squeeze(self, inputs: list[Node]) -> Node:
        axes = tuple(self._row.attr["squeeze_dims"].list.i) if "squeeze_dims" in self._row.attr else ()
        return self._add("squeeze", inputs, axis=tuple(int(a) for a in axes) or None)

    def _concat(self, inputs: list[Node]) -> Node:
        return self._add("concat", inputs[:-1], axis=int(self._fixed(inputs[-1]).reshape(())))

    def _take(self, inputs: list[Node]) -> Node:
        if self._number("batch_dims"):
            raise GraphError("batch_dims must be 0 for this engine")
        axis = int(self._fixed(inputs[2]).reshape(())) if len(inputs) > 2 else 0
        return self._add("take", inputs[:2], axis=axis)

    def _softmax(self, inputs: list[Node]) -> Node:
        return self._add("softmax" if self._row.op == "Softmax" else "log_softmax", inputs, axis=-1)

    def _pad(self, inputs: list[Node]) -> Node:
        widths = tuple((int(a), int(b)) for a, b in self._fixed(inputs[1]))
        value = self._fixed(inputs[2]).item() if len(inputs) > 2 else 0
        return self._add("pad", inputs[:1], widths=widths, value=value)

    def _clip(self, inputs: list[Node]) -> Node:
        low, high = (self._fixed(bound).item() for bound in inputs[1:])
        return self._add("clip", inputs[:1], low=low, high=high)

    def _no_op(self, _inputs: list[Node]) -> Node:
        return self._raw("group", [], {}, role="control")


_SPECIAL: dict[str, Callable[[Reader, list[Node]], Node]] = {
    "Placeholder": Reader._placeholder,
    "Const": Reader._const,
    "VariableV2": Reader._variable,
    "MatMul": Reader._matmul,
    "BatchMatMul": Reader._matmul,
    "BatchMatMulV2": Reader._matmul,
    "Squeeze": Reader._squeeze,
    "ConcatV2": Reader._concat,
    "GatherV2": Reader._take,
    "Gather": Reader._take,
    "Softmax": Reader._softmax,
    "LogSoftmax": Reader._softmax,
    "Pad": Reader._pad,
    "PadV2": Reader._pad,
    "ClipByValue": Reader._clip,
    "NoOp": Reader._no_op,
    "IsVariableInitialized": lambda r, i: r._add("is_initialized", i),
    "VarIsInitializedOp": lambda r, i: r._add("is_initialized", i),
    "Reshape": lambda r, i: r._add("reshape", i[:1], shape=r._sizes(i[1])),
    "Transpose": lambda r, i: r._add("transpose", i[:1], axes=r._sizes(i[1])),
    "ExpandDims": lambda r, i: r._add("expand_dims", i[:1], axis=int(r._fixed(i[1]).reshape(()))),
    "BroadcastTo": lambda r, i: r._add("broadcast_to", i[:1], shape=r._sizes(i[1])),
    "Tile": lambda r, i: r._add("tile", i[:1], repeats=r._sizes(i[1])),
    "Fill": lambda r, i: r._add("broadcast_to", i[1:], shape=r._sizes(i[0])),
    "Cast": lambda r, i: r._add("cast", i, dtype=r._dtype("DstT")),
    "Pack": lambda r, i: r._add("stack", i, axis=r._number("axis")),
}

READ = frozenset({*ops.SAME, *ops.ALSO, *ops.REDUCTIONS, *ops.PICKS, *ops.WRITES, *ops.VARIABLES, *_SPECIAL})
"""The ops of a GraphDef that are read."""


def _source(text: str) -> str:
    return text.removeprefix("^").partition(":")[0]

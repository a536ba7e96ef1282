"""From a GraphDef to a graph of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.adapters import graphdef_ops as ops
from engine.adapters.graphdef_dynamic import declared
from engine.adapters.graphdef_functions import CALLS, Library
from engine.adapters.graphdef_further import FURTHER
from engine.adapters.graphdef_structure import FRAMES, Builder, Structure, waits
from engine.adapters.graphdef_values import dtype_of, shape_of, tensor_of
from engine.errors import GraphError, StepgraphError, words_of
from engine.static.graph import Graph
from engine.static.node import Node
from engine.tensor_type import TensorType

_WORDS = 80


class Reader:
    """Builds the nodes of ``rows`` in ``graph``; names stay what they are, behind ``prefix``.

    A row has ``name``, ``op``, ``input`` and ``attr`` as a ``NodeDef`` has them; whether protobuf made it does not
    matter.

    :raises GraphError: an op, dtype or attribute that this engine does not have; inputs that are not there; a cycle.
    """

    def __init__(self, rows: Sequence[Any], graph: Graph, prefix: str = "", library: Library | None = None) -> None:
        self.graph, self.prefix = graph, prefix
        self.library = library or Library()
        self.arguments: dict[str, Node] = {}
        """What the arguments of a function stand for, if the rows are those of one."""
        self.made: dict[str, Node] = {}
        self._used: list[Node] = []
        self._rows = {row.name: row for row in rows}
        self._read = {text for row in rows for text in row.input}
        self.ports: dict[str, Node] = {}
        """Further outputs of a row, by how they are read: ``"name:1"``."""
        if len(self._rows) < len(rows):
            raise GraphError("two nodes of this GraphDef have the same name")

    def read(self) -> Graph:
        """Make the nodes of all rows."""
        Builder(self, Structure(list(self._rows.values())))
        return self.graph

    def make(self, row: Any) -> None:
        """The node of ``row``, whose operands are made."""
        try:
            node = self.made[row.name] = self._node(row)
            for operand in self._used:
                self.graph.set_serves(operand, node)
        except StepgraphError as error:
            if error.message.startswith("node "):
                raise
            raise GraphError(f"node {row.name[:_WORDS]!r} ({row.op[:_WORDS]}): {words_of(error)}") from None
        except (TypeError, ValueError, IndexError, OverflowError) as error:
            raise GraphError(f"node {row.name[:_WORDS]!r} ({row.op[:_WORDS]}) cannot be read: {error}") from None

    def _node(self, row: Any) -> Node:
        if not row.name or row.name.endswith("/"):
            raise GraphError(f"{row.name!r} is no name for a node")
        inputs = [self.value(text) for text in row.input if not text.startswith("^")]
        self.control = waits(
            (self.made.get(text[1:]) for text in row.input if text.startswith("^")), self.graph._region
        )
        self._used.clear()
        self.row = row
        same = ops.SAME.get(row.op) or ops.ALSO.get(row.op)
        if same is not None:
            if row.op == "BiasAdd" and self.word("data_format", "NHWC") != "NHWC":
                raise GraphError("the data format must be NHWC")
            return self.add(same, inputs)
        if row.op in ops.REDUCTIONS:
            if self.constant(inputs[1]) is None:
                return self.raw(declared(ops.REDUCTIONS[row.op]), inputs, {"keepdims": self.flag("keep_dims")})
            axes = self.fixed(inputs[1])
            axis = tuple(int(a) for a in axes.ravel())
            return self.add(ops.REDUCTIONS[row.op], inputs[:1], axis=axis, keepdims=self.flag("keep_dims"))
        if row.op in ops.PICKS:
            return self._pick(inputs)
        if row.op in ops.WRITES:
            return self._write(inputs)
        special = (
            FURTHER.get(row.op)
            or CALLS.get(row.op)
            or _SPECIAL.get("VariableV2" if row.op in ops.VARIABLES else row.op)
        )
        if special is None:
            raise GraphError(
                f"node {row.name[:_WORDS]!r} is of the op {row.op[:_WORDS]!r}, which this engine does not have"
            )
        return special(self, inputs)

    def value(self, text: str) -> Node:
        name, _, port = text.partition(":")
        if port not in ("", "0"):
            if text not in self.ports:
                raise GraphError(f"it reads {text[:_WORDS]!r}: this engine's ops have one result")
            return self.ports[text]
        if name not in self.made:
            raise GraphError(f"it reads {text[:_WORDS]!r}, which only has a value inside of its branch or loop")
        return self.made[name]

    def wants(self, port: int) -> bool:
        """Whether some row reads output ``port`` of the present one."""
        return f"{self.row.name}:{port}" in self._read

    # -- attributes and constant operands ----------------------------------------------------------------------------
    def attr(self, name: str) -> Any:
        if name not in self.row.attr:
            raise GraphError(f"the attribute {name!r} is missing")
        return self.row.attr[name]

    def flag(self, name: str) -> bool:
        return bool(self.row.attr[name].b) if name in self.row.attr else False

    def number(self, name: str, default: int = 0) -> int:
        return int(self.row.attr[name].i) if name in self.row.attr else default

    def word(self, name: str, default: str) -> str:
        return self.row.attr[name].s.decode("utf-8", "replace") if name in self.row.attr else default

    def dtype(self, name: str) -> np.dtype[Any]:
        return dtype_of(self.attr(name).type, name)

    def constant(self, node: Node) -> np.ndarray[Any, Any] | None:
        """The value of an operand that no run changes, or ``None``."""
        while node.op == "identity":
            node = node.inputs[0][0]
        return None if node.op != "constant" else np.asarray(node.attributes["value"])

    def fixed(self, node: Node) -> np.ndarray[Any, Any]:
        """The value of an operand that must not depend on a run."""
        while node.op == "identity":
            node = node.inputs[0][0]
        if node.op != "constant":
            raise GraphError(f"its operand {node.name[:_WORDS]!r} must be a constant for this engine")
        self._used.append(node)
        return np.asarray(node.attributes["value"])

    def sizes(self, node: Node) -> tuple[int, ...]:
        return tuple(int(n) for n in self.fixed(node).ravel())

    # -- making nodes ------------------------------------------------------------------------------------------------
    def add(self, op: str, inputs: list[Node], name: str = "", **attributes: Any) -> Node:
        """A node of ``op``; it bears the row's name unless another is given."""
        from engine.ops import TABLE

        _, bound = TABLE[op].bind(tuple(inputs), attributes)
        return self.raw(op, inputs, bound, name)

    def raw(
        self,
        op: str,
        inputs: list[Node],
        attributes: dict[str, Any],
        name: str = "",
        *,
        control: Sequence[Node] = (),
        **more: Any,
    ) -> Node:
        full = self.title(name or self.row.name)
        waited = [*self.control, *control]
        return self.graph.add(op, inputs, attributes, name=f"{full}/", label=self.row.op, control=waited, **more)

    def title(self, name: str) -> str:
        """What the node of this name is called in the graph."""
        full = self.prefix + name
        self.graph.names.unique(full)
        return full

    def _pick(self, inputs: list[Node]) -> Node:
        axis = int(self.fixed(inputs[1]).reshape(()))
        wanted = self.dtype("output_type") if "output_type" in self.row.attr else np.dtype(np.int64)
        if wanted == np.int64:
            return self.add(ops.PICKS[self.row.op], inputs[:1], axis=axis)
        wide = self.raw(ops.PICKS[self.row.op], inputs[:1], {"axis": axis, "keepdims": False}, f"{self.row.name}/wide")
        node = self.add("cast", [wide], dtype=wanted)
        self.graph.set_serves(wide, node)
        return node

    def _write(self, inputs: list[Node]) -> Node:
        node = self.raw(ops.WRITES[self.row.op], inputs, {}, role="update")
        if node.op == "assign" and f"{self.prefix}{self.row.name}" == f"{inputs[0].name}/Assign":
            self.graph.collect("initializers", node)
        return node

    def _placeholder(self, _inputs: list[Node]) -> Node:
        shape = shape_of(self.attr("shape").shape) if "shape" in self.row.attr else None
        return self.raw("placeholder", [], {}, type=TensorType(self.dtype("dtype"), shape), role="input")

    def _const(self, _inputs: list[Node]) -> Node:
        value = tensor_of(self.attr("value").tensor, "its value")
        value.flags.writeable = False
        kind = TensorType(value.dtype, value.shape)
        return self.raw("constant", [], {"value": value}, type=kind, role="constant")

    def _variable(self, _inputs: list[Node]) -> Node:
        kind = TensorType(self.dtype("dtype"), shape_of(self.attr("shape").shape))
        node = self.raw("variable", [], {}, type=kind, role="variable")
        self.graph.collect("variables", node)
        return node

    def _matmul(self, inputs: list[Node]) -> Node:
        batch = self.row.op.startswith("Batch")
        a, b = ("adj_x", "adj_y") if batch else ("transpose_a", "transpose_b")
        return self.add("matmul", inputs, transpose_a=self.flag(a), transpose_b=self.flag(b))

    def _squeeze(self, inputs: list[Node]) -> Node:
        axes = tuple(self.row.attr["squeeze_dims"].list.i) if "squeeze_dims" in self.row.attr else ()
        return self.add("squeeze", inputs, axis=tuple(int(a) for a in axes) or None)

    def _concat(self, inputs: list[Node]) -> Node:
        return self.add("concat", inputs[:-1], axis=int(self.fixed(inputs[-1]).reshape(())))

    def _take(self, inputs: list[Node]) -> Node:
        if self.number("batch_dims"):
            raise GraphError("batch_dims must be 0 for this engine")
        axis = int(self.fixed(inputs[2]).reshape(())) if len(inputs) > 2 else 0
        return self.add("take", inputs[:2], axis=axis)

    def _softmax(self, inputs: list[Node]) -> Node:
        return self.add("softmax" if self.row.op == "Softmax" else "log_softmax", inputs, axis=-1)

    def _pad(self, inputs: list[Node]) -> Node:
        widths = tuple((int(a), int(b)) for a, b in self.fixed(inputs[1]))
        value = self.fixed(inputs[2]).item() if len(inputs) > 2 else 0
        return self.add("pad", inputs[:1], widths=widths, value=value)

    def _clip(self, inputs: list[Node]) -> Node:
        low, high = (self.fixed(bound).item() for bound in inputs[1:])
        return self.add("clip", inputs[:1], low=low, high=high)

    def _no_op(self, _inputs: list[Node]) -> Node:
        return self.raw("group", [], {}, role="control")


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
    "IsVariableInitialized": lambda r, i: r.add("is_initialized", i),
    "VarIsInitializedOp": lambda r, i: r.add("is_initialized", i),
    "Reshape": lambda r, i: r.add("reshape", i[:1], shape=r.sizes(i[1])),
    "Transpose": lambda r, i: r.add("transpose", i[:1], axes=r.sizes(i[1])),
    "ExpandDims": lambda r, i: r.add("expand_dims", i[:1], axis=int(r.fixed(i[1]).reshape(()))),
    "BroadcastTo": lambda r, i: r.add("broadcast_to", i[:1], shape=r.sizes(i[1])),
    "Tile": lambda r, i: r.add("tile", i[:1], repeats=r.sizes(i[1])),
    "Fill": lambda r, i: r.add("broadcast_to", i[1:], shape=r.sizes(i[0])),
    "Cast": lambda r, i: r.add("cast", i, dtype=r.dtype("DstT")),
    "Pack": lambda r, i: r.add("stack", i, axis=r.number("axis")),
}

READ = frozenset(
    {
        *ops.SAME,
        *ops.ALSO,
        *ops.REDUCTIONS,
        *ops.PICKS,
        *ops.WRITES,
        *ops.VARIABLES,
        *_SPECIAL,
        *FURTHER,
        *CALLS,
        *FRAMES,
    }
)
"""The ops of a GraphDef that are read."""

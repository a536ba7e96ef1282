"""From a graph of ours to a GraphDef."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from engine.adapters import graphdef_ops as ops
from engine.adapters.graphdef_frames import Frames
from engine.adapters.graphdef_lowering import LOWERED
from engine.adapters.graphdef_messages import shape_message, tensor_message
from engine.adapters.graphdef_rows import Rows
from engine.adapters.graphdef_schema import AttrValue, GraphDef
from engine.adapters.graphdef_values import number_of
from engine.errors import GraphError
from engine.ops import TABLE
from engine.ops.registry import REQUIRED
from engine.static.graph import Graph
from engine.static.names import Names
from engine.static.node import Node
from engine.static.regions import Region

PRODUCER = 1087
"""The version of the format that is written."""


class Writer:
    """Fills :attr:`message`. Operands that are attributes here (axes, shapes) become constants beside their node.

    :raises GraphError: a node has no form there.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.message = GraphDef()
        self.message.versions.producer = PRODUCER
        self._names = Names()
        self.names: dict[Node, str] = {}
        nodes = sorted(graph.nodes, key=lambda node: node.order)
        for node in nodes:
            self.names[node] = self._names.unique(_valid(node.name))
        self._serving: dict[Node, list[Node]] = {}
        for node in nodes:
            if node.op == "constant" and node.serves is not None:
                self._serving.setdefault(node.serves, []).append(node)
        self._before = _reads_before_writes(nodes)
        self.rows: dict[str, Any] = {}
        self._region: Region | None = None
        self._frames = Frames(self)
        self.nodes(None)

    def nodes(self, region: Region | None) -> None:
        """The rows of all nodes of ``region`` (``None``: of the graph outside of all regions)."""
        around, self._region = self._region, region
        for node in sorted(self._graph.nodes if region is None else region.nodes, key=lambda node: node.order):
            if node.region is region and node.op != "loop_variable":
                self._node(node)
        self._region = around

    def read(self, node: Node) -> str:
        """How a row of the present region reads ``node``."""
        return self._frames.name(node, self._region)

    def waits(self, nodes: Iterable[Node]) -> list[str]:
        """What a row of the present region waits for; who owns the region waits for what lies outside."""
        return [f"^{self.names[one]}" for one in nodes if one.region is self._region]

    def _node(self, node: Node) -> None:
        theirs = ops.BACK.get(node.op)
        if theirs is not None:
            declared = TABLE[node.op].attributes
            odd = [key for key, value in node.attributes.items() if declared.get(key, REQUIRED) != value]
            if odd:
                raise GraphError(
                    f"node {node.name!r} ({node.op}): {odd[0]}={node.attributes[odd[0]]!r} has no form there"
                )
            attributes: dict[str, Any] = {} if theirs in ops.UNTYPED else {"T": self.dtype_of(node.inputs[-1][0])}
            if theirs == "AddN":
                attributes["N"] = len(node.inputs)
            self._put(node, theirs, **attributes)
            return
        special = _WRITE.get(node.op)
        if special is None and node.op in LOWERED:
            LOWERED[node.op](Rows(self, node))
            return
        if special is None:
            raise GraphError(f"node {node.name!r}: the op {node.op!r} has no form in a GraphDef")
        special(self, node)

    # -- rows --------------------------------------------------------------------------------------------------------
    def _put(self, node: Node, op: str, *extra: str, reads: Sequence[str] | None = None, **attributes: Any) -> None:
        if reads is None:
            reads = [self.read(read) for read, _ in node.inputs]
        self.row(self.names[node], op, [*reads, *extra], attributes, self.waits(node.control))

    def unique(self, name: str) -> str:
        """A name that no row has."""
        return self._names.unique(name)

    def row(
        self, name: str, op: str, reads: Sequence[str], attributes: dict[str, Any], control: Sequence[str] = ()
    ) -> None:
        """A row of the message."""
        row = self.rows[name] = self.message.node.add(name=name, op=op)
        row.input.extend([*reads, *control])
        if self._region is not None and op not in ("Enter", "RefEnter") and self._frames.constant(row.input):
            row.input.append(f"^{self._frames.pivot(self._region)}")
        for key, value in sorted(attributes.items()):
            row.attr[key].CopyFrom(_attribute(value))

    def beside(self, node: Node, word: str, value: Any, dtype: Any = np.int32) -> str:
        """The name of a new constant for an operand of ``node``."""
        array = np.asarray(value, dtype)
        for held in self._serving.get(node, ()):
            # A graph that was read from a GraphDef has the constant already.
            found = held.attributes["value"]
            if found.dtype == array.dtype and found.shape == array.shape and found.tobytes() == array.tobytes():
                return self.read(held)
        name = self._names.unique(f"{self.names[node]}/{word}")
        self.row(name, "Const", [], {"dtype": array.dtype, "value": array})
        return name

    def dtype_of(self, node: Node) -> np.dtype[Any]:
        """The dtype of the result of ``node``."""
        if node.type is None:
            raise GraphError(f"node {node.name!r} has no result")
        return node.type.dtype

    # -- ops ---------------------------------------------------------------------------------------------------------
    def _reduce(self, node: Node) -> None:
        theirs = next(name for name, ours in ops.REDUCTIONS.items() if ours == node.op)
        source, axis = node.inputs[0][0], node.attributes.get("axis")
        if node.attributes.get("ddof"):
            raise GraphError(f"node {node.name!r}: a mean over n - {node.attributes['ddof']} has no form there")
        if axis is None:
            axis = self._all_axes(source)
        at = self.beside(node, "reduction_indices", [axis] if isinstance(axis, int) else axis)
        typed: dict[str, Any] = {} if node.op in ("all", "any") else {"T": self.dtype_of(node)}
        reads = None
        if typed and self.dtype_of(node) != self.dtype_of(source):
            reads = [self.unique(f"{self.names[node]}/Cast")]  # bools are counted
            kinds = {"SrcT": self.dtype_of(source), "DstT": self.dtype_of(node), "Truncate": False}
            self.row(reads[0], "Cast", [self.read(source)], kinds)
        self._put(
            node, theirs, at, reads=reads, Tidx=np.dtype(np.int32), keep_dims=bool(node.attributes["keepdims"]), **typed
        )

    def _all_axes(self, source: Node) -> list[int]:
        if source.shape is None:
            raise GraphError(f"node {source.name!r} has an unknown rank: over which axes is not known")
        return list(range(len(source.shape)))

    def _pick(self, node: Node) -> None:
        source, axis = node.inputs[0][0], node.attributes["axis"]
        if node.attributes["keepdims"] or axis is None:
            raise GraphError(f"node {node.name!r}: {node.op} is written for one axis, without keepdims")
        theirs = "ArgMax" if node.op == "argmax" else "ArgMin"
        at = self.beside(node, "dimension", axis)
        self._put(node, theirs, at, T=self.dtype_of(source), Tidx=np.dtype(np.int32), output_type=np.dtype(np.int64))

    def _matmul(self, node: Node) -> None:
        kind = self.dtype_of(node)
        a, b = bool(node.attributes["transpose_a"]), bool(node.attributes["transpose_b"])
        if all(read.shape is not None and len(read.shape) == 2 for read, _ in node.inputs):
            self._put(node, "MatMul", T=kind, transpose_a=a, transpose_b=b)
        else:
            self._put(node, "BatchMatMulV2", T=kind, adj_x=a, adj_y=b)

    def _sized(self, node: Node, op: str, word: str, value: Sequence[int], **attributes: Any) -> None:
        if any(n is None for n in value):
            raise GraphError(f"node {node.name!r}: {word} {tuple(value)} is not known before the run")
        kind = self.dtype_of(node.inputs[0][0])
        self._put(node, op, self.beside(node, word, list(value)), T=kind, **attributes)

    def _transpose(self, node: Node) -> None:
        axes = node.attributes["axes"]
        chosen = self._all_axes(node.inputs[0][0])[::-1] if axes is None else axes
        self._sized(node, "Transpose", "perm", chosen, Tperm=np.dtype(np.int32))

    def _expand(self, node: Node) -> None:
        at = self.beside(node, "dim", node.attributes["axis"])
        self._put(node, "ExpandDims", at, T=self.dtype_of(node), Tdim=np.dtype(np.int32))

    def _squeeze(self, node: Node) -> None:
        axis = node.attributes["axis"]
        axes = [] if axis is None else [axis] if isinstance(axis, int) else list(axis)
        self._put(node, "Squeeze", T=self.dtype_of(node), squeeze_dims=axes)

    def _concat(self, node: Node) -> None:
        at = self.beside(node, "axis", node.attributes["axis"])
        self._put(node, "ConcatV2", at, N=len(node.inputs), T=self.dtype_of(node), Tidx=np.dtype(np.int32))

    def _take(self, node: Node) -> None:
        axis = node.attributes["axis"]
        if axis is None:
            raise GraphError(f"node {node.name!r}: taking from all elements in a row has no form there")
        places = self.dtype_of(node.inputs[1][0])
        kinds: dict[str, Any] = {"Tparams": self.dtype_of(node), "Tindices": places, "Taxis": np.dtype(np.int32)}
        self._put(node, "GatherV2", self.beside(node, "axis", axis), batch_dims=0, **kinds)

    def _softmax(self, node: Node) -> None:
        rank = node.shape and len(node.shape)
        if node.attributes["axis"] not in (-1, rank and rank - 1):
            raise GraphError(f"node {node.name!r}: {node.op} is written over the last axis only")
        self._put(node, "Softmax" if node.op == "softmax" else "LogSoftmax", T=self.dtype_of(node))

    def _clip(self, node: Node) -> None:
        low, high = node.attributes["low"], node.attributes["high"]
        if low is None or high is None:
            raise GraphError(f"node {node.name!r}: clip is written with both bounds")
        kind = self.dtype_of(node)
        bounds = [self.beside(node, "low", low, kind), self.beside(node, "high", high, kind)]
        self._put(node, "ClipByValue", *bounds, T=kind)

    def _pad(self, node: Node) -> None:
        kind = self.dtype_of(node)
        extra = [self.beside(node, "paddings", node.attributes["widths"])]
        extra.append(self.beside(node, "constant_values", node.attributes["value"], kind))
        self._put(node, "PadV2", *extra, T=kind, Tpaddings=np.dtype(np.int32))

    def _mean_squared_error(self, node: Node) -> None:
        if node.attributes["reduction"] not in ("mean", "sum"):
            raise GraphError(f"node {node.name!r}: the loss is written with the reduction mean or sum")
        source, kind = node.inputs[0][0], self.dtype_of(node)
        inner = self._names.unique(f"{self.names[node]}/SquaredDifference")
        self.row(inner, "SquaredDifference", [self.read(read) for read, _ in node.inputs], {"T": kind})
        at = self.beside(node, "reduction_indices", self._all_axes(source))
        theirs = "Mean" if node.attributes["reduction"] == "mean" else "Sum"
        self._put(node, theirs, at, reads=[inner], T=kind, Tidx=np.dtype(np.int32), keep_dims=False)

    def _group(self, node: Node) -> None:
        waits = dict.fromkeys(self.waits(read for read, _ in node.inputs))
        self._put(node, "NoOp", *waits, reads=[])

    def _shaped(self, node: Node) -> Any:
        return shape_message(node.shape)

    def _variable(self, node: Node) -> None:
        kind = {"dtype": self.dtype_of(node), "shape": self._shaped(node)}
        self._put(node, "VariableV2", container=b"", shared_name=b"", **kind)

    def _assign(self, node: Node) -> None:
        theirs = {"assign": "Assign", "assign_add": "AssignAdd", "assign_sub": "AssignSub"}[node.op]
        more: dict[str, Any] = {"validate_shape": True} if node.op == "assign" else {}
        waits = self.waits(self._before.get(node, ()))
        self._put(node, theirs, *waits, T=self.dtype_of(node.inputs[0][0]), use_locking=True, **more)


_WRITE: dict[str, Callable[[Writer, Node], None]] = {
    "placeholder": lambda w, n: w._put(n, "Placeholder", dtype=w.dtype_of(n), shape=w._shaped(n)),
    "constant": lambda w, n: w._put(n, "Const", dtype=w.dtype_of(n), value=n.attributes["value"]),
    "variable": Writer._variable,
    "assign": Writer._assign,
    "assign_add": Writer._assign,
    "assign_sub": Writer._assign,
    "group": Writer._group,
    "no_op": Writer._group,
    "is_initialized": lambda w, n: w._put(n, "IsVariableInitialized", dtype=w.dtype_of(n.inputs[0][0])),
    "cond": lambda w, n: w._frames.cond(n),
    "while_loop": lambda w, n: w._frames.loop(n),
    "output": lambda w, n: w._frames.output(n),
    "matmul": Writer._matmul,
    "reshape": lambda w, n: w._sized(n, "Reshape", "shape", n.attributes["shape"], Tshape=np.dtype(np.int32)),
    "broadcast_to": lambda w, n: w._sized(n, "BroadcastTo", "shape", n.attributes["shape"], Tidx=np.dtype(np.int32)),
    "tile": lambda w, n: w._sized(n, "Tile", "multiples", n.attributes["repeats"], Tmultiples=np.dtype(np.int32)),
    "transpose": Writer._transpose,
    "expand_dims": Writer._expand,
    "squeeze": Writer._squeeze,
    "concat": Writer._concat,
    "stack": lambda w, n: w._put(n, "Pack", N=len(n.inputs), T=w.dtype_of(n), axis=int(n.attributes["axis"])),
    "take": Writer._take,
    "cast": lambda w, n: w._put(n, "Cast", SrcT=w.dtype_of(n.inputs[0][0]), DstT=w.dtype_of(n), Truncate=False),
    "softmax": Writer._softmax,
    "log_softmax": Writer._softmax,
    "clip": Writer._clip,
    "pad": Writer._pad,
    "mse_loss": Writer._mean_squared_error,
    **dict.fromkeys(ops.REDUCTIONS.values(), Writer._reduce),
    **dict.fromkeys(ops.PICKS.values(), Writer._pick),
}

WRITTEN = frozenset({*ops.BACK, *_WRITE, *LOWERED})
"""Our ops that have a form in a GraphDef."""


def _reads_before_writes(nodes: Sequence[Node]) -> dict[Node, list[Node]]:
    """Which readers of its variable each write has to wait for: here they run in the order of the graph, TensorFlow
    only keeps the order that it is told. A reader that needs a placeholder which the write does not is left out."""
    doors: dict[Node, int] = {}
    readers: dict[Node, list[Node]] = {}
    before: dict[Node, list[Node]] = {}
    for place, node in enumerate(nodes):
        bits = 1 << place if node.op == "placeholder" else 0
        for read in (*(read for read, _ in node.inputs), *node.control):
            bits |= doors.get(read, 0)
        doors[node] = bits
        writes = node.op in ("assign", "assign_add", "assign_sub")
        if writes:
            known = {*(read for read, _ in node.inputs), *node.control}
            earlier = readers.get(node.inputs[0][0], ())
            before[node] = [one for one in earlier if one not in known and not doors[one] & ~bits]
        for read in dict.fromkeys(read for read, _ in node.inputs):
            if read.op == "variable" and not (writes and read is node.inputs[0][0]):
                readers.setdefault(read, []).append(node)
    return before


def _attribute(value: Any) -> Any:
    message = AttrValue()
    if isinstance(value, bool):
        message.b = value
    elif isinstance(value, int):
        message.i = value
    elif isinstance(value, float):
        message.f = value
    elif isinstance(value, bytes):
        message.s = value
    elif isinstance(value, np.dtype):
        message.type = number_of(value)
    elif isinstance(value, list):
        message.list.i.extend(value)
        message.list.SetInParent()
    elif isinstance(value, np.ndarray):
        message.tensor.CopyFrom(tensor_message(value))
    else:
        message.shape.CopyFrom(value)
    return message


def _valid(name: str) -> str:
    """``name`` with nothing in it that names there may not have."""
    found = re.sub(r"[^A-Za-z0-9_.\\/>-]", "_", name)
    return found if re.match(r"[A-Za-z0-9.]", found) else f"n{found}"

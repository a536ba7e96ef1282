"""Graphs as ``tf.GraphDef``: ``as_graph_def``, parts of them, freezing, writing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.attr_value import AttrValue
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.graph_def import PRODUCER, GraphDef, NodeDef, Versions
from engine.dialects.tensorflow.graph_import import import_graph_def
from engine.dialects.tensorflow.handles import Operation
from engine.dialects.tensorflow.labels import EXTRA
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.tensor_proto import NUMBERS, ShapeProto, TensorProto
from engine.errors import GraphError
from engine.static import Node
from engine.static.regions import Region
from engine.static.serialise.attributes import encoded, encoded_type

_UNTYPED = frozenset({"NoOp", "LogicalAnd", "LogicalOr", "LogicalNot", "Assert"})


def as_graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
    """The graph as data."""
    found = GraphDef(versions=Versions(PRODUCER))
    beside: dict[Node, list[Node]] = {}
    for node in graph.core.nodes:
        owner = node
        while owner in graph.hidden and owner.serves is not None:
            owner = owner.serves
        if node.regions and owner in graph.hidden:
            # A decision or loop is no op of TensorFlow's: it stands behind the first op that shows a result.
            owner = next(iter(node.regions[-1].picks.values()), owner)
        if owner is not node:
            beside.setdefault(owner, []).append(node)
    for op in graph.get_operations()[from_version or 0 :]:
        found.node.append(node_def(op, beside.get(op._node, ())))
    return found


def node_def(op: Operation, beside: Iterable[Node] = ()) -> NodeDef:
    """One op as data; ``beside`` are the engine's nodes that stand behind it."""
    node = NodeDef(op.name, op.type, op.device)
    node.input.extend(t.op.name if t.value_index == 0 else t.name for t in op.inputs)
    node.input.extend(f"^{waited.name}" for waited in op.control_inputs)
    _describe(node, op)
    node.seal(_own(op, beside))
    return node


_LISTS = {"AddN": 0, "Pack": 0, "ConcatV2": 1}
"""Ops that take a list, and how many inputs they have beside it."""


def _describe(node: NodeDef, op: Operation) -> None:
    core, attr = op._node, node.attr
    kind = AttrValue(type=NUMBERS[op.outputs[0].dtype.base_dtype.name]) if op.outputs else None
    if op.type == "Const":
        attr["dtype"] = kind or AttrValue()
        value = core.attributes.get("value")
        attr["value"] = AttrValue(tensor=TensorProto(np.zeros((), np.float32) if value is None else value))
    elif op.type in ("Placeholder", "VariableV2"):
        attr["dtype"] = kind or AttrValue()
        attr["shape"] = AttrValue(shape=ShapeProto(core.shape))
        if op.type == "VariableV2":
            attr["container"], attr["shared_name"] = AttrValue(s=b""), AttrValue(s=b"")
    elif op.type == "Cast" and op.inputs:
        attr["DstT"] = kind or AttrValue()
        attr["SrcT"] = AttrValue(type=NUMBERS[op.inputs[0].dtype.base_dtype.name])
    elif op.type not in _UNTYPED and (op.inputs or kind):
        source = op.inputs[0] if op.inputs else op.outputs[0]
        attr["T"] = AttrValue(type=NUMBERS[source.dtype.base_dtype.name])
    if op.type in _LISTS:
        attr["N"] = AttrValue(i=len(op.inputs) - _LISTS[op.type])
    for key, word in EXTRA.get(op.type, {}).items():
        attr[key] = AttrValue(b=bool(core.attributes.get(key)) or word == "true")
    if op.type in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any"):
        attr["keep_dims"] = AttrValue(b=bool(core.attributes.get("keepdims")))
        attr["Tidx"] = AttrValue(type=NUMBERS["int32"])


def _own(op: Operation, beside: Iterable[Node]) -> dict[str, Any]:
    nodes = sorted({*beside, op._node}, key=lambda one: one.index)
    try:
        return {"rows": [_row(node) for node in nodes], "outputs": [t._node.name for t in op.outputs]}
    except GraphError as error:
        return {"reason": str(error)}


def _row(node: Node) -> dict[str, Any]:
    attributes = dict(node.attributes)
    stream = attributes.get("generator")
    if isinstance(stream, Philox):
        attributes["generator"] = ("philox", *stream.start)
    found: dict[str, Any] = {} if node.region is None else {"region": _region_path(node.region)}
    if node.regions:
        found["regions"] = [
            {
                "path": _region_path(region), "scope": region.scope, "results": [one.name for one in region.results],
                "parameters": [[kind, i, one.name] for (kind, i), one in region.parameters.items()],
                "effects": [one.name for one in region.effects],
            }
            for region in node.regions
        ]  # fmt: skip
    return found | {
        "name": node.name, "op": node.op, "inputs": [[read.name, port] for read, port in node.inputs],
        "control": [waited.name for waited in node.control], "type": encoded_type(node.type), "label": node.label,
        "role": node.role, "serves": None if node.serves is None else node.serves.name,
        "attributes": {key: encoded(value, node.name) for key, value in attributes.items()},
    }  # fmt: skip


def _region_path(region: Region) -> list[str]:
    """The regions from the outside in, each by the node that owns it and its name."""
    return [f"{'' if one.owner is None else one.owner.name}:{one.name}" for one in reversed(list(region.around()))]


# -- parts of graphs -------------------------------------------------------------------------------------------------
def extract_sub_graph(graph_def: GraphDef, dest_nodes: Sequence[str]) -> GraphDef:
    """What ``dest_nodes`` need."""
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be an iterable of strings.")
    nodes = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise AssertionError(f"{name} is not in graph")
    seen: set[str] = set()
    todo = list(dest_nodes)
    while todo:
        name = todo.pop().lstrip("^").split(":")[0]
        if name not in seen:
            seen.add(name)
            todo += nodes[name].input
    found = GraphDef()
    found.node.extend(node for node in graph_def.node if node.name in seen)
    return found


def convert_variables_to_constants(
    sess: Any, input_graph_def: GraphDef, output_node_names: Sequence[str], variable_names_whitelist: Any = None,
    variable_names_blacklist: Any = None,
) -> GraphDef:  # fmt: skip
    """A frozen graph: what the outputs need, with this session's values of variables as constants."""
    found = extract_sub_graph(input_graph_def, output_node_names)
    for node in found.node:
        if node.op != "VariableV2":
            continue
        if variable_names_whitelist is not None and node.name not in variable_names_whitelist:
            continue
        if variable_names_blacklist is not None and node.name in variable_names_blacklist:
            continue
        value = np.asarray(sess.run(f"{node.name}:0"))
        node.op = "Const"
        node.attr.clear()
        node.attr["dtype"] = AttrValue(type=NUMBERS[value.dtype.name])
        node.attr["value"] = AttrValue(tensor=TensorProto(value))
    return found


def remove_training_nodes(input_graph: GraphDef, protected_nodes: Any = None) -> GraphDef:
    """Without checks of numbers (Identity nodes stay: each is one node of this engine too)."""
    found = GraphDef()
    found.CopyFrom(input_graph)
    return found


def write_graph(graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True) -> str:
    """Write a graph to a file, as text or in binary form; gives its path."""
    data = as_graph_def(graph_or_graph_def) if isinstance(graph_or_graph_def, Graph) else graph_or_graph_def
    os.makedirs(os.fspath(logdir) or ".", exist_ok=True)
    path = os.path.join(os.fspath(logdir), name)
    if as_text:
        with open(path, "w", encoding="utf-8") as text:
            text.write(data.file_text())
    else:
        with open(path, "wb") as file:
            file.write(data.SerializeToString())
    return path


GRAPH_UTIL = {
    "convert_variables_to_constants": convert_variables_to_constants, "extract_sub_graph": extract_sub_graph,
    "remove_training_nodes": remove_training_nodes, "import_graph_def": import_graph_def,
}  # fmt: skip

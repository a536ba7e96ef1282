"""Graphs out of and into ``tf.GraphDef``: ``as_graph_def``, ``import_graph_def``, freezing, writing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.graph_def import AttrValue, GraphDef, NodeDef
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.labels import EXTRA
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.tensor_proto import NUMBERS, ShapeProto, TensorProto
from engine.errors import GraphError, StepgraphError
from engine.static import Node
from engine.static.building_control import inside
from engine.static.regions import WORDS, Region
from engine.static.serialise.attributes import decoded, decoded_type, encoded, encoded_type

_UNTYPED = frozenset({"NoOp", "LogicalAnd", "LogicalOr", "LogicalNot", "Assert"})


# -- out -------------------------------------------------------------------------------------------------------------
def as_graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
    """The graph as data."""
    found = GraphDef()
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
    node.input = [t.op.name if t.value_index == 0 else t.name for t in op.inputs]
    node.input += [f"^{waited.name}" for waited in op.control_inputs]
    _describe(node, op)
    node.own = _own(op, beside)
    return node


def _describe(node: NodeDef, op: Operation) -> None:
    core, attr = op._node, node.attr
    kind = AttrValue("type", NUMBERS[op.outputs[0].dtype.base_dtype.name]) if op.outputs else None
    if op.type == "Const":
        attr["dtype"] = kind or AttrValue()
        value = core.attributes.get("value")
        attr["value"] = AttrValue("tensor", TensorProto(np.zeros((), np.float32) if value is None else value))
    elif op.type in ("Placeholder", "VariableV2"):
        attr["dtype"] = kind or AttrValue()
        attr["shape"] = AttrValue("shape", ShapeProto(core.shape))
        if op.type == "VariableV2":
            attr["container"], attr["shared_name"] = AttrValue("s", b""), AttrValue("s", b"")
    elif op.type == "Cast" and op.inputs:
        attr["DstT"] = kind or AttrValue()
        attr["SrcT"] = AttrValue("type", NUMBERS[op.inputs[0].dtype.base_dtype.name])
    elif op.type not in _UNTYPED and (op.inputs or kind):
        source = op.inputs[0] if op.inputs else op.outputs[0]
        attr["T"] = AttrValue("type", NUMBERS[source.dtype.base_dtype.name])
    for key, word in EXTRA.get(op.type, {}).items():
        attr[key] = AttrValue("b", bool(core.attributes.get(key)) or word == "true")
    if op.type in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any"):
        attr["keep_dims"] = AttrValue("b", bool(core.attributes.get("keepdims")))
        attr["Tidx"] = AttrValue("type", NUMBERS["int32"])


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


# -- in --------------------------------------------------------------------------------------------------------------
def import_graph_def(
    graph_def: Any, input_map: Mapping[str, Any] | None = None, return_elements: Sequence[str] | None = None,
    name: str | None = None, op_dict: Any = None, producer_op_list: Any = None,
) -> list[Any] | None:  # fmt: skip
    """Build what a ``GraphDef`` describes in the default graph, under ``name`` ("import").

    :raises ValueError: a name is taken, or an element asked for is not there.
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError(f"Argument `graph_def` must be a GraphDef proto. Received type: {type(graph_def).__name__}")
    graph = get_default_graph()
    graph.check_open()
    prefix = ""
    if name != "":
        with graph.name_scope(name or "import") as scope:
            prefix = scope
    return _Import(graph, graph_def, prefix, dict(input_map or {})).elements(return_elements)


class _Import:
    """Nodes by the names that they have in the data."""

    def __init__(self, graph: Graph, graph_def: GraphDef, prefix: str, given: dict[str, Any]) -> None:
        self.graph, self.prefix = graph, prefix
        self.nodes: dict[str, Node] = {}
        self.ops: dict[str, Operation] = {}
        self.regions: dict[tuple[str, ...], Region] = {}
        self.given = {self._plain(key): value for key, value in given.items()}
        names = {node.name for node in graph_def.node}
        unknown = [key for key in given if key.split(":")[0].lstrip("^") not in names]
        if unknown:
            raise ValueError("Attempted to map inputs that were not found in graph_def: [" + ", ".join(unknown) + "]")
        for node in graph_def.node:
            self._build(node)
        for node in graph_def.node:
            op = self.ops[node.name]
            op._inputs = [self._tensor(name) for name in node.input if not name.startswith("^")]

    @staticmethod
    def _plain(name: str) -> str:
        return name[:-2] if name.endswith(":0") else name

    def _tensor(self, name: str) -> Tensor:
        plain = self._plain(name)
        if plain in self.given:
            return self.given[plain]  # type: ignore[no-any-return]
        op, _, place = plain.partition(":")
        if op not in self.ops:
            raise ValueError(f"graph_def is invalid: input '{name}' is not there")
        return self.ops[op].outputs[int(place or 0)]

    def _source(self, name: str) -> Node:
        given = self.given.get(name)
        if given is not None:
            as_tensor = getattr(type(given), "_as_tensor", None)
            return (given if as_tensor is None else as_tensor(given))._node  # type: ignore[no-any-return]
        if name not in self.nodes:
            raise ValueError(f"graph_def is invalid: node '{name}' is read before it is there")
        return self.nodes[name]

    def _build(self, node: NodeDef) -> None:
        if "rows" not in node.own:
            reason = node.own.get("reason", "this engine imports what it has exported")
            raise NotImplementedError(f"tf.import_graph_def: node {node.name!r} ({node.op}) cannot be built: {reason}")
        core = self.graph.core
        try:
            rows = [self._add(row) for row in node.own["rows"]]
            own = self.nodes[node.name]
            outputs = [self.nodes[name] for name in node.own["outputs"]]
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"graph_def is invalid at node '{node.name}': {error}") from None
        except StepgraphError as error:
            raise ValueError(str(error)) from None
        for made in rows:
            if made is not own:
                self.graph.hidden.add(made)
                core.set_serves(made, own)
        op = self.ops[node.name] = self.graph.operation(own)
        op.outputs[:] = [Tensor(op, place, result) for place, result in enumerate(outputs)]

    def _add(self, row: Mapping[str, Any]) -> Node:
        core, full = self.graph.core, self.prefix + row["name"]
        if core.by_name(full) is not None:
            raise ValueError(f"Node name '{full}' already exists in the Graph")
        attributes = {key: decoded(value, full) for key, value in row["attributes"].items()}
        stream = attributes.get("generator")
        if isinstance(stream, tuple):
            attributes["generator"] = Philox(int(stream[1]), int(stream[2]))
        core.names.unique(full)
        owned = [self._owned(one) for one in row.get("regions", ())]
        with inside(core, self._region(row.get("region", ()))):
            node = self.nodes[row["name"]] = core.add(
                row["op"], [(self._source(name), int(port)) for name, port in row["inputs"]], attributes,
                name=f"{full}/", label=row["label"], role=row["role"], type=decoded_type(row["type"], full),
                control=[self._source(name) for name in row["control"]], regions=tuple(owned),
            )  # fmt: skip
        if node.op == "output":
            control = node.inputs[0][0]
            control.regions[-1].picks.setdefault((attributes["kind"], attributes["index"]), node)
        return node

    def _region(self, path: Sequence[str]) -> Region | None:
        """The branch or loop part that ``path`` leads to; none for the graph itself."""
        key = tuple(path)
        if not key:
            return None
        if key not in self.regions:
            owner, _, name = key[-1].rpartition(":")
            if name not in WORDS:
                raise KeyError(f"there is no part {name!r} of decisions and loops")
            self.regions[key] = Region(self.graph.core, name, self.prefix + owner, self._region(key[:-1]))
        return self.regions[key]

    def _owned(self, row: Mapping[str, Any]) -> Region:
        region = self._region(row["path"])
        if region is None:
            raise KeyError("a decision or loop has no parts")
        region.scope = self.prefix + str(row["scope"])
        region.results = [self._source(name) for name in row["results"]]
        region.parameters = {(str(kind), int(i)): self._source(name) for kind, i, name in row["parameters"]}
        region.effects = [self._source(name) for name in row["effects"]]
        return region

    def elements(self, wanted: Sequence[str] | None) -> list[Any] | None:
        if wanted is None:
            return None
        found: list[Any] = []
        for name in wanted:
            op, _, place = str(name).partition(":")
            if op not in self.ops or (place and int(place) >= len(self.ops[op].outputs)):
                raise ValueError(f"Requested return_element '{name}' not found in graph_def.")
            found.append(self.ops[op].outputs[int(place)] if place else self.ops[op])
        return found


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
        node.attr["dtype"] = AttrValue("type", NUMBERS[value.dtype.name])
        node.attr["value"] = AttrValue("tensor", TensorProto(value))
        (row,) = node.own["rows"]
        row.update(op="constant", label="Const", role="constant", attributes={"value": encoded(value, node.name)})
        node.own["outputs"] = [node.name]
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
            text.write(str(data))
    else:
        with open(path, "wb") as file:
            file.write(data.SerializeToString())
    return path


GRAPH_UTIL = {
    "convert_variables_to_constants": convert_variables_to_constants, "extract_sub_graph": extract_sub_graph,
    "remove_training_nodes": remove_training_nodes, "import_graph_def": import_graph_def,
}  # fmt: skip

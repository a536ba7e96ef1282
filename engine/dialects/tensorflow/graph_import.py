"""``tf.import_graph_def``: a graph out of data, which a program may have rewritten or another program written.

A node that is as this engine wrote it is built from its own form there (:mod:`graph_export`). Any other means what its
op, inputs and attributes say, and is built as the nodes of TensorFlow's own files are (:mod:`engine.adapters`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.adapters.graphdef_ops import SAME, UNTYPED
from engine.adapters.graphdef_reader import READ, Reader
from engine.adapters.graphdef_structure import FRAMES, ordered, source
from engine.adapters.graphdef_values import dtype_of
from engine.dialects.tensorflow.dtypes import from_numpy
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.graph_def import GraphDef, NodeDef
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.philox import Philox
from engine.errors import GraphError, StepgraphError, words_of
from engine.static import Node
from engine.static.building_control import inside
from engine.static.regions import WORDS, Region
from engine.static.serialise.attributes import decoded, decoded_type
from engine.tensor_type import TensorType


def import_graph_def(
    graph_def: Any, input_map: Mapping[str, Any] | None = None, return_elements: Sequence[str] | None = None,
    name: str | None = None, op_dict: Any = None, producer_op_list: Any = None,
) -> list[Any] | None:  # fmt: skip
    """Build what a ``GraphDef`` describes in the default graph, under ``name`` ("import").

    :raises ValueError: a name is taken, or an element asked for is not there.
    :raises NotImplementedError: it has ops that this engine does not have.
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    graph = get_default_graph()
    graph.check_open()
    prefix = ""
    given = {key: _tensor(value) for key, value in (input_map or {}).items()}
    for key, tensor in given.items():
        if tensor.graph is not graph:
            raise ValueError(
                f"node '{tensor.op.name}' in input_map does not exist in graph (input_map entry: {_full(key)}->"
                f"{tensor.name})"
            )
    if name != "":
        with graph.name_scope(name or "import") as scope:
            prefix = scope
    importer = _Importer(graph, graph_def, prefix, given)
    with graph.core.scope(None):
        importer.build()
    return importer.elements(return_elements)


_NODE = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")


def _tensor(value: Any) -> Tensor:
    from engine.dialects.tensorflow.build import convert

    return convert(value)


def _full(name: str) -> str:
    return name if ":" in name or name.startswith("^") else f"{name}:0"


def _plain(name: str) -> str:
    return name[:-2] if name.endswith(":0") else name


class _Importer(Reader):
    """Nodes by the names that they have in the data."""

    def __init__(self, graph: Graph, graph_def: GraphDef, prefix: str, given: dict[str, Tensor]) -> None:
        self.facade = graph
        self.nodes: list[NodeDef] = list(graph_def.node)
        self.given = {_plain(key): value for key, value in given.items()}
        self._check(given)
        super().__init__(self.nodes, graph.core, prefix)
        self.regions: dict[tuple[str, ...], Region] = {}
        self.built: dict[str, Node] = {}
        """The engine's nodes by their own names, also those behind an op."""
        self.changed: set[str] = set()
        """Nodes that were not built from their own form."""
        self.shown: set[str] = set()
        """Nodes that are operations of their own here."""

    def _check(self, given: Iterable[str]) -> None:
        """:raises ValueError: this is no graph."""
        names: set[str] = set()
        for node in self.nodes:
            if node.name in names:
                raise ValueError(f"Node '{node.name}' is not unique")
            names.add(node.name)
            if not _NODE.fullmatch(node.name):
                raise ValueError(f"Node '{node.name}': Node name contains invalid characters")
        read = {_plain(text.lstrip("^")) for node in self.nodes for text in node.input}
        unknown = [key for key in given if _plain(key.lstrip("^")) not in names | read]
        if unknown:
            raise ValueError("Attempted to map inputs that were not found in graph_def: [" + ", ".join(unknown) + "]")
        for node in self.nodes:
            for text in node.input:
                if source(text) not in names and _plain(text) not in self.given:
                    raise ValueError(f"Node '{node.name}': Unknown input node '{text}'")

    def build(self) -> None:
        """Make all nodes; operations show the inputs that the data says."""
        foreign = [node for node in self.nodes if not node.is_intact]
        unknown = sorted({node.op for node in foreign} - READ)
        if unknown:
            first = next(node for node in foreign if node.op in unknown)
            raise NotImplementedError(
                f"tf.import_graph_def: node {first.name!r} is of the op {first.op!r}, which this teaching engine "
                "cannot build from a GraphDef" + (f" (nor {', '.join(unknown)})" if len(unknown) > 1 else "")
            )
        try:
            if any(node.op in FRAMES for node in foreign):
                self.read()
            else:
                for node in self._in_order(foreign):
                    self.make(node)
        except GraphError as error:
            raise ValueError(words_of(error)) from None
        self._show_inputs()

    def _in_order(self, foreign: Sequence[NodeDef]) -> list[NodeDef]:
        if not foreign and all(node.own["input"] == node.input for node in self.nodes):
            return self.nodes
        here = {node.name for node in self.nodes}
        reads = {
            node.name: [source(text) for text in node.input if source(text) in here and _plain(text) not in self.given]
            for node in self.nodes
        }
        return ordered(self.nodes, reads)

    def _show_inputs(self) -> None:
        for node in self.nodes:
            if node.name in self.shown:
                op = self.facade.operation(self.made[node.name])
                op._inputs = [self._read_by(text) for text in node.input if not text.startswith("^")]

    def _read_by(self, text: str) -> Tensor:
        plain = _plain(text)
        if plain in self.given:
            return self.given[plain]
        name, _, port = plain.partition(":")
        if name not in self.shown:  # a door of a branch or loop: what goes through it
            return self.facade.tensor(self.value(text))
        return self.facade.operation(self.made[name]).outputs[int(port or 0)]

    # -- one node ----------------------------------------------------------------------------------------------------
    def make(self, row: Any) -> None:
        own = self._own_form(row)
        if own is not None:
            self._build_own(row, own)
            return
        if row.op not in READ:
            raise NotImplementedError(
                f"tf.import_graph_def: node {row.name!r} ({row.op}) reads what the program has changed, and this "
                "teaching engine cannot build such a node anew"
            )
        self._reading = row.name
        self._check_types(row)
        before = len(self.graph.nodes)
        with inside(self.graph, self._region_of(row)):
            super().make(row)
        self.changed.add(row.name)
        made = self.made[row.name]
        self.built[row.name] = made
        outputs = [made]
        while (further := self.ports.get(f"{row.name}:{len(outputs)}")) is not None:
            outputs.append(further)
        self._show(row.name, outputs, [one for one in self.graph.nodes[before:] if one is not made])

    def _check_types(self, row: NodeDef) -> None:
        """:raises ValueError: an op whose operands all have the dtype ``T`` has none, or another one."""
        if row.op not in SAME or row.op in UNTYPED or SAME[row.op] == "where":
            return
        if not row.attr.get("T"):
            raise ValueError(f"NodeDef missing attr 'T' from Op<name={row.op}>; NodeDef: {{{{node {row.name}}}}}")
        wanted = self._dtype_of(row)
        for place, text in enumerate(text for text in row.input if not text.startswith("^")):
            node = self.value(text)
            got = node.type.dtype if node.type is not None else wanted
            if got != wanted:
                raise ValueError(
                    f"Input {place} of node {self.prefix}{row.name} was passed {from_numpy(got)._message} from "
                    f"{self.prefix}{text}{'' if ':' in text else ':0'} incompatible with expected "
                    f"{from_numpy(wanted)._message}."
                )

    @staticmethod
    def _dtype_of(row: NodeDef) -> np.dtype[Any]:
        return dtype_of(row.attr["T"].type, "its attribute T")

    def _region_of(self, row: NodeDef) -> Region | None:
        """An edited node stays in the branch or loop in which it was."""
        rows = row.own.get("rows") or [{}]
        return self.graph._region if not row.own else self._region(rows[-1].get("region", ()))

    def _show(self, name: str, outputs: Sequence[Node], behind: Iterable[Node]) -> None:
        for node in behind:
            if node not in self.facade.hidden:
                self.facade.hidden.add(node)
                self.graph.set_serves(node, outputs[0])
        self.shown.add(name)
        op = self.facade.operation(self.made[name])
        op.outputs[:] = [Tensor(op, place, node) for place, node in enumerate(outputs)]

    def title(self, name: str) -> str:
        """A name that the graph has already gets a number, as everywhere."""
        return self.graph.names.unique(self.prefix + name)

    def wants(self, port: int) -> bool:
        return True

    def value(self, text: str) -> Node:
        given = self.given.get(_plain(text))
        if given is not None:
            return given._node
        name, _, port = _plain(text).partition(":")
        if port and text not in self.ports and name in self.made and name not in self.changed:
            outputs = self.facade.operation(self.made[name]).outputs
            if int(port) < len(outputs):
                return outputs[int(port)]._node
        if port and name in self.shown and text not in self.ports:
            count = len(self.facade.operation(self.made[name]).outputs)
            raise ValueError(
                f"Node '{self._reading}': Connecting to invalid output {port} of source node {name} which has {count} "
                "outputs."
            )
        return super().value(text)

    def _const(self, _inputs: list[Node]) -> Node:
        value = np.array(self.attr("value").tensor._array)
        value.flags.writeable = False
        kind = TensorType(value.dtype, value.shape)
        return self.raw("constant", [], {"value": value}, type=kind, role="constant")

    # -- the engine's own form of a node -----------------------------------------------------------------------------
    def _own_form(self, node: NodeDef) -> dict[str, str] | None:
        """New names for the old ones in the own form of ``node``; none where that form no longer holds."""
        if not node.is_intact or len(node.own["input"]) != len(node.input):
            return None
        rows = node.own["rows"]
        names = {row["name"] for row in rows}
        read = {name for row in rows for name, _ in row["inputs"]} | {name for row in rows for name in row["control"]}
        renamed: dict[str, str] = {node.own["name"]: node.name} if node.own["name"] != node.name else {}
        for old, new in zip(node.own["input"], node.input, strict=True):
            plain = _plain(old.lstrip("^"))
            if plain not in read:
                # An attribute here: its value stands in the form, so that the constant must be what it was.
                if old != new or plain in self.changed or plain in self.given:
                    return None
            elif old != new and renamed.setdefault(plain, _plain(new.lstrip("^"))) != _plain(new.lstrip("^")):
                return None
        for name in read - names:
            if renamed.get(name, name) not in self.built and renamed.get(name, name) not in self.given:
                return None
        return renamed

    def _build_own(self, node: NodeDef, renamed: Mapping[str, str]) -> None:
        try:
            rows = [self._add(row, renamed) for row in node.own["rows"]]
            own = self.made[node.name] = self.built[node.name]
            outputs = [self.built[renamed.get(name, name)] for name in node.own["outputs"]]
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"graph_def is invalid at node '{node.name}': {error}") from None
        except StepgraphError as error:
            raise ValueError(str(error)) from None
        self._show(node.name, outputs, [made for made in rows if made is not own])

    def _source(self, name: str, renamed: Mapping[str, str]) -> Node:
        name = renamed.get(name, name)
        return self.given[name]._node if name in self.given else self.built[name]

    def _add(self, row: Mapping[str, Any], renamed: Mapping[str, str]) -> Node:
        core, name = self.graph, renamed.get(row["name"], row["name"])
        full = self.title(name)
        attributes = {key: decoded(value, full) for key, value in row["attributes"].items()}
        stream = attributes.get("generator")
        if isinstance(stream, tuple):
            attributes["generator"] = Philox(int(stream[1]), int(stream[2]))
        owned = [self._owned(one, renamed) for one in row.get("regions", ())]
        with inside(core, self._region(row.get("region", ()))):
            node = self.built[name] = core.add(
                row["op"], [(self._source(read, renamed), int(port)) for read, port in row["inputs"]], attributes,
                name=f"{full}/", label=row["label"], role=row["role"], type=self._type(row, renamed),
                control=[self._source(read, renamed) for read in row["control"]], regions=tuple(owned),
            )  # fmt: skip
        if node.op == "output":
            control = node.inputs[0][0]
            control.regions[-1].picks.setdefault((attributes["kind"], attributes["index"]), node)
        return node

    def _type(self, row: Mapping[str, Any], renamed: Mapping[str, str]) -> TensorType | None:
        """The type of the form; worked out anew where a changed node is read."""
        anew = any(renamed.get(name, name) in self.changed or name in renamed for name, _ in row["inputs"])
        return None if anew and row["inputs"] else decoded_type(row["type"], row["name"])

    def _region(self, path: Sequence[str]) -> Region | None:
        """The branch or loop part that ``path`` leads to; none for the graph itself."""
        key = tuple(path)
        if not key:
            return None
        if key not in self.regions:
            owner, _, name = key[-1].rpartition(":")
            if name not in WORDS:
                raise KeyError(f"there is no part {name!r} of decisions and loops")
            self.regions[key] = Region(self.graph, name, self.prefix + owner, self._region(key[:-1]))
        return self.regions[key]

    def _owned(self, row: Mapping[str, Any], renamed: Mapping[str, str]) -> Region:
        region = self._region(row["path"])
        if region is None:
            raise KeyError("a decision or loop has no parts")
        region.scope = self.prefix + str(row["scope"])
        region.results = [self._source(name, renamed) for name in row["results"]]
        region.parameters = {(str(kind), int(i)): self._source(name, renamed) for kind, i, name in row["parameters"]}
        region.effects = [self._source(name, renamed) for name in row["effects"]]
        return region

    def elements(self, wanted: Sequence[str] | None) -> list[Any] | None:
        """What the caller asked for by name."""
        if wanted is None:
            return None
        found: list[Any] = []
        for name in wanted:
            op, _, place = str(name).partition(":")
            if op not in self.made:
                word = "tensor" if place else "node"
                raise ValueError(f"Requested return {word} '{name}' not found in graph def")
            operation = self.facade.operation(self.made[op])
            if place and int(place) >= len(operation.outputs):
                count = len(operation.outputs)
                raise ValueError(f"Invalid return output {place} of node '{op}', which has {count} output(s)")
            found.append(operation.outputs[int(place)] if place else operation)
        return found

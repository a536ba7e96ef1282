"""Exported programs in files: the graph, its signature and its tensors, so that they run without their source."""

from __future__ import annotations

import pickle
import zipfile
from dataclasses import dataclass
from typing import Any

from engine.dialects.torch.export.exported import ExportedProgram, ExportGraphSignature
from engine.dialects.torch.export.operators import OpOverload, overload
from engine.dialects.torch.fx.graph import Graph
from engine.dialects.torch.fx.graph_module import GraphModule
from engine.dialects.torch.fx.node import Node, map_aggregate
from engine.dialects.torch.nn.module import Module

_ENTRY, _FORMAT = "model/stepgraph.pickle", "stepgraph exported program 1"


@dataclass(frozen=True)
class _Ref:
    """A node among the arguments of another: the one with this number."""

    number: int


def save(
    ep: Any, f: Any, *, extra_files: dict[str, Any] | None = None, opset_version: Any = None, pickle_protocol: int = 2
) -> None:
    """Write an exported program to a path or a file that was opened for it.

    :raises TypeError: it is something else.
    """
    if not isinstance(ep, ExportedProgram):
        raise TypeError(
            f"The 'ep' parameter must be an instance of 'ExportedProgram', got '{type(ep).__name__}' instead."
        )
    with zipfile.ZipFile(f, "w") as archive:
        archive.writestr(_ENTRY, pickle.dumps((_FORMAT, _packed(ep))))
        for name, text in (extra_files or {}).items():
            archive.writestr(f"model/extra/{name}", text)


def load(f: Any, *, extra_files: dict[str, Any] | None = None, expected_opset_version: Any = None) -> ExportedProgram:
    """The program in a file; ``extra_files`` gets what was saved beside it, as bytes.

    :raises FileNotFoundError: there is no such file.
    :raises zipfile.BadZipFile: it was made by something else.
    :raises RuntimeError: it holds no exported program.
    """
    with zipfile.ZipFile(f) as archive:
        word, packed = pickle.loads(archive.read(_ENTRY)) if _ENTRY in archive.namelist() else ("", None)
        if word != _FORMAT:
            raise RuntimeError(
                "We ran into an error when deserializing the saved file. Please check the warnings above for possible "
                "errors. "
            )
        if extra_files is not None:
            for name in archive.namelist():
                if name.startswith("model/extra/"):
                    extra_files[name.removeprefix("model/extra/")] = archive.read(name)
    return _unpacked(packed)


def _packed(program: ExportedProgram) -> Any:
    numbers = {node: number for number, node in enumerate(program.graph.nodes)}

    def plain(value: Any) -> Any:
        return _Ref(numbers[value]) if isinstance(value, Node) else value

    nodes = [
        (
            node.op,
            (node.target._name, node.target._overload) if isinstance(node.target, OpOverload) else node.target,
            map_aggregate(node.args, plain),
            map_aggregate(node.kwargs, plain),
            node.name,
            {key: node.meta[key] for key in ("tensor_meta", "type", "place") if key in node.meta},
        )
        for node in program.graph.nodes
    ]
    signature = program.graph_signature
    root = program._root
    held = list(root.named_parameters()), list(root.named_buffers())
    specs = signature.input_specs, signature.output_specs
    return program.graph.title, nodes, specs, held, program._shapes, program._single


def _unpacked(packed: Any) -> ExportedProgram:
    title, nodes, (inputs, outputs), (parameters, buffers), shapes, single = packed
    graph = Graph()
    graph.title = title
    made: list[Node] = []

    def told(value: Any) -> Any:
        return made[value.number] if isinstance(value, _Ref) else value

    for op, target, args, kwargs, name, meta in nodes:
        target = overload(*target) if isinstance(target, tuple) else target
        node = graph.create_node(op, target, map_aggregate(args, told), map_aggregate(kwargs, told), name)
        node.meta.update(meta)
        made.append(node)
    root = Module()
    for path, value in parameters:
        owner, name = _owner(root, path)
        owner.register_parameter(name, value)
    for path, value in buffers:
        owner, name = _owner(root, path)
        owner.register_buffer(name, value)
    gm = GraphModule(Module(), graph, "GraphModule")
    program = ExportedProgram(root, gm, ExportGraphSignature(inputs, outputs), shapes)
    program._single = single
    return program


def _owner(root: Any, path: str) -> tuple[Any, str]:
    """The module that has the tensor at ``path``, made on the way, and the tensor's own name."""
    *names, last = path.split(".")
    for name in names:
        if name not in root._modules:
            root.add_module(name, Module())
        root = root._modules[name]
    return root, last

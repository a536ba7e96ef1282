"""The ops that a saver adds to the graph: ``save/SaveV2``, ``save/RestoreV2``, ``save/restore_all``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dialects.tensorflow.array_ops import identity
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.creation import placeholder_with_default
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexing_ops import several
from engine.dialects.tensorflow.variables import group
from engine.ops.registry import op
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.dialects.tensorflow.graph import Graph
    from engine.dialects.tensorflow.variables import Variable


def _path(value: Any) -> str:
    found = np.asarray(value).item()
    return found.decode() if isinstance(found, bytes) else str(found)


def _save(prefix: Any, *values: Any, names: tuple[str, ...]) -> Any:
    from engine.dialects.tensorflow.saver import write_values

    write_values(_path(prefix), dict(zip(names, map(np.asarray, values), strict=True)))
    return prefix


def _restore(prefix: Any, name: str, dtype: Any, shape: Any) -> Any:
    from engine.dialects.tensorflow.saver import CheckpointReader

    return CheckpointReader(_path(prefix)).get_tensor(name).astype(dtype, copy=False)


op("tf_save", "*operands", _save, lambda prefix, *values, names: prefix, None, stateful=True, category="control",
   symbol="save")  # fmt: skip
op("tf_restore", "prefix", _restore, lambda prefix, name, dtype, shape: TensorType(np.dtype(dtype), shape), None,
   stateful=True, category="input", symbol="load")  # fmt: skip


def add_saver_ops(graph: Graph, variables: Mapping[str, Variable], scope: str) -> None:
    """Ops that write all ``variables`` to the file that ``save/Const`` names, and that read them again."""
    names = tuple(sorted(variables))
    chosen = [variables[name] for name in names]
    core = graph.core
    before = len(core.nodes)
    with graph.as_default(), graph.name_scope(scope):
        with graph.name_scope("filename") as filename_scope:
            given = convert("model", name="input")
            filename = placeholder_with_default(given, [], name=filename_scope)
        prefix = placeholder_with_default(filename, [], name="Const")
        saved = _written(graph, prefix, names, chosen)
        with graph.control_dependencies([saved]):
            identity(prefix, name="control_dependency")
        after_save = len(core.nodes)
        found = _read(graph, prefix, names, chosen)
        assigned = [v.assign(value, name="Assign").op for v, value in zip(chosen, found, strict=True)]
        everything = group(*assigned, name="restore_all")
    for node in core.nodes[before:]:
        if node.serves is None:
            core.set_serves(node, saved._node if node.index < after_save else everything._node)


def _texts(graph: Graph, scope: str, names: tuple[str, ...]) -> list[Tensor]:
    with graph.name_scope(scope):
        return [
            convert(np.array([name.encode() for name in names], object), name="tensor_names"),
            convert(np.array([b""] * len(names), object), name="shape_and_slices"),
        ]


def _written(graph: Graph, prefix: Tensor, names: tuple[str, ...], variables: list[Variable]) -> Operation:
    with graph.name_scope("SaveV2") as scope:
        texts = _texts(graph, scope, names)
        inputs = [("prefix", prefix), *((f"v{i}", v._variable) for i, v in enumerate(variables))]
        saved = apply("tf_save", "SaveV2", scope, inputs, {"names": names}, same_type=False)
    saved.op._inputs = [prefix, *texts, *(v._variable for v in variables)]
    saved.op.outputs.clear()
    return saved.op


def _read(graph: Graph, prefix: Tensor, names: tuple[str, ...], variables: list[Variable]) -> list[Tensor]:
    def attributes(place: int) -> dict[str, Any]:
        type = variables[place]._node.type
        assert type is not None
        return {"name": names[place], "dtype": type.dtype, "shape": type.shape}

    with graph.name_scope("RestoreV2") as scope:
        texts = _texts(graph, scope, names)
        first = apply("tf_restore", "RestoreV2", scope, [("prefix", prefix)], attributes(0))
    first.op._inputs = [prefix, *texts]
    more = [
        graph.core.add("tf_restore", [prefix._node], attributes(i), name=f"{first.op.name}:{i}/", label="RestoreV2")
        for i in range(1, len(names))
    ]
    return list(several(first, more))

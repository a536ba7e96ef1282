"""``tensorflow.python.…``: a few names inside TensorFlow that programs import all the same."""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import Any

from engine.dialects.tensorflow import (
    array_ops,
    casting,
    clipping,
    control_flow,
    convolution,
    creation,
    cross_entropies,
    dtypes,
    errors,
    graph,
    handles,
    indexing_ops,
    layers,
    linear_algebra,
    math_ops,
    nn_norms,
    nn_ops,
    random_ops,
    reductions,
    rnn,
    rnn_cell,
    scopes,
    session,
    shapes,
    slicing_ops,
    spaced,
    surroundings,
    variables,
    while_loops,
)


def internal_parts() -> dict[str, dict[str, Any]]:
    """The names of each submodule below ``tensorflow``."""
    return {
        "python": {},
        "python.framework": {},
        "python.framework.ops": {
            "convert_to_tensor": surroundings.convert_to_tensor, "name_scope": surroundings.name_scope,
            "get_default_graph": graph.get_default_graph, "reset_default_graph": graph.reset_default_graph,
            "control_dependencies": surroundings.control_dependencies, "Graph": graph.Graph,
            "Tensor": handles.Tensor, "Operation": handles.Operation, "GraphKeys": surroundings.GraphKeys,
            "get_collection": surroundings.get_collection,
            "get_collection_ref": surroundings.get_collection_ref, "add_to_collection": surroundings.add_to_collection,
        },
        "python.framework.tensor_shape": {
            "TensorShape": shapes.TensorShape, "Dimension": shapes.Dimension,
            "scalar": lambda: shapes.TensorShape([]), "vector": lambda length: shapes.TensorShape([length]),
            "matrix": lambda rows, cols: shapes.TensorShape([rows, cols]),
            "unknown_shape": lambda ndims=None: shapes.TensorShape(None if ndims is None else [None] * ndims),
        },
        "python.framework.tensor_util": {"constant_value": _constant_value},
        "python.framework.dtypes": {**dtypes.DTYPES, "as_dtype": dtypes.as_dtype, "DType": dtypes.DType},
        "python.framework.errors": {name: getattr(errors, name) for name in errors.EXPORTED},
        "python.ops": {},
        "python.ops.array_ops": {**_functions(array_ops, indexing_ops, slicing_ops, creation, spaced)},
        "python.ops.math_ops": {
            **_functions(math_ops, clipping, reductions),
            "cast": casting.cast,
            "tensordot": linear_algebra.tensordot,
        },
        "python.ops.nn_ops": _functions(nn_ops, cross_entropies, nn_norms, convolution),
        "python.ops.nn": _functions(nn_ops, cross_entropies, nn_norms, convolution, rnn),
        "python.ops.random_ops": _functions(random_ops),
        "python.ops.control_flow_ops": _functions(control_flow, while_loops),
        "python.ops.rnn": _functions(rnn),
        "python.ops.rnn_cell": {name: getattr(rnn_cell, name) for name in rnn_cell.__all__},
        "python.ops.variable_scope": _functions(scopes),
        "python.ops.variables": {"Variable": variables.Variable, **_functions(variables)},
        "python.client": {},
        "python.client.session": {"Session": session.Session, "InteractiveSession": session.InteractiveSession},
        "python.layers": {},
        "python.layers.utils": {"smart_cond": layers.smart_cond},
        "python.layers.core": {"Dense": layers.Dense, "dense": layers.dense, "Dropout": layers.Dropout},
    }  # fmt: skip


def _functions(*modules: ModuleType) -> dict[str, Any]:
    """The public functions that modules define."""
    found = {}
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_"):
                found[name.removesuffix("_")] = value
    return found


def _constant_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor that is known while the graph is built, else ``None``."""
    return creation.constant_value(tensor) if isinstance(tensor, handles.Tensor) else tensor

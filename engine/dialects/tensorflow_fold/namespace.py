"""The names of ``tensorflow_fold``."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow_fold import (
    blocks,
    compiler,
    composing,
    compositions,
    folding,
    layers,
    plans,
    sequences,
    single_values,
    types,
)

EXPORTED: dict[str, Any] = {
    "Block": blocks.Block,
    **{name: getattr(single_values, name) for name in (
        "Tensor", "Scalar", "Vector", "OneHot", "OneHotFromList", "InputTransform", "GetItem", "Identity",
        "Void", "FromTensor", "Function", "Optional", "Zeros", "Metric",
    )},
    **{name: getattr(composing, name) for name in (
        "Pipe", "AllOf", "Record", "OneOf", "ForwardDeclaration", "Nth",
    )},
    "Composition": compositions.Composition,
    **{name: getattr(folding, name) for name in ("Fold", "RNN", "Reduce")},
    **{name: getattr(sequences, name) for name in (
        "Map", "Sum", "Max", "Min", "Mean", "Concat", "Zip", "ZipWith", "Broadcast", "NGrams",
        "Slice", "Length",
    )},
    **{name: getattr(layers, name) for name in ("Layer", "FC", "Embedding", "ScopedLayer")},
    **{name: getattr(plans, name) for name in (
        "Plan", "TrainPlan", "EvalPlan", "InferencePlan", "group_by_batches", "epochs", "batches",
    )},
    "Compiler": compiler.Compiler, "convert_to_block": blocks.as_block, "canonicalize_type": types.canonical,
    "TensorType": types.tensor_type, "TupleType": lambda *items: types.canonical(
        list(items[0]) if len(items) == 1 and isinstance(items[0], list | tuple) else list(items)),
    "SequenceType": lambda element: types.SequenceType(types.canonical(element)),
    "PyObjectType": types.PyObjectType, "VoidType": types.VoidType, "ResultType": types.ResultType,
}  # fmt: skip

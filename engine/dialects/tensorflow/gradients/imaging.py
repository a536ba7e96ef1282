"""Gradients of convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.dialects.tensorflow.gradients.parts import lowered
from engine.dialects.tensorflow.gradients.registry import rule
from engine.dialects.tensorflow.gradients.table import named
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexing_ops import several

Found = Sequence[Tensor | None]


@rule("Conv2D")
def _conv2d(op: Operation, g: Tensor) -> Found:
    images, weights = op.inputs
    kind = {"dtype": np.dtype(np.int32)}
    first = lowered("shape_of", "ShapeN", [images], kind, [images, weights])
    node = op.graph.core.add("shape_of", [weights._node], kind, name=f"{first.op.name}:1/")
    sizes = several(first, [node])
    return named(
        op,
        [g],
        [("Conv2DBackpropInput", [sizes[0], weights, g]), ("Conv2DBackpropFilter", [images, sizes[1], g])],
    )


@rule("MaxPool")
def _max_pool(op: Operation, g: Tensor) -> Found:
    return named(op, [g], [("MaxPoolGrad", [op.inputs[0], op.outputs[0], g])])


@rule("AvgPool")
def _avg_pool(op: Operation, g: Tensor) -> Found:
    from engine.dialects.tensorflow.gradients.parts import sizes_of

    return named(op, [g], [("AvgPoolGrad", [sizes_of(op.inputs[0]), g])])

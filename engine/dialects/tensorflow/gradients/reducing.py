"""Gradients of reductions: what arrives is spread over the elements that were reduced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import array_ops, creation, math_ops, reductions, spaced
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.gradients.parts import by_shape, lowered, sizes_of
from engine.dialects.tensorflow.gradients.registry import attribute, rule
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexing_ops import gather

Found = Sequence[Tensor | None]


def _axes(op: Operation) -> Any:
    """``axis`` and ``keepdims`` as the engine's gradients take them."""
    if op._node.op.startswith("sum_to"):  # the sum over broadcast axes, which keeps them
        return None
    return {"axis": attribute(op, "axis"), "keepdims": bool(attribute(op, "keepdims"))}


def _spread(op: Operation, g: Tensor) -> tuple[Tensor, Tensor]:
    """``g`` over the elements, and the tensor (listed before it) that has the rank of the input."""
    source, how = op.inputs[0], _axes(op)
    dims = source.shape._dims
    constant = creation.constant_value(op.inputs[1])
    if dims is not None and constant is not None:
        rank = len(dims)
        if np.array_equal(constant, np.arange(rank)):
            flat = array_ops.reshape(g, [1] * rank)
            if None in dims:
                return _tiled(g, source, [flat, sizes_of(source)], how), flat
            whole = creation.constant(np.array(dims, np.int32))
            return _tiled(g, source, [flat, whole], how), flat
        if None not in dims:
            kept, times = _scaling(op, dims, tuple(int(i) for i in np.reshape(constant, -1)))
            held = array_ops.reshape(g, list(kept))
            multiples = convert(np.array(times, np.int32), name="Tile/multiples")
            return _tiled(g, source, [held, multiples], how), held
    sizes = sizes_of(source)
    held = g
    if how is not None and not how["keepdims"]:
        held = array_ops.reshape(g, reduced_sizes(sizes, op.inputs[1]))
    if how is None:
        return by_shape("broadcast_to", "BroadcastTo", g, source, [held, sizes]), held
    return by_shape("spread", "BroadcastTo", g, source, [held, sizes], how), held


def _tiled(g: Tensor, source: Tensor, shown: list[Tensor], how: Any) -> Tensor:
    return by_shape("spread", "Tile", g, source, shown, how)


def _scaling(op: Operation, dims: Any, axes: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape with ones at the reduced axes, and how often it is repeated along each; TensorFlow works that out with
    ops, once for each shape of a graph."""
    reduced = {axis % len(dims) for axis in axes} if dims else set()
    kept = tuple(1 if axis in reduced else size for axis, size in enumerate(dims))
    times = tuple(size // max(one, 1) for size, one in zip(dims, kept, strict=True))
    known = op.graph.reduced_shapes
    if (dims, axes) not in known:
        known.add((dims, axes))
        below = math_ops.maximum(np.array(kept, np.int32), np.int32(1))
        math_ops.floordiv(np.array(dims, np.int32), below)
    return kept, times


def reduced_sizes(sizes: Tensor, axes: Tensor) -> Tensor:
    """The sizes with ones at ``axes``."""
    rank = array_ops.size(sizes)
    wrapped = (axes + rank) % rank
    ones_at = sizes_of(wrapped)
    places = spaced.range_(rank)
    ones = creation.ones(ones_at, "int32")
    found = lowered("tf_stitch", "DynamicStitch", [places, wrapped, sizes, ones])
    found.set_shape(sizes.shape)
    return found


@rule("Sum")
def _sum(op: Operation, g: Tensor) -> Found:
    return _spread(op, g)[0], None


@rule("Mean")
def _mean(op: Operation, g: Tensor) -> Found:
    source, out = op.inputs[0], op.outputs[0]
    spread, _ = _spread(op, g)
    if source.shape.is_fully_defined() and out.shape.is_fully_defined():
        count = math.prod(source.shape._dims) // max(math.prod(out.shape._dims), 1)  # type: ignore[arg-type]
        factor = creation.constant(count, g.dtype.base_dtype)
    else:
        sizes = sizes_of(source)
        rank = array_ops.size(sizes)
        axes = (op.inputs[1] + rank) % rank
        factor = cast(reductions.reduce_prod(gather(sizes, axes)), g.dtype.base_dtype)
    # One call of the engine's instead of spreading and dividing; the ops before it run only when fetched.
    how = {**_axes(op), "ddof": 0}
    return by_shape("spread_mean", "RealDiv", g, source, [spread, factor], how, name="truediv"), None


def _extreme(op: Operation, g: Tensor) -> Found:
    source, out = op.inputs[0], op.outputs[0]
    sizes = sizes_of(source)
    if attribute(op, "keepdims"):
        kept: Any = sizes_of(out)
    elif source.shape.is_fully_defined():
        axes = {int(i) % len(source.shape._dims or ()) for i in np.reshape(creation.constant_value(op.inputs[1]), -1)}
        kept = [1 if axis in axes else size for axis, size in enumerate(source.shape.as_list())]
    else:
        kept = reduced_sizes(sizes, op.inputs[1])
    if not attribute(op, "keepdims"):
        out, g = array_ops.reshape(out, kept), array_ops.reshape(g, kept)
    hits = cast(math_ops.equal(out, source), g.dtype.base_dtype)
    count = array_ops.reshape(_summed_like(op, hits), kept)
    return [math_ops.divide(hits, count) * g, None]


def _summed_like(op: Operation, hits: Tensor) -> Tensor:
    """``hits`` over the axes that ``op`` reduces, which are the same tensor."""
    how = {"axis": attribute(op, "axis"), "keepdims": False}
    return lowered("sum", "Sum", [hits], how, [hits, op.inputs[1]])


rule("Max", "Min")(_extreme)

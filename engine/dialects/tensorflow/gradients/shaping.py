"""Gradients of ops that move elements: reshaping, joining, taking apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import array_ops, creation, spaced
from engine.dialects.tensorflow.gradients.parts import by_shape, lowered, reshaped, sizes_of
from engine.dialects.tensorflow.gradients.registry import attribute, rule
from engine.dialects.tensorflow.gradients.table import named, table_gradients
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.indexing_ops import several, unstack
from engine.ops.indexing import Slice

Found = Sequence[Tensor | None]


@rule("Reshape")
def _reshape(op: Operation, g: Tensor) -> Found:
    source = op.inputs[0]
    dims = source.shape._dims
    if dims is not None and list(dims).count(None) == 1 and 0 not in dims:
        return array_ops.reshape(g, [-1 if n is None else n for n in dims]), None
    return _back(g, source), None


@rule("ExpandDims", "Squeeze")
def _expand_dims(op: Operation, g: Tensor) -> Found:
    return [_back(g, op.inputs[0]), *[None] * (len(op.inputs) - 1)]


def _back(g: Tensor, source: Tensor) -> Tensor:
    return reshaped(g, source, sizes_of(source))


@rule("Transpose")
def _transpose(op: Operation, g: Tensor) -> Found:
    back = lowered("tf_invert_permutation", "InvertPermutation", [op.inputs[1]])
    order = np.argsort(creation.constant_value(op.inputs[1]))
    axes = {"axes": tuple(int(i) for i in order)}
    return lowered("transpose", "Transpose", [g], axes, [g, back], name="transpose"), None


@rule("Pack")
def _pack(op: Operation, g: Tensor) -> Found:
    return unstack(g, len(op.inputs), attribute(op, "axis", 0))


@rule("Unpack")
def _unpack(op: Operation, *given: Tensor) -> Found:
    return [array_ops.stack(list(given), attribute(op, "axis", 0))]


@rule("Split")
def _split(op: Operation, *given: Tensor) -> Found:
    return array_ops.concat(list(given), op.inputs[1]), None


@rule("ConcatV2")
def _concat(op: Operation, g: Tensor) -> Found:
    parts, axis = list(op.inputs[:-1]), op.inputs[-1]
    place = int(creation.constant_value(axis))
    lengths = [None if x.shape._dims is None else x.shape._dims[place] for x in parts]
    if None in lengths:
        return [*table_gradients(op, [g])[:-1], None]
    wrapped = axis % array_ops.rank(parts[0])
    sizes = _all_sizes(parts)
    first = lowered("tf_concat_offset", "ConcatOffset", [wrapped, *sizes], {"place": 0})
    nodes = [x._node for x in (wrapped, *sizes)]
    more = [
        first.graph.core.add(
            "tf_concat_offset", nodes, {"place": i}, name=f"{first.op.name}:{i}/", label="ConcatOffset"
        )
        for i in range(1, len(parts))
    ]
    offsets = several(first, more)
    ends = np.cumsum([0, *lengths])
    before = place % len(parts[0].shape._dims or ())
    found: list[Tensor | None] = []
    for i, (offset, size) in enumerate(zip(offsets, sizes, strict=True)):
        index = (*(Slice() for _ in range(before)), Slice(int(ends[i]), int(ends[i + 1])))
        found.append(lowered("getitem", "Slice", [g], {"index": index}, [g, offset, size]))
    return [*found, None]


def _all_sizes(parts: list[Tensor]) -> list[Tensor]:
    """The shapes of all parts: constants while each is known, else one op for all."""
    found = []
    for part in parts:
        if not part.shape.is_fully_defined():
            sizes_of(part)
            first = lowered("shape_of", "ShapeN", [parts[0]], {"dtype": np.dtype(np.int32)}, parts)
            core = first.graph.core
            more = [
                core.add("shape_of", [x._node], {"dtype": np.dtype(np.int32)}, name=f"{first.op.name}:{i}/")
                for i, x in enumerate(parts[1:], 1)
            ]
            return list(several(first, more))
        found.append(sizes_of(part))
    return found


@rule("Tile")
def _tile(op: Operation, g: Tensor) -> Found:
    source, multiples = op.inputs[0], op.inputs[1]
    sizes = sizes_of(source)
    pairs = array_ops.reshape(array_ops.transpose(array_ops.stack([multiples, sizes])), [-1])
    axes = spaced.range_(0, array_ops.size(pairs), 2)
    split = lowered("tf_reshape", "Reshape", [g, pairs], {"known": None})
    # The engine sums over the repetitions in one call, from what arrived.
    if op._node.op in ("tile", "tf_tile"):
        total = lowered("tf_untile", "Sum", [g, source, multiples], shown=[split, axes])
    else:
        total = by_shape("sum_to", "Sum", g, source, [split, axes])
    return total, None


@rule("Pad")
def _pad(op: Operation, g: Tensor) -> Found:
    from engine.dialects.tensorflow.slicing_ops import slice_

    source, widths = op.inputs[0], op.inputs[1]
    before = slice_(widths, [0, 0], array_ops.stack([array_ops.rank(source), 1]))
    begin = array_ops.reshape(before, [-1])
    sizes = sizes_of(source)
    inner = tuple(Slice(int(a), None if not b else -int(b)) for a, b in creation.constant_value(widths))
    return lowered("getitem", "Slice", [g], {"index": inner}, [g, begin, sizes]), None


@rule("Slice")
def _slice(op: Operation, g: Tensor) -> Found:
    source, begin = op.inputs[0], op.inputs[1]
    rank = array_ops.rank(source)
    sizes = sizes_of(op.outputs[0])
    wanted = array_ops.stack([rank, 1])
    left = array_ops.reshape(begin, wanted)
    right = array_ops.reshape(sizes_of(source) - sizes - begin, wanted)
    paddings = array_ops.concat([left, right], 1)
    return [*named(op, [g], [("Pad", [g, paddings]), None, None])]


@rule("StridedSlice")
def _strided_slice(op: Operation, g: Tensor) -> Found:
    source = op.inputs[0]
    sizes: Any = sizes_of(source)
    shown = [sizes]
    with op.graph.name_scope("StridedSliceGrad") as scope:
        if source.shape.is_fully_defined():
            shown = [creation.constant(creation.constant_value(sizes), name="shape")]
        for tensor, name in zip(op.inputs[1:4], ("begin", "end", "strides"), strict=False):
            value = creation.constant_value(tensor)
            shown.append(tensor if value is None else creation.constant(value, name=name))
    if op._node.op == "getitem":
        index = {"index": attribute(op, "index")}
        found = by_shape("embed", "StridedSliceGrad", g, source, [*shown, g], index, name=scope)
        return [found, *[None] * (len(op.inputs) - 1)]
    return table_gradients(op, [g])


@rule("GatherV2")
def _gather(op: Operation, g: Tensor) -> Sequence[Any]:
    """Of rows along the first axis: those rows, with their numbers."""
    if attribute(op, "axis", 0) != 0 or attribute(op, "batch_dims", 0) != 0 or op._node.op == "tf_take":
        return table_gradients(op, [g])
    params, indices = op.inputs[:2]
    shape = sizes_of(params)
    count = array_ops.expand_dims(array_ops.size(indices), 0)
    values = array_ops.reshape(g, array_ops.concat([count, shape[1:]], 0))
    places = array_ops.reshape(indices, count)
    known = indices.shape.num_elements()
    places.set_shape([known])
    if params.shape.ndims is not None:
        values.set_shape([known, *params.shape.as_list()[1:]])
    return [IndexedSlices(values, places, shape), *[None] * (len(op.inputs) - 1)]

"""Running sums, sorting, segments, grids."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import clipping, dtypes, math_ops
from engine.dialects.tensorflow.array_ops import reshape
from engine.dialects.tensorflow.build import apply, convert, graph_of, hide
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import constant, ones_like
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import several
from engine.dialects.tensorflow.reductions import reduce_sum
from engine.dialects.tensorflow.shapes import TensorShape
from engine.ops.indexing import Slice


def _kept(op_name: str, tf_type: str, x: Any, attributes: Any, name: str | None) -> Tensor:
    """An op of the engine that may widen integers, brought back to the dtype that went in."""
    tensor = convert(x, name="x")
    kind = tensor.dtype.base_dtype._numpy
    if kind.kind not in "iu":
        return apply(op_name, tf_type, name, [("x", tensor)], attributes)
    wide = tensor.graph.core.add(op_name, [tensor._node], attributes, name=f"{tf_type}/wide")
    found = apply("cast", tf_type, name, [("x", tensor.graph.tensor(wide))], {"dtype": kind})
    hide(tensor.graph, [wide], found._node)
    found.op._inputs = [tensor]
    return found


def _product_from(x: Tensor, axis: int, exclusive: bool, reverse: bool, name: str | None) -> Tensor:
    """Running products from the other end, or without the element itself."""
    core, before = x.graph.core, len(x.graph.core.nodes)
    with core.scope("product"):
        node = core.apply("flip", x._node, axis=(axis,)) if reverse else x._node
        if exclusive:
            whole = (Slice(),) * (axis % (x.shape.ndims or 1))
            first = core.apply("ones_like", core.apply("getitem", node, index=(*whole, Slice(0, 1))))
            node = core.apply("concat", first, core.apply("getitem", node, index=(*whole, Slice(0, -1))), axis=axis)
        node = core.apply("cumprod", node, axis=axis)
        node = core.apply("flip", node, axis=(axis,)) if reverse else node
    found = apply("cast", "Cumprod", name, [("x", x.graph.tensor(node))], {"dtype": x.dtype.base_dtype._numpy})
    hide(x.graph, core.nodes[before : found._node.index], found._node)
    found.op._inputs = [x]
    return found


def cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Running sums."""
    attributes = {"axis": int(axis), "exclusive": bool(exclusive), "reverse": bool(reverse)}
    return _kept("cumsum", "Cumsum", x, attributes, name)


def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Running products."""
    if exclusive or reverse:
        return _product_from(convert(x), int(axis), exclusive, reverse, name)
    return _kept("cumprod", "Cumprod", x, {"axis": int(axis)}, name)


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The elements in order."""
    attributes = {"axis": int(axis), "descending": direction == "DESCENDING"}
    tensor = convert(values, name="values")
    with tensor.graph.name_scope(name or "sort"):
        label, title = _SORTED[direction == "DESCENDING", tensor.dtype.base_dtype.is_integer]
        return apply("sort", label, title, [("values", tensor)], attributes)


_SORTED = {
    (False, True): ("Sub", "sub_1"), (False, False): ("Neg", "Neg_1"), (True, True): ("TopKV2", "TopKV2"),
    (True, False): ("TopKV2", "TopKV2"),
}  # fmt: skip
"""The op that the real graph ends with, by (falling, whole numbers): it sorts what is negative by the largest."""


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """Where the elements stand in order."""
    attributes = {"axis": int(axis), "descending": direction == "DESCENDING"}
    tensor = convert(values, name="values")
    with tensor.graph.name_scope(name or "argsort"):
        wide = apply("argsort", "TopKV2", "TopKV2", [("values", tensor)], attributes)
        how = {"dtype": np.dtype(np.int32)}
        places = tensor.graph.core.add("cast", [wide._node], how, name=f"{wide.op.name}:1/", label="TopKV2")
    return several(wide, [places])[1]


def count_nonzero(
    input_tensor: Any = None, axis: Any = None, keepdims: Any = None, dtype: Any = "int64", name: str | None = None,
    **_old: Any,
) -> Tensor:  # fmt: skip
    """How many elements are not zero."""
    tensor = convert(input_tensor)
    with tensor.graph.name_scope(name or "count_nonzero"):
        zero = constant(np.zeros((), tensor.dtype.base_dtype._numpy))
        return reduce_sum(cast(math_ops.not_equal(tensor, zero), dtype), axis, keepdims)


def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Grids of coordinates."""
    if kwargs.get("indexing", "xy") not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{kwargs['indexing']}'")
    graph = graph_of(args)
    with graph.as_default(), graph.name_scope(kwargs.get("name") or "meshgrid"):
        return _grids([convert(arg, name="stack") for arg in args], kwargs.get("indexing", "xy") == "xy")


def _grids(rows: list[Tensor], turned: bool) -> list[Tensor]:
    order = list(range(len(rows)))
    if turned and len(rows) > 1:
        order[:2] = [1, 0]
    placed = []
    for place, row in enumerate(rows):
        sizes = [1] * len(rows)
        sizes[order[place]] = -1
        placed.append(reshape(row, sizes))
    whole = placed[0]
    for other in placed[1:]:
        whole = math_ops.multiply(ones_like(whole), ones_like(cast(other, whole.dtype.base_dtype)), name="ones")
    return [row * cast(whole, row.dtype.base_dtype) for row in placed]


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same values as often as the shape wants."""
    from engine.dialects.tensorflow.creation import static_shape

    sizes = static_shape(shape)
    tensor = convert(input, name="input")
    if sizes is None:
        return math_ops.multiply(tensor, ones_like(cast(_ones(shape), tensor.dtype.base_dtype)), name=name)
    return apply("broadcast_to", "BroadcastTo", name, [("input", tensor)], {"shape": sizes},
                 constants=[("shape", np.array(sizes, np.int32))])  # fmt: skip


def broadcast_static_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The shape of what an op makes of both, as far as it is known beforehand."""
    x, y = (None if one.ndims is None else one.as_list() for one in (shape_x, shape_y))
    if x is None or y is None:
        return TensorShape(None)
    rank = max(len(x), len(y))
    sizes: list[int | None] = []
    for a, b in zip([1] * (rank - len(x)) + x, [1] * (rank - len(y)) + y, strict=True):
        if None not in (a, b) and a != b and 1 not in (a, b):
            raise ValueError(
                "Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are "
                f"either equal or one of them is 1. Received: {shape_x} and {shape_y}."
            )
        sizes.append(b if a == 1 else a if b in (1, None) else b)
    return TensorShape(sizes)


def _ones(shape: Any) -> Tensor:
    from engine.dialects.tensorflow.creation import ones

    return ones(shape)  # type: ignore[no-any-return]


def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """The sum of all tensors in a list."""
    return math_ops.add_n(inputs, name=name)


def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """As ``tf.stack`` along the first axis."""
    from engine.dialects.tensorflow.array_ops import stack

    return stack(values, name=name)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Another dtype, with what does not fit at its ends."""
    kind, tensor = dtypes.as_dtype(dtype), convert(value)
    if kind.is_integer:
        info = np.iinfo(kind._numpy)
        own = tensor.dtype.base_dtype._numpy
        tensor = clipping.clip_by_value(tensor, np.array(info.min).astype(own), np.array(info.max).astype(own))
    return cast(tensor, kind, name)

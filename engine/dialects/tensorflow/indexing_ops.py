"""Picking elements: slices, gathering, choosing, taking apart."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, strict_gathering  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.build import apply, check_fits, convert, dtype_of, graph_of, hide
from engine.dialects.tensorflow.creation import constant_value
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.shapes import brackets
from engine.dialects.tensorflow.values import as_array
from engine.ops.indexing import Slice


def several(first: Tensor, nodes: Sequence[Any]) -> list[Tensor]:
    """Further results of one op: each is a node of the engine's."""
    op = first.op
    for place, node in enumerate(nodes, 1):
        op.outputs.append(Tensor(op, place, node))
        hide(op.graph, [node], first._node)
    return op.outputs


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    tensor = convert(value, name="value")
    dims = tensor.shape._dims
    count = num if num is not None else None if dims is None else dims[axis]
    if count is None:
        raise ValueError(f"Cannot infer argument `num` from shape {tensor.shape}")
    first = apply("select", "Unpack", name, [("value", tensor)], {"axis": axis, "index": 0})
    core = tensor.graph.core
    rest = [
        core.add("select", [tensor._node], {"axis": axis, "index": i}, name=f"{first.op.name}:{i}/", label="Unpack")
        for i in range(1, count)
    ]
    return list(several(first, rest))


def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split") -> list[Tensor]:
    tensor = convert(value, name="value")
    dims, place = tensor.shape._dims, int(axis)
    size = None if dims is None else dims[place]
    if isinstance(num_or_size_splits, int):
        if size is None:
            raise NotImplementedError("tf.split: this teaching engine needs to know the size that it splits")
        if size % num_or_size_splits:
            title = tensor.graph.unique_name(name, False)
            kind = ENUM[tensor.dtype.base_dtype.name]
            raise ValueError(
                f"Dimension size must be evenly divisible by {num_or_size_splits} but is {size}\n\tNumber of ways to "
                f"split should evenly divide the split dimension for '{{{{node {title}}}}} = Split[T={kind}, num_split="
                f"{num_or_size_splits}]({title}/split_dim, {tensor.op.name})' with input shapes: [], "
                f"{brackets(dims)} and with computed input tensors: input[0] = <{place}>."
            )
        sizes, tf_type = [size // num_or_size_splits] * num_or_size_splits, "Split"
    else:
        sizes, tf_type = [int(s) for s in num_or_size_splits], "SplitV"
        if size is not None and -1 in sizes:
            sizes[sizes.index(-1)] = size - sum(sizes) - 1
        if size is not None and sum(sizes) != size:
            pieces = f"[{','.join(map(str, sizes))}]"
            raise ValueError(f"can't split axis of size {size} into pieces of size {pieces}")
    rank = len(dims or ())
    ends = np.cumsum([0, *sizes])
    place %= max(rank, 1)

    def index(i: int) -> tuple[Any, ...]:
        return (*(Slice() for _ in range(place)), Slice(int(ends[i]), int(ends[i + 1])))

    constants = (
        [("split_dim", int(axis))]
        if tf_type == "Split"
        else [("Const", np.array(sizes, np.int32)), ("split_dim", int(axis))]
    )
    first = apply("getitem", tf_type, name, [("value", tensor)], {"index": index(0)}, constants=constants)
    core = tensor.graph.core
    rest = [
        core.add("getitem", [tensor._node], {"index": index(i)}, name=f"{first.op.name}:{i}/", label=tf_type)
        for i in range(1, len(sizes))
    ]
    return list(several(first, rest))


def gather(
    params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:  # fmt: skip
    """``params`` at ``indices`` along ``axis``; with ``batch_dims``, each of the first rows with its own indices."""
    batches: dict[str, Any] = {"batch_dims": int(batch_dims)} if batch_dims else {}
    op = "tf_batched_gather" if batch_dims else "tf_gather"
    return _gathered(op, params, indices, int(batch_dims if axis is None else axis), name, **batches)


def look_up(params: Any, ids: Any, name: str) -> Tensor:
    """The rows of a table with these numbers."""
    return _gathered("tf_gather", params, ids, 0, name, "ids")


def take(params: Any, indices: Any, axis: int = 0) -> Tensor:
    """As Keras has it: negative indices count from the end."""
    return _gathered("tf_take", params, indices, axis)


def _gathered(
    op: str, params: Any, indices: Any, axis: int, name: str | None = None, called: str = "indices", **batches: int
) -> Tensor:
    tensor: Any = indices
    if dtype_of(indices) is None:
        tensor = as_array(indices)
    kind = dtype_of(indices) or dtypes.from_numpy(tensor.dtype)
    if not kind.is_integer:
        raise TypeError(
            f"Value passed to parameter 'indices' has DataType {kind.name} not in list of allowed values: "
            "int16, int32, int64"
        )
    return apply(
        op, "GatherV2", name or "GatherV2", [("params", params), (called, tensor)], {"axis": axis, **batches},
        same_type=False, constants=[("axis", axis)],
    )  # fmt: skip


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    tensor = convert(indices, name="indices")
    if not tensor.dtype.base_dtype.is_integer:
        raise TypeError(
            f"Value passed to parameter 'indices' has DataType {tensor.dtype.base_dtype.name} not in list of allowed "
            "values: uint8, int8, int32, int64"
        )
    kind = dtypes.as_dtype(dtype or (on_value is not None and dtypes.from_numpy(as_array(on_value).dtype)) or "float32")
    kind = kind.base_dtype
    count = int(constant_value(depth)) if isinstance(depth, Tensor) else int(depth)
    high, low = (
        as_array(1 if on_value is None else on_value, kind),
        as_array(0 if off_value is None else off_value, kind),
    )
    constants = [("depth", count), ("on_value", high), ("off_value", low)]
    plain = high == 1 and low == 0 and axis in (None, -1)
    if not plain:
        return _one_hot(tensor, count, high, low, axis, name)
    return apply(
        "one_hot",
        "OneHot",
        name or "one_hot",
        [("indices", tensor)],
        {"depth": count, "dtype": kind._numpy},
        constants=constants,
    )


def _one_hot(tensor: Tensor, count: int, high: Any, low: Any, axis: Any, name: str | None) -> Tensor:
    """With other values than 1 and 0, or along another axis."""
    from engine.dialects.tensorflow.array_ops import transpose

    with tensor.graph.name_scope(name or "one_hot") as scope:
        hit = apply("one_hot", "OneHot", None, [("indices", tensor)], {"depth": count, "dtype": np.dtype(bool)})
        rank = tensor.shape.ndims or 0
        order = list(range(rank))
        order.insert(rank if axis in (None, -1) else int(axis), rank)
        inputs = [("x", transpose(hit, order)), ("on_value", high), ("off_value", low)]
        return apply("where", "OneHot", scope, inputs, same_type=False)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """``x`` where the condition holds, ``y`` elsewhere."""
    if x is None or y is None:
        if x is not None or y is not None:
            raise ValueError("x and y must both be non-None or both be None.")
        return apply("nonzero", "Where", name, [("condition", condition)])
    graph = graph_of([condition, x, y])
    with graph.as_default(), graph.name_scope(name or "Select") as scope:
        chosen = convert(condition, name="condition")
        if chosen.dtype.base_dtype.name != "bool":
            raise TypeError(
                f"Input 'condition' of 'Select' Op has type {chosen.dtype.base_dtype.name} that does not match "
                "expected type of bool."
            )
        first = convert(x, name="t", preferred=dtype_of(y))
        kind = first.dtype.base_dtype
        check_fits(y, kind, "e", "Select")
        second = convert(y, name="e", preferred=kind)
        if second.dtype.base_dtype != kind:
            raise TypeError(
                f"Input 'e' of 'Select' Op has type {second.dtype.base_dtype.name} that does not match type "
                f"{kind.name} of argument 't'."
            )
        inputs = [("condition", chosen), ("t", first), ("e", second)]
        return apply("tf_select", "Select", scope, inputs, same_type=False)


def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> Any:
    """The different values of ``x`` in the order in which they come, and for each element which one it is."""
    from engine.dialects.tensorflow.casting import cast

    tensor = convert(x, name="x")
    values = apply("tf_unique", "Unique", name, [("x", tensor)])
    places = tensor.graph.core.add("tf_unique_places", [tensor._node], name=f"{values.op.name}:1/", label="Unique")
    found = several(values, [places])
    wide = dtypes.as_dtype(out_idx).name == "int64"
    return Unique(found[0], cast(found[1], "int64") if wide else found[1])


Unique = namedtuple("Unique", ("y", "idx"))


def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A matrix with these numbers on its diagonal."""
    return apply("tf_diag", "Diag", name, [("diagonal", diagonal)])


matrix_diag = diag


def gather_nd(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """The elements (or rows) at points."""
    inputs = [("params", params), ("indices", indices)]
    return apply("tf_gather_nd", "GatherNd", name, inputs, same_type=False)


def boolean_mask(tensor: Any, mask: Any, name: str | None = None, axis: Any = None) -> Tensor:
    """The elements where the mask holds."""
    from engine.dialects.tensorflow.array_ops import concat, reshape, shape, squeeze

    source, wanted = convert(tensor, name="tensor"), convert(mask, name="mask")
    with source.graph.name_scope(name or "boolean_mask"):
        rank, first = wanted.shape.ndims or 1, int(axis or 0)
        if rank > 1:
            dims = source.shape.as_list()
            kept = [*dims[:first], -1, *dims[first + rank :]]
            if None not in kept:
                source = reshape(source, kept)
            elif first == 0:
                source = reshape(source, concat([[-1], shape(source)[rank:]], 0))
            else:
                raise NotImplementedError(
                    "tf.boolean_mask: this teaching engine needs to know the sizes beside the masked axes"
                )
            wanted = reshape(wanted, [-1])
        rows = apply("nonzero", "Where", None, [("condition", wanted)])
        return gather(source, squeeze(rows, [1]), axis=first)


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = "bool", name: str | None = None) -> Tensor:
    """True for the first ``lengths[i]`` places of row ``i``."""
    from engine.dialects.tensorflow.casting import cast
    from engine.dialects.tensorflow.reductions import reduce_max

    counts = convert(lengths, name="lengths")
    with counts.graph.name_scope(name or "SequenceMask"):
        longest = reduce_max(counts) if maxlen is None else convert(maxlen)
        inputs = [("lengths", counts), ("maxlen", longest)]
        found = apply("tf_sequence_mask", "Less", None, inputs, same_type=False)
        known = constant_value(longest)
        if known is not None:
            found.set_shape([*(counts.shape.as_list()), int(known)])
        return cast(found, dtype)


def reverse_sequence(
    input: Any, seq_lengths: Any = None, seq_axis: Any = None, batch_axis: Any = None, name: str | None = None,
    seq_dim: Any = None, batch_dim: Any = None,
) -> Tensor:  # fmt: skip
    """Each row with its first ``seq_lengths[i]`` steps in the opposite order."""
    axis = seq_dim if seq_axis is None else seq_axis
    rows = (batch_dim if batch_axis is None else batch_axis) or 0
    if (axis, rows) not in ((1, 0), (0, 1)):
        raise NotImplementedError("tf.reverse_sequence: this teaching engine has the batch and the time as first axes")
    from engine.dialects.tensorflow.array_ops import transpose

    tensor = convert(input, name="input")
    order = [1, 0, *range(2, tensor.shape.ndims or 2)]
    batched = tensor if axis == 1 else transpose(tensor, order)
    inputs = [("input", batched), ("seq_lengths", seq_lengths)]
    found = apply("tf_reverse_sequence", "ReverseSequence", name, inputs, same_type=False)
    return found if axis == 1 else transpose(found, order)


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of ``shape`` with ``updates`` added at points."""
    from engine.dialects.tensorflow.creation import static_shape

    sizes = static_shape(shape)
    inputs = [("updates", updates), ("indices", indices)]
    return apply("tf_scatter_nd", "ScatterNd", name, inputs, {"shape": sizes}, same_type=False)

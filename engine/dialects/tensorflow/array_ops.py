"""Constants, placeholders, and everything that moves elements around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, as_array, constant_node, convert, dtype_of, hide
from engine.dialects.tensorflow.graph import Tensor, get_default_graph, numpy_value
from engine.dialects.tensorflow.shapes import Dimension, TensorShape
from engine.ops.indexing import Slice
from engine.tensor_type import TensorType


def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str = "Const", verify_shape: bool = False
) -> Tensor:
    """A value that is part of the graph."""
    graph = get_default_graph()
    array = as_array(value, None if dtype is None else dtypes.as_dtype(dtype))
    if shape is not None:
        wanted = [int(d) for d in TensorShape(shape).as_list()]  # type: ignore[arg-type]
        count = int(np.prod(wanted)) if wanted else 1
        if array.size > count:
            raise ValueError(f"Too many elements provided. Takes at most {count}, but got {array.size}.")
        flat = array.reshape(-1)
        if array.size < count:
            if not array.size:
                raise ValueError(f"Too few elements provided. Needed at least 1, but received {array.size}")
            flat = np.concatenate([flat, np.repeat(flat[-1:], count - array.size)])
        array = flat.reshape(wanted)
    return graph.tensor(constant_node(graph, array, name))


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A door for values that each run brings along in ``feed_dict``."""
    graph = get_default_graph()
    graph.check_open()
    try:
        wanted = dtypes.as_dtype(dtype)
    except TypeError:
        raise TypeError(f"Expected DataType for argument 'dtype' not {dtype!r}.") from None
    kind = TensorType(wanted.base_dtype._numpy, TensorShape(shape)._dims)
    return graph.tensor(
        graph.core.add("placeholder", type=kind, name=name or "Placeholder", label="Placeholder", role="input")
    )


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A value that a run may replace."""
    tensor = convert(input, name="input")
    assert tensor._node.type is not None
    kind = TensorType(tensor._node.type.dtype, TensorShape(shape)._dims)
    with tensor.graph.as_default():
        return apply("identity", "PlaceholderWithDefault", name, [("input", tensor)], type=kind)


def identity(input: Any, name: str | None = None) -> Tensor:
    return apply("identity", "Identity", name, [("input", input)])


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    return apply("stop_gradient", "StopGradient", name, [("input", input)])


def static_shape(shape: Any) -> tuple[int, ...] | None:
    """A shape argument as a tuple, if it is known while the graph is built."""
    if isinstance(shape, Tensor):
        value = constant_value(shape)
        return None if value is None else tuple(int(d) for d in np.atleast_1d(value))
    if isinstance(shape, TensorShape):
        if not shape.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
        return tuple(int(d) for d in shape.as_list())  # type: ignore[arg-type]
    if isinstance(shape, int | np.integer | Dimension):
        return (int(shape),)
    if any(isinstance(d, Tensor) for d in shape):
        return None
    return tuple(int(d) for d in shape)


def constant_value(tensor: Tensor) -> Any:
    """The value of a tensor that is known while the graph is built, else ``None``."""
    value = numpy_value(tensor)
    if value is None and tensor._node.op == "cast" and tensor._node.inputs[0][0].op == "constant":
        source = tensor._node.inputs[0][0]
        return np.asarray(source.attributes["value"]).astype(tensor._node.attributes["dtype"])
    return value


def _filled(value: Any, default: str) -> Any:
    def function(shape: Any, dtype: Any = "float32", name: str | None = None) -> Tensor:
        kind = dtypes.as_dtype(dtype).base_dtype
        sizes = static_shape(shape)
        if sizes is None:
            raise NotImplementedError(
                f"tf.{default}: this teaching engine needs a shape that is known while the graph is built"
            )
        element: Any = b"" if kind.name == "string" else value
        return constant(np.full(sizes, element, kind._numpy), name=name or default)

    function.__name__ = default
    return function


zeros = _filled(0, "zeros")
ones = _filled(1, "ones")


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    sizes = static_shape(dims)
    if sizes is None:
        raise NotImplementedError("tf.fill: this teaching engine needs a shape that is known while the graph is built")
    return apply("broadcast_to", "Fill", name, [("value", value)], {"shape": sizes}, constants=[("dims", list(sizes))])


def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    found = convert(tensor, name="tensor")
    return _like(found, dtype, name, "zeros_like", "ZerosLike", 0)


def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    found = convert(tensor, name="tensor")
    return _like(found, dtype, name, "ones_like", "OnesLike", 1)


def _like(found: Tensor, dtype: Any, name: str | None, op: str, tf_type: str, value: int) -> Tensor:
    kind = found.dtype.base_dtype if dtype is None else dtypes.as_dtype(dtype).base_dtype
    if found.shape.is_fully_defined():
        with found.graph.as_default():
            return constant(np.full(found.shape.as_list(), value, kind._numpy), name=name or op)
    result = apply(op, tf_type, name or op, [("tensor", found)])
    if kind == found.dtype.base_dtype:
        return result
    from engine.dialects.tensorflow.math_ops import cast

    return cast(result, kind)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements in another shape (one size may be -1)."""
    sizes = static_shape([-1 if d is None else d for d in shape.as_list()] if isinstance(shape, TensorShape) else shape)
    if sizes is None:
        raise NotImplementedError(
            "tf.reshape: this teaching engine needs a shape that is known while the graph is built"
        )
    return apply(
        "reshape",
        "Reshape",
        name,
        [("tensor", tensor)],
        {"shape": sizes},
        constants=[("shape", np.array(sizes, np.int32))],
        shown={"Tshape": "DT_INT32"},
    )


def transpose(a: Any, perm: Any = None, name: str | None = None, conjugate: bool = False) -> Tensor:
    tensor = convert(a, name="a")
    rank = tensor.shape.ndims
    axes = None if perm is None else tuple(int(i) for i in (constant_value(perm) if isinstance(perm, Tensor) else perm))
    shown = list(axes) if axes is not None else list(range(rank or 0))[::-1]
    return apply(
        "transpose",
        "Transpose",
        name,
        [("a", tensor)],
        {"axes": axes},
        constants=[("perm", np.array(shown, np.int32))],
        default_name="transpose",
    )


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    place = int(axis if dim is None else dim)
    return apply("expand_dims", "ExpandDims", name, [("input", input)], {"axis": place}, constants=[("dim", place)])


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    from engine.dialects.tensorflow.math_ops import axes_of

    axes = axes_of(axis if squeeze_dims is None else squeeze_dims)
    return apply("squeeze", "Squeeze", name, [("input", input)], {"axis": None if axes == () else axes})


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    if not isinstance(values, list | tuple):
        values = [values]
    if not isinstance(axis, int | np.integer) and isinstance(values, list | tuple) and not isinstance(axis, Tensor):
        raise TypeError(f"Expected int32 passed to parameter 'axis' of op 'ConcatV2', got {axis!r}.")
    place = int(constant_value(axis) if isinstance(axis, Tensor) else axis)
    like = next((dtype_of(v) for v in values if dtype_of(v) is not None), None)
    inputs = [(f"values_{i}", convert(v, name=f"values_{i}", preferred=like)) for i, v in enumerate(values)]
    if len(inputs) == 1:
        return identity(inputs[0][1], name)
    shown = {"N": str(len(inputs)), "Tidx": "DT_INT32"}
    return apply("concat", "ConcatV2", name, inputs, {"axis": place}, constants=[("axis", place)], shown=shown)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    like = next((dtype_of(v) for v in values if dtype_of(v) is not None), None)
    graph = get_default_graph()
    if like is None:
        return constant(
            as_array(list(values)) if axis == 0 else np.stack([as_array(v) for v in values], axis), name=name
        )
    del graph
    inputs = [(f"values_{i}", convert(v, name=f"values_{i}", preferred=like)) for i, v in enumerate(values)]
    return apply("stack", "Pack", name, inputs, {"axis": axis})


def _several(first: Tensor, nodes: Sequence[Any]) -> list[Tensor]:
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
    return list(_several(first, rest))


def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split") -> list[Tensor]:
    tensor = convert(value, name="value")
    dims, place = tensor.shape._dims, int(axis)
    size = None if dims is None else dims[place]
    if isinstance(num_or_size_splits, int):
        if size is None:
            raise NotImplementedError("tf.split: this teaching engine needs to know the size that it splits")
        if size % num_or_size_splits:
            raise ValueError(
                f"Dimension size must be evenly divisible by {num_or_size_splits} but is {size} for "
                f"'{{{{node {name}}}}}'"
            )
        sizes, tf_type = [size // num_or_size_splits] * num_or_size_splits, "Split"
    else:
        sizes, tf_type = [int(s) for s in num_or_size_splits], "SplitV"
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
    return list(_several(first, rest))


def strided_slice(tensor: Any, key: Any, name: str = "strided_slice") -> Tensor:
    """``tensor[key]``: integers, slices, ``tf.newaxis`` and ``...``."""
    source = convert(tensor)
    parts = key if isinstance(key, tuple | list) else (key,)
    index: list[Any] = []
    begins, ends, strides = [], [], []
    for part in parts:
        if part is None or part is Ellipsis:
            index.append(part)
            begin, end, step = 0, 0, 1
        elif isinstance(part, slice):
            found = [_place(p) for p in (part.start, part.stop, part.step)]
            index.append(Slice(*found))
            begin, end, step = found[0] or 0, found[1] or 0, 1 if found[2] is None else found[2]
        elif isinstance(part, Tensor) and constant_value(part) is None:
            if len(parts) > 1:
                raise NotImplementedError("indexing with a tensor is only known here for a single index: x[i]")
            return gather(source, part, name=name)
        else:
            place = _place(part)
            assert place is not None
            index.append(place)
            begin, end, step = place, place + 1, 1
        begins.append(begin)
        ends.append(end)
        strides.append(step)
    constants = [
        ("stack", np.array(begins, np.int32)),
        ("stack_1", np.array(ends, np.int32)),
        ("stack_2", np.array(strides, np.int32)),
    ]
    return apply("getitem", "StridedSlice", name, [("input", source)], {"index": tuple(index)}, constants=constants)


def _place(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, Tensor):
        found = constant_value(value)
        if found is None:
            raise NotImplementedError("slices whose ends are tensors are not known here")
        return int(found)
    if isinstance(value, Dimension):
        return value.value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid "
            f"indices, got {value!r}"
        )
    return int(value)


def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    tensor = convert(input_, name="input")
    index = tuple(Slice(int(b), None if s == -1 else int(b) + int(s)) for b, s in zip(begin, size, strict=True))
    constants = [("begin", np.array(begin, np.int32)), ("size", np.array(size, np.int32))]
    return apply("getitem", "Slice", name, [("input", tensor)], {"index": index}, constants=constants)


def gather(params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = 0) -> Tensor:
    where = int(axis or 0)
    tensor = convert(indices, name="indices")
    return apply(
        "take",
        "GatherV2",
        name or "GatherV2",
        [("params", params), ("indices", tensor)],
        {"axis": where},
        same_type=False,
        constants=[("axis", where)],
    )


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
    kind = dtypes.as_dtype(dtype or "float32").base_dtype
    count = int(constant_value(depth)) if isinstance(depth, Tensor) else int(depth)
    if on_value is not None or off_value is not None or axis not in (None, -1):
        raise NotImplementedError("tf.one_hot: on_value, off_value and axis are not known here")
    return apply(
        "one_hot",
        "OneHot",
        name or "one_hot",
        [("indices", tensor)],
        {"depth": count, "dtype": kind._numpy},
        constants=[("depth", count), ("on_value", as_array(1, kind)), ("off_value", as_array(0, kind))],
    )


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """``x`` where the condition holds, ``y`` elsewhere."""
    if x is None or y is None:
        raise NotImplementedError("tf.where with only a condition is not known here")
    like = dtype_of(x) or dtype_of(y)
    first, second = convert(x, name="t", preferred=like), convert(y, name="e", preferred=like)
    return apply("where", "Select", name, [("condition", condition), ("t", first), ("e", second)], same_type=False)


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """Evenly spaced values; arguments must be known while the graph is built."""
    if limit is None:
        start, limit = 0, start
    found = [constant_value(v) if isinstance(v, Tensor) else v for v in (start, limit, delta)]
    if any(v is None for v in found):
        raise NotImplementedError("tf.range: this teaching engine needs limits that are known while the graph is built")
    arrays = [as_array(v) for v in found]
    kind = dtypes.as_dtype(dtype)._numpy if dtype is not None else np.result_type(*arrays)
    if dtype is None and kind == np.float64 and not any(a.dtype == np.float64 for a in arrays):
        kind = np.dtype(np.float32)
    values = np.arange(*found).astype(kind)
    graph = get_default_graph()
    graph.check_open()
    with graph.name_scope(name) as scope:
        extra = [convert(as_array(v), name=n) for n, v in zip(("start", "limit", "delta"), found, strict=True)]
        node = graph.core.constant(values, name=scope, label="Range", role="op")
    for tensor in extra:
        graph.core.set_serves(tensor._node, node)
    result = graph.tensor(node)
    result.op._inputs = extra
    return result


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    values = np.linspace(start, stop, int(num)).astype(as_array(start).dtype)
    return constant(values, name=name or "linspace")


def eye(
    num_rows: int,
    num_columns: int | None = None,
    batch_shape: Any = None,
    dtype: Any = "float32",
    name: str | None = None,
) -> Tensor:
    return constant(np.eye(num_rows, num_columns), dtype=dtype, name=name or "eye")


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    repeats = static_shape(multiples)
    if repeats is None:
        raise NotImplementedError(
            "tf.tile: this teaching engine needs multiples that are known while the graph is built"
        )
    return apply(
        "tile", "Tile", name, [("input", input)], {"repeats": repeats}, constants=[("multiples", list(repeats))]
    )


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    if mode.upper() != "CONSTANT":
        raise NotImplementedError("tf.pad: only mode='CONSTANT' is known here")
    widths = tuple((int(a), int(b)) for a, b in as_array(paddings))
    attributes = {"widths": widths, "value": constant_values}
    return apply(
        "pad", "Pad", name, [("tensor", tensor)], attributes, constants=[("paddings", np.array(widths, np.int32))]
    )


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    axes = tuple(int(i) for i in axis)
    return apply("flip", "ReverseV2", name, [("tensor", tensor)], {"axis": axes}, constants=[("axis", list(axes))])


def shape(input: Any, name: str | None = None, out_type: Any = "int32", optimize: bool = True) -> Tensor:
    """The shape that a tensor has while the graph runs."""
    tensor = convert(input, name="input")
    kind = dtypes.as_dtype(out_type)
    if tensor.shape.is_fully_defined():
        return constant(np.array(tensor.shape.as_list(), kind._numpy), name=name or "Shape")
    return apply("shape_of", "Shape", name, [("input", tensor)], {"dtype": kind._numpy})


def size(input: Any, name: str | None = None, out_type: Any = "int32") -> Tensor:
    from engine.dialects.tensorflow.math_ops import reduce_prod

    tensor = convert(input, name="input")
    if tensor.shape.is_fully_defined():
        return constant(np.array(tensor.shape.num_elements(), dtypes.as_dtype(out_type)._numpy), name=name or "Size")
    return reduce_prod(shape(tensor, out_type=out_type), name=name or "Size")


def rank(input: Any, name: str | None = None) -> Tensor:
    ndims = convert(input, name="input").shape.ndims
    if ndims is None:
        raise NotImplementedError("tf.rank: this teaching engine needs a rank that is known while the graph is built")
    return constant(np.array(ndims, np.int32), name=name or "Rank")

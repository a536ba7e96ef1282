"""Tensors out of nothing: constants, placeholders, ranges."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, constant_node, convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor, numpy_value
from engine.dialects.tensorflow.shapes import Dimension, TensorShape
from engine.dialects.tensorflow.values import as_array
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
    from engine.dialects.tensorflow.casting import cast

    return cast(result, kind)


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

"""Tensors out of nothing: constants, placeholders, ranges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, shape_ops  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.build import apply, constant_node, convert, graph_of
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
    graph = graph_of([input])
    with graph.as_default(), graph.name_scope(name or "PlaceholderWithDefault") as scope:
        tensor = convert(input, name="input")
        assert tensor._node.type is not None
        kind = TensorType(tensor._node.type.dtype, TensorShape(shape)._dims)
        return apply("identity", "PlaceholderWithDefault", scope, [("input", tensor)], type=kind)


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
    if shape is None:
        raise ValueError("None values not supported.")
    if any(isinstance(d, Tensor) for d in shape):
        return None
    if any(d is None for d in shape):
        raise TypeError("Expected int32, but got None of type 'NoneType'.")
    return tuple(int(d) for d in shape)


def partial_shape(shape: Any) -> tuple[int | None, ...] | None:
    """What is known, while the graph is built, of the sizes that a tensor of integers will hold."""
    if not isinstance(shape, Tensor):
        as_tensor = getattr(type(shape), "_as_tensor", None)
        if as_tensor is not None:
            return None
        if isinstance(shape, list | tuple):
            return tuple(size_of(part) for part in shape)
        return static_shape(shape)
    known = constant_value(shape)
    if known is not None:
        return tuple(None if n == -1 else int(n) for n in np.atleast_1d(known))
    node = shape._node
    sources = [shape.graph.tensor(read) for read, _ in node.inputs]
    if node.op == "shape_of":
        return sources[0].shape._dims
    if node.op == "stack" and not any(source.shape.ndims for source in sources):
        return tuple(size_of(source) for source in sources)
    if node.op == "concat":
        parts = [partial_shape(source) for source in sources]
        return None if None in parts else tuple(n for part in parts for n in part or ())
    if node.op in ("cast", "identity"):
        return partial_shape(sources[0])
    if node.op == "getitem" and len(node.attributes["index"]) == 1 and shape.shape.ndims == 1:
        whole, (part,) = partial_shape(sources[0]), node.attributes["index"]
        return None if whole is None else whole[slice(part.start, part.stop, part.step)]
    count = shape.shape.as_list()[0] if shape.shape.ndims == 1 else None
    return None if count is None else (None,) * count


def size_of(part: Any) -> int | None:
    """One size, if it is known: a number, or an element of a shape whose size there is."""
    if not isinstance(part, Tensor):
        if hasattr(type(part), "_as_tensor"):
            return None
        value = part.value if isinstance(part, Dimension) else int(part)
        return None if value == -1 else value
    known = constant_value(part)
    if known is not None:
        return None if known == -1 else int(known)
    node = part._node
    if node.op == "getitem" and node.inputs[0][0].op == "shape_of":
        whole, index = part.graph.tensor(node.inputs[0][0].inputs[0][0]).shape._dims, node.attributes["index"]
        if whole is not None and len(index) == 1 and isinstance(index[0], int):
            return whole[index[0]]
    return None


def constant_value(tensor: Tensor) -> Any:
    """The value of a tensor that is known while the graph is built, else ``None``."""
    value = numpy_value(tensor)
    if value is None and tensor._node.op == "cast" and tensor._node.inputs[0][0].op == "constant":
        source = tensor._node.inputs[0][0]
        return np.asarray(source.attributes["value"]).astype(tensor._node.attributes["dtype"])
    return value


_SMALL = 1000
"""Zeros and ones of fewer elements are a constant; more are filled in when the graph runs."""


def _filled(value: Any, default: str) -> Any:
    def function(shape: Any, dtype: Any = "float32", name: str | None = None) -> Tensor:
        kind = dtypes.as_dtype(dtype).base_dtype
        element = np.asarray(b"" if kind.name == "string" else value, kind._numpy)
        sizes = static_shape(shape)
        negative = next((n for n in sizes or () if n < 0), None)
        if negative is not None:
            raise ValueError(f"Invalid value in tensor used for shape: {negative}")
        if not isinstance(shape, Tensor) and sizes is not None and math.prod(sizes) < _SMALL:
            return constant(np.full(sizes, element), name=name or default)
        graph = get_default_graph()
        graph.check_open()
        with graph.name_scope(name or default) as scope:
            if sizes is not None and not isinstance(shape, Tensor):
                shape = convert(np.array(sizes, np.int32), name="shape_as_tensor")
            else:
                shape = convert(shape, name="packed")
            if shape.shape.ndims == 0:
                from engine.dialects.tensorflow.array_ops import reshape

                shape = reshape(shape, [-1])
            return _filled_by(scope, shape, constant(element))

    function.__name__ = default
    return function


def _filled_by(name: str | None, dims: Tensor, value: Tensor) -> Tensor:
    """``value`` in the sizes that ``dims`` holds, known now or when the graph runs."""
    sizes = static_shape(dims)
    if sizes is None:
        inputs = [("value", value), ("dims", dims)]
        found = apply("tf_fill", "Fill", name, inputs, {"known": partial_shape(dims)}, same_type=False)
    else:
        found = apply("broadcast_to", "Fill", name, [("value", value)], {"shape": sizes})
    found.op._inputs = [dims, value]
    core = found.graph.core
    for made in (dims, value):
        if made._node.op == "constant" and made._node.serves is None and made._node.index > found._node.index - 3:
            core.set_serves(made._node, found._node)
    return found


zeros = _filled(0, "zeros")


ones = _filled(1, "ones")


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    graph = get_default_graph()
    graph.check_open()
    with graph.name_scope(name or "Fill") as scope:
        sizes = dims.as_list() if isinstance(dims, TensorShape) else dims
        wanted = convert(np.array(sizes, np.int32) if isinstance(sizes, list) and not sizes else sizes, name="dims")
        return _filled_by(scope, wanted, convert(value, name="value"))


def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    found = convert(tensor, name="tensor")
    kind = found.dtype.base_dtype if dtype is None else dtypes.as_dtype(dtype).base_dtype
    with found.graph.as_default():
        if optimize and found.shape.is_fully_defined():
            return zeros(found.shape.as_list(), kind, name or "zeros_like")  # type: ignore[no-any-return]
        if kind != found.dtype.base_dtype:
            return _filled_like(found, kind, name or "zeros_like", 0)
    return apply("zeros_like", "ZerosLike", name or "zeros_like", [("tensor", found)])


def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    found = convert(tensor, name="tensor")
    kind = found.dtype.base_dtype if dtype is None else dtypes.as_dtype(dtype).base_dtype
    with found.graph.as_default():
        return _filled_like(found, kind, name or "ones_like", 1)


def _filled_like(found: Tensor, kind: dtypes.DType, name: str, value: int) -> Tensor:
    """``value`` everywhere, in the shape of ``found``."""
    from engine.dialects.tensorflow.array_ops import shape

    with found.graph.name_scope(name) as scope:
        if found.shape.is_fully_defined():
            sizes = constant(np.array(found.shape.as_list(), np.int32), name="Shape/shape_as_tensor")
        else:
            sizes = shape(found)
        one = constant(np.asarray(value, kind._numpy))
        if found.shape.is_fully_defined():
            return _filled_by(scope, sizes, one)
        filled = apply("broadcast_to_like", "Fill", scope, [("value", one), ("like", found)], same_type=False)
    filled.op._inputs = [sizes, one]
    for made in (sizes, one):
        found.graph.core.set_serves(made._node, filled._node)
    return filled

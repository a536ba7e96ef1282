"""Shapes of tensors: reshaping, transposing, joining, repeating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, convert, dtype_of
from engine.dialects.tensorflow.creation import constant, constant_value, partial_shape, static_shape
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.values import as_array


def identity(input: Any, name: str | None = None) -> Tensor:
    return apply("identity", "Identity", name, [("input", input)])


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    return apply("stop_gradient", "StopGradient", name, [("input", input)])


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements in another shape (one size may be -1)."""
    sizes = static_shape([-1 if d is None else d for d in shape.as_list()] if isinstance(shape, TensorShape) else shape)
    if sizes is None:
        return _by_sizes("tf_reshape", "Reshape", name, ("tensor", tensor), ("shape", shape))
    constants: list[tuple[str, Any]] = [("shape", shape if isinstance(shape, Tensor) else np.array(sizes, np.int32))]
    if isinstance(shape, list | tuple) and not shape:
        constants.insert(0, ("shape", []))  # nothing says what it is a list of: the real graph has a first guess too
    found = apply(
        "reshape", "Reshape", name, [("tensor", tensor)], {"shape": sizes}, constants=constants,
        shown={"Tshape": "DT_INT32"},
    )  # fmt: skip
    found.op._inputs = [found.op.inputs[0], found.op.inputs[-1]]
    return found


def _by_sizes(op: str, tf_type: str, name: str | None, first: tuple[str, Any], sizes: tuple[str, Any]) -> Tensor:
    """An op whose result has the sizes that a tensor says."""
    tensor = convert(sizes[1], name=sizes[0])
    known = partial_shape(tensor)
    return apply(op, tf_type, name, [first, (sizes[0], tensor)], {"known": known}, same_type=False)


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
    from engine.dialects.tensorflow.reductions import axes_of

    axes = axes_of(axis if squeeze_dims is None else squeeze_dims)
    return apply(
        "squeeze",
        "Squeeze",
        name,
        [("input", input)],
        {"axis": None if axes == () else axes},
        shown=None if not axes else {"squeeze_dims": str(list(axes) if isinstance(axes, tuple) else [axes])},
    )


def _same_types(values: Sequence[Any], op: str, like: Any = None) -> None:
    """:raises TypeError: the values of a list differ in dtype; Python's own take that of ``like`` if they can."""
    kinds = [_kind(x, like).base_dtype.name for x in values]
    if len(set(kinds)) > 1:
        raise TypeError(
            f"Tensors in list passed to 'values' of '{op}' Op have types [{', '.join(kinds)}] that don't all match."
        )


def _kind(value: Any, like: Any) -> dtypes.DType:
    found = dtype_of(value)
    if found is not None:
        return found
    try:
        return dtypes.from_numpy(as_array(value, like.base_dtype).dtype)
    except (TypeError, ValueError):
        return dtypes.from_numpy(as_array(value).dtype)


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    if not isinstance(values, list | tuple):
        values = [values]
    if not isinstance(axis, int | np.integer) and isinstance(values, list | tuple) and not isinstance(axis, Tensor):
        raise TypeError(f"Expected int32 passed to parameter 'axis' of op 'ConcatV2', got {axis!r}.")
    place = int(constant_value(axis) if isinstance(axis, Tensor) else axis)
    like = next((dtype_of(v) for v in values if dtype_of(v) is not None), None)
    inputs = [(f"values_{i}", convert(v, name=f"values_{i}", preferred=like)) for i, v in enumerate(values)]
    if len(inputs) == 1:
        with inputs[0][1].graph.name_scope(name):
            return identity(inputs[0][1], name)
    _same_types([x for _, x in inputs], "ConcatV2")
    shown = {"N": str(len(inputs)), "Tidx": "DT_INT32"}
    constants = [("axis", axis if isinstance(axis, Tensor) else place)]
    return apply("concat", "ConcatV2", name, inputs, {"axis": place}, constants=constants, shown=shown)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    like = next((dtype_of(v) for v in values if dtype_of(v) is not None), None)
    graph = get_default_graph()
    if like is None:
        return constant(
            as_array(list(values)) if axis == 0 else np.stack([as_array(v) for v in values], axis), name=name
        )
    del graph
    _same_types(values, "Pack", like)
    inputs = [(str(i), v) for i, v in enumerate(values)]
    return apply("stack", "Pack", name, inputs, {"axis": axis})


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    repeats = static_shape(multiples)
    if repeats is None:
        source = convert(input, name="input")
        old, times = source.shape._dims, partial_shape(multiples)
        known = (
            None
            if old is None or times is None
            else tuple(None if n is None or m is None else n * m for n, m in zip(old, times, strict=True))
        )
        return apply(
            "tf_tile", "Tile", name, [("input", source), ("multiples", multiples)], {"known": known}, same_type=False
        )
    return apply(
        "tile",
        "Tile",
        name,
        [("input", input)],
        {"repeats": repeats},
        constants=[("multiples", multiples if isinstance(multiples, Tensor) else list(repeats))],
    )


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """``tensor`` with more elements before and after each axis: of one value, or its own, mirrored."""
    kind = mode.upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {mode}"
        )
    widths = tuple((int(a), int(b)) for a, b in as_array(paddings))
    constants: list[tuple[str, Any]] = [("paddings", np.array(widths, np.int32))]
    if kind != "CONSTANT":
        attributes: dict[str, Any] = {"widths": widths, "mode": kind.lower()}
        return apply("tf_mirror_pad", "MirrorPad", name, [("tensor", tensor)], attributes, constants=constants)
    attributes = {"widths": widths, "value": constant_values}
    if isinstance(constant_values, Tensor) or constant_values != 0:
        constants.append(("constant_values", constant_values))
        return apply("pad", "PadV2", name, [("tensor", tensor)], attributes, constants=constants)
    return apply("pad", "Pad", name, [("tensor", tensor)], attributes, constants=constants)


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
    tensor = convert(input, name="input")
    if tensor.shape.is_fully_defined():
        return constant(np.array(tensor.shape.num_elements(), dtypes.as_dtype(out_type)._numpy), name=name or "Size")
    return apply("tf_size", "Size", name, [("input", tensor)], {"dtype": dtypes.as_dtype(out_type)._numpy})


def rank(input: Any, name: str | None = None) -> Tensor:
    tensor = convert(input, name="input")
    if tensor.shape.ndims is None:
        return apply("tf_rank", "Rank", name, [("input", tensor)])
    return constant(np.array(tensor.shape.ndims, np.int32), name=name or "Rank")

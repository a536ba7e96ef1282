"""Making eager tensors, and changing their shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, strict_gathering  # noqa: F401  (declares ops)
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import lookups, math_ops, messages
from engine.dialects.tensorflow.eager.operands import together
from engine.dialects.tensorflow.eager.tensor import Tensor, Valued, array_of, convert, run, running_tapes, wrap
from engine.dialects.tensorflow.kernel_words import kernel_words
from engine.dialects.tensorflow.spaced import spaced
from engine.ops.indexing import describe_index


def sizes_of(shape: Any) -> tuple[int, ...]:
    """A shape argument as a tuple: a number, a list (also with tensors in it), a tensor."""
    if isinstance(shape, int | np.integer):
        return (int(shape),)
    if isinstance(shape, Valued):
        shape = shape._array.reshape(-1).tolist()
    return tuple(int(n) for n in shape)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """A tensor of a Python value or an array."""
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    array = value._array if isinstance(value, Valued) else array_of(value, kind)
    if isinstance(value, Valued) and kind is not None and value.dtype != kind:
        raise TypeError(f"Expected tensor {value} with dtype {kind!r}, but got dtype {value.dtype!r}.")
    if shape is not None:
        wanted = sizes_of(shape)
        count = int(np.prod(wanted))
        if array.size == 1:
            array = np.full(wanted, array.reshape(-1)[0], array.dtype)
        elif array.size == count:
            array = array.reshape(wanted)
        else:
            raise TypeError(
                f"Eager execution of tf.constant with unsupported shape. Tensor {array} (converted from {value}) has "
                f"{array.size} elements, but got `shape` {wanted} with {count} elements)."
            )
    return wrap(np.array(array))


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Any:
    found = convert(value, dtype)
    return found.read_value() if hasattr(found, "_trainable") else found


def _filled(shape: Any, value: Any, dtype: Any, label: str) -> Any:
    """:raises InvalidArgumentError: a size is negative."""
    sizes = sizes_of(shape)
    wrong = next((n for n in sizes if n < 0), None)
    if wrong is not None:
        raise messages.failed("Fill", f"Dimension {wrong} must be >= 0")
    return wrap(np.full(sizes, value, dtype), label)


def zeros(shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    kind = dtypes.as_dtype(dtype)._numpy
    return _filled(shape, np.zeros((), kind), kind, "zeros")


def ones(shape: Any, dtype: Any = "float32", name: str | None = None) -> Any:
    return _filled(shape, 1, dtypes.as_dtype(dtype)._numpy, "ones")


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    array = array_of(value) if not isinstance(value, Valued) else value._array
    return _filled(dims, array, array.dtype, "fill")


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    array = convert(input)._array
    return wrap(np.zeros(array.shape, array.dtype if dtype is None else dtypes.as_dtype(dtype)._numpy), "zeros_like")


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    array = convert(input)._array
    return wrap(np.ones(array.shape, array.dtype if dtype is None else dtypes.as_dtype(dtype)._numpy), "ones_like")


def eye(num_rows: int, num_columns: int | None = None, dtype: Any = "float32", name: str | None = None) -> Any:
    return wrap(np.eye(num_rows, num_columns, dtype=dtypes.as_dtype(dtype)._numpy), "eye")


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Numbers from ``start`` up to before ``limit``."""
    if limit is None:
        start, limit = 0, start
    parts = [x._array[()] if isinstance(x, Valued) else array_of(x)[()] for x in (start, limit, delta)]
    kind = np.result_type(*(p.dtype for p in parts)) if dtype is None else dtypes.as_dtype(dtype)._numpy
    if dtype is None and kind == np.float64 and not any(p.dtype == np.float64 for p in parts):
        kind = np.dtype(np.float32)  # an int32 and a float32
    first, last, step = (part.item() for part in parts)
    if not step:
        raise messages.failed("Range", f"Requires delta != 0: {step}")
    return wrap(np.arange(first, last, step).astype(kind), "range")


def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Any:
    """``num`` numbers at even distances; whole ones become float64."""
    begin = convert(start)
    return wrap(spaced(begin._array, convert(stop, begin.dtype)._array, int(num), axis), "linspace")


def identity(input: Any, name: str | None = None) -> Any:
    return run("identity", "Identity", convert(input))


def stop_gradient(input: Any, name: str | None = None) -> Any:
    return run("stop_gradient", "StopGradient", convert(input))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    return run("reshape", "Reshape", convert(tensor), shape=sizes_of(shape))


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Any:
    tensor = convert(a)
    axes = None if perm is None else sizes_of(perm)
    if axes is not None and sorted(axes) != list(range(tensor._array.ndim)):
        missing = next((n for n in range(tensor._array.ndim) if n not in axes), len(axes))
        text = f"{missing} is missing from {{{','.join(map(str, axes))}}}."
        raise messages.failed("Transpose", text, name=None)
    return run("transpose", "Transpose", tensor, axes=axes)


def expand_dims(input: Any, axis: int, name: str | None = None) -> Any:
    return run("expand_dims", "ExpandDims", convert(input), axis=math_ops.axes_of(axis))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    tensor = convert(input)
    axes = math_ops.axes_of(axis)
    return run("squeeze", "Squeeze", tensor, axis=axes)


def concat(values: Any, axis: int, name: str = "concat") -> Any:
    parts = together("ConcatV2", tuple(convert(x) for x in values))
    return run("concat", "ConcatV2", *parts, axis=math_ops.axes_of(axis))


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    parts = together("Pack", tuple(values))
    return run("stack", "Pack", *[convert(p._array) if not isinstance(p, Valued) else p for p in parts], axis=axis)


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    tensor = convert(value)
    return [run("select", "Unpack", tensor, axis=axis, index=i) for i in range(tensor._array.shape[axis])]


def split(value: Any, num_or_size_splits: Any, axis: int = 0, num: Any = None, name: str = "split") -> list[Any]:
    """Parts of equal size, or of these sizes."""
    tensor = convert(value)
    place = axis % max(tensor._array.ndim, 1)
    whole = tensor._array.shape[place]
    if isinstance(num_or_size_splits, int):
        if whole % num_or_size_splits:
            text = (
                f"Number of ways to split should evenly divide the split dimension, but got split_dim {axis} (size = "
                f"{whole}) and num_split {num_or_size_splits}"
            )
            raise messages.failed("Split", text, name="split")
        counts = [whole // num_or_size_splits] * num_or_size_splits
    else:
        counts = list(sizes_of(num_or_size_splits))
    parts, at = [], 0
    for count in counts:
        index = (*(slice(None),) * place, slice(at, at + count))
        parts.append(run("getitem", "Split", tensor, index=describe_index(index)))
        at += count
    return parts


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    found, repeats = convert(input), sizes_of(multiples)
    told = kernel_words("Tile", [found._array.shape], {"repeats": repeats}) if hasattr(found, "_array") else None
    if told is not None:  # NumPy would make do with another number of them
        raise messages.failed("Tile", told)
    return run("tile", "Tile", found, repeats=repeats)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Any:
    if mode.upper() != "CONSTANT":
        raise NotImplementedError(f"tf.pad: this teaching engine pads with constants only, not mode={mode!r}")
    widths = tuple(tuple(int(n) for n in pair) for pair in np.asarray(paddings).tolist())
    return run("pad", "PadV2", convert(tensor), widths=widths, value=constant_values)


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0,
    name: str | None = None,
) -> Any:  # fmt: skip
    where, batches = int(batch_dims if axis is None else axis), {"batch_dims": int(batch_dims)} if batch_dims else {}
    op = "tf_batched_gather" if batch_dims else "tf_gather"
    table, rows = convert(params), convert(indices)
    result = run(op, "GatherV2", table, rows, axis=where, **batches)
    if running_tapes and where == 0 and not graphs._stack:
        lookups.remember(table, rows, result)
    return result


def take(params: Any, indices: Any, axis: int = 0) -> Any:
    """As Keras has it: negative indices count from the end."""
    table, rows = convert(params), convert(indices)
    result = run("tf_take", "GatherV2", table, rows, axis=axis)
    if running_tapes and axis == 0 and not graphs._stack:
        lookups.remember(table, rows, result)
    return result


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Any:
    """Each element (along ``axis``; without one, of all) so many times."""
    tensor = convert(input)
    if axis is None:
        tensor, axis = run("reshape", "Reshape", tensor, shape=(-1,)), 0
    size = tensor.shape[int(axis)]
    if size is None or (isinstance(repeats, Tensor) and not isinstance(repeats, Valued)):
        raise NotImplementedError("tf.repeat: this teaching engine needs to know how often when it builds the graph")
    places = np.repeat(np.arange(int(size), dtype=np.int32), np.asarray(repeats))
    return gather(tensor, places, axis=int(axis))


def gather_nd(params: Any, indices: Any, name: str | None = None, **_: Any) -> Any:
    return run("tf_gather_nd", "GatherNd", convert(params), convert(indices))


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Any:
    places = wrap(np.flatnonzero(np.asarray(convert(mask)._array)), "where")
    return run("tf_gather", "GatherV2", convert(tensor), places, axis=0)


def one_hot(
    indices: Any, depth: int, on_value: Any = 1.0, off_value: Any = 0.0, axis: int = -1, dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    if convert(indices).dtype.is_floating:
        told = "Value for attr 'TI' of float is not in the list of allowed values: uint8, int8, int32, int64"
        raise messages.failed("OneHot", told)
    if (on_value, off_value, axis) != (1.0, 0.0, -1):
        from engine.dialects.tensorflow import indexing_ops
        from engine.dialects.tensorflow.function.both import lifted

        build = lifted(indexing_ops.one_hot, "one_hot")
        return build(indices, depth, on_value, off_value, axis, dtype or "float32", name)
    kind = dtypes.as_dtype("float32" if dtype is None else dtype)._numpy
    return run("one_hot", "OneHot", convert(indices), depth=int(depth), dtype=kind)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    chosen = convert(condition)
    if x is None and y is None:
        return wrap(np.argwhere(chosen._array), "where")
    a, b = together("SelectV2", (x, y))
    return run("where", "SelectV2", chosen, a, b)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    axes = math_ops.axes_of(axis)
    return run("flip", "ReverseV2", convert(tensor), axis=axes)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    return run("broadcast_to", "BroadcastTo", convert(input), shape=sizes_of(shape))


def shape(input: Any, out_type: Any = "int32", name: str | None = None) -> Any:
    return wrap(np.array(convert(input)._array.shape, dtypes.as_dtype(out_type)._numpy), "shape")


def size(input: Any, out_type: Any = "int32", name: str | None = None) -> Any:
    return wrap(np.array(convert(input)._array.size, dtypes.as_dtype(out_type)._numpy), "size")


def rank(input: Any, name: str | None = None) -> Any:
    return wrap(np.array(convert(input)._array.ndim, np.int32), "rank")


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    return run("sort", "Sort", convert(values), axis=axis, descending=direction == "DESCENDING")


def argsort(values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: Any = None) -> Any:
    found = run("argsort", "ArgSort", convert(values), axis=axis, descending=direction == "DESCENDING")
    return run("cast", "Cast", found, dtype=np.dtype(np.int32))


def getitem(self: Any, key: Any) -> Any:
    """``tensor[…]``: integers, slices, ``tf.newaxis``, ``...``."""
    parts = key if isinstance(key, tuple) else (key,)
    if isinstance(key, Valued) and key._array.dtype.kind == "b":
        return boolean_mask(self, key)
    ready: list[Any] = []
    for part in parts:
        if isinstance(part, Valued):
            part = int(part)
        if not isinstance(part, int | np.integer | slice) and part is not None and part is not Ellipsis:
            raise TypeError(
                "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 "
                f"tensors are valid indices, got {part!r}"
            )
        ready.append(part)
    counted = [p for p in ready if p is not None and p is not Ellipsis]
    if len(counted) > self._array.ndim:
        text = f"Index out of range using input dim {self._array.ndim}; input has only {self._array.ndim} dims"
        raise messages.failed("StridedSlice", text, name="strided_slice/")
    before = True
    at = 0
    for part in ready:
        if part is Ellipsis:
            before = False
        elif part is not None:
            place = at if before else self._array.ndim - (len(counted) - at)
            length = self._array.shape[place]
            if isinstance(part, int | np.integer) and not -length <= part < length:
                outside = part + length if part < 0 else part
                text = f"slice index {outside} of dimension {place} out of bounds."
                raise messages.failed("StridedSlice", text, name="strided_slice/")
            at += 1
    return run("getitem", "StridedSlice", self, index=describe_index(tuple(ready)))


FUNCTIONS = {
    "range": range_, **{f.__name__: f for f in (
        constant, convert_to_tensor, zeros, ones, fill, zeros_like, ones_like, eye, linspace, identity, stop_gradient,
        reshape, transpose, expand_dims, squeeze, concat, stack, unstack, split, tile, pad, gather, gather_nd, repeat,
        boolean_mask, one_hot, where, reverse, broadcast_to, shape, size, rank, sort, argsort,
    )},
}  # fmt: skip

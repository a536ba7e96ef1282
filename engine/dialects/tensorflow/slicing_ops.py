"""Slices of tensors: ``tensor[key]`` and ``tf.slice``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.creation import constant_value, partial_shape
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import gather
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.shapes import Dimension, brackets
from engine.ops.indexing import Slice


def strided_slice(tensor: Any, key: Any, name: str = "strided_slice") -> Tensor:
    """``tensor[key]``: integers, slices, ``tf.newaxis`` and ``...``."""
    source = convert(tensor)
    parts = key if isinstance(key, tuple | list) else (key,)
    index: list[Any] = []
    begins, ends, strides = [], [], []
    later: list[tuple[int, Any]] = []
    for part in parts:
        if part is None or part is Ellipsis:
            index.append(part)
            begin, end, step = 0, 0, 1
        elif isinstance(part, slice) and any(_open(p) for p in (part.start, part.stop, part.step)):
            later.append((_axis(index), part))
            index.append(Slice())
            begin, end, step = 0, 0, 1
        elif isinstance(part, slice):
            found = [_place(p) for p in (part.start, part.stop, part.step)]
            index.append(Slice(*found))
            begin, end, step = found[0] or 0, found[1] or 0, 1 if found[2] is None else found[2]
        elif _open(part):
            if Ellipsis in index:
                raise NotImplementedError("a tensor as an index after `...` is not known here: count the axes instead")
            later.append((_axis(index), part))
            index.append(Slice())
            begin, end, step = 0, 0, 1
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
    if later:
        return _picked(source, tuple(index), later, name)
    return _sliced(source, tuple(index), constants, name)


def _sliced(source: Tensor, index: tuple[Any, ...], constants: Any, name: str) -> Tensor:
    """The op, or TensorFlow's words for an index that points at nothing."""
    mask = sum(1 << place for place, part in enumerate(index) if isinstance(part, int))
    shown = {
        "Index": "DT_INT32",
        "begin_mask": str(_masked(index, "start")),
        "end_mask": str(_masked(index, "stop")),
        "ellipsis_mask": str(_bits(index, Ellipsis)),
        "new_axis_mask": str(_bits(index, None)),
        "shrink_axis_mask": str(mask),
    }
    dims = source.shape._dims
    real = [part for part in index if part is not None and part is not Ellipsis]
    if dims is not None and Ellipsis not in index and None not in index:
        wrong = None
        if len(real) > len(dims):
            wrong = f"Index out of range using input dim {len(dims)}; input has only {len(dims)} dims"
        for place, (part, size) in enumerate(zip(real, dims, strict=False)):
            if wrong is None and isinstance(part, int) and size is not None and not -size <= part < size:
                wrong = f"slice index {part} of dimension {place} out of bounds."
        if wrong is not None:
            _refuse(source, wrong, constants, shown, name)
    return apply(
        "getitem", "StridedSlice", name, [("input", source)], {"index": index}, constants=constants, shown=shown
    )


def _bits(index: tuple[Any, ...], wanted: Any) -> int:
    return sum(1 << place for place, part in enumerate(index) if part is wanted)


def _masked(index: tuple[Any, ...], end: str) -> int:
    return sum(1 << place for place, part in enumerate(index) if isinstance(part, Slice) and getattr(part, end) is None)


def _refuse(source: Tensor, wrong: str, constants: Any, shown: Any, name: str) -> None:
    """:raises ValueError: with the node as it would have been."""
    title = source.graph.unique_name(name)
    kinds = {"T": ENUM[source.dtype.base_dtype.name], **shown}
    text = ", ".join(f"{key}={kinds[key]}" for key in sorted(kinds))
    operands = ", ".join([source.name.removesuffix(":0"), *(f"{title}/{word}" for word, _ in constants)])
    sizes = ", ".join(f"[{len(value)}]" for _, value in constants)
    begins, ends, strides = (" ".join(map(str, value)) for _, value in constants)
    said = f"input[3] = <{strides}>"
    if wrong.startswith("slice"):
        said = f"input[1] = <{begins}>, input[2] = <{ends}>, {said}"
    raise ValueError(
        f"{wrong} for '{{{{node {title}}}}} = StridedSlice[{text}]({operands})' with input shapes: "
        f"{brackets(source.shape._dims)}, {sizes} and with computed input tensors: {said}."
    )


def _open(part: Any) -> bool:
    """Whether an index is only known while the graph runs."""
    as_tensor = getattr(type(part), "_as_tensor", None)
    tensor = part if as_tensor is None else as_tensor(part)
    return isinstance(tensor, Tensor) and constant_value(tensor) is None


def _axis(index: Sequence[Any]) -> int:
    """The axis of the result of ``index`` that comes next."""
    return sum(not isinstance(part, int) for part in index)


def _picked(source: Tensor, index: tuple[Any, ...], later: Sequence[tuple[int, Any]], name: str) -> Tensor:
    """``source[index]`` first, then what the tensors in the index say, from the last axis to the first."""
    from engine.dialects.tensorflow.array_ops import shape
    from engine.dialects.tensorflow.creation import range_

    with source.graph.name_scope(name) as scope:
        plain = all(part == Slice() for part in index)
        found = source if plain else apply("getitem", "StridedSlice", None, [("input", source)], {"index": index})
        for count, (axis, part) in enumerate(reversed(later), 1):
            if isinstance(part, slice):
                end = shape(found)[axis] if part.stop is None else part.stop
                part = range_(0 if part.start is None else part.start, end, 1 if part.step is None else part.step)
            found = gather(found, part, axis=axis, name=scope if count == len(later) else None)
    return found


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


def _given(part: Any) -> Any:
    return constant_value(part) if isinstance(part, Tensor) else part


def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    tensor = convert(input_, name="input")
    starts, sizes = (
        part
        if isinstance(part, Tensor) or _has_open(part)
        else np.array([int(n) for n in np.atleast_1d(_given(part))], np.int32)
        for part in (begin, size)
    )
    old, where, wanted = tensor.shape._dims, partial_shape(_plain(begin)), partial_shape(_plain(size))
    if old is not None and where is not None and wanted is not None:
        wanted = tuple(
            n if n is not None or not _rest(size, place) else _difference(old[place], where[place])
            for place, n in enumerate(wanted)
        )
    inputs = [("input", tensor), ("begin", starts), ("size", sizes)]
    return apply("tf_slice", "Slice", name, inputs, {"known": wanted}, same_type=False)


def _difference(size: int | None, start: int | None) -> int | None:
    return None if size is None or start is None else size - start


def _has_open(part: Any) -> bool:
    return isinstance(part, list | tuple) and any(_open(item) for item in part)


def _plain(part: Any) -> Any:
    return part.tolist() if isinstance(part, np.ndarray) else part


def _rest(size: Any, place: int) -> bool:
    """Whether a size says "all that is left"."""
    known = _given(size)
    return known is not None and not _has_open(size) and int(np.atleast_1d(known)[place]) == -1

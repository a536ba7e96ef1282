"""Slices of tensors: ``tensor[key]`` and ``tf.slice``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.creation import constant_value, partial_shape
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.shapes import Dimension, brackets
from engine.errors import BoundsError
from engine.ops.indexing import Slice
from engine.ops.registry import op
from engine.tensor_type import TensorType


def strided_slice(tensor: Any, key: Any, name: str = "strided_slice") -> Tensor:
    """``tensor[key]``: integers, slices, ``tf.newaxis`` and ``...``."""
    source = convert(tensor)
    parts = key if isinstance(key, tuple | list) else (key,)
    if any(_open(end) for part in parts for end in _ends(part)):
        return _computed(source, parts, name)
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
                wrong = f"slice index {part + size if part < 0 else part} of dimension {place} out of bounds."
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


def _ends(part: Any) -> tuple[Any, ...]:
    return (part.start, part.stop, part.step) if isinstance(part, slice) else (part,)


# -- slices whose ends are tensors: the op reads them when it runs -----------------------------------------------------
def _computed(source: Tensor, parts: Sequence[Any], name: str) -> Tensor:
    """``tensor[key]`` where some of the key is only known while the graph runs."""
    from engine.dialects.tensorflow.array_ops import stack

    words: list[str] = []
    begins: list[Any] = []
    ends: list[Any] = []
    strides: list[Any] = []
    for part in parts:
        begin: Any = 0
        end: Any = 0
        step: Any = 1
        if part is None or part is Ellipsis:
            words.append("newaxis" if part is None else "ellipsis")
        elif isinstance(part, slice):
            words.append(_OPEN_ENDS[part.start is None, part.stop is None])
            given = [_end(0 if value is None else value) for value in (part.start, part.stop)]
            given.append(_end(1 if part.step is None else part.step))
            begin, end, step = map(convert, given) if any(isinstance(g, Tensor) for g in given) else given
        else:
            words.append("index")
            begin = _end(part)
            end = begin + 1
        begins.append(begin)
        ends.append(end)
        strides.append(step)
    with source.graph.name_scope(name) as scope:
        packed = [
            stack(values, name=title)
            if any(isinstance(v, Tensor) for v in values)
            else convert(np.array(values, np.int32), name=title)
            for values, title in ((begins, "stack"), (ends, "stack_1"), (strides, "stack_2"))
        ]
        inputs = [("input", source), *zip(("begin", "end", "strides"), packed, strict=True)]
        found = apply("tf_strided_slice", "StridedSlice", scope, inputs, {"parts": tuple(words)}, same_type=False)
    for tensor in packed:
        source.graph.core.set_serves(tensor._node, found._node)
    return found


_OPEN_ENDS = {(False, False): "slice", (True, False): "until", (False, True): "from", (True, True): "all"}


def _end(value: Any) -> Any:
    """An end of a slice: a number, or a tensor that is one."""
    return convert(value) if _open(value) else _place(value)


def _key(parts: tuple[str, ...], begin: Any, end: Any, strides: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The index for NumPy.

    :raises BoundsError: an index points at nothing.
    """
    key: list[Any] = []
    dimension = 0
    for word, low, high, step in zip(parts, begin.tolist(), end.tolist(), strides.tolist(), strict=True):
        if word == "newaxis":
            key.append(None)
            continue
        if word == "ellipsis":
            key.append(Ellipsis)
            dimension += len(shape) - sum(one not in ("newaxis", "ellipsis") for one in parts)
            continue
        if word == "index":
            size = shape[dimension]
            place = low + size if low < 0 else low
            if not 0 <= place < size:
                raise BoundsError(f"slice index {place} of dimension {dimension} out of bounds.")
            key.append(place)
        else:
            key.append(
                slice(None if word in ("until", "all") else low, None if word in ("from", "all") else high, step)
            )
        dimension += 1
    return tuple(key)


def _sliced_kernel(a: Any, begin: Any, end: Any, strides: Any, parts: tuple[str, ...]) -> Any:
    return a[_key(parts, begin, end, strides, a.shape)]


def _sliced_type(a: TensorType, begin: Any, end: Any, strides: Any, parts: tuple[str, ...]) -> TensorType:
    if a.shape is None:
        return TensorType(a.dtype, None)
    sizes = list(a.shape)
    rest = len(sizes) - sum(word not in ("newaxis", "ellipsis") for word in parts)
    found: list[int | None] = []
    for word in (*parts, *(() if "ellipsis" in parts else ("ellipsis",))):
        if word == "ellipsis":
            found += [sizes.pop(0) for _ in range(rest)]
        elif word == "newaxis":
            found.append(1)
        else:
            sizes.pop(0)
            if word != "index":
                found.append(None)
    return TensorType(a.dtype, tuple(found))


def _unsliced(g: Any, begin: Any, end: Any, strides: Any, like: Any, parts: tuple[str, ...]) -> Any:
    found = np.zeros_like(like)
    found[_key(parts, begin, end, strides, like.shape)] = g
    return found


_ENDS = frozenset({"begin", "end", "strides"})
op("tf_strided_slice_grad", "g begin end strides like", _unsliced,
   lambda g, begin, end, strides, like, parts: like,
   {"g": lambda F, h, begin, end, strides, parts: F.tf_strided_slice(h, begin, end, strides, parts)},
   unpromoted=_ENDS, category="gradient", symbol="nabla")  # fmt: skip
op("tf_strided_slice", "a begin end strides", _sliced_kernel, _sliced_type,
   {"a": lambda F, g, a, begin, end, strides, parts: F.tf_strided_slice_grad(g, begin, end, strides, a, parts)},
   unpromoted=_ENDS, view=True, category="shape", symbol="shape", formula="a_{i}", traffic="rows")  # fmt: skip


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

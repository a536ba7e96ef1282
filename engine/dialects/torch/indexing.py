"""``x[...]`` and its relatives: reading and writing by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.torch import ops
from engine.dialects.torch.from_data import infer_array
from engine.dialects.torch.in_place import copy_
from engine.dialects.torch.messages import check_expands, translate
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.pointwise import _operand
from engine.dialects.torch.shaping import SELECT, SLICE, expand
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import word_of
from engine.dynamic.apply import apply
from engine.dynamic.inplace import check_writable, write
from engine.dynamic.tensor import Number
from engine.errors import StepgraphError
from engine.ops.indexing import describe_index

_ = ops
_p = FACADE.primitive
INDEX = _p("index", "index", "IndexBackward0", default=True)
TAKE = _p("take", "index_select", "IndexSelectBackward0", default=True)


def _is_basic(part: Any) -> bool:
    return (
        part is None
        or part is Ellipsis
        or isinstance(part, slice)
        or (isinstance(part, int | np.integer) and not isinstance(part, bool))
    )


def _parse(key: Any) -> list[Any]:
    parts = list(key) if isinstance(key, tuple) else [key]
    result: list[Any] = []
    for part in parts:
        if isinstance(part, Tensor):
            array = part._array
            if array.ndim == 0 and array.dtype.kind in "iu":
                result.append(int(array))
                continue
            if array.dtype.kind not in "iub":
                raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
            result.append(part if array.dtype != np.uint8 else Tensor(array.astype(bool)))
        elif isinstance(part, list | np.ndarray | tuple | bool | range):
            result.append(Tensor(infer_array(np.asarray(part) if isinstance(part, bool) else part)))
        elif isinstance(part, slice):
            ends = (part.start, part.stop, part.step)
            start, stop, step = (int(e) if isinstance(e, Tensor | np.integer) else e for e in ends)
            if step is not None and step <= 0:
                raise ValueError("step must be greater than zero")
            result.append(slice(start, stop, step))
        elif _is_basic(part):
            result.append(part)
        else:
            if isinstance(part, str):
                raise TypeError("new(): invalid data type 'str'")
            if isinstance(part, float):
                raise IndexError(
                    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
                    "indices (got float)"
                )
            raise TypeError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {type(part).__name__})"
            )
    return result


def _check_bounds(array: Any, parts: Sequence[Any]) -> None:
    """PyTorch's words for an index that does not exist."""
    used = sum(
        1 if not isinstance(p, Tensor) or p._array.dtype.kind != "b" else p._array.ndim
        for p in parts
        if p is not None and p is not Ellipsis
    )
    if used > array.ndim:
        if array.ndim == 0:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                "convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {array.ndim}")
    place = tensors = 0  # PyTorch counts the dimensions that are indexed by tensors on their own
    for part in parts:
        if part is None:
            continue
        if part is Ellipsis:
            place += array.ndim - used
            continue
        size = array.shape[place]
        if isinstance(part, Tensor):
            index = part._array
            if index.dtype.kind == "b":
                for i in range(index.ndim):
                    if index.shape[i] != array.shape[place + i]:
                        raise IndexError(
                            f"The shape of the mask {_list(index.shape)} at index {i} does not match the shape of "
                            f"the indexed "
                            f"tensor {_list(array.shape)} at index {place + i}"
                        )
                place += index.ndim
                tensors += index.ndim
                continue
            wrong = index[(index < -size) | (index >= size)]
            if wrong.size:
                raise IndexError(f"index {wrong.flat[0]} is out of bounds for dimension {tensors} with size {size}")
            tensors += 1
        elif isinstance(part, int | np.integer) and not -size <= part < size:
            raise IndexError(f"index {part} is out of bounds for dimension {place} with size {size}")
        place += 1


def _list(shape: Sequence[int]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def getitem(self: Tensor, key: Any) -> Any:
    parts = _parse(key)
    _check_bounds(self._array, parts)
    if not any(isinstance(part, Tensor) for part in parts):
        return _basic_index(self, parts)
    layout, tensors = _layout(parts)
    _check_together(tensors)
    return apply(INDEX, (self, *tensors), {"layout": layout})


def _check_together(tensors: Sequence[Tensor]) -> None:
    """Refuse index tensors that do not broadcast."""
    if len(tensors) < 2:
        return
    shapes = [x._array.shape if x._array.dtype.kind != "b" else (int(x._array.sum()),) for x in tensors]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(map(_list, shapes))
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}"
        ) from None


def _basic_index(self: Tensor, parts: Sequence[Any]) -> Any:
    """Basic indexing is one view; its name is that of the last step that PyTorch would take."""
    index = describe_index(tuple(parts))
    if len(parts) == self._array.ndim and all(isinstance(part, int | np.integer) for part in parts):
        index = (*index, Ellipsis)  # NumPy then gives a view, not a scalar
    label = SLICE
    for part in parts:
        if isinstance(part, int | np.integer):
            label = SELECT
        elif part is None:
            label = UNSQUEEZE_INDEX
        elif isinstance(part, slice) and part != slice(None):
            label = SLICE
    if all(part is Ellipsis or part == slice(None) for part in parts):
        label = ALIAS
    return apply(label, (self,), {"index": index})


UNSQUEEZE_INDEX = _p("getitem", "unsqueeze", "UnsqueezeBackward0")
ALIAS = _p("getitem", "slice", "AliasBackward0")
_p("getitem", "getitem", "SliceBackward0", default=True)


def _layout(parts: Sequence[Any]) -> tuple[tuple[Any, ...], list[Tensor]]:
    layout: list[Any] = []
    tensors = []
    for part in parts:
        if isinstance(part, Tensor):
            layout.append("t")
            tensors.append(part)
        elif isinstance(part, slice):
            layout.append((part.start, part.stop, part.step))
        else:
            layout.append(part)
    return tuple(layout), tensors


def setitem(self: Tensor, key: Any, value: Any) -> None:
    parts = _parse(key)
    _check_bounds(self._array, parts)
    source = _operand(value)
    if source is None:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"can't assign a {type(value).__name__} to a torch.{word_of(self._array.dtype)}Tensor")
        source = Tensor(infer_array(value))
    if not any(isinstance(part, Tensor) for part in parts):
        target = _basic_index(self, parts)
        if isinstance(source, Tensor):
            check_expands(source._array.shape, target._array.shape)
        copy_(target, source if isinstance(source, Tensor) else source._array)
        return
    try:
        check_writable(self)
    except StepgraphError as error:
        raise translate(error) from None
    if (
        len(parts) == 1
        and parts[0]._array.dtype.kind == "b"
        and (isinstance(source, Number) or source._array.size == 1)
    ):
        mask = parts[0]._array.reshape(parts[0]._array.shape + (1,) * (self._array.ndim - parts[0]._array.ndim))
        write(WRITE_MASKED, (self, Tensor(mask), source))
        return
    layout, tensors = _layout(parts)
    write(WRITE_INDEX, (self, source, *tensors), {"layout": layout})


WRITE_INDEX = _p("index_write", "index_put_", "IndexPutBackward0")
WRITE_MASKED = _p("masked_write", "index_put_", "IndexPutBackward0")


def index_select(input: Tensor, dim: int, index: Tensor) -> Any:
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis]
    if index._array.dtype not in (np.int32, np.int64):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if index._array.size and (index._array.max() >= size or index._array.min() < 0):
        raise IndexError("index out of range in self")
    return apply(TAKE, (input, index), {"axis": axis})


MASKED_SELECT = _p("index", "masked_select", "MaskedSelectBackward0")


def masked_select(input: Tensor, mask: Tensor) -> Any:
    """The elements where ``mask`` holds, in one row."""
    if mask._array.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = np.broadcast_shapes(input._array.shape, mask._array.shape)
    layout, tensors = _layout([Tensor(np.broadcast_to(mask._array, shape))])
    source = input if input._array.shape == shape else expand(input, *shape)
    return apply(MASKED_SELECT, (source, *tensors), {"layout": layout})

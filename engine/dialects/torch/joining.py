"""Joining tensors, and taking them apart."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.shaping import SELECT, SLICE, reshape
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.apply import apply
from engine.ops.indexing import Slice

_p = FACADE.primitive
SPLIT_SIZES = _p("getitem", "split", "SplitWithSizesBackward0")
UNBIND = _p("getitem", "unbind", "UnbindBackward0")
SPLIT = _p("getitem", "split", "SplitBackward0")
STACK = _p("stack", "stack", "StackBackward0", default=True)
CAT = _p("concat", "cat", "CatBackward0", default=True)


def _parts(tensors: Any, name: str) -> list[Tensor]:
    if isinstance(tensors, Tensor):
        raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor")
    parts = list(tensors)
    if not parts:
        words = "expected a non-empty list of Tensors" if name == "cat" else "expects a non-empty TensorList"
        raise (ValueError if name == "cat" else RuntimeError)(
            f"torch.cat(): {words}" if name == "cat" else f"{name} {words}"
        )
    for place, part in enumerate(parts):
        if not isinstance(part, Tensor):
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {type(part).__name__}")
    return parts


def cat(tensors: Any, dim: int = 0, *, axis: int | None = None, out: Any = None) -> Any:
    """Tensors one after another along ``dim``."""
    parts = _parts(tensors, "cat")
    for place, part in enumerate(parts):
        if part._array.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
    parts = [x for x in parts if x._array.shape != (0,)] or parts[:1]
    place = check_dim(dim if axis is None else axis, parts[0]._array.ndim)
    return apply(CAT, parts, {"axis": place})


def stack(tensors: Any, dim: int = 0) -> Any:
    """Tensors of equal shape along a new dimension."""
    parts = _parts(tensors, "stack")
    return apply(STACK, parts, {"axis": check_dim(dim, parts[0]._array.ndim + 1)})


def hstack(tensors: Any) -> Any:
    parts = _parts(tensors, "hstack")
    return cat(parts, 0 if parts[0]._array.ndim < 2 else 1)


def vstack(tensors: Any) -> Any:
    return cat([x if x._array.ndim > 1 else reshape(x, (1, -1)) for x in _parts(tensors, "vstack")], 0)


def _piece(input: Tensor, axis: int, start: int, stop: int, primitive: Any = SPLIT) -> Any:
    return apply(primitive, (input,), {"index": (*(Slice(),) * axis, Slice(start, stop))})


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    axis = check_dim(dim, tensor._array.ndim)
    size = tensor._array.shape[axis]
    if isinstance(split_size_or_sections, int):
        step = split_size_or_sections
        if step < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={step}")
        if step == 0 and size:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}")
        pieces = [_piece(tensor, axis, i, min(i + step, size)) for i in range(0, size, step)]
        return _numbered(pieces) or (tensor,)
    sections = list(split_size_or_sections)
    if sum(sections) != size:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at dimension "
            f"{axis}), but "
            f"got split_sizes={sections}"
        )
    ends = np.cumsum([0, *sections]).tolist()
    return _numbered([_piece(tensor, axis, a, b, SPLIT_SIZES) for a, b in pairwise(ends)])


def _numbered(pieces: list[Any]) -> tuple[Any, ...]:
    """Several views of one tensor, which know it."""
    for i, piece in enumerate(pieces):
        if piece._view is not None:
            piece._view.piece = i
    return tuple(pieces)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = input._array.shape[check_dim(dim, input._array.ndim)]
    return split(input, max(1, -(-size // chunks)), dim)


UNSAFE_SPLIT = _p("getitem", "split", "UnsafeSplitBackward0")


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """:func:`chunk` as recurrent cells do it: into parts that nobody will write to."""
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis]
    step = max(1, -(-size // chunks))
    return tuple(_piece(input, axis, i, min(i + step, size), UNSAFE_SPLIT) for i in range(0, size, step))


def unbind(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    axis = check_dim(dim, input._array.ndim)
    places = range(input._array.shape[axis])
    return _numbered([apply(UNBIND, (input,), {"index": (*(Slice(),) * axis, i, Ellipsis)}) for i in places])


def narrow(input: Tensor, dim: int, start: int, length: int) -> Any:
    axis = check_dim(dim, input._array.ndim)
    if start + length > input._array.shape[axis]:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({input._array.shape[axis]}).")
    return _piece(input, axis, start, start + length, SLICE)


def select(input: Tensor, dim: int, index: int) -> Any:
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(input._array.shape)} at dimension {dim}"
        )
    return apply(SELECT, (input,), {"index": (*(Slice(),) * axis, int(index), Ellipsis)})


def dstack(tensors: Any) -> Any:
    return cat([atleast_3d(x) for x in _parts(tensors, "dstack")], 2)


def column_stack(tensors: Any) -> Any:
    return cat([x if x._array.ndim > 1 else reshape(x, (-1, 1)) for x in _parts(tensors, "column_stack")], 1)


def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Parts of nearly equal size, or split before each of the indices."""
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis]
    if isinstance(indices_or_sections, int):
        count = indices_or_sections
        ends = [0, *np.cumsum([size // count + (i < size % count) for i in range(count)]).tolist()]
    else:
        ends = [0, *(min(int(i), size) for i in indices_or_sections), size]
    return tuple(_piece(input, axis, a, max(a, b), SLICE) for a, b in pairwise(ends))


def _at_least(rank: int) -> Any:
    def function(*tensors: Any) -> Any:
        given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else tensors
        found = []
        for x in given:
            shape = x._array.shape
            while len(shape) < rank:
                shape = (*shape, 1) if len(shape) == 2 else (1, *shape)
            found.append(x if len(shape) == x._array.ndim else reshape(x, shape))
        return found[0] if len(tensors) == 1 and isinstance(tensors[0], Tensor) else tuple(found)

    function.__name__ = f"atleast_{rank}d"
    return function


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)


def block_diag(*tensors: Any) -> Any:
    """Matrices along the diagonal of a larger one."""
    blocks = [atleast_2d(x) for x in tensors]
    width = sum(b._array.shape[1] for b in blocks)
    rows, before = [], 0
    for block in blocks:
        height, own = block._array.shape
        left = np.zeros((height, before), block._array.dtype)
        right = np.zeros((height, width - before - own), block._array.dtype)
        rows.append(cat([Tensor(left), block, Tensor(right)], 1) if len(blocks) > 1 else block)
        before += own
    return cat(rows, 0)

"""Views, reshapes, joining and splitting, indexing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from engine.dialects.torch import extras
from engine.dialects.torch.creation import need_tensor
from engine.dialects.torch.tensor import FACADE, Tensor, check_dim
from engine.dialects.torch.types import Size
from engine.dynamic.apply import apply
from engine.ops.indexing import Slice

_ = extras
_p = FACADE.primitive
VIEW = _p("reshape", "view", "ViewBackward0", default=True)
UNSAFE_VIEW = _p("reshape", "reshape", "UnsafeViewBackward0")
T = _p("transpose", "t", "TBackward0")
TRANSPOSE = _p("transpose", "transpose", "TransposeBackward0")
PERMUTE = _p("transpose", "permute", "PermuteBackward0", default=True)
UNSQUEEZE = _p("expand_dims", "unsqueeze", "UnsqueezeBackward0", default=True)
SQUEEZE = _p("squeeze", "squeeze", "SqueezeBackward0", default=True)
SQUEEZE_DIM = _p("squeeze", "squeeze", "SqueezeBackward1")
EXPAND = _p("broadcast_to", "expand", "ExpandBackward0", default=True)
SELECT = _p("getitem", "select", "SelectBackward0")
SLICE = _p("getitem", "slice", "SliceBackward0")
CAT = _p("concat", "cat", "CatBackward0", default=True)
STACK = _p("stack", "stack", "StackBackward0", default=True)
SPLIT = _p("getitem", "split", "SplitBackward0")
UNBIND = _p("getitem", "unbind", "UnbindBackward0")
FLIP = _p("flip", "flip", "FlipBackward0", default=True)
TILE = _p("tile", "repeat", "RepeatBackward0", default=True)


def _sizes(arguments: Sequence[Any]) -> tuple[int, ...]:
    if len(arguments) == 1 and isinstance(arguments[0], tuple | list):
        arguments = arguments[0]
    return tuple(int(n) for n in arguments)


def _reshaped(input: Tensor, shape: tuple[int, ...]) -> tuple[int, ...]:
    """``shape`` with -1 worked out, or PyTorch's error."""
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    size = input._array.size
    known = prod(n for n in shape if n != -1)
    fits = known == size if -1 not in shape else known != 0 and size % known == 0
    if not fits:
        if -1 in shape and known == 0:
            raise RuntimeError(
                f"cannot reshape tensor of {size} elements into shape [{', '.join(map(str, shape))}] because the "
                "unspecified dimension size -1 can be any value and is ambiguous"
            )
        raise RuntimeError(f"shape '[{', '.join(map(str, shape))}]' is invalid for input of size {size}")
    return tuple(size // known if n == -1 else n for n in shape)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    need_tensor(input, "reshape")
    primitive = VIEW if input._array.flags.c_contiguous else UNSAFE_VIEW
    return apply(primitive, (input,), {"shape": _reshaped(input, _sizes(shape))})  # type: ignore[return-value]


def view(self: Tensor, *shape: Any) -> Any:
    if len(shape) == 1 and not isinstance(shape[0], int | tuple | list | np.integer | Tensor):
        raise TypeError(
            f"view(): argument 'size' (position 1) must be tuple of ints, but got {type(shape[0]).__name__}"
        )
    sizes = _reshaped(self, _sizes(shape))
    if not self._array.flags.c_contiguous and not _can_view(self._array, sizes):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return apply(VIEW, (self,), {"shape": sizes})


def _can_view(array: Any, shape: tuple[int, ...]) -> bool:
    try:
        return bool(np.shares_memory(array.reshape(shape), array)) or array.size == 0
    except ValueError:
        return False


def view_as(self: Tensor, other: Tensor) -> Any:
    return view(self, other._array.shape)


def reshape_as(self: Tensor, other: Tensor) -> Any:
    return reshape(self, other._array.shape)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    rank = input._array.ndim
    first, last = check_dim(start_dim, rank), check_dim(end_dim, rank)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if rank and first == last:
        return input
    shape = input._array.shape
    return reshape(input, (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]))


def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Any:
    axis, shape = check_dim(dim, input._array.ndim), input._array.shape
    return reshape(input, (*shape[:axis], *sizes, *shape[axis + 1 :]))


def t(input: Tensor) -> Tensor:
    if input._array.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return apply(T, (input,))  # type: ignore[return-value]


def reverse_dims(self: Tensor) -> Any:
    return apply(PERMUTE, (self,), {"axes": tuple(range(self._array.ndim))[::-1]})


def transpose(input: Tensor, dim0: int, dim1: int) -> Any:
    rank = input._array.ndim
    a, b = check_dim(dim0, rank), check_dim(dim1, rank)
    axes = list(range(rank))
    if rank:
        axes[a], axes[b] = axes[b], axes[a]
    return apply(TRANSPOSE, (input,), {"axes": tuple(axes)})


def permute(input: Tensor, *dims: Any) -> Any:
    axes = _sizes(dims)
    rank = input._array.ndim
    if len(axes) != rank:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = {len(axes)}"
        )
    normal = tuple(check_dim(d, rank) for d in axes)
    if len(set(normal)) < rank:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return apply(PERMUTE, (input,), {"axes": normal})


def unsqueeze(input: Tensor, dim: int) -> Any:
    return apply(UNSQUEEZE, (input,), {"axis": check_dim(dim, input._array.ndim + 1)})


def squeeze(input: Tensor, dim: Any = None) -> Any:
    shape = input._array.shape
    if dim is None:
        axes: Any = tuple(i for i, n in enumerate(shape) if n == 1)
        return apply(SQUEEZE, (input,), {"axis": axes})
    wanted = [dim] if isinstance(dim, int) else list(dim)
    axes = tuple(a for a in (check_dim(d, len(shape)) for d in wanted) if shape and shape[a] == 1)
    return apply(SQUEEZE_DIM, (input,), {"axis": axes})


def expand(self: Tensor, *sizes: Any) -> Any:
    wanted, old = list(_sizes(sizes)), self._array.shape
    for place in range(1, len(old) + 1):
        if place <= len(wanted) and wanted[-place] == -1:
            wanted[-place] = old[-place]
    return apply(EXPAND, (self,), {"shape": tuple(wanted)})


def expand_as(self: Tensor, other: Tensor) -> Any:
    return expand(self, other._array.shape)


def broadcast_to(input: Tensor, size: Sequence[int]) -> Any:
    return expand(input, *size)


def repeat(self: Tensor, *repeats: Any) -> Any:
    times = _sizes(repeats)
    rank = self._array.ndim
    if len(times) < rank:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    source: Any = self
    if len(times) > rank:
        source = reshape(self, (*(1,) * (len(times) - rank), *self._array.shape))
    return apply(TILE, (source,), {"repeats": times})


def flip(input: Tensor, *dims: Any) -> Any:
    return apply(FLIP, (input,), {"axis": tuple(check_dim(d, input._array.ndim) for d in _sizes(dims))})


def contiguous(self: Tensor, memory_format: Any = None) -> Any:
    return self if self._array.flags.c_contiguous else self.clone()


# -- joining and splitting --
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
        if step <= 0 and size:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={step}")
        return tuple(_piece(tensor, axis, i, min(i + step, size)) for i in range(0, size, step)) or (tensor,)
    sections = list(split_size_or_sections)
    if sum(sections) != size:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at dimension "
            f"{axis}), but "
            f"got split_sizes={sections}"
        )
    ends = np.cumsum([0, *sections]).tolist()
    return tuple(_piece(tensor, axis, a, b) for a, b in pairwise(ends))


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    size = input._array.shape[check_dim(dim, input._array.ndim)]
    return split(input, max(1, -(-size // chunks)), dim)


def unbind(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    axis = check_dim(dim, input._array.ndim)
    return tuple(
        apply(UNBIND, (input,), {"index": (*(Slice(),) * axis, i, Ellipsis)}) for i in range(input._array.shape[axis])
    )


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
            f"select(): index {index} out of range for tensor of size {Size(input._array.shape)} at dimension {dim}"
        )
    return apply(SELECT, (input,), {"index": (*(Slice(),) * axis, int(index), Ellipsis)})


def unsqueeze_(self: Tensor, dim: int) -> Any:
    self._array = np.expand_dims(self._array, check_dim(dim, self._array.ndim + 1))
    return self

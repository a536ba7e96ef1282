"""Views, reshapes, joining and splitting, indexing."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.dialects.torch import ops
from engine.dialects.torch.arguments import need_tensor, no_form, not_sizes
from engine.dialects.torch.memory_formats import is_in, ordered
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import as_array_dtype, dtype
from engine.dynamic.apply import apply

_ = ops
_p = FACADE.primitive
VIEW = _p("reshape", "view", "ViewBackward0", default=True)
UNSAFE_VIEW = _p("reshape", "reshape", "UnsafeViewBackward0")
T = _p("transpose", "t", "TBackward0")
TRANSPOSE = _p("transpose", "transpose", "TransposeBackward0")
PERMUTE = _p("transpose", "permute", "PermuteBackward0", default=True)
UNSQUEEZE = _p("expand_dims", "unsqueeze", "UnsqueezeBackward0", default=True)
SQUEEZE = _p("squeeze", "squeeze", "SqueezeBackward0", default=True)
SQUEEZE_DIM = _p("squeeze", "squeeze", "SqueezeBackward1")
EXPAND = _p("expand", "expand", "ExpandBackward0")
SELECT = _p("getitem", "select", "SelectBackward0")
SLICE = _p("getitem", "slice", "SliceBackward0")
FLIP = _p("flip", "flip", "FlipBackward0", default=True)
TILE = _p("tile", "repeat", "RepeatBackward0", default=True)


def _sizes(arguments: Sequence[Any]) -> tuple[int, ...]:
    if len(arguments) == 1 and isinstance(arguments[0], tuple | list):
        arguments = arguments[0]
    return tuple(int(n) for n in arguments)


def _need_integers(name: str, argument: str, sizes: Sequence[Any]) -> None:
    """Refuse ``h / 2`` as a size: it is no integer, even where it is a whole number."""
    for place, size in enumerate(sizes):
        if isinstance(size, float | str):
            if place == 0 and len(sizes) > 1:
                raise TypeError(f"{name}() takes 1 positional argument but {len(sizes)} were given")
            raise not_sizes(name, size, place, argument)


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
    _need_integers("reshape", "shape", shape)
    primitive = VIEW if input._array.flags.c_contiguous else UNSAFE_VIEW
    return apply(primitive, (input,), {"shape": _reshaped(input, _sizes(shape))})  # type: ignore[return-value]


def view(self: Tensor, *shape: Any) -> Any:
    if shape and isinstance(shape[0], str | float):
        raise no_form("view", shape, {"torch.dtype dtype": 1, "tuple of ints size": 1}, (str, float))
    _need_integers("view", "size", shape)
    if len(shape) == 1 and isinstance(shape[0], dtype):
        out = Tensor(self._array.view(as_array_dtype(shape[0])))
        out._storage = self._storage
        return out
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
    if prod(sizes) != shape[axis] and -1 not in sizes:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({shape[axis]}) in "
            "the input tensor"
        )
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
    return self if is_in(self._array, memory_format) else in_format(apply(CONTIGUOUS, (self,)), memory_format)


def in_format(fresh: Any, memory_format: Any) -> Any:
    """A tensor that an op has just made, with its elements in the order that is wanted."""
    fresh._array = ordered(fresh._array, memory_format)
    return fresh


CONTIGUOUS = _p("contiguous", "clone", "CloneBackward0")


def in_place(function: Any) -> Any:
    """The method that gives a tensor itself another shape (of the same memory)."""

    def method(self: Tensor, *arguments: Any) -> Tensor:
        self._array = function(Tensor(self._array), *arguments)._array
        return self

    return method


unsqueeze_, squeeze_, transpose_, t_ = (in_place(f) for f in (unsqueeze, squeeze, transpose, t))


def movedim(input: Tensor, source: Any, destination: Any) -> Any:
    """Dimensions moved to other places; the others keep their order."""
    rank = input._array.ndim
    froms, tos = ([check_dim(d, rank) for d in ([x] if isinstance(x, int) else x)] for x in (source, destination))
    order = [d for d in range(rank) if d not in froms]
    for to, dim in sorted(zip(tos, froms, strict=True)):
        order.insert(to, dim)
    return apply(PERMUTE, (input,), {"axes": tuple(order)})


def ravel(input: Tensor) -> Any:
    return reshape(input, -1)


DIAGONAL = _p("diagonal", "diagonal", "DiagonalBackward0")
DIAGONAL_COPY = _p("diagonal", "diag", "DiagonalBackward0_copy")


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The diagonal of two dimensions, as a last one."""
    rank = input._array.ndim
    a, b = check_dim(dim1, rank), check_dim(dim2, rank)
    if (a, b) != (rank - 2, rank - 1):
        input = movedim(input, (a, b), (rank - 2, rank - 1))
    return apply(DIAGONAL, (input,), {"offset": offset})


AS_STRIDED = _p("as_strided", "as_strided", "AsStridedBackward0")
UNFOLD = _p("as_strided", "unfold", "UnfoldBackward0")


def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int = 0) -> Any:
    """A view with any sizes and strides (in elements)."""
    attributes = {"shape": tuple(size), "strides": tuple(stride), "offset": storage_offset}
    return apply(AS_STRIDED, (input,), attributes)


def unfold(self: Tensor, dimension: int, size: int, step: int) -> Any:
    """All windows of ``size`` along a dimension, as a last dimension."""
    array = self._array
    axis = check_dim(dimension, array.ndim)
    if size > array.shape[axis]:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {array.shape[axis]} but size is {size}")
    strides = [n // array.itemsize for n in array.strides]
    shape = [*array.shape, size]
    shape[axis] = (array.shape[axis] - size) // step + 1
    steps = [*strides, strides[axis]]
    steps[axis] *= step
    return apply(UNFOLD, (self,), {"shape": tuple(shape), "strides": tuple(steps), "offset": 0})

"""Views, reshapes, joining and splitting, indexing."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.dialects.torch import extras
from engine.dialects.torch.creation import infer_array, need_tensor
from engine.dialects.torch.pointwise import _operand, copy_
from engine.dialects.torch.tensor import FACADE, Tensor, check_dim
from engine.dialects.torch.types import Size, word_of
from engine.dynamic.apply import apply
from engine.dynamic.inplace import check_writable, write
from engine.dynamic.tensor import Number
from engine.errors import StepgraphError
from engine.ops.indexing import Slice, describe_index

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
INDEX = _p("index", "index", "IndexBackward0", default=True)
TAKE = _p("take", "index_select", "IndexSelectBackward0", default=True)
CAT = _p("concat", "cat", "CatBackward0", default=True)
STACK = _p("stack", "stack", "StackBackward0", default=True)
SPLIT = _p("getitem", "split", "SplitBackward0")
UNBIND = _p("getitem", "unbind", "UnbindBackward0")
FLIP = _p("flip", "flip", "FlipBackward0", default=True)
TILE = _p("tile", "repeat", "RepeatBackward0", default=True)
GATHER = _p("gather", "gather", "GatherBackward0", default=True)
SCATTER = _p("scatter", "scatter", "ScatterBackward0", default=True)
SCATTER_ADD = _p("along_add", "scatter_add", "ScatterAddBackward0")


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
        raise TypeError(f"view(): argument 'size' (position 1) must be tuple of ints, but got {type(shape[0]).__name__}")
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
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    source: Any = self
    if len(times) > rank:
        source = reshape(self, (*(1,) * (len(times) - rank), *self._array.shape))
    return apply(TILE, (source,), {"repeats": times})


def flip(input: Tensor, *dims: Any) -> Any:
    return apply(FLIP, (input,), {"axis": tuple(check_dim(d, input._array.ndim) for d in _sizes(dims))})


def contiguous(self: Tensor, memory_format: Any = None) -> Any:
    return self if self._array.flags.c_contiguous else self.clone()  # type: ignore[attr-defined]


# -- joining and splitting ------------------------------------------------------------------------------------------------
def _parts(tensors: Any, name: str) -> list[Tensor]:
    if isinstance(tensors, Tensor):
        raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor")
    parts = list(tensors)
    if not parts:
        words = "expected a non-empty list of Tensors" if name == "cat" else "expects a non-empty TensorList"
        raise (ValueError if name == "cat" else RuntimeError)(f"torch.cat(): {words}" if name == "cat" else f"{name} {words}")
    for place, part in enumerate(parts):
        if not isinstance(part, Tensor):
            raise TypeError(
                f"expected Tensor as element {place} in argument 0, but got {type(part).__name__}"
            )
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
            f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at dimension {axis}), but "
            f"got split_sizes={sections}"
        )
    ends = np.cumsum([0, *sections]).tolist()
    return tuple(_piece(tensor, axis, a, b) for a, b in zip(ends[:-1], ends[1:], strict=True))


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
        raise IndexError(f"select(): index {index} out of range for tensor of size {Size(input._array.shape)} at dimension {dim}")
    return apply(SELECT, (input,), {"index": (*(Slice(),) * axis, int(index), Ellipsis)})


# -- indexing ----------------------------------------------------------------------------------------------------------------
def _is_basic(part: Any) -> bool:
    return part is None or part is Ellipsis or isinstance(part, slice) or (isinstance(part, int | np.integer) and not isinstance(part, bool))


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
        elif isinstance(part, list | np.ndarray | tuple) or isinstance(part, bool):
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
            if isinstance(part, float):
                raise TypeError("only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got float)")
            raise TypeError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {type(part).__name__})"
            )
    return result


def _check_bounds(array: Any, parts: Sequence[Any]) -> None:
    """PyTorch's words for an index that does not exist."""
    used = sum(1 if not isinstance(p, Tensor) or p._array.dtype.kind != "b" else p._array.ndim for p in parts if p is not None and p is not Ellipsis)
    if used > array.ndim:
        if array.ndim == 0:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
                "0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {array.ndim}")
    place = 0
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
                            f"The shape of the mask {_list(index.shape)} at index {i} does not match the shape of the indexed "
                            f"tensor {_list(array.shape)} at index {place + i}"
                        )
                place += index.ndim
                continue
            wrong = index[(index < -size) | (index >= size)]
            if wrong.size:
                raise IndexError(f"index {wrong.flat[0]} is out of bounds for dimension {place} with size {size}")
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
    return apply(INDEX, (self, *tensors), {"layout": layout})


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


INDEX_PUT = _p("overwrite", "index_put_", "IndexPutBackward0")


def setitem(self: Tensor, key: Any, value: Any) -> None:
    parts = _parse(key)
    _check_bounds(self._array, parts)
    source = _operand(value)
    if source is None:
        if isinstance(value, list | tuple | np.ndarray):
            source = Tensor(infer_array(value))
        else:
            raise TypeError(f"can't assign a {type(value).__name__} to a torch.{word_of(self._array.dtype)}Tensor")
    if not any(isinstance(part, Tensor) for part in parts):
        copy_(_basic_index(self, parts), source if isinstance(source, Tensor) else source._array)
        return
    try:
        check_writable(self)
    except StepgraphError as error:
        from engine.dialects.torch.messages import translate

        raise translate(error) from None
    if len(parts) == 1 and parts[0]._array.dtype.kind == "b" and (isinstance(source, Number) or source._array.size == 1):
        mask = parts[0]._array.reshape(parts[0]._array.shape + (1,) * (self._array.ndim - parts[0]._array.ndim))
        from engine.dialects.torch.pointwise import MASKED

        write(WRITE_MASKED, (self, Tensor(mask), source))
        _ = MASKED
        return
    layout, tensors = _layout(parts)
    write(WRITE_INDEX, (self, source, *tensors), {"layout": layout})


WRITE_INDEX = _p("index_write", "index_put_", "IndexPutBackward0")
WRITE_MASKED = _p("masked_write", "index_put_", "IndexPutBackward0")


def index_select(input: Tensor, dim: int, index: Tensor) -> Any:
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis]
    if index._array.size and (index._array.max() >= size or index._array.min() < 0):
        raise IndexError("index out of range in self")
    return apply(TAKE, (input, index), {"axis": axis})


def masked_select(input: Tensor, mask: Tensor) -> Any:
    layout, tensors = _layout([mask])
    return apply(_p("index", "masked_select", "MaskedSelectBackward0"), (input, *tensors), {"layout": layout})


def gather(input: Tensor, dim: int, index: Tensor) -> Any:
    axis = check_dim(dim, input._array.ndim)
    if index._array.dtype != np.int64:
        raise RuntimeError("gather(): Expected dtype int64 for index")
    if index._array.ndim != input._array.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    size = input._array.shape[axis]
    wrong = index._array[(index._array >= size) | (index._array < 0)]
    if wrong.size:
        raise RuntimeError(f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {size}")
    return apply(GATHER, (input, index), {"axis": axis})


def _scatter(primitive: Any) -> Any:
    def scatter(input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
        source = _operand(value if src is None else src)
        axis = check_dim(dim, input._array.ndim)
        _check_scatter(input, axis, index, source)
        return apply(primitive, (input, index, source), {"axis": axis})  # type: ignore[arg-type]

    return scatter


def _check_scatter(input: Tensor, axis: int, index: Tensor, source: Any) -> None:
    if index._array.dtype != np.int64:
        raise RuntimeError("scatter(): Expected dtype int64 for index")
    if isinstance(source, Tensor) and source._array.dtype != input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    size = input._array.shape[axis]
    wrong = index._array[(index._array >= size) | (index._array < 0)]
    if wrong.size:
        raise RuntimeError(f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {size}")


scatter, scatter_add = _scatter(SCATTER), _scatter(SCATTER_ADD)


def _scatter_in_place(primitive: Any) -> Any:
    def scatter_(self: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
        source = _operand(value if src is None else src)
        axis = check_dim(dim, self._array.ndim)
        _check_scatter(self, axis, index, source)
        return write(primitive, (self, index, source), {"axis": axis})  # type: ignore[arg-type]

    return scatter_


scatter_ = _scatter_in_place(_p("scatter", "scatter_", "ScatterBackward0"))
scatter_add_ = _scatter_in_place(_p("along_add", "scatter_add_", "ScatterAddBackward0"))


def unsqueeze_(self: Tensor, dim: int) -> Any:
    self._array = np.expand_dims(self._array, check_dim(dim, self._array.ndim + 1))
    return self

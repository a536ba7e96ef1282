"""Elements in another order, repeated, or combined with one another."""

from __future__ import annotations

from itertools import combinations as choose
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.gathering import gather
from engine.dialects.torch.indexing import TAKE as TAKE_SLICES
from engine.dialects.torch.joining import stack
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.shaping import VIEW, expand, flip, repeat, reshape, unsqueeze
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import Size
from engine.dynamic.apply import apply

_p = FACADE.primitive
ROLL = _p("roll", "roll", "RollBackward0")
ROLLED = _p("reshape", "roll", "RollBackward0")
TURNED = _p("transpose", "rot90", "Rot90Backward0")
TAKE = _p("take", "take", "TakeBackward0")
DIAG_EMBED = _p("put_diagonal", "diag_embed", "DiagonalBackward0_copy")


def roll(input: Tensor, shifts: Any, dims: Any = None) -> Any:
    """Elements moved on along dimensions; what leaves at the end comes in at the beginning."""
    need_tensor(input, "roll")
    moves = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    if dims is None or dims == ():
        flat = roll(reshape(input, -1), moves[0], 0)
        return apply(ROLLED, (flat,), {"shape": input._array.shape})
    axes = tuple(check_dim(d, input._array.ndim) for d in ((dims,) if isinstance(dims, int) else dims))
    if len(axes) != len(moves):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moves)}, dims:{len(axes)}")
    return apply(ROLL, (input,), {"shift": moves, "axis": axes})


def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Any:
    """A quarter turn, ``k`` times."""
    a, b = dims
    turns = k % 4
    if turns == 2:
        return flip(input, (a, b))
    if turns == 0:
        return input.clone()
    axes = list(range(input._array.ndim))
    axes[a], axes[b] = axes[b], axes[a]
    return apply(TURNED, (flip(input, (b,) if turns == 1 else (a,)),), {"axes": tuple(axes)})


def fliplr(input: Tensor) -> Any:
    return flip(input, (1,))


def flipud(input: Tensor) -> Any:
    return flip(input, (0,))


def tile(input: Tensor, *dims: Any) -> Any:
    """The tensor repeated along each dimension."""
    times = tuple(dims[0]) if len(dims) == 1 and isinstance(dims[0], tuple | list) else dims
    return repeat(input, *(1,) * (input._array.ndim - len(times)), *times)


def repeat_interleave(input: Tensor, repeats: Any, dim: int | None = None, *, output_size: Any = None) -> Any:
    """Each element several times in a row."""
    flat = reshape(input, -1) if dim is None else input
    axis = 0 if dim is None else check_dim(dim, input._array.ndim)
    if isinstance(repeats, int):
        shape = flat._array.shape
        wide = expand(unsqueeze(flat, axis + 1), *shape[: axis + 1], repeats, *shape[axis + 1 :])
        return apply(VIEW, (wide.clone(),), {"shape": (*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :])})
    places = np.repeat(np.arange(flat._array.shape[axis]), repeats._array)
    return apply(TAKE_SLICES, (flat, Tensor(places)), {"axis": axis})


def take(input: Tensor, index: Tensor) -> Any:
    """Elements by their number in the flat tensor."""
    return apply(TAKE, (reshape(input, -1), index), {"axis": 0})


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    """``gather`` whose indices broadcast."""
    if dim is None:
        return gather(reshape(input, -1), 0, reshape(indices, -1))
    axis = check_dim(dim, input._array.ndim)
    shape = [max(a, b) for a, b in zip(input._array.shape, indices._array.shape, strict=True)]
    shape[axis] = indices._array.shape[axis]
    return gather(input, axis, Tensor(np.broadcast_to(indices._array, shape)))


def diag_embed(input: Tensor, offset: int = 0) -> Any:
    """The last dimension as the diagonal of a matrix."""
    size = input._array.shape[-1] + (offset if offset > 0 else -offset)
    return apply(DIAG_EMBED, (input,), {"shape": (*input._array.shape[:-1], size, size), "offset": offset})


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """Coordinates of a grid: each vector along a dimension of its own."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else tensors
    sizes = [x._array.size for x in given]
    swap = indexing == "xy" and len(given) > 1
    places = [1, 0, *range(2, len(given))] if swap else list(range(len(given)))
    shape = [sizes[p] for p in places]
    grids = []
    for number, x in enumerate(given):
        own = [1] * len(given)
        own[places.index(number)] = sizes[number]
        grids.append(expand(reshape(x, own), *shape))
    return tuple(grids)


def cartesian_prod(*tensors: Any) -> Any:
    """All combinations of one element of each vector, a row each."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([reshape(grid, -1) for grid in meshgrid(*tensors, indexing="ij")], 1)


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """All choices of ``r`` elements of a vector, a row each."""
    pick = combinations_with_replacement if with_replacement else choose
    rows = np.array(list(pick(range(input._array.shape[0]), r)), np.int64).reshape(-1, r)
    return input[Tensor(rows)]  # type: ignore[index]


def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """Tensors expanded to the shape that they have together."""
    from engine.dialects.torch.messages import broadcast_words

    shapes = [x._array.shape for x in tensors]
    try:
        together = np.broadcast_shapes(*shapes)
    except ValueError:
        raise RuntimeError(broadcast_words(shapes)) from None
    return tuple(expand(x, *together) for x in tensors)


def broadcast_shapes(*shapes: Any) -> Size:
    try:
        return Size(np.broadcast_shapes(*shapes))
    except ValueError:
        raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape") from None

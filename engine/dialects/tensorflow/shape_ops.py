"""Ops whose shapes are only known while a graph runs: their sizes are operands, as in TensorFlow itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ShapeError
from engine.ops.registry import op
from engine.tensor_type import Shape, TensorType

Array = NDArray[Any]


def _reshape(a: Array, sizes: Array, known: Shape | None = None) -> Array:
    wanted = tuple(int(n) for n in np.atleast_1d(sizes))
    if -1 not in wanted and math.prod(wanted) != a.size:
        raise ShapeError(
            f"Input to reshape is a tensor with {a.size} values, but the requested shape has {math.prod(wanted)}",
            op="tf_reshape",
        )
    rest = math.prod(n for n in wanted if n != -1)
    if -1 in wanted and (rest == 0 or a.size % rest):
        raise ShapeError(
            f"Input to reshape is a tensor with {a.size} values, but the requested shape requires a multiple of {rest}",
            op="tf_reshape",
        )
    return a.reshape(wanted)


def _slice(a: Array, begin: Array, size: Array, known: Shape | None = None) -> Array:
    for axis, (start, count) in enumerate(zip(begin, size, strict=True)):
        if start < 0 or (count != -1 and start + count > a.shape[axis]) or start > a.shape[axis]:
            raise ShapeError(
                f"Expected size[{axis}] in [0, {a.shape[axis] - int(start)}], but got {int(count)}", op="tf_slice"
            )
    return a[tuple(slice(int(s), None if n == -1 else int(s + n)) for s, n in zip(begin, size, strict=True))]


def _unslice(g: Array, like: Array, begin: Array, size: Array) -> Array:
    found = np.zeros(like.shape, g.dtype)
    found[tuple(slice(int(s), int(s) + n) for s, n in zip(begin, g.shape, strict=True))] = g
    return found


def _range(start: Array, limit: Array, delta: Array) -> Array:
    if delta == 0:
        raise ShapeError("Requires delta != 0: 0", op="tf_range")
    return np.asarray(np.arange(start.item(), limit.item(), delta.item()), start.dtype)


def _range_type(start: TensorType, limit: TensorType, delta: TensorType) -> TensorType:
    return TensorType(start.dtype, (None,))


def _known(a: TensorType, *_sizes: TensorType, known: Shape | None = None) -> TensorType:
    return TensorType(a.dtype, known)


def _rule(operands: int) -> Any:
    """A type rule of this many operands: what is known of the shape while building is an attribute."""
    if operands == 2:
        return lambda a, sizes, known=None: TensorType(a.dtype, known)
    return lambda a, begin, size, known=None: TensorType(a.dtype, known)


_SHAPED: dict[str, Any] = {"category": "shape", "symbol": "shape"}
op("tf_reshape", "a sizes", _reshape, _rule(2), {"a": lambda F, g, a_shape: F.reshape(g, a_shape)},
   unpromoted=frozenset({"sizes"}), view=True, **_SHAPED)  # fmt: skip
op(
    "tf_fill",
    "a sizes",
    lambda a, sizes, known=None: np.full(tuple(int(n) for n in np.atleast_1d(sizes)), a),
    _rule(2),
    {"a": lambda F, g: F.sum(g)},
    unpromoted=frozenset({"sizes"}),
    **_SHAPED,
)
op("tf_slice", "a begin size", _slice, _rule(3),
   {"a": lambda F, g, a, begin, size: F.tf_unslice(g, a, begin, size)},
   unpromoted=frozenset({"begin", "size"}), view=True, **_SHAPED)  # fmt: skip
op(
    "tf_unslice",
    "g like begin size",
    _unslice,
    lambda g, like, begin, size: TensorType(g.dtype, like.shape),
    {"g": lambda F, g, begin, size: F.tf_slice(g, begin, size)},
    unpromoted=frozenset({"like", "begin", "size"}),
    category="gradient",
    symbol="nabla",
)
op("tf_range", "start limit delta", _range, _range_type, None, category="input", symbol="range")


def _tiled(a: Array, multiples: Array, known: Shape | None = None) -> Array:
    return np.tile(a, tuple(int(n) for n in multiples))


def _untiled(g: Array, like: Array, multiples: Array) -> Array:
    pairs = [n for m, size in zip(multiples, like.shape, strict=True) for n in (int(m), size)]
    return np.asarray(g.reshape(pairs).sum(tuple(range(0, len(pairs), 2))))


op("tf_tile", "a multiples", _tiled, _rule(2),
   {"a": lambda F, g, a, multiples: F.tf_untile(g, a, multiples)},
   unpromoted=frozenset({"multiples"}), **_SHAPED)  # fmt: skip
op(
    "tf_untile",
    "g like multiples",
    _untiled,
    lambda g, like, multiples: TensorType(g.dtype, like.shape),
    {"g": lambda F, g, multiples: F.tf_tile(g, multiples)},
    unpromoted=frozenset({"like", "multiples"}),
    category="gradient",
    symbol="nabla",
)
op(
    "tf_sequence_mask",
    "lengths longest",
    lambda lengths, longest: np.arange(int(longest)) < np.asarray(lengths)[..., None],
    lambda lengths, longest: TensorType(np.dtype(bool), None if lengths.shape is None else (*lengths.shape, None)),
    None,
    unpromoted=frozenset({"lengths", "longest"}),
    category="input",
    symbol="mask",
)


def _mirrored(a: Any, widths: Any, mode: str) -> Any:
    for size, pair in zip(a.shape, widths, strict=True):
        if max(pair) > size - (mode == "reflect"):
            less = " less than" if mode == "reflect" else " no greater than"
            raise ShapeError(
                f"paddings must be{less} the dimension size: {pair[0]}, {pair[1]} not{less} {size}", op="tf_mirror_pad"
            )
    return np.pad(a, widths, mode)  # type: ignore[call-overload]


def _mirrored_type(a: TensorType, widths: Any, mode: str) -> TensorType:
    if a.shape is None:
        return a
    sizes = (None if n is None else n + sum(pair) for n, pair in zip(a.shape, widths, strict=True))
    return TensorType(a.dtype, tuple(sizes))


def _folded_back(g: Any, like: Any, widths: Any, mode: str) -> Any:
    """The transpose of :func:`_mirrored`: what stands outside is added to the elements that it mirrors."""
    places = np.pad(np.arange(like.size).reshape(like.shape), widths, mode)  # type: ignore[call-overload]
    found = np.zeros(like.size, g.dtype)
    np.add.at(found, places.ravel(), g.ravel())
    return found.reshape(like.shape)


op("tf_mirror_pad", "a", _mirrored, _mirrored_type,
   {"a": lambda F, g, a, widths, mode: F.tf_mirror_back(g, a, widths, mode)},
   category="shape", symbol="pad")  # fmt: skip
op("tf_mirror_back", "g like", _folded_back, lambda g, like, widths, mode: like,
   {"g": lambda F, h, widths, mode: F.tf_mirror_pad(h, widths, mode)}, unpromoted=frozenset({"like"}),
   category="gradient", symbol="nabla")  # fmt: skip
op(
    "tf_linspace",
    "start stop",
    lambda start, stop, num: np.linspace(start, stop, num).astype(np.asarray(start).dtype),
    lambda start, stop, num: TensorType(start.dtype, (num,)),
    None,
    category="input",
    symbol="range",
)

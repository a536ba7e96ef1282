"""Pooling of images ``[batch, channels, height, width]`` over windows of ``size``."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.ops.convolution import NO_PADDING, Padding, Pair, add_windows, out_size, parts, windows
from engine.ops.promotion import DEFAULT_INTEGER
from engine.ops.registry import Array, op
from engine.ops.shapes import shape_op
from engine.ops.type_rules import need_rank, refuse_below, shape_error, show
from engine.tensor_type import Shape, TensorType


def _windows_type(name: str, a: TensorType, size: Pair, stride: Pair | None, padding: Padding) -> Shape | None:
    refuse_below(name, a.dtype, 2)
    need_rank(name, "images [batch, channels, height, width]", a, 4)
    if a.shape is None:
        return (None,) * 4
    result = [out_size(n, k, s, p) for n, k, s, p in zip(a.shape[2:], size, stride or size, padding, strict=True)]
    if any(n is not None and n < 1 for n in result):
        raise shape_error(
            name, f"a window of {size} does not fit into images of {show(a.shape[2:])} with padding {padding}", a
        )
    return (*a.shape[:2], *result)


# -- the largest of each window ---------------------------------------------------------------------------------------
def argmax_pool2d_kernel(a: Array, size: Pair, stride: Pair | None = None, padding: Padding = NO_PADDING) -> Array:
    """Where in its image (row times width plus column) each window has its largest element; the first among equals."""
    stride = stride or size
    largest = max_pool2d_kernel(a, size, stride, padding)
    inside: Array = np.zeros(largest.shape, DEFAULT_INTEGER)
    missing = np.isnan(largest) if a.dtype.kind == "f" and np.isnan(largest.sum()) else None
    # From the last to the first: the first among equals stays.
    for place, (_, part) in reversed(list(enumerate(parts(a, size, stride, padding, value=-np.inf)))):
        found = part == largest if missing is None else (part == largest) | (missing & np.isnan(part))
        np.copyto(inside, place, where=found)
    rows, columns = np.divmod(inside, size[1])
    rows += (np.arange(inside.shape[2]) * stride[0] - padding[0][0])[:, None]
    columns += np.arange(inside.shape[3]) * stride[1] - padding[1][0]
    return np.asarray(rows * a.shape[3] + columns)


def max_pool2d_kernel(a: Array, size: Pair, stride: Pair | None = None, padding: Padding = NO_PADDING) -> Array:
    """The largest element of each window."""
    (_, first), *others = parts(a, size, stride or size, padding, value=-np.inf)
    largest = first.copy()
    for _, part in others:
        np.maximum(largest, part, out=largest)
    return largest


def pool_take_kernel(a: Array, places: Array) -> Array:
    """Each image of ``a`` at the ``places`` of its windows."""
    flat = a.reshape((*a.shape[:2], -1))
    return np.take_along_axis(flat, places.reshape((*places.shape[:2], -1)), 2).reshape(places.shape)


def pool_put_kernel(a: Array, places: Array, shape: tuple[int, ...]) -> Array:
    """Zeros of ``shape`` with each element of ``a`` added at its place: the transpose of ``pool_take``."""
    count, size = prod(shape[:2]), prod(shape[2:])
    result = np.zeros(count * size, a.dtype)
    flat = places.reshape(count, -1) + np.arange(count)[:, None] * size
    np.add.at(result, flat.ravel(), a.ravel())
    return result.reshape(shape)


def _max_pool_type(a: TensorType, size: Pair, stride: Pair | None = None, padding: Padding = NO_PADDING) -> TensorType:
    return TensorType(a.dtype, _windows_type("max_pool2d", a, size, stride, padding))


def _argmax_pool_type(
    a: TensorType, size: Pair, stride: Pair | None = None, padding: Padding = NO_PADDING
) -> TensorType:
    return TensorType(DEFAULT_INTEGER, _windows_type("argmax_pool2d", a, size, stride, padding))


def _max_pool_vjp(F: Any, g: Any, a: Any, a_shape: Any, size: Pair, stride: Pair | None, padding: Padding) -> Any:
    return F.pool_put(g, F.argmax_pool2d(a, size, stride, padding), a_shape)


def _window_flops(out: Sequence[int], *_: Sequence[int], size: Pair, **__: Any) -> int:
    return prod(out) * prod(size)


_POOL: dict[str, Any] = {"category": "reduction", "symbol": "sum", "flops": _window_flops}
_GRADIENT: dict[str, Any] = {"category": "gradient", "symbol": "nabla"}

op("argmax_pool2d", "a", argmax_pool2d_kernel, _argmax_pool_type, None, formula=r"\arg\max_{ij \in w} a_{ij}", **_POOL)
op(
    "max_pool2d",
    "a",
    max_pool2d_kernel,
    _max_pool_type,
    {"a": _max_pool_vjp},
    formula=r"\max_{ij \in w} a_{ij}",
    **_POOL,
)
op("pool_take", "a places", pool_take_kernel, lambda a, places: TensorType(a.dtype, places.shape),
   {"a": lambda F, g, places, a_shape: F.pool_put(g, places, a_shape)},
   unpromoted=frozenset({"places"}), formula=r"a_{\pi(w)}", **_GRADIENT)  # fmt: skip
shape_op("pool_put", pool_put_kernel, lambda a, places, shape: TensorType(a.dtype, shape),
         {"a": lambda F, g, places: F.pool_take(g, places)}, operands="a places",
         unpromoted=frozenset({"places"}), formula=r"\sum_w g_w e_{\pi(w)}", **_GRADIENT)  # fmt: skip


# -- the mean of each window ------------------------------------------------------------------------------------------
def _window_counts(a_shape: Sequence[int], size: Pair, stride: Pair, padding: Padding, count_padding: bool) -> Any:
    """By how much the sum of each window is divided."""
    if count_padding or padding == NO_PADDING:
        return prod(size)
    ones = np.ones((1, 1, *a_shape[2:]))
    return windows(ones, size, stride, padding).sum((4, 5))


def avg_pool2d_kernel(
    a: Array, size: Pair, stride: Pair | None = None, padding: Padding = NO_PADDING, count_padding: bool = True
) -> Array:
    """The mean of each window; ``count_padding``: zeros of the padding count as elements."""
    stride = stride or size
    total = windows(a, size, stride, padding).sum((4, 5))
    return np.asarray(total / np.asarray(_window_counts(a.shape, size, stride, padding, count_padding), a.dtype))


def avg_unpool2d_kernel(
    a: Array,
    shape: tuple[int, ...],
    size: Pair,
    stride: Pair | None = None,
    padding: Padding = NO_PADDING,
    count_padding: bool = True,
) -> Array:
    """Each element shared out evenly over its window in an image of ``shape``: the transpose of ``avg_pool2d``."""
    stride = stride or size
    share = a / np.asarray(_window_counts(shape, size, stride, padding, count_padding), a.dtype)
    spread = np.broadcast_to(share[..., None, None], (*share.shape, *size))
    return np.ascontiguousarray(add_windows(spread, shape, stride, padding))


def _avg_pool_type(
    a: TensorType, size: Pair, stride: Pair | None = None, padding: Padding = NO_PADDING, count_padding: bool = True
) -> TensorType:
    return TensorType(a.dtype, _windows_type("avg_pool2d", a, size, stride, padding))


def _avg_unpool_type(
    a: TensorType,
    shape: Shape | None,
    size: Pair,
    stride: Pair | None = None,
    padding: Padding = NO_PADDING,
    count_padding: bool = True,
) -> TensorType:
    return TensorType(a.dtype, shape)


op("avg_pool2d", "a", avg_pool2d_kernel, _avg_pool_type,
   {
       "a": lambda F, g, a_shape, size, stride, padding, count_padding: F.avg_unpool2d(
           g, a_shape, size, stride, padding, count_padding
       )
   },
   formula=r"\frac{1}{n} \sum_{ij \in w} a_{ij}", **_POOL)  # fmt: skip
shape_op(
    "avg_unpool2d",
    avg_unpool2d_kernel,
    _avg_unpool_type,
    {"a": lambda F, g, size, stride, padding, count_padding: F.avg_pool2d(g, size, stride, padding, count_padding)},
    formula=r"\frac{1}{n} g \mathbf{1}_w",
    flops=_window_flops,
    **_GRADIENT,
)

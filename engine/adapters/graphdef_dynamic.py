"""Ops of a GraphDef whose shapes, axes or sizes are operands: known when the graph runs, and here only there.

Gradient graphs of TensorFlow are full of them (what was broadcast is summed back over axes that a run finds out). Where
such an operand is a constant the reader takes the table's own op instead, which knows more while a graph is built.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from engine.errors import GraphError
from engine.ops import TABLE
from engine.ops.registry import Array, op
from engine.ops.softmax import log_softmax_kernel, softmax_kernel
from engine.tensor_type import TensorType

PREFIX = "graphdef_"
Rule = Callable[..., TensorType]


def _sizes(array: Array) -> tuple[int, ...]:
    return tuple(int(n) for n in np.asarray(array).ravel())


def _first(a: TensorType, *_: TensorType, **__: Any) -> TensorType:
    return TensorType(a.dtype, None)


def _same(a: TensorType, *_: TensorType, **__: Any) -> TensorType:
    return a


def _rule(operands: int, result: Rule, **attributes: Any) -> Rule:
    """A rule with so many operands and these attributes: the table reads both from its signature."""

    def rule(*types: TensorType, **given: Any) -> TensorType:
        return result(*types, **given)

    places = [Parameter(f"x{i}", Parameter.POSITIONAL_ONLY) for i in range(operands)]
    named = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=value) for name, value in attributes.items()]
    rule.__signature__ = Signature([*places, *named])  # type: ignore[attr-defined]
    return rule


def _declare(name: str, inputs: str, kernel: Any, result: Rule, vjps: Any = None, **attributes: Any) -> None:
    if PREFIX + name not in TABLE:
        count = len(inputs.split())
        op(PREFIX + name, inputs, kernel, _rule(count, result, **attributes), vjps, category="shape", symbol="shape")


def _reducing(ufunc: np.ufunc) -> Any:
    def reduce(a: Array, axes: Array, keepdims: bool = False) -> Array:
        found = ufunc.reduce(a, axis=_sizes(axes), keepdims=keepdims)
        return np.asarray(found).astype(a.dtype, copy=False)

    return reduce


def _mean(a: Array, axes: Array, keepdims: bool = False) -> Array:
    return np.asarray(np.mean(a, _sizes(axes), None, None, keepdims))


def gradient_axes(a: Array, b: Array, port: int = 0) -> Array:
    """Over which axes the gradient of a result of shape ``a`` with ``b`` is summed for one of them (``port``)."""
    rank = max(len(a), len(b))
    mine, other = (([1] * (rank - len(shape)) + list(_sizes(shape))) for shape in ((a, b) if port == 0 else (b, a)))
    lead = rank - len((a, b)[port])
    return np.array([i for i in range(rank) if i < lead or (mine[i] == 1 and other[i] != 1)], a.dtype)


def masked_index(begin: Array, end: Array, steps: Array, masks: tuple[int, ...]) -> tuple[Any, ...]:
    """The basic index that ``StridedSlice`` means. ``masks``: begin, end, ellipsis, new axis, shrink axis."""
    index: list[Any] = []
    for place, (low, high, step) in enumerate(zip(_sizes(begin), _sizes(end), _sizes(steps), strict=True)):
        no_begin, no_end, ellipsis, new, shrink = (bool(mask >> place & 1) for mask in masks)
        if ellipsis:
            index.append(Ellipsis)
        elif new:
            index.append(None)
        elif shrink:
            index.append(low)
        else:
            index.append(slice(None if no_begin else low, None if no_end else high, step))
    return tuple(index)


NO_MASKS = (0, 0, 0, 0, 0)


def _strided(a: Array, begin: Array, end: Array, steps: Array, masks: Any = NO_MASKS) -> Array:
    return np.asarray(a[masked_index(begin, end, steps, masks)])


def _strided_grad(shape: Array, begin: Array, end: Array, steps: Array, g: Array, masks: Any = NO_MASKS) -> Array:
    whole = np.zeros(_sizes(shape), g.dtype)
    whole[masked_index(begin, end, steps, masks)] = g
    return whole


def _slice(a: Array, begin: Array, size: Array) -> Array:
    ends = [None if n == -1 else b + n for b, n in zip(_sizes(begin), _sizes(size), strict=True)]
    return np.asarray(a[tuple(slice(b, e) for b, e in zip(_sizes(begin), ends, strict=True))])


def _segment_sum(a: Array, ids: Array, count: Array) -> Array:
    result = np.zeros((int(count), *a.shape[ids.ndim :]), a.dtype)
    rows, parts = ids.ravel(), a.reshape(-1, *a.shape[ids.ndim :])
    kept = rows >= 0
    np.add.at(result, rows[kept], parts[kept])
    return result


def _sparse_gradient(a: Array, labels: Array) -> Array:
    g = softmax_kernel(a, -1)
    g[np.arange(len(labels)), labels] -= 1
    return g


def _sparse_loss(a: Array, labels: Array) -> Array:
    return np.asarray(-log_softmax_kernel(a, -1)[np.arange(len(labels)), labels])


def _stitch(*parts: Array) -> Array:
    places, values = parts[: len(parts) // 2], parts[len(parts) // 2 :]
    count = 1 + max(int(p.max(initial=-1)) for p in places)
    rest = values[0].shape[places[0].ndim :]
    result = np.zeros((count, *rest), values[0].dtype)
    for place, value in zip(places, values, strict=True):
        result[place.ravel()] = value.reshape(-1, *rest)
    return result


def _range(start: Any, stop: Any, step: Any) -> Array:
    found: Array = np.arange(float(start), float(stop), float(step)).astype(start.dtype)
    return found


# -- images [batch, rows, columns, channels] ---------------------------------------------------------------------------
def _ours(images: Array) -> Array:
    return images.transpose(0, 3, 1, 2)


def _theirs(images: Array) -> Array:
    return np.ascontiguousarray(images.transpose(0, 2, 3, 1))


def same_padding(sizes: Any, kernel: Any, stride: Any) -> Any:
    """The padding that TensorFlow works out from ``SAME``."""
    totals = [max((-(-n // s) - 1) * s + k - n, 0) for n, k, s in zip(sizes, kernel, stride, strict=True)]
    return tuple((total // 2, total - total // 2) for total in totals)


def _padding(given: Any, shape: Any, kernel: Any, stride: Any) -> Any:
    return same_padding(shape[-2:], kernel, stride) if given is None else given


def _places(images: Array, size: Any, stride: Any, padding: Any) -> Array:
    found: Array = TABLE["argmax_pool2d"].kernel(_ours(images), size, stride, padding)
    return found


def _max_gradient(
    images: Array, pooled: Array, g: Array, size: Any = (), stride: Any = (), padding: Any = None
) -> Array:
    ours = _ours(images)
    places = _places(images, size, stride, _padding(padding, ours.shape, size, stride))
    return _theirs(TABLE["pool_put"].kernel(_ours(g), places, ours.shape))


def _max_places(images: Array, size: Any = (), stride: Any = (), padding: Any = None) -> Array:
    """Row, column and channel as one number, as ``MaxPoolWithArgmax`` gives it."""
    ours = _ours(images)
    places = _theirs(_places(images, size, stride, _padding(padding, ours.shape, size, stride)))
    return np.asarray(places * images.shape[3] + np.arange(images.shape[3]))


def _average_gradient(sizes: Array, g: Array, size: Any = (), stride: Any = (), padding: Any = None) -> Array:
    batch, rows, columns, channels = _sizes(sizes)
    shape = (batch, channels, rows, columns)
    sides = _padding(padding, shape, size, stride)
    return _theirs(TABLE["avg_unpool2d"].kernel(_ours(g), shape, size, stride, sides, False))


def _input_gradient(sizes: Array, weights: Array, g: Array, stride: Any = (), dilation: Any = (), padding: Any = None
                    ) -> Array:  # fmt: skip
    batch, rows, columns, channels = _sizes(sizes)
    shape = (batch, channels, rows, columns)
    reach = [(k - 1) * d + 1 for k, d in zip(weights.shape, dilation, strict=False)]
    sides = _padding(padding, shape, reach, stride)
    kernel = TABLE["conv2d_input"].kernel
    return _theirs(kernel(_ours(g), weights.transpose(3, 2, 0, 1), shape, stride, sides, dilation))


def _weight_gradient(images: Array, sizes: Array, g: Array, stride: Any = (), dilation: Any = (), padding: Any = None
                     ) -> Array:  # fmt: skip
    rows, columns, channels, count = _sizes(sizes)
    reach = [(k - 1) * d + 1 for k, d in zip((rows, columns), dilation, strict=True)]
    sides = _padding(padding, _ours(images).shape, reach, stride)
    kernel = TABLE["conv2d_weight"].kernel
    found = kernel(_ours(g), _ours(images), (count, channels, rows, columns), stride, sides, dilation)
    return np.ascontiguousarray(found.transpose(2, 3, 1, 0))


def _band(a: Array, low: Array, high: Array) -> Array:
    rows, columns = np.ogrid[: a.shape[-2], : a.shape[-1]]
    inside = (low < 0) | (rows - columns <= low)
    return np.where(inside & ((high < 0) | (columns - rows <= high)), a, a.dtype.type(0))


def _largest(a: Array, k: Array, port: int = 0) -> Array:
    order = np.argsort(-a, -1, kind="stable")[..., : int(k)]
    return np.take_along_axis(a, order, -1) if port == 0 else order.astype(np.int32)


def _int(dtype: Any, shape: Any) -> Rule:
    return lambda *_, **__: TensorType(np.dtype(dtype), shape)


def _vector(a: TensorType, *_: TensorType, **__: Any) -> TensorType:
    return TensorType(a.dtype, (None,))


def _row(a: TensorType, *_: TensorType, **__: Any) -> TensorType:
    return TensorType(a.dtype, None if a.shape is None else a.shape[:1])


def _last(*operands: TensorType, **_: Any) -> TensorType:
    return TensorType(operands[-1].dtype, None)


_declare("reshape", "a shape", lambda a, shape: a.reshape(_sizes(shape)), _first,
         {"a": lambda F, g, a_shape: F.reshape(g, a_shape)})  # fmt: skip
_declare("broadcast", "a shape", lambda a, shape: np.broadcast_to(a, _sizes(shape)), _first,
         {"a": lambda F, g, a_shape: F.sum_to(g, a_shape)})  # fmt: skip
_declare("tile", "a times", lambda a, times: np.tile(a, _sizes(times)), _first)
_declare("transpose", "a axes", lambda a, axes: np.transpose(a, _sizes(axes)), _first)
_declare("expand", "a axis", lambda a, axis: np.expand_dims(a, int(axis)), _first)
_INT32 = np.dtype(np.int32)
_declare("size", "a", lambda a, dtype=_INT32: np.array(a.size, dtype), lambda a, dtype: TensorType(dtype, ()),
         dtype=_INT32)  # fmt: skip
_declare("rank", "a", lambda a: np.array(a.ndim, np.int32), _int(np.int32, ()))
_declare("range", "start stop step", _range, _vector)
_declare("gradient_axes", "a b", gradient_axes, _vector, port=0)
_declare("strided_slice", "a begin end steps", _strided, _first, masks=NO_MASKS)
_declare("strided_slice_grad", "shape begin end steps g", _strided_grad, _last, masks=NO_MASKS)
_declare("slice", "a begin size", _slice, _first)
_declare("pad", "a widths value", lambda a, w, v: np.pad(a, [tuple(p) for p in w], constant_values=v), _first)
_declare("segment_sum", "a ids count", _segment_sum, _first)
_declare("scatter", "indices updates shape", lambda i, u, shape: TABLE["scatter_nd"].kernel(u, i, _sizes(shape)),
         lambda i, u, shape: _first(u))  # fmt: skip
_declare("band", "a low high", _band, _same)
_declare("topk", "a k", _largest, lambda a, k, port: TensorType(a.dtype if port == 0 else np.dtype(np.int32), None),
         port=0)  # fmt: skip
_declare("sparse_loss", "a labels", _sparse_loss, _row)
_declare("sparse_gradient", "a labels", _sparse_gradient, _same)
_declare("dense_loss", "a labels", lambda a, t: np.asarray(-(t * log_softmax_kernel(a, -1)).sum(-1)), _row)
_declare("dense_gradient", "a labels", lambda a, t: softmax_kernel(a, -1) - t, _same)
_declare("invert", "a", lambda a: np.argsort(a).astype(a.dtype), _same)
_declare("bias_gradient", "g", lambda g: g.reshape(-1, g.shape[-1]).sum(0),
         lambda g: TensorType(g.dtype, None if g.shape is None else g.shape[-1:]))  # fmt: skip
for _name, _ufunc in (("sum", np.add), ("max", np.maximum), ("min", np.minimum), ("prod", np.multiply),
                      ("all", np.logical_and), ("any", np.logical_or)):  # fmt: skip
    _declare(_name, "a axes", _reducing(_ufunc), _first, keepdims=False)
_declare("mean", "a axes", _mean, _first, keepdims=False)
if f"{PREFIX}stitch" not in TABLE:
    op(f"{PREFIX}stitch", "*parts", _stitch, lambda *parts: _last(*parts), None, category="shape", symbol="shape")

_POOL: dict[str, Any] = {"size": (), "stride": (), "padding": None}
_CONVOLVED: dict[str, Any] = {"stride": (), "dilation": (), "padding": None}
_declare("max_gradient", "images pooled g", _max_gradient, _same, **_POOL)
_declare("max_places", "images", _max_places, _int(np.int64, None), **_POOL)
_declare("average_gradient", "sizes g", _average_gradient, _last, **_POOL)
_declare("input_gradient", "sizes weights g", _input_gradient, _last, **_CONVOLVED)
_declare("weight_gradient", "images sizes g", _weight_gradient, _last, **_CONVOLVED)

_FLOAT_GRADIENTS: dict[str, Callable[[Array, Array], Array]] = {
    "tanh_gradient": lambda y, g: g * (1 - y * y),
    "sigmoid_gradient": lambda y, g: g * y * (1 - y),
    "sqrt_gradient": lambda y, g: g * y.dtype.type(0.5) / y,
    "rsqrt_gradient": lambda y, g: g * y.dtype.type(-0.5) * y * y * y,
    "reciprocal_gradient": lambda y, g: -g * y * y,
    "softplus_gradient": lambda g, x: g / (1 + np.exp(-x)),
}
for _name, _kernel in _FLOAT_GRADIENTS.items():
    _declare(_name, "a b", _kernel, _same)


def declared(name: str) -> str:
    """The name in the table of the op ``name`` of this file.

    :raises GraphError: there is none.
    """
    if PREFIX + name not in TABLE:
        raise GraphError(f"there is no op {name!r} whose sizes are operands")
    return PREFIX + name

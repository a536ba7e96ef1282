"""Ops that only this dialect needs, declared in the one table like all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops import TABLE, F
from engine.ops.registry import Array, op
from engine.tensor_type import TensorType


def _declare(name: str, *arguments: Any, **properties: Any) -> None:
    if name not in TABLE:
        F.add_op(op(name, *arguments, **properties))


def pick_kernel(a: Array, indices: Array, axis: int, keepdims: bool = False) -> Array:
    """The element that ``indices`` names along ``axis``; ``indices`` has the result's shape."""
    if a.ndim == 0:
        return np.array(a)
    places = indices if keepdims else np.expand_dims(indices, axis)
    result = np.take_along_axis(a, places, axis)
    return result if keepdims else result.squeeze(axis)


def _pick_vjp(F: Any, g: Any, indices: Any, a_shape: Any, axis: int, keepdims: bool) -> Any:
    if not a_shape:
        return g
    if not keepdims:
        g, indices = F.expand_dims(g, axis), F.expand_dims(indices, axis)
    return F.ungather(g, indices, a_shape, axis)


def _pick_type(a: TensorType, indices: TensorType, axis: int, keepdims: bool = False) -> TensorType:
    return TensorType(a.dtype, indices.shape)


_declare(
    "pick", "a indices", pick_kernel, _pick_type, {"a": _pick_vjp}, category="reduction", symbol="sum",
    formula=r"a_{i^*}", unpromoted=frozenset({"indices"}),
)  # fmt: skip


def index_kernel(a: Array, *indices: Array, layout: tuple[Any, ...]) -> Array:
    """``a[...]`` with tensors among the indices; ``layout`` has ``"t"`` where the next one goes."""
    rest = iter(indices)
    return a[tuple(next(rest) if part == "t" else _basic(part) for part in layout)]  # type: ignore[no-any-return]


def _basic(part: Any) -> Any:
    return slice(*part) if isinstance(part, tuple) else part


def index_put_kernel(a: Array, *indices: Array, shape: tuple[int, ...], layout: tuple[Any, ...]) -> Array:
    """Zeros of ``shape`` with ``a`` added where ``index`` took it from."""
    rest = iter(indices)
    result = np.zeros(shape, a.dtype)
    np.add.at(result, tuple(next(rest) if part == "t" else _basic(part) for part in layout), a)
    return result


def _index_type(*types: TensorType, **attributes: Any) -> TensorType:
    return TensorType(types[0].dtype, None)


def _index_vjp(F: Any, g: Any, operands: Any, operands_shapes: Any, layout: Any, index: int) -> Any:
    return F.index_put(g, *operands[1:], shape=operands_shapes[0], layout=layout) if index == 0 else None


def _index_put_vjp(F: Any, g: Any, operands: Any, shape: Any, layout: Any, index: int) -> Any:
    return F.index(g, *operands[1:], layout=layout) if index == 0 else None


_declare("index", "*operands", index_kernel, _index_type, {"operands": _index_vjp}, category="shape", symbol="shape",
         formula=r"a_{i}")  # fmt: skip
_declare("index_put", "*operands", index_put_kernel, _index_type, {"operands": _index_put_vjp}, category="gradient",
         symbol="nabla", formula=r"\sum_i g_i e_i")  # fmt: skip


def _put_type(a: TensorType, indices: TensorType, updates: TensorType, axis: int = 0) -> TensorType:
    return a


def scatter_kernel(a: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """A copy of ``a`` with ``updates`` put where ``indices`` says along ``axis``."""
    result = np.array(a)
    source = np.asarray(updates, a.dtype)
    if source.ndim:
        source = source[tuple(slice(n) for n in indices.shape)]
    np.put_along_axis(result, indices, source, axis)
    return result


def along_add_kernel(a: Array, indices: Array, updates: Array, axis: int = 0) -> Array:
    """A copy of ``a`` with ``updates`` added where ``indices`` says along ``axis``."""
    result = np.array(a)
    grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
    grid[axis % a.ndim] = indices
    np.add.at(result, tuple(grid), np.asarray(updates)[tuple(slice(n) for n in indices.shape)])
    return result


def _scatter_a(F: Any, g: Any, indices: Any, axis: int) -> Any:
    return F.scatter(g, indices, 0.0, axis)


_declare(
    "scatter", "a indices updates", scatter_kernel, _put_type,
    {"a": _scatter_a, "updates": lambda F, g, indices, axis: F.gather(g, indices, axis)},
    unpromoted=frozenset({"indices"}), category="shape", symbol="shape", formula=r"a_{i} \leftarrow u",
)  # fmt: skip
_declare(
    "along_add", "a indices updates", along_add_kernel, _put_type,
    {"a": lambda F, g: g, "updates": lambda F, g, indices, axis: F.gather(g, indices, axis)},
    unpromoted=frozenset({"indices"}), category="shape", symbol="shape", formula=r"a + \sum_i u_i e_i",
)  # fmt: skip


def index_write_kernel(a: Array, value: Any, *indices: Array, layout: tuple[Any, ...]) -> Array:
    """A copy of ``a`` with ``value`` where the index points."""
    rest = iter(indices)
    result = np.array(a)
    result[tuple(next(rest) if part == "t" else _basic(part) for part in layout)] = value
    return result


def _index_write_vjp(F: Any, g: Any, operands: Any, operands_shapes: Any, layout: Any, index: int) -> Any:
    if index == 0:
        return F.index_write(g, 0, *operands[2:], layout=layout)
    return F.sum_to(F.index(g, *operands[2:], layout=layout), operands_shapes[1]) if index == 1 else None


_declare("index_write", "*operands", index_write_kernel, _index_type, {"operands": _index_write_vjp}, category="shape",
         symbol="shape", formula=r"a_{i} \leftarrow v")  # fmt: skip
_declare(
    "masked_write", "a mask value", lambda a, mask, value: np.where(mask, np.asarray(value, a.dtype), a),
    lambda a, mask, value: a,
    {
        "a": lambda F, g, mask: F.where(mask, 0, g),
        "value": lambda F, g, mask, value_shape: F.sum_to(F.where(mask, g, 0), value_shape),
    },
    unpromoted=frozenset({"mask"}), category="shape", symbol="shape", formula=r"a_{m} \leftarrow v",
)  # fmt: skip


# -- losses --
def _loss_type(a: TensorType, b: TensorType, **_: Any) -> TensorType:
    return TensorType(a.dtype, None)


def _weight_row(a: Array, targets: Array, ignore_index: int, weights: Any) -> Array:
    """The weight of each target; ignored ones weigh nothing."""
    kept: Array = (targets != ignore_index).astype(a.dtype)
    if weights is None:
        return kept
    picked: Array = np.asarray(weights, a.dtype)[np.where(kept > 0, targets, 0)]
    return np.multiply(picked, kept)


def nll_loss_kernel(
    a: Array, targets: Array, reduction: str = "mean", ignore_index: int = -100, weights: Any = None
) -> Array:
    """Minus the log probability of each target class; classes along axis 1 (axis 0 of a vector)."""
    axis = 1 if a.ndim > 1 else 0
    safe = np.where(targets == ignore_index, 0, targets)
    picked = np.take_along_axis(a, np.expand_dims(safe, axis), axis).squeeze(axis)
    weight = _weight_row(a, targets, ignore_index, weights)
    values = -picked * weight
    if reduction == "none":
        return np.asarray(values)
    total = np.add.reduce(values, None)
    return np.asarray(total / np.add.reduce(weight, None) if reduction == "mean" else total, a.dtype)


def _nll_vjp(
    F: Any, g: Any, targets: Any, a_shape: Any, a_dtype: Any, reduction: str, ignore_index: int, weights: Any
) -> Any:
    return F.nll_loss_grad(g, targets, a_shape, a_dtype, reduction, ignore_index, weights)


def nll_loss_grad_kernel(
    g: Array, targets: Array, shape: Any, dtype: Any, reduction: str, ignore_index: int, weights: Any
) -> Array:
    """``-g`` (shared out for a mean) at each target class, zero elsewhere."""
    axis = 1 if len(shape) > 1 else 0
    result = np.zeros(shape, dtype)
    weight = _weight_row(result, targets, ignore_index, weights)
    share = weight / np.add.reduce(weight, None) if reduction == "mean" else weight
    safe = np.where(targets == ignore_index, 0, targets)
    np.put_along_axis(result, np.expand_dims(safe, axis), np.expand_dims(np.asarray(-g * share), axis), axis)
    return result


def _nll_grad_vjp(
    F: Any, h: Any, targets: Any, shape: Any, dtype: Any, reduction: str, ignore_index: int, weights: Any
) -> Any:
    return F.nll_loss(h, targets, reduction, ignore_index, weights)


_LOSS: dict[str, Any] = {"category": "reduction", "symbol": "sum"}
_declare("nll_loss", "a targets", nll_loss_kernel, _loss_type, {"a": _nll_vjp}, formula=r"-a_{i, t_i}", **_LOSS)
_declare(
    "nll_loss_grad", "g targets", nll_loss_grad_kernel,
    lambda g, targets, shape, dtype, **_: TensorType(np.dtype(dtype), shape), {"g": _nll_grad_vjp},
    category="gradient", symbol="nabla", formula=r"-g e_t",
)  # fmt: skip


def _mean_or_sum(values: Array, reduction: str) -> Array:
    if reduction == "none":
        return values
    return np.asarray(values.mean() if reduction == "mean" else values.sum(), values.dtype)


def _spread(F: Any, g: Any, shape: Any, reduction: str) -> Any:
    if reduction == "none":
        return g
    return F.spread_mean(g, shape) if reduction == "mean" else F.spread(g, shape)


def bce_kernel(a: Array, targets: Array, reduction: str = "mean") -> Array:
    """The cross entropy of probabilities; logarithms are cut off at -100."""
    low = a.dtype.type(-100)
    values = -(targets * np.maximum(np.log(a), low) + (1 - targets) * np.maximum(np.log1p(-a), low))
    return _mean_or_sum(values, reduction)


def _bce_vjp(F: Any, g: Any, a: Any, targets: Any, a_shape: Any, reduction: str) -> Any:
    slope = F.div(F.sub(a, targets), F.maximum(F.mul(F.sub(1, a), a), 1e-12))
    return F.mul(_spread(F, g, a_shape, reduction), slope)


_declare("binary_cross_entropy", "a targets", bce_kernel, _loss_type, {"a": _bce_vjp},
         formula=r"-t \ln a - (1 - t) \ln(1 - a)", **_LOSS)  # fmt: skip


def _huber_slope(F: Any, g: Any, a: Any, b: Any, shape: Any, reduction: str, delta: float, scale: float) -> Any:
    slope = F.mul(F.clip(F.sub(a, b), -delta, delta), scale)
    return F.mul(slope, g if reduction == "none" else _spread(F, g, F.shape(slope), reduction))


def smooth_l1_kernel(a: Array, b: Array, reduction: str = "mean", beta: float = 1.0) -> Array:
    """The distance, but rounded off to half its square over ``beta`` below ``beta``."""
    distance = np.abs(a - b)
    if beta == 0:
        return _mean_or_sum(distance, reduction)
    return _mean_or_sum(np.where(distance < beta, 0.5 * distance * distance / beta, distance - 0.5 * beta), reduction)


_declare(
    "smooth_l1_loss", "a b", smooth_l1_kernel, _loss_type,
    {
        "a": lambda F, g, a, b, a_shape, reduction, beta: F.sum_to(_huber_slope(F, g, a, b, a_shape, reduction, beta
        or 1e-30, 1 / (beta or 1e-30)), a_shape),
        "b": lambda F, g, a, b, b_shape, reduction, beta: F.sum_to(_huber_slope(F, g, b, a, b_shape, reduction, beta
        or 1e-30, 1 / (beta or 1e-30)), b_shape),
    },
    formula=r"\operatorname{smooth}|a - b|", **_LOSS,
)  # fmt: skip

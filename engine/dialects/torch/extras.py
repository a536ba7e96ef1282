"""Ops that only this dialect needs, declared in the one table like all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops import TABLE, F
from engine.ops.registry import Array, op
from engine.ops.type_rules import elementwise, per_element
from engine.tensor_type import TensorType


def _declare(name: str, *arguments: Any, **properties: Any) -> None:
    if name not in TABLE:
        F.add_op(op(name, *arguments, **properties))


def addmm_kernel(bias: Array, a: Array, b: Array) -> Array:
    """``a @ b + bias``."""
    result = np.matmul(a, b)
    return np.add(result, bias, result) if result.__class__ is np.ndarray else np.asarray(result + bias)


def _addmm_type(bias: TensorType, a: TensorType, b: TensorType) -> TensorType:
    assert a.shape is not None and b.shape is not None and bias.shape is not None
    if len(a.shape) < 2 or len(b.shape) != 2 or a.shape[-1] != b.shape[0]:
        raise ShapeError(f"addmm: shapes {a.shape} and {b.shape} do not fit", op="addmm", shapes=(a.shape, b.shape))
    shape = (*a.shape[:-1], b.shape[1])
    try:
        together = np.broadcast_shapes(shape, bias.shape)  # type: ignore[arg-type]
    except ValueError:
        together = None
    if together != shape:
        raise ShapeError(f"addmm: bias {bias.shape} does not fit {shape}", op="addmm", shapes=(bias.shape, shape))
    return TensorType(a.dtype, shape)


_declare(
    "addmm",
    "bias a b",
    addmm_kernel,
    _addmm_type,
    {
        "bias": lambda F, g, bias_shape: F.sum_to(g, bias_shape),
        "a": lambda F, g, b: F.matmul(g, b, False, True),
        "b": lambda F, g, a: F.matmul(a, g, True, False),
    },
    category="matmul",
    symbol="matmul",
    formula=r"A B + c",
    flops=lambda out, bias, a, b: 2 * a[-1] * int(np.prod(out)),
)


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


def _unary(name: str, kernel: Any, vjp: Any, formula: str, promotion: str = "float", category: str = "arith") -> None:
    _declare(
        name, "a", kernel, elementwise(name, promotion), {"a": vjp} if vjp is not None else None, elementwise=True,
        promotion=promotion, symbol="func", formula=formula, flops=per_element(10), category=category,
    )  # fmt: skip


def _zero(F: Any, g: Any) -> Any:
    return F.zeros_like(g)


def _inverse(F: Any, g: Any, a: Any, sign: int) -> Any:
    """``g`` over the root of ``1 - a*a``."""
    return F.mul(g, F.mul(F.rsqrt(F.sub(1, F.square(a))), sign))


_unary("ceil", np.ceil, _zero, r"\lceil a \rceil", "common")
_unary("round", np.round, _zero, r"\operatorname{round} a", "common")
_unary("trunc", np.trunc, _zero, r"\operatorname{trunc} a", "common")
_unary("asin", np.arcsin, lambda F, g, a: _inverse(F, g, a, 1), r"\arcsin a")
_unary("acos", np.arccos, lambda F, g, a: _inverse(F, g, a, -1), r"\arccos a")
_unary("atan", np.arctan, lambda F, g, a: F.div(g, F.add(F.square(a), 1)), r"\arctan a")
_unary("sinh", np.sinh, lambda F, g, a: F.mul(g, F.cosh(a)), r"\sinh a")
_unary("cosh", np.cosh, lambda F, g, a: F.mul(g, F.sinh(a)), r"\cosh a")
_unary("log2", np.log2, lambda F, g, a: F.div(g, F.mul(a, float(np.log(2)))), r"\log_2 a")
_unary("log10", np.log10, lambda F, g, a: F.div(g, F.mul(a, float(np.log(10)))), r"\log_{10} a")


def _cumsum_type(a: TensorType, axis: int) -> TensorType:
    return TensorType(a.dtype if a.dtype.kind in "fc" else np.dtype(np.int64), a.shape)


_declare(
    "cumsum", "a", lambda a, axis: np.cumsum(a, axis, dtype=None if a.dtype.kind in "fc" else np.int64), _cumsum_type,
    {"a": lambda F, g, axis: F.flip(F.cumsum(F.flip(g, axis), axis), axis)},
    category="reduction", symbol="sum", formula=r"\sum_{j \le i} a_j",
)  # fmt: skip


def norm_kernel(a: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """The Euclidean length."""
    return np.sqrt(np.add.reduce(np.square(a), axis, None, None, keepdims))  # type: ignore[no-any-return]


def _norm_vjp(F: Any, g: Any, a: Any, out: Any, a_shape: Any, axis: Any, keepdims: bool) -> Any:
    length = F.spread(out, a_shape, axis, keepdims)
    direction = F.div(a, F.where(F.equal(length, 0), 1, length))
    return F.mul(F.spread(g, a_shape, axis, keepdims), direction)


_declare(
    "norm", "a", norm_kernel, lambda a, axis=None, keepdims=False: TABLE["sum"].type_rule(a, axis=axis, keepdims=keepdims),
    {"a": _norm_vjp}, category="reduction", symbol="sum", formula=r"\|a\|", flops=lambda out, a, **_: 2 * int(np.prod(a)),
)  # fmt: skip


def inverse_kernel(a: Array) -> Array:
    return np.linalg.inv(a)


def _inverse_vjp(F: Any, g: Any, out: Any) -> Any:
    return F.neg(F.matmul(F.matmul(out, g, True, False), out, False, True))


_declare("inverse", "a", inverse_kernel, lambda a: a, {"a": _inverse_vjp}, category="matmul", symbol="matmul",
         formula="A^{-1}")  # fmt: skip


def tril_kernel(a: Array, diagonal: int = 0) -> Array:
    return np.tril(a, diagonal)


def triu_kernel(a: Array, diagonal: int = 0) -> Array:
    return np.triu(a, diagonal)


_declare("tril", "a", tril_kernel, lambda a, diagonal=0: a, {"a": lambda F, g, diagonal: F.tril(g, diagonal)},
         category="shape", symbol="shape", formula=r"\operatorname{tril} A")  # fmt: skip
_declare("triu", "a", triu_kernel, lambda a, diagonal=0: a, {"a": lambda F, g, diagonal: F.triu(g, diagonal)},
         category="shape", symbol="shape", formula=r"\operatorname{triu} A")  # fmt: skip


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


# -- losses -----------------------------------------------------------------------------------------------------------
def _loss_type(a: TensorType, b: TensorType, **_: Any) -> TensorType:
    return TensorType(a.dtype, None)


def _weight_row(a: Array, targets: Array, ignore_index: int, weights: Any) -> Array:
    """The weight of each target; ignored ones weigh nothing."""
    kept = targets != ignore_index
    if weights is None:
        return kept.astype(a.dtype)
    return np.asarray(weights, a.dtype)[np.where(kept, targets, 0)] * kept.astype(a.dtype)


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


def _nll_vjp(F: Any, g: Any, targets: Any, a_shape: Any, a_dtype: Any, reduction: str, ignore_index: int, weights: Any) -> Any:
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


def huber_kernel(a: Array, b: Array, reduction: str = "mean", delta: float = 1.0) -> Array:
    """Half the squared distance, but linear beyond ``delta``."""
    distance = np.abs(a - b)
    return _mean_or_sum(np.where(distance < delta, 0.5 * distance * distance, delta * (distance - 0.5 * delta)), reduction)


def _huber_slope(F: Any, g: Any, a: Any, b: Any, shape: Any, reduction: str, delta: float, scale: float) -> Any:
    slope = F.mul(F.clip(F.sub(a, b), -delta, delta), scale)
    return F.mul(slope, g if reduction == "none" else _spread(F, g, F.shape(slope), reduction))


_declare(
    "huber_loss", "a b", huber_kernel, _loss_type,
    {
        "a": lambda F, g, a, b, a_shape, reduction, delta: F.sum_to(_huber_slope(F, g, a, b, a_shape, reduction, delta, 1.0), a_shape),
        "b": lambda F, g, a, b, b_shape, reduction, delta: F.sum_to(_huber_slope(F, g, b, a, b_shape, reduction, delta, 1.0), b_shape),
    },
    formula=r"\operatorname{huber}(a - b)", **_LOSS,
)  # fmt: skip


def smooth_l1_kernel(a: Array, b: Array, reduction: str = "mean", beta: float = 1.0) -> Array:
    """The distance, but rounded off to half its square over ``beta`` below ``beta``."""
    distance = np.abs(a - b)
    if beta == 0:
        return _mean_or_sum(distance, reduction)
    return _mean_or_sum(np.where(distance < beta, 0.5 * distance * distance / beta, distance - 0.5 * beta), reduction)


_declare(
    "smooth_l1_loss", "a b", smooth_l1_kernel, _loss_type,
    {
        "a": lambda F, g, a, b, a_shape, reduction, beta: F.sum_to(_huber_slope(F, g, a, b, a_shape, reduction, beta or 1e-30, 1 / (beta or 1e-30)), a_shape),
        "b": lambda F, g, a, b, b_shape, reduction, beta: F.sum_to(_huber_slope(F, g, b, a, b_shape, reduction, beta or 1e-30, 1 / (beta or 1e-30)), b_shape),
    },
    formula=r"\operatorname{smooth}|a - b|", **_LOSS,
)  # fmt: skip

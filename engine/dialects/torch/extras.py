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

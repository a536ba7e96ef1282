"""Arithmetic, comparisons, matrix products, reductions of eager tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes, own_ops, packets, strings, summing  # noqa: F401  (declare ops)
from engine.dialects.tensorflow.eager.messages import failed, refused
from engine.dialects.tensorflow.eager.operands import together
from engine.dialects.tensorflow.eager.tensor import Valued, convert, run, wrap
from engine.dialects.tensorflow.shapes import brackets

_FLOATING = frozenset(
    ("Sqrt", "Rsqrt", "Exp", "Expm1", "Log", "Log1p", "Sin", "Cos", "Tan", "Tanh", "Sigmoid", "Reciprocal", "Erf")
)


def _binary(op: str, label: str, doc_name: str) -> Callable[..., Any]:
    def function(x: Any, y: Any, name: str | None = None) -> Any:
        return _of_two(op, label, *together(label, (x, y), strict=False))

    function.__name__ = doc_name
    return function


def _of_two(op: str, label: str, a: Any, b: Any) -> Any:
    if op == "add" and isinstance(a, Valued) and a._array.dtype.kind == "O":
        return run("tf_join", label, a, b, how=b"")
    return run(op, label, a, b)


def _unary(op: str, label: str, doc_name: str) -> Callable[..., Any]:
    def function(x: Any, name: str | None = None) -> Any:
        tensor = convert(x)
        if label in _FLOATING and tensor._array.dtype.kind not in "fc":
            raise refused(label, tensor.dtype)
        return run(op, label, tensor)

    function.__name__ = doc_name
    return function


BINARY = {
    "add": ("add", "AddV2"), "subtract": ("sub", "Sub"), "multiply": ("mul", "Mul"),
    "maximum": ("tf_maximum", "Maximum"), "minimum": ("tf_minimum", "Minimum"), "pow": ("pow", "Pow"),
    "greater": ("greater", "Greater"), "greater_equal": ("greater_equal", "GreaterEqual"), "less": ("less", "Less"),
    "less_equal": ("less_equal", "LessEqual"), "equal": ("equal", "Equal"), "not_equal": ("not_equal", "NotEqual"),
    "logical_and": ("logical_and", "LogicalAnd"), "logical_or": ("logical_or", "LogicalOr"),
    "logical_xor": ("logical_xor", "LogicalXor"), "floordiv": ("tf_floor_div", "FloorDiv"),
    "floormod": ("tf_floor_mod", "FloorMod"),
    "squared_difference": ("squared_difference", "SquaredDifference"), "atan2": ("atan2", "Atan2"),
}  # fmt: skip
UNARY = {
    "square": ("square", "Square"), "sqrt": ("sqrt", "Sqrt"), "rsqrt": ("rsqrt", "Rsqrt"), "abs": ("abs", "Abs"),
    "exp": ("tf_exp", "Exp"), "expm1": ("expm1", "Expm1"), "log": ("tf_log", "Log"), "log1p": ("log1p", "Log1p"),
    "sign": ("sign", "Sign"), "floor": ("tf_floor", "Floor"), "ceil": ("tf_ceil", "Ceil"),
    "round": ("tf_round", "Round"), "rint": ("tf_round", "Rint"),
    "sin": ("sin", "Sin"), "cos": ("cos", "Cos"), "tan": ("tan", "Tan"), "tanh": ("tf_tanh", "Tanh"),
    "sinh": ("sinh", "Sinh"), "cosh": ("cosh", "Cosh"), "asin": ("asin", "Asin"), "acos": ("acos", "Acos"),
    "atan": ("atan", "Atan"), "sigmoid": ("tf_sigmoid", "Sigmoid"), "negative": ("neg", "Neg"),
    "reciprocal": ("reciprocal", "Reciprocal"), "erf": ("erf", "Erf"),
    "is_nan": ("isnan", "IsNan"), "is_inf": ("isinf", "IsInf"), "is_finite": ("isfinite", "IsFinite"),
    "logical_not": ("logical_not", "LogicalNot"),
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _binary(op, label, name) for name, (op, label) in BINARY.items()},
    **{name: _unary(op, label, name) for name, (op, label) in UNARY.items()},
}


def operator(name: str, x: Any, y: Any) -> Any:
    """A Python operator: a number that does not fit fails as the op does."""
    op, label = BINARY[name]
    return _of_two(op, label, *together(label, (x, y)))


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """True division; integers become float64."""
    a, b = together("RealDiv", (x, y))
    kind = next(t._array.dtype for t in (a, b) if isinstance(t, Valued))
    if kind.kind in "iu":
        wide = np.dtype(np.float32 if kind.itemsize <= 2 else np.float64)
        a, b = (run("cast", "Cast", t, dtype=wide) if isinstance(t, Valued) else t for t in (a, b))
    return run("div", "RealDiv", a, b)


def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Any:
    """Division that gives 0 where the divisor is 0."""
    a, b = (convert(t) for t in together("DivNoNan", (convert(x), y)))
    zero = run("equal", "Equal", b, *together("Equal", (b, 0))[1:])
    one = run("ones_like", "OnesLike", b)
    safe = run("div", "RealDiv", a, run("where", "SelectV2", zero, one, b))
    return run("where", "SelectV2", zero, run("zeros_like", "ZerosLike", safe), safe)


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, name: str | None = None) -> Any:
    """The product of matrices (of all pairs of them, with more than two dimensions)."""
    label = "MatMul"
    x, y = together(label, (a if isinstance(a, Valued) else convert(a), b if isinstance(b, Valued) else convert(b)))
    if x._array.ndim > 2 or y._array.ndim > 2:
        label = "BatchMatMulV2"
    elif x._array.ndim < 2 or y._array.ndim < 2:
        shapes = f"{brackets(x._array.shape)} vs. {brackets(y._array.shape)}"
        if x._array.ndim != y._array.ndim:
            raise failed(label, f"In[0] and In[1] has different ndims: {shapes}")
        raise failed(label, f"In[0] ndims must be >= 2: {x._array.ndim}")
    attributes = {k: True for k, v in (("transpose_a", transpose_a), ("transpose_b", transpose_b)) if v}
    return run("matmul", label, x, y, **attributes)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """The sum of products over ``axes``."""
    x, y = convert(a), convert(b)
    rank, other = x._array.ndim, y._array.ndim
    if isinstance(axes, int):
        first, second = list(range(rank - axes, rank)), list(range(axes))
    else:
        first, second = ([n] if isinstance(n, int) else list(n) for n in axes)
    first, second = [n % rank for n in first], [n % other for n in second]
    if [x._array.shape[n] for n in first] != [y._array.shape[n] for n in second]:
        text = f"Matrix size-incompatible: In[0]: {brackets(x._array.shape)}, In[1]: {brackets(y._array.shape)}"
        raise failed("MatMul", text)
    free, rest = [i for i in range(rank) if i not in first], [i for i in range(other) if i not in second]
    sizes = x._array.shape, y._array.shape
    inner = int(np.prod([sizes[0][i] for i in first]))
    left = run("reshape", "Reshape", run("transpose", "Transpose", x, axes=(*free, *first)), shape=(-1, inner))
    right = run("reshape", "Reshape", run("transpose", "Transpose", y, axes=(*second, *rest)), shape=(inner, -1))
    shape = (*(sizes[0][i] for i in free), *(sizes[1][i] for i in rest))
    return run("reshape", "Reshape", matmul(left, right), shape=shape)


def einsum(equation: str, *inputs: Any, **_: Any) -> Any:
    """Sums of products, as the equation says."""
    return run("einsum", "Einsum", *together("Einsum", tuple(convert(x) for x in inputs)), equation=equation)


def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of all tensors of a list."""
    if not isinstance(inputs, list | tuple) or not inputs:
        text = "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        raise ValueError(text)
    parts = together("AddN", tuple(convert(x) for x in inputs))
    return run("add_n", "AddN", *parts)


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """``x`` with another dtype."""
    wanted = dtypes.as_dtype(dtype)
    tensor = convert(x)
    if tensor.dtype == wanted:
        return tensor
    return run("cast", "Cast", tensor, dtype=wanted._numpy)


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """No smaller and no larger than these."""
    return FUNCTIONS["maximum"](FUNCTIONS["minimum"](t, clip_value_max), clip_value_min)


def axes_of(axis: Any) -> Any:
    """An axis argument as the engine takes it."""
    if isinstance(axis, Valued | np.ndarray | np.generic):
        axis = np.asarray(axis).tolist()
    return tuple(int(n) for n in axis) if isinstance(axis, list | tuple) else axis


def _reduction(op: str, label: str, doc_name: str) -> Callable[..., Any]:
    def function(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
        tensor = convert(input_tensor)
        kind = tensor._array.dtype
        kernel = f"{op}_in_packets" if op in ("sum", "mean") and kind == np.float32 else op
        result = run(kernel, label, tensor, axis=axes_of(axis), keepdims=bool(keepdims))
        if kind.kind in "iu" and result._array.dtype != kind:
            # The engine widens sums of integers and averages them as numbers with a fraction; here they stay what
            # they were.
            result = run("cast", "Cast", result, dtype=kind)
        return result

    function.__name__ = doc_name
    return function


REDUCTIONS = {
    "reduce_sum": ("sum", "Sum"), "reduce_mean": ("mean", "Mean"), "reduce_max": ("max", "Max"),
    "reduce_min": ("min", "Min"), "reduce_prod": ("prod", "Prod"), "reduce_all": ("all", "All"),
    "reduce_any": ("any", "Any"), "reduce_logsumexp": ("logsumexp", "ReduceLogSumExp"),
    "reduce_variance": ("var", "Variance"), "reduce_std": ("std", "StdDev"),
}  # fmt: skip
FUNCTIONS |= {name: _reduction(op, label, name) for name, (op, label) in REDUCTIONS.items()}


def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The euclidean norm."""
    if ord not in ("euclidean", 2):
        raise NotImplementedError(f"tf.norm: this teaching engine has the euclidean norm only, not ord={ord!r}")
    squared = FUNCTIONS["reduce_sum"](FUNCTIONS["square"](tensor), axis, keepdims)
    return FUNCTIONS["sqrt"](squared)


def _position(op: str, label: str) -> Callable[..., Any]:
    def function(input: Any, axis: Any = None, output_type: Any = "int64", name: str | None = None) -> Any:
        result = run(op, label, convert(input), axis=0 if axis is None else axes_of(axis))
        return cast(result, output_type)

    return function


argmax, argmin = _position("argmax", "ArgMax"), _position("argmin", "ArgMin")


def cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """Running sums."""
    tensor = convert(x)
    kind = tensor._array.dtype
    result = run("cumsum", "Cumsum", tensor, axis=axis, exclusive=exclusive, reverse=reverse)
    return result if result._array.dtype == kind else run("cast", "Cast", result, dtype=kind)


FUNCTIONS |= {
    "divide": divide, "truediv": divide, "divide_no_nan": divide_no_nan, "matmul": matmul, "tensordot": tensordot,
    "einsum": einsum, "add_n": add_n, "cast": cast, "clip_by_value": clip_by_value, "norm": norm, "argmax": argmax,
    "argmin": argmin, "cumsum": cumsum, "mod": FUNCTIONS["floormod"],
}  # fmt: skip

__all__ = ["FUNCTIONS", "operator", "wrap"]

"""Arithmetic, comparisons, reductions, matrix products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.tensorflow import dtypes, own_ops, packets, strings  # noqa: F401  (declare ops)
from engine.dialects.tensorflow.build import apply, convert, dtype_of, hide
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.values import as_array, first_of

_OF_TEXTS: dict[str, tuple[str, str, Any]] = {
    "add": ("tf_join", "Add", b""),  # by the older op
    "equal": ("tf_same_text", "Equal", None),
    "not_equal": ("tf_other_text", "NotEqual", None),
}


def is_text(value: Any) -> bool:
    """Whether a tensor or a Python value holds texts."""
    kind = dtype_of(value)
    return isinstance(first_of(value), str | bytes) if kind is None else kind.name == "string"


def _binary(op: str, tf_type: str, default: str, first: str = "x", second: str = "y") -> Callable[..., Tensor]:
    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        if op in _OF_TEXTS and (is_text(x) or is_text(y)):
            of_texts, kind, how = _OF_TEXTS[op]
            return apply(of_texts, kind, name, [(first, x), (second, y)], {"how": how}, default_name=default)
        return apply(op, tf_type, name, [(first, x), (second, y)], default_name=default)

    return function


_FLOATS = "bfloat16, float16, float32, float64, complex64, complex128"
_ONLY_FLOATS = frozenset({
    "Sqrt", "Rsqrt", "Exp", "Expm1", "Log", "Log1p", "Sin", "Cos", "Tan", "Tanh", "Sigmoid", "Sinh", "Cosh", "Asin",
    "Acos", "Atan", "Erf",
})  # fmt: skip
_ALLOWED = {"Erf": "bfloat16, float16, float32, float64", "Tan": None, "Sin": None, "Cos": None, "Asin": None,
            "Acos": None, "Atan": None}  # fmt: skip
"""What the message of a refused dtype lists; ``None``: integers are refused in other words there."""


def _unary(op: str, tf_type: str, doc_name: str) -> Callable[..., Tensor]:
    def function(x: Any, name: str | None = None) -> Tensor:
        tensor = convert(x, name="x") if tf_type in _ONLY_FLOATS else x
        if tf_type in _ONLY_FLOATS and not (tensor.dtype.base_dtype.is_floating or tensor.dtype.base_dtype.is_complex):
            listed = _ALLOWED.get(tf_type) or _FLOATS
            raise TypeError(
                f"Value passed to parameter 'x' has DataType {tensor.dtype.base_dtype.name} not in list of allowed "
                f"values: {listed}"
            )
        return apply(op, tf_type, name, [("x", tensor)])

    function.__name__ = doc_name
    return function


add = _binary("add", "AddV2", "Add")
subtract = _binary("sub", "Sub", "Sub")
multiply = _binary("mul", "Mul", "Mul")
maximum = _binary("tf_maximum", "Maximum", "Maximum")
minimum = _binary("tf_minimum", "Minimum", "Minimum")
greater = _binary("greater", "Greater", "Greater")
greater_equal = _binary("greater_equal", "GreaterEqual", "GreaterEqual")
less = _binary("less", "Less", "Less")
less_equal = _binary("less_equal", "LessEqual", "LessEqual")
equal = _binary("equal", "Equal", "Equal")
not_equal = _binary("not_equal", "NotEqual", "NotEqual")
squared_difference = _binary("squared_difference", "SquaredDifference", "SquaredDifference")
atan2 = _binary("atan2", "Atan2", "Atan2")
logical_xor = _binary("logical_xor", "LogicalXor", "LogicalXor")
truncatediv = _binary("tf_truncate_div", "TruncateDiv", "TruncateDiv")
truncatemod = _binary("tf_truncate_mod", "TruncateMod", "TruncateMod")
floor_div = _binary("tf_floor_div", "FloorDiv", "FloorDiv")
floormod = _binary("tf_floor_mod", "FloorMod", "FloorMod")
logical_and = _binary("logical_and", "LogicalAnd", "LogicalAnd")
logical_or = _binary("logical_or", "LogicalOr", "LogicalOr")
floordiv = _binary("tf_floor_div", "FloorDiv", "floordiv")
mod = _binary("tf_floor_mod", "FloorMod", "FloorMod")
pow_ = _binary("pow", "Pow", "Pow")
for _name, _function in (
    ("add", add),
    ("subtract", subtract),
    ("multiply", multiply),
    ("maximum", maximum),
    ("minimum", minimum),
    ("pow", pow_),
    ("equal", equal),
    ("not_equal", not_equal),
    ("greater", greater),
    ("less", less),
):
    _function.__name__ = _name

square = _unary("square", "Square", "square")
sqrt = _unary("sqrt", "Sqrt", "sqrt")
rsqrt = _unary("rsqrt", "Rsqrt", "rsqrt")
abs_ = _unary("abs", "Abs", "abs")
exp = _unary("tf_exp", "Exp", "exp")
expm1 = _unary("expm1", "Expm1", "expm1")
log = _unary("tf_log", "Log", "log")
log1p = _unary("log1p", "Log1p", "log1p")
sign = _unary("sign", "Sign", "sign")
floor = _unary("floor", "Floor", "floor")
sin = _unary("sin", "Sin", "sin")
cos = _unary("cos", "Cos", "cos")
tan = _unary("tan", "Tan", "tan")
tanh = _unary("tf_tanh", "Tanh", "tanh")
sigmoid = _unary("tf_sigmoid", "Sigmoid", "sigmoid")
negative = _unary("neg", "Neg", "negative")
reciprocal = _unary("reciprocal", "Reciprocal", "reciprocal")
erf = _unary("erf", "Erf", "erf")
is_nan = _unary("isnan", "IsNan", "is_nan")
is_inf = _unary("isinf", "IsInf", "is_inf")
is_finite = _unary("isfinite", "IsFinite", "is_finite")
asin = _unary("asin", "Asin", "asin")
acos = _unary("acos", "Acos", "acos")
atan = _unary("atan", "Atan", "atan")
sinh = _unary("sinh", "Sinh", "sinh")
cosh = _unary("cosh", "Cosh", "cosh")
ceil = _unary("ceil", "Ceil", "ceil")
round_ = _unary("round", "Round", "round")
rint = _unary("round", "Rint", "rint")
matrix_determinant = _unary("det", "MatrixDeterminant", "matrix_determinant")
matrix_inverse = _unary("inverse", "MatrixInverse", "matrix_inverse")
cholesky = _unary("cholesky", "Cholesky", "cholesky")
diag_part = _unary("diagonal", "DiagPart", "diag_part")
logical_not = _unary("logical_not", "LogicalNot", "logical_not")


def _divide(x: Any, y: Any, name: str | None, default: str) -> Tensor:
    """True division; integers become float64, as Python's own."""
    like = dtype_of(x) or dtype_of(y)
    if like is not None and like.is_floating:
        return apply("div", "RealDiv", name, [("x", x), ("y", y)], default_name=default)
    first = convert(x, name="x", preferred=like)
    if first.dtype.base_dtype.is_integer:
        wide = dtypes.DTYPES["float32" if first.dtype.base_dtype.size <= 2 else "float64"]
        second = convert(y, name="y", preferred=first.dtype.base_dtype)
        if second.dtype.base_dtype != first.dtype.base_dtype:
            raise TypeError(f"`x` and `y` must have the same dtype, got {first.dtype!r} != {second.dtype!r}.")
        graph = get_default_graph()
        with graph.name_scope(name or default) as scope:
            return apply("div", "RealDiv", scope, [("x", cast(first, wide)), ("y", cast(second, wide))])
    return apply("div", "RealDiv", name, [("x", first), ("y", y)], default_name=default)


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    return _divide(x, y, name, "truediv")


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    return _divide(x, y, name, "truediv")


def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The division of Python 2: integers stay integers."""
    like = dtype_of(x) or dtype_of(y)
    first = convert(x, name="x", preferred=like)
    if first.dtype.base_dtype.is_integer:
        return apply("tf_floor_div", "FloorDiv", name, [("x", first), ("y", y)], default_name="div")
    return apply("div", "RealDiv", name, [("x", first), ("y", y)], default_name="div")


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of all tensors in a list."""
    tensors = [convert(x) for x in ([inputs] if isinstance(inputs, Tensor) else inputs)]
    if not tensors:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    if len(tensors) == 1:
        return tensors[0] if name is None else apply("identity", "Identity", name, [("input", tensors[0])])
    graph = tensors[0].graph
    before = len(graph.core.nodes)
    total = tensors[0]._node
    with graph.core.scope(None):
        for tensor in tensors[1:-1]:
            total = graph.core.add("add", [total, tensor._node], name=f"{graph.unique_name('AddN', False)}/partial")
    parts = graph.core.nodes[before:]
    result = apply("add", "AddN", name, [("x", graph.tensor(total)), ("y", tensors[-1])])
    hide(graph, parts, result._node)
    result.op._inputs = tensors
    return result


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of two matrices (or of two stacks of them)."""
    return _matmul(a, b, bool(transpose_a or adjoint_a), bool(transpose_b or adjoint_b), name, "MatMul")


def _matmul(a: Any, b: Any, transpose_a: bool, transpose_b: bool, name: str | None, default: str) -> Tensor:
    first = convert(a, name="a", preferred=dtype_of(b)) if dtype_of(a) is None and dtype_of(b) is not None else a
    shape = first.shape if dtype_of(first) is not None else None
    ranks = [x.shape.ndims for x in (first, b) if dtype_of(x) is not None]
    batched = len(ranks) == 2 and all(r is not None and r > 2 for r in ranks)
    del shape
    attributes = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    return apply(
        "matmul",
        "BatchMatMulV2" if batched else "MatMul",
        name,
        [("a", first), ("b", b)],
        attributes,
        default_name=default,
    )


def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = "int32",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """How often each class (row) was called which (column)."""
    truth, guess = cast(convert(labels), "int64"), cast(convert(predictions), "int64")
    kind = dtypes.as_dtype(dtype)._numpy
    inputs = [("labels", truth), ("predictions", guess)]
    count = None if num_classes is None else int(num_classes)
    with truth.graph.name_scope(name or "confusion_matrix"):
        if weights is not None:
            inputs.append(("weights", cast(convert(weights), dtype)))
        attributes = {"classes": count, "dtype": kind}
        return apply("tf_confusion", "ScatterNd", None, inputs, attributes, same_type=False)


# -- operators --------------------------------------------------------------------------------------------------------
def _operator(op: str, tf_type: str, default: str) -> tuple[Any, Any]:
    forward = _binary(op, tf_type, default)

    def backward(self: Any, other: Any) -> Tensor:
        if dtype_of(other) is None and not isinstance(other, list | tuple):
            as_array(other, self.dtype.base_dtype)  # what does not fit is refused in the dtype's own words
        return forward(other, self)

    return (lambda self, other: forward(self, other)), backward


def overload(kind: Any) -> None:
    """Give a class the operators of tensors."""
    for names, (op, tf_type, default) in {
        ("__add__", "__radd__"): ("add", "AddV2", "add"),
        ("__sub__", "__rsub__"): ("sub", "Sub", "sub"),
        ("__mul__", "__rmul__"): ("mul", "Mul", "mul"),
        ("__floordiv__", "__rfloordiv__"): ("tf_floor_div", "FloorDiv", "floordiv"),
        ("__mod__", "__rmod__"): ("tf_floor_mod", "FloorMod", "mod"),
        ("__pow__", "__rpow__"): ("pow", "Pow", "pow"),
        ("__and__", "__rand__"): ("logical_and", "LogicalAnd", "and"),
        ("__or__", "__ror__"): ("logical_or", "LogicalOr", "or"),
    }.items():
        forward, backward = _operator(op, tf_type, default)
        setattr(kind, names[0], forward)
        setattr(kind, names[1], backward)
    kind.__truediv__ = lambda self, other: truediv(self, other)
    kind.__rtruediv__ = lambda self, other: truediv(other, self)
    kind.__matmul__ = lambda self, other: _matmul(self, other, False, False, None, "matmul")
    kind.__rmatmul__ = lambda self, other: _matmul(other, self, False, False, None, "matmul")
    kind.__neg__ = lambda self: negative(self)
    kind.__abs__ = lambda self: abs_(self)
    kind.__invert__ = lambda self: logical_not(self)
    kind.__lt__ = lambda self, other: less(self, other)
    kind.__le__ = lambda self, other: less_equal(self, other)
    kind.__gt__ = lambda self, other: greater(self, other)
    kind.__ge__ = lambda self, other: greater_equal(self, other)
    kind.__getitem__ = _getitem


def _getitem(self: Any, key: Any) -> Tensor:
    from engine.dialects.tensorflow.slicing_ops import strided_slice

    return strided_slice(self, key)


overload(Tensor)

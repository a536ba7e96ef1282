"""Ops whose gradient TensorFlow defines otherwise than the table."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops import TABLE
from engine.ops.elementary import round_kernel
from engine.ops.registry import op
from engine.ops.type_rules import elementwise, per_element, unify
from engine.tensor_type import TensorType


def _where(compare: str) -> Any:
    """The gradient goes to this operand where the comparison holds."""

    def vjp(F: Any, g: Any, a: Any, b: Any) -> Any:
        return F.where(getattr(F, compare)(a, b), g, 0)

    return vjp


# Where both are equal the first operand gets the whole gradient (the table, like PyTorch, gives each a half).
for _name, _ufunc, _compare, _opposite, _formula in (
    ("tf_maximum", np.maximum, "greater_equal", "less", r"\max(a, b)"),
    ("tf_minimum", np.minimum, "less_equal", "greater", r"\min(a, b)"),
):
    op(
        _name,
        "a b",
        _ufunc,
        elementwise(_name, "common"),
        {
            "a": _where(_compare),
            "b": _where(_opposite),
        },
        elementwise=True,
        accepts_out=True,
        promotion="common",
        symbol="max" if _ufunc is np.maximum else "min",
        formula=_formula,
        flops=per_element(),
    )


# Rounding has no gradient at all (the table, like PyTorch, gives zeros).
for _name, _kernel, _symbol, _formula in (
    ("tf_floor", np.floor, "⌊x⌋", r"\lfloor a \rfloor"),
    ("tf_ceil", np.ceil, "⌈x⌉", r"\lceil a \rceil"),
    ("tf_round", round_kernel, "≈", r"\operatorname{round} a"),
):
    op(
        _name, "a", _kernel, elementwise(_name, "common", lowest=1), None, elementwise=True, accepts_out=True,
        promotion="common", symbol=_symbol, formula=_formula, flops=per_element(),
    )  # fmt: skip


def _safe_quotient(a: Any, b: Any) -> Any:
    """``a / b``, zero where ``b`` is."""
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)), np.asarray(a).dtype),
                     where=np.asarray(b) != 0)  # fmt: skip


op("tf_div_no_nan", "a b", _safe_quotient, elementwise("tf_div_no_nan", "common"), {
    "a": lambda F, g, b: F.tf_div_no_nan(g, b),
    "b": lambda F, g, a, b: F.mul(g, F.tf_div_no_nan(F.tf_div_no_nan(F.neg(a), b), b)),
}, elementwise=True, promotion="common", symbol="div", flops=per_element())  # fmt: skip


def _truncated_quotient(a: Any, b: Any) -> Any:
    """Rounded towards zero, as C does."""
    if np.asarray(a).dtype.kind == "f":
        return np.trunc(a / b)
    return (np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))).astype(np.asarray(a).dtype)


op("tf_truncate_div", "a b", _truncated_quotient, elementwise("tf_truncate_div", "common"), None, elementwise=True,
   promotion="common", symbol="div", flops=per_element())  # fmt: skip
op("tf_truncate_mod", "a b", np.fmod, elementwise("tf_truncate_mod", "common"), None, elementwise=True,
   promotion="common", symbol="%", flops=per_element())  # fmt: skip
op(
    "tf_diag",
    "a",
    lambda a: np.diag(a),
    lambda a: TensorType(a.dtype, None if a.shape is None else (*a.shape, *a.shape)),
    {"a": lambda F, g: F.diagonal(g)},
    category="shape",
    symbol="diag",
)


op("tf_rank", "a", lambda a: np.asarray(np.ndim(a), np.int32), lambda a: TensorType(np.dtype(np.int32), ()), None,
   category="shape", symbol="rank")  # fmt: skip
op("tf_size", "a", lambda a, dtype: np.asarray(np.size(a), dtype), lambda a, dtype: TensorType(dtype, ()), None,
   category="shape", symbol="#")  # fmt: skip


def _unique(a: Any) -> tuple[Any, Any]:
    values, first, inverse = np.unique(a, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return values[order], place[inverse].astype(np.int32)


op("tf_unique", "a", lambda a: _unique(a)[0], lambda a: TensorType(a.dtype, (None,)), None, category="shape",
   symbol="uniq")  # fmt: skip
op("tf_unique_places", "a", lambda a: _unique(a)[1], lambda a: TensorType(np.dtype(np.int32), a.shape), None,
   category="shape", symbol="uniq")  # fmt: skip


def _in_top(a: Any, places: Any, k: int) -> Any:
    inside = (places >= 0) & (places < a.shape[1])
    own = np.take_along_axis(a, np.where(inside, places, 0)[:, None].astype(np.int64), 1)
    return inside & np.isfinite(own[:, 0]) & ((a > own).sum(1) < k)


op("tf_in_top_k", "a places", _in_top,
   lambda a, places, k: TensorType(np.dtype(bool), None if places.shape is None else places.shape), None,
   unpromoted=frozenset({"places"}), category="reduction", symbol="top")  # fmt: skip


def _rows_of(condition: Any, a: Any) -> Any:
    """The condition of a choice in the rank of ``a``: one number chooses all, a vector whole rows."""
    if condition.shape == a.shape or condition.ndim == 0:
        return condition
    if condition.ndim == 1 and len(condition) == len(a):
        return condition.reshape(-1, *(1,) * (a.ndim - 1))
    raise ShapeError("where: what chooses has another shape", op="tf_select", shapes=(condition.shape, a.shape))


def _select(condition: Any, a: Any, b: Any) -> Any:
    return np.where(_rows_of(np.asarray(condition), np.asarray(a)), a, b)


def _select_type(condition: TensorType, a: TensorType, b: TensorType) -> TensorType:
    shape = unify("where", "the two", a.shape, b.shape, a, b)
    chosen = condition.shape
    if chosen is not None and shape is not None and len(chosen) not in (0, 1 if shape else 0):
        unify("where", "the three", chosen, shape, condition, a)
    elif chosen and shape and None not in (chosen[0], shape[0]) and chosen[0] != shape[0]:
        raise ShapeError("where: a vector chooses among rows", op="tf_select", shapes=(chosen, shape))
    return TensorType(a.dtype, shape)


op("tf_select", "condition a b", _select, _select_type,
   {"a": lambda F, g, condition: F.tf_select(condition, g, F.zeros_like(g)),
    "b": lambda F, g, condition: F.tf_select(condition, F.zeros_like(g), g)},
   unpromoted=frozenset({"condition"}), category="control", symbol="fork")  # fmt: skip


def _narrow(name: str) -> None:
    """``argmax`` and ``argmin`` with another dtype for the places."""
    plain = TABLE[name]

    def rule(a: TensorType, axis: Any, keepdims: bool, dtype: Any) -> TensorType:
        return TensorType(dtype, plain.type_rule(a, axis=axis, keepdims=keepdims).shape)

    op(f"tf_{name}", "a", lambda a, axis, keepdims, dtype: plain.kernel(a, axis, keepdims).astype(dtype), rule, None,
       category="reduction", symbol=name)  # fmt: skip


for _name in ("argmax", "argmin"):
    _narrow(_name)


def _finite(a: Any, text: str) -> Any:
    for bad, word in ((np.isnan(a), "NaN"), (np.isinf(a), "Inf")):
        if np.any(bad):
            raise ShapeError(f"{text} : Tensor had {word} values", op="tf_check_numerics")
    return a


op("tf_check_numerics", "a", _finite, lambda a, text: a, {"a": lambda F, g: F.identity(g)}, stateful=True,
   category="control", symbol="!")  # fmt: skip


def _holds(condition: Any, *data: Any, summarize: int) -> Any:
    if not np.all(condition):
        said = " ".join(_shown(value, summarize) for value in data)
        raise ShapeError(f"assertion failed: {said}", op="tf_assert")
    return np.asarray(condition)


def _shown(value: Any, summarize: int) -> str:
    array = np.asarray(value)
    limit = array.size if summarize < 0 else summarize
    if array.ndim == 0:
        return f"[{_element(array[()])}]"
    text: list[str] = []
    _listed(array, limit, 0, text)
    return f"[{''.join(text)}{'...' if limit < array.size else ''}]"


def _listed(array: Any, limit: int, given: int, text: list[str]) -> int:
    """The first ``limit`` elements in their brackets, as the kernels write them; how many were ``given`` by then."""
    if array.ndim == 1:
        for place, value in enumerate(array):
            if given >= limit:
                break
            text.append((" " if place else "") + _element(value))
            given += 1
        return given
    for row in array:
        if given >= limit:
            break
        text.append("[")
        given = _listed(row, limit, given, text)
        text.append("]")
    return given


def _element(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, np.floating):
        short = f"{value:.6g}"
        return short if type(value)(short) == value or value != value else f"{value:.9g}"
    return str(int(value)) if isinstance(value, np.bool_) else str(value)


op("tf_assert", "*operands", _holds, lambda *operands, summarize: operands[0], None, stateful=True,
   category="control", symbol="!")  # fmt: skip


def _printed(a: Any, *data: Any, message: str, summarize: int, first_n: int, generator: Any) -> Any:
    if first_n < 0 or generator.count < first_n:
        generator.count += 1
        said = "".join(_shown(value, summarize) for value in data)
        print(f"{message}{said}", file=sys.stderr)
    return a


op(
    "tf_print",
    "*operands",
    _printed,
    lambda *operands, message, summarize, first_n, generator: operands[0],
    {"operands": lambda F, g, index: F.identity(g) if index == 0 else None},
    stateful=True,
    category="control",
    symbol="print",
)


def _confusion(*operands: Any, classes: int | None, dtype: Any) -> Any:
    truth, guess = operands[:2]
    size = classes if classes is not None else int(max(truth.max(initial=-1), guess.max(initial=-1))) + 1
    for word, values in (("labels", truth), ("predictions", guess)):
        if values.size and (values.min() < 0 or values.max() >= size):
            raise ShapeError(f"assertion failed: [`{word}` out of bound]", op="tf_confusion")
    found = np.zeros((size, size), dtype)
    np.add.at(found, (truth, guess), operands[2] if len(operands) > 2 else 1)
    return found


op("tf_confusion", "*operands", _confusion,
   lambda *operands, classes, dtype: TensorType(np.dtype(dtype), (classes, classes)), None, category="reduction",
   symbol="#")  # fmt: skip


def _whole(function: Any) -> Any:
    """Division of integers that refuses zero, as TensorFlow's kernels do."""

    def kernel(a: Any, b: Any) -> Any:
        if np.asarray(a).dtype.kind in "iu" and not np.all(b):
            raise ShapeError("Integer division by zero", op="tf_floor_div")
        return function(a, b)

    return kernel


for _name, _quotient, _symbol in (("tf_floor_div", np.floor_divide, "//"), ("tf_floor_mod", np.mod, "%")):
    op(_name, "a b", _whole(_quotient), elementwise(_name, "common"),
       None if _symbol == "//" else {"a": lambda F, g: F.identity(g),
                                     "b": lambda F, g, a, b: F.neg(F.mul(g, F.floor(F.div(a, b))))},
       elementwise=True, promotion="common", symbol=_symbol, flops=per_element())  # fmt: skip

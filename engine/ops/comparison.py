"""Comparisons, logic and choice. Only ``where`` has a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import DtypeError
from engine.ops.promotion import BOOL, Operand, joined_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import broadcast, elementwise, need_bool, per_element
from engine.tensor_type import TensorType

_COMPARISONS: tuple[tuple[str, Any, str, str], ...] = (
    ("equal", np.equal, "=", "a = b"),
    ("not_equal", np.not_equal, "≠", r"a \ne b"),
    ("less", np.less, "<", "a < b"),
    ("less_equal", np.less_equal, "≤", r"a \le b"),
    ("greater", np.greater, ">", "a > b"),
    ("greater_equal", np.greater_equal, "≥", r"a \ge b"),
)
for _name, _ufunc, _symbol, _formula in _COMPARISONS:
    op(
        _name, "a b", _ufunc, elementwise(_name, "common", BOOL), None, elementwise=True, accepts_out=True,
        promotion="common", symbol=_symbol, formula=_formula, flops=per_element(),
    )  # fmt: skip

_LOGIC: tuple[tuple[str, str, Any, str, str], ...] = (
    ("logical_and", "a b", np.logical_and, "∧", r"a \land b"),
    ("logical_or", "a b", np.logical_or, "∨", r"a \lor b"),
    ("logical_xor", "a b", np.logical_xor, "⊕", r"a \oplus b"),
    ("logical_not", "a", np.logical_not, "¬", r"\lnot a"),
)
for _name, _inputs, _ufunc, _symbol, _formula in _LOGIC:
    op(
        _name, _inputs, _ufunc, elementwise(_name, "bool", BOOL), None, elementwise=True, accepts_out=True,
        promotion="bool", symbol=_symbol, formula=_formula, flops=per_element(),
    )  # fmt: skip

_TESTS: tuple[tuple[str, Any, str, str], ...] = (
    ("isnan", np.isnan, "nan", r"a \text{ is not a number}"),
    ("isinf", np.isinf, "∞", r"|a| = \infty"),
    ("isfinite", np.isfinite, "<∞", r"|a| < \infty"),
)
for _name, _ufunc, _symbol, _formula in _TESTS:
    op(
        _name, "a", _ufunc, elementwise(_name, "common", BOOL), None, elementwise=True, accepts_out=True,
        promotion="common", symbol=_symbol, formula=_formula, flops=per_element(),
    )  # fmt: skip


def where_kernel(condition: Array, a: Any, b: Any) -> Array:
    """``a`` where the condition holds, else ``b``; broadcasting."""
    return np.where(condition, a, b)  # type: ignore[no-any-return]


def _where_type(condition: Operand, a: Operand, b: Operand) -> TensorType:
    if isinstance(condition, TensorType):
        need_bool("where", "the condition", condition.dtype)
    elif not isinstance(condition, bool):
        raise DtypeError(f"where: the condition must be bool, but it is {condition!r}")
    return TensorType(joined_dtype(a, b), broadcast("where", condition, a, b))


op(
    "where", "condition a b", where_kernel, _where_type,
    {
        "a": lambda F, g, condition: F.where(condition, g, 0),
        "b": lambda F, g, condition: F.where(condition, 0, g),
    },
    elementwise=True, promotion="moved", unpromoted=frozenset({"condition"}), category="control", symbol="fork",
    formula=r"\begin{cases} a & c \\ b & \text{otherwise} \end{cases}",
)  # fmt: skip

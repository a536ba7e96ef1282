"""Ops whose gradient TensorFlow defines otherwise than the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.registry import op
from engine.ops.type_rules import elementwise, per_element


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

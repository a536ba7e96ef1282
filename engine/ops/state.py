"""Ops of static graphs whose work the mode does itself: feeding, constants, variables, writes, grouping.

Only their type rule, category, symbol and formula are declared here. Their kernel refuses to run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import DtypeError, ShapeError, StateError
from engine.ops.promotion import DEFAULT_FLOAT, DType, joined_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import refuse_below, show, unify
from engine.tensor_type import Shape, TensorType


def _handled_by_mode(*_arrays: Any, **_attributes: Any) -> Array:
    raise StateError("this op has no kernel: a session feeds placeholders, holds variables and does writes itself")


def _placeholder_type(dtype: DType = DEFAULT_FLOAT, shape: Shape | None = None) -> TensorType:
    return TensorType(np.dtype(dtype), shape)


def _constant_type(value: Any) -> TensorType:
    """``value`` is whatever holds an array's ``dtype`` and ``shape``."""
    return TensorType(value.dtype, tuple(value.shape))


def _write(name: str, lowest: int) -> Any:
    def rule(variable: TensorType, value: TensorType) -> TensorType:
        if lowest or variable.dtype.kind != "O":
            refuse_below(name, variable.dtype, lowest)
        if joined_dtype(variable, value) != variable.dtype:
            raise DtypeError(
                f"{name}: a value of dtype {value.dtype} does not fit a variable of dtype {variable.dtype}; "
                "cast it first"
            )
        try:
            unify(name, "", variable.shape, value.shape, variable, value)
        except ShapeError:
            raise ShapeError(
                f"{name}: a value of shape {show(value.shape)} does not fit a variable of shape "
                f"{show(variable.shape)}; they must be equal",
                op=name,
                shapes=(variable.shape, value.shape),
            ) from None
        return variable

    return rule


def _nothing(*_operands: TensorType) -> TensorType:
    """Ops that only order others give no value; their type is an empty bool."""
    return TensorType(np.dtype(np.bool_), (0,))


op("placeholder", "", _handled_by_mode, _placeholder_type, None, category="input", symbol="enter", formula="x")
op("constant", "", _handled_by_mode, _constant_type, None, category="input", symbol="pin", formula="c")
op(
    "variable",
    "",
    _handled_by_mode,
    _placeholder_type,
    None,
    stateful=True,
    category="variable",
    symbol="shelf",
    formula=r"\theta",
)
op(
    "assign",
    "variable value",
    _handled_by_mode,
    _write("assign", 0),
    None,
    stateful=True,
    category="variable",
    symbol="←",
    formula=r"\theta \leftarrow v",
)
op("assign_add", "variable value", _handled_by_mode, _write("assign_add", 1), None, stateful=True, category="variable",
   symbol="+=", formula=r"\theta \leftarrow \theta + v")  # fmt: skip
op("assign_sub", "variable value", _handled_by_mode, _write("assign_sub", 1), None, stateful=True, category="variable",
   symbol="−=", formula=r"\theta \leftarrow \theta - v")  # fmt: skip
op("no_op", "", _handled_by_mode, lambda: _nothing(), None, category="control", symbol="·", formula=r"\varnothing")
op("group", "*operands", _handled_by_mode, _nothing, None, category="control", symbol="{ }", formula=r"\{\ldots\}")

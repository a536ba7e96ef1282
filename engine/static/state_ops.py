"""Ops of static graphs that look at a session's state: which variables hold a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import StateError
from engine.ops.registry import op
from engine.tensor_type import TensorType


def _in_a_plan(*_arrays: Any, **_attributes: Any) -> Any:
    raise StateError("this op asks a session about its variables: it only runs inside a plan")


def _is_initialized_type(variable: TensorType) -> TensorType:
    return TensorType(np.dtype(np.bool_), ())


def _names_type(*variables: TensorType, names: tuple[str, ...] = ()) -> TensorType:
    return TensorType(np.dtype(np.object_), (None,))


def _initialized_type(variable: TensorType, initial: TensorType) -> TensorType:
    return variable


op("is_initialized", "variable", _in_a_plan, _is_initialized_type, None, stateful=True, category="variable", symbol="?")
op("uninitialized_names", "*variables", _in_a_plan, _names_type, None, stateful=True, category="variable", symbol="?")
op(
    "initialized_value",
    "variable initial",
    _in_a_plan,
    _initialized_type,
    None,
    stateful=True,
    category="variable",
    symbol="?",
)

STATE = frozenset({"is_initialized", "uninitialized_names", "initialized_value"})
"""Ops that look at variables without needing them to hold a value."""

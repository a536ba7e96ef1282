"""Regularizers (what a weight's size costs) and constraints (what it may not leave)."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras import functions, state
from engine.dialects.tensorflow.keras.both import math_ops
from engine.dialects.tensorflow.keras.serialization import family, getter

_M, _F = math_ops.FUNCTIONS, functions.PLAIN


class _Configured:
    """Rebuilt from its config."""

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError(f"{self} does not implement get_config()")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)


class Regularizer(_Configured):
    """Called with a weight it gives what is added to the loss."""

    def __call__(self, x: Any) -> Any:
        return 0.0


def _checked(value: Any) -> float:
    if value is None or value is True or value is False or not isinstance(value, int | float):
        raise ValueError(f"Invalid value for argument l1/l2 strength: {value}, expected a non-negative float.")
    if value < 0:
        raise ValueError(f"Invalid value for argument l1/l2 strength: {value}, expected a non-negative float.")
    return float(value)


class L1L2(Regularizer):
    def __init__(self, l1: Any = 0.0, l2: Any = 0.0) -> None:
        self.l1, self.l2 = _checked(l1 or 0.0), _checked(l2 or 0.0)

    def __call__(self, x: Any) -> Any:
        parts = []
        if self.l1:
            parts.append(_M["multiply"](_M["reduce_sum"](_M["abs"](x)), self.l1))
        if self.l2:
            parts.append(_M["multiply"](_M["reduce_sum"](_M["square"](x)), self.l2))
        if not parts:
            return functions.FUNCTIONS["zeros"]((), x.dtype)
        return parts[0] if len(parts) == 1 else _M["add"](*parts)

    def get_config(self) -> dict[str, Any]:
        return {"l1": self.l1, "l2": self.l2}


class L1(L1L2):
    def __init__(self, l1: Any = 0.01) -> None:
        super().__init__(l1=0.01 if l1 is None else l1)

    def get_config(self) -> dict[str, Any]:
        return {"l1": self.l1}


class L2(L1L2):
    def __init__(self, l2: Any = 0.01) -> None:
        super().__init__(l2=0.01 if l2 is None else l2)

    def get_config(self) -> dict[str, Any]:
        return {"l2": self.l2}


class Constraint(_Configured):
    """Called with a weight after each step, it gives what the weight becomes."""

    def __call__(self, w: Any) -> Any:
        raise NotImplementedError(f"{self} does not implement __call__()")

    def get_config(self) -> dict[str, Any]:
        return {}


def _norms(w: Any, axis: Any) -> Any:
    return _M["sqrt"](_M["reduce_sum"](_M["square"](w), axis, True))


class MaxNorm(Constraint):
    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Any:
        norms = _norms(w, self.axis)
        desired = math_ops.clip_by_value(norms, 0.0, float(self.max_value))
        return w * (desired / (norms + state.epsilon()))

    def get_config(self) -> dict[str, Any]:
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    def __call__(self, w: Any) -> Any:
        return _M["maximum"](w, 0.0)


class UnitNorm(Constraint):
    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        return w / (_norms(w, self.axis) + state.epsilon())

    def get_config(self) -> dict[str, Any]:
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Any:
        norms = _norms(w, self.axis)
        clipped = math_ops.clip_by_value(norms, float(self.min_value), float(self.max_value))
        desired = clipped * self.rate + norms * (1 - self.rate)
        return w * (desired / (norms + state.epsilon()))

    def get_config(self) -> dict[str, Any]:
        return {"min_value": self.min_value, "max_value": self.max_value, "rate": self.rate, "axis": self.axis}


REGULARIZERS = family("keras.regularizers", {
    "Regularizer": Regularizer, "L1L2": L1L2, "L1": L1, "L2": L2, "l1_l2": L1L2, "l1": L1, "l2": L2,
})  # fmt: skip
CONSTRAINTS = family("keras.constraints", {
    **{cls.__name__: cls for cls in (Constraint, MaxNorm, NonNeg, UnitNorm, MinMaxNorm)},
    "max_norm": MaxNorm, "non_neg": NonNeg, "unit_norm": UnitNorm, "min_max_norm": MinMaxNorm,
})  # fmt: skip
regularizer = getter("keras.regularizers", "regularizer")
constraint = getter("keras.constraints", "constraint")

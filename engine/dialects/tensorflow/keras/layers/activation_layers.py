"""Activations with settings of their own, as layers."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras import activations, initializers
from engine.dialects.tensorflow.keras.both import math_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn
from engine.dialects.tensorflow.keras.layers.core import take_weight_options, weight_config

_M = math_ops.FUNCTIONS


class _Pointwise(BuiltIn):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.supports_masking = True
        self.built = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape


class ReLU(_Pointwise):
    """``max(x, 0)`` with a slope below and a limit above."""

    def __init__(
        self, max_value: Any = None, negative_slope: float = 0.0, threshold: float = 0.0, **options: Any
    ) -> None:
        if max_value is not None and max_value < 0.0:
            raise ValueError(f"max_value of a ReLU layer cannot be a negative value. Received: max_value={max_value}")
        if negative_slope is None or negative_slope < 0.0:
            raise ValueError(
                f"negative_slope of a ReLU layer cannot be a negative value. Received: negative_slope={negative_slope}"
            )
        super().__init__(**options)
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs: Any) -> Any:
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "max_value": self.max_value, "negative_slope": self.negative_slope,
            "threshold": self.threshold,
        }  # fmt: skip


class LeakyReLU(_Pointwise):
    """A small slope below 0."""

    def __init__(self, negative_slope: float = 0.3, **options: Any) -> None:
        if "alpha" in options:
            negative_slope = options.pop("alpha")
            import warnings

            warnings.warn("Argument `alpha` is deprecated. Use `negative_slope` instead.", stacklevel=2)
        super().__init__(**options)
        if negative_slope is None or negative_slope < 0:
            raise ValueError(
                "The negative_slope value of a Leaky ReLU layer cannot be None or negative value. Expected a float. "
                f"Received: negative_slope={negative_slope}"
            )
        self.negative_slope = negative_slope

    def call(self, inputs: Any) -> Any:
        return activations.leaky_relu(inputs, self.negative_slope)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "negative_slope": float(self.negative_slope)}


class ELU(_Pointwise):
    """``exp(x) - 1`` below 0."""

    def __init__(self, alpha: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.alpha = alpha

    def call(self, inputs: Any) -> Any:
        return activations.elu(inputs, self.alpha)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "alpha": float(self.alpha)}


class PReLU(BuiltIn):
    """A slope below 0 that is learned."""

    def __init__(
        self, alpha_initializer: Any = "Zeros", alpha_regularizer: Any = None, alpha_constraint: Any = None,
        shared_axes: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.supports_masking = True
        take_weight_options(self, locals(), "alpha")
        self.shared_axes = None if shared_axes is None else (
            [shared_axes] if isinstance(shared_axes, int) else list(shared_axes)
        )  # fmt: skip

    def build(self, input_shape: Any) -> None:
        shape = list(input_shape[1:])
        for axis in self.shared_axes or ():
            shape[axis - 1] = 1
        self.alpha = self.add_weight(
            shape=tuple(shape), name="alpha", initializer=initializers.get(self.alpha_initializer),
            regularizer=self.alpha_regularizer, constraint=self.alpha_constraint,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        below = _M["multiply"](_M["negative"](self.alpha), activations.relu(_M["negative"](inputs)))
        return _M["add"](activations.relu(inputs), below)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **weight_config(self, "alpha"), "shared_axes": self.shared_axes}


class Softmax(_Pointwise):
    """Numbers that add up to 1."""

    def __init__(self, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, inputs: Any, mask: Any = None) -> Any:
        if mask is not None:
            low = math_ops.cast(_M["logical_not"](mask), inputs.dtype)
            inputs = _M["add"](inputs, _M["multiply"](low, -3.4028235e38 / 2))
        return activations.softmax(inputs, self.axis)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}


LAYERS = {cls.__name__: cls for cls in (ReLU, LeakyReLU, ELU, PReLU, Softmax)}

"""BatchNormalization, LayerNormalization, UnitNormalization, and Normalization of data."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import state
from engine.dialects.tensorflow.keras.both import array_ops, math_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn
from engine.dialects.tensorflow.keras.layers.core import take_weight_options, weight_config
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec
from engine.dialects.tensorflow.keras.serialization import serialize

_M = math_ops.FUNCTIONS


class BatchNormalization(BuiltIn):
    """While training, mean 0 and variance 1 in each batch; else by the averages that training left behind."""

    def __init__(
        self, axis: int = -1, momentum: float = 0.99, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones", beta_regularizer: Any = None, gamma_regularizer: Any = None,
        beta_constraint: Any = None, gamma_constraint: Any = None, synchronized: bool = False, renorm: bool = False,
        renorm_clipping: Any = None, renorm_momentum: float = 0.99, **options: Any,
    ) -> None:  # fmt: skip
        if renorm:
            raise NotImplementedError("BatchNormalization(renorm=True): this teaching engine has the plain form only")
        super().__init__(**options)
        self.axis, self.momentum, self.epsilon = int(axis), momentum, epsilon
        self.center, self.scale, self.synchronized = center, scale, synchronized
        take_weight_options(self, locals(), "beta", "gamma", "moving_mean", "moving_variance")
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        shape = (input_shape[self.axis],)
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                shape=shape, name="gamma", initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                shape=shape, name="beta", initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint,
            )  # fmt: skip
        self.moving_mean = self.add_weight(
            shape=shape, name="moving_mean", initializer=self.moving_mean_initializer, trainable=False
        )
        self.moving_variance = self.add_weight(
            shape=shape, name="moving_variance", initializer=self.moving_variance_initializer, trainable=False
        )
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: input_shape[self.axis]})
        self._reduced = [i for i in range(len(input_shape)) if i != self.axis % len(input_shape)]

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        rank = len(inputs.shape)
        shape = [1] * rank
        shape[self.axis] = -1

        def spread(values: Any) -> Any:
            return array_ops.reshape(values, shape) if self.axis % rank != rank - 1 else values

        if training and self.trainable:
            mean, variance = self._moments(inputs, mask)
            for average, now in ((self.moving_mean, mean), (self.moving_variance, variance)):
                with state.bookkeeping():
                    new = average * self.momentum + array_ops.stop_gradient(now) * (1.0 - self.momentum)
                average.assign(new)
        else:
            mean, variance = self.moving_mean, self.moving_variance
        factor = _M["rsqrt"](_M["add"](spread(variance), self.epsilon))
        if self.gamma is not None:
            factor = _M["multiply"](factor, spread(self.gamma))
        offset = _M["multiply"](_M["negative"](spread(mean)), factor)
        if self.beta is not None:
            offset = _M["add"](offset, spread(self.beta))
        return _M["add"](_M["multiply"](inputs, factor), offset)

    def _moments(self, inputs: Any, mask: Any) -> tuple[Any, Any]:
        if mask is None:
            mean = _M["reduce_mean"](inputs, self._reduced, True)
            distance = _M["square"](_M["subtract"](inputs, mean))
            found = mean, _M["reduce_mean"](distance, self._reduced, True)
            return tuple(array_ops.squeeze(x, self._reduced) for x in found)
        weights = math_ops.cast(array_ops.expand_dims(mask, -1), inputs.dtype)
        total = _M["add"](_M["reduce_sum"](weights, self._reduced, True), 1e-7)
        mean = _M["divide"](_M["reduce_sum"](_M["multiply"](inputs, weights), self._reduced, True), total)
        distance = _M["multiply"](_M["square"](_M["subtract"](inputs, mean)), weights)
        variance = _M["divide"](_M["reduce_sum"](distance, self._reduced, True), total)
        return array_ops.squeeze(mean, self._reduced), array_ops.squeeze(variance, self._reduced)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        weights = weight_config(self, "beta", "gamma", "moving_mean", "moving_variance")
        left_out = {f"moving_{name}_{what}" for name in ("mean", "variance") for what in ("regularizer", "constraint")}
        return {
            **super().get_config(), "axis": self.axis, "momentum": self.momentum, "epsilon": self.epsilon,
            "center": self.center, "scale": self.scale,
            **{name: value for name, value in weights.items() if name not in left_out},
            "synchronized": self.synchronized, "renorm": False, "renorm_clipping": None, "renorm_momentum": 0.99,
        }  # fmt: skip


class LayerNormalization(BuiltIn):
    """Mean 0 and variance 1 in each example."""

    def __init__(
        self, axis: Any = -1, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", beta_regularizer: Any = None,
        gamma_regularizer: Any = None, beta_constraint: Any = None, gamma_constraint: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.axis = list(axis) if isinstance(axis, list | tuple) else axis
        self.epsilon, self.center, self.scale = epsilon, center, scale
        take_weight_options(self, locals(), "beta", "gamma")
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        axes = self.axis if isinstance(self.axis, list) else [self.axis]
        shape = tuple(input_shape[axis] for axis in axes)
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                name="gamma", shape=shape, initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                name="beta", shape=shape, initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint,
            )  # fmt: skip
        self._axes = [axis % len(input_shape) for axis in axes]

    def call(self, inputs: Any) -> Any:
        shape = [size if place in self._axes else 1 for place, size in enumerate(inputs.shape)]
        mean = _M["reduce_mean"](inputs, self._axes, True)
        distance = _M["square"](_M["subtract"](inputs, mean))
        factor = _M["rsqrt"](_M["add"](_M["reduce_mean"](distance, self._axes, True), self.epsilon))
        result = _M["multiply"](_M["subtract"](inputs, mean), factor)
        if self.gamma is not None:
            result = _M["multiply"](result, array_ops.reshape(self.gamma, shape))
        if self.beta is not None:
            result = _M["add"](result, array_ops.reshape(self.beta, shape))
        return result

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "axis": self.axis, "epsilon": self.epsilon, "center": self.center,
            "scale": self.scale, **weight_config(self, "beta", "gamma"),
        }  # fmt: skip


class UnitNormalization(BuiltIn):
    """Length 1."""

    def __init__(self, axis: Any = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis
        self.supports_masking = True
        self.built = True

    def call(self, inputs: Any) -> Any:
        length = _M["sqrt"](_M["maximum"](_M["reduce_sum"](_M["square"](inputs), self.axis, True), 1e-12))
        return _M["divide"](inputs, length)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}


class Normalization(BuiltIn):
    """Data less their mean, divided by their deviation; :meth:`adapt` looks at them once."""

    def __init__(
        self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False, **options: Any
    ) -> None:
        super().__init__(**options)
        self.axis = () if axis is None else ((axis,) if isinstance(axis, int) else tuple(axis))
        self.input_mean, self.input_variance, self.invert = mean, variance, invert
        if (mean is None) != (variance is None):
            raise ValueError(
                "When setting values directly, both `mean` and `variance` must be set. Received: "
                f"mean={mean} and variance={variance}"
            )
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        rank = len(input_shape)
        self._kept_axes = [axis % rank for axis in self.axis]
        self._shape = [size if place in self._kept_axes else 1 for place, size in enumerate(input_shape)]
        shape = tuple(input_shape[axis] for axis in self._kept_axes)
        if self.input_mean is None:
            self.adapt_mean = self.add_weight(name="mean", shape=shape, initializer="zeros", trainable=False)
            self.adapt_variance = self.add_weight(name="variance", shape=shape, initializer="ones", trainable=False)
            self.count = self.add_weight(name="count", shape=(), dtype="int32", initializer="zeros", trainable=False)
            self._finish()
        else:
            self.mean, self.variance = (
                convert(np.broadcast_to(np.asarray(value, np.float32), self._shape).copy())
                for value in (self.input_mean, self.input_variance)
            )

    def _finish(self) -> None:
        self.mean = array_ops.reshape(self.adapt_mean, self._shape)
        self.variance = array_ops.reshape(self.adapt_variance, self._shape)

    def adapt(self, data: Any, batch_size: Any = None, steps: Any = None) -> None:
        """Take mean and variance of ``data``."""
        if hasattr(data, "element_spec"):
            data = np.concatenate([np.asarray(batch) for batch in data])
        array = np.asarray(data, np.float32)
        if array.ndim == 1:
            array = array[:, None]
        if not self.built:
            self.build((None, *array.shape[1:]))
        axes = tuple(i for i in range(array.ndim) if i not in self._kept_axes)
        with state.quiet():
            self.adapt_mean.assign(array.mean(axes))
            self.adapt_variance.assign(array.var(axes))
            self._finish()

    def call(self, inputs: Any) -> Any:
        inputs = math_ops.cast(inputs, self.compute_dtype)
        spread = _M["maximum"](_M["sqrt"](self.variance), state.epsilon())
        if self.invert:
            return _M["add"](self.mean, _M["multiply"](inputs, spread))
        return _M["divide"](_M["subtract"](inputs, self.mean), spread)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "axis": self.axis, "invert": self.invert,
            "mean": serialize(None if self.input_mean is None else np.asarray(self.input_mean)),
            "variance": serialize(None if self.input_variance is None else np.asarray(self.input_variance)),
        }  # fmt: skip


class Rescaling(BuiltIn):
    """``inputs * scale + offset``."""

    def __init__(self, scale: Any, offset: Any = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.scale, self.offset = scale, offset
        self.supports_masking = True
        self.built = True

    def call(self, inputs: Any) -> Any:
        inputs = math_ops.cast(inputs, self.compute_dtype)
        return _M["add"](_M["multiply"](inputs, self.scale), self.offset)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "scale": self.scale, "offset": self.offset}


LAYERS = {
    cls.__name__: cls for cls in (
        BatchNormalization, LayerNormalization, UnitNormalization, Normalization, Rescaling,
    )
}  # fmt: skip

"""``tf.layers`` on images: convolution and pooling."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import convolution, nn_ops
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.initializers import Zeros
from engine.dialects.tensorflow.layers import Layer


class Conv2D(Layer):
    """``activation(conv2d(inputs, kernel) + bias)``."""

    _default = "conv2d"
    _least_rank = 4

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: Any = (1, 1), activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = None, bias_initializer: Any = None, kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, trainable: bool = True, name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable, name, **options)
        self.filters, self.activation, self.use_bias = int(filters), activation, use_bias
        self._window = convolution.pair(kernel_size, "kernel_size")
        self._how = {"strides": strides, "padding": padding.upper(), "dilations": dilation_rate}
        self._initial = kernel_initializer, bias_initializer or Zeros()
        self._penalties = kernel_regularizer, bias_regularizer
        self.bias: Any = None

    def build(self, inputs: Tensor) -> None:
        self._last_size = inputs.shape.as_list()[-1]
        if self._last_size is None:
            raise ValueError(
                "The channel dimension of the inputs should be defined. The input_shape received is "
                f"{inputs.shape}, where axis -1 (0-based) is the channel dimension, which found to be `None`."
            )
        shape = [*self._window, self._last_size, self.filters]
        self.kernel = self.add_weight("kernel", shape, self._initial[0], self._penalties[0])
        if self.use_bias:
            self.bias = self.add_weight("bias", [self.filters], self._initial[1], self._penalties[1])

    def call(self, inputs: Tensor, **options: Any) -> Tensor:
        found = convolution.conv2d(inputs, self.kernel, **self._how)
        if self.use_bias:
            found = nn_ops.bias_add(found, self.bias)
        return found if self.activation is None else self.activation(found)


class _Pooling(Layer):
    _rank = 4
    _function: Any

    def __init__(
        self, pool_size: Any, strides: Any, padding: str = "valid", data_format: str = "channels_last",
        name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **options)
        self._size, self._strides, self._padding = pool_size, strides, padding.upper()

    def build(self, inputs: Tensor) -> None:
        return None

    def call(self, inputs: Tensor, **options: Any) -> Tensor:
        return type(self)._function(inputs, self._size, self._strides, self._padding)  # type: ignore[no-any-return]


class MaxPooling2D(_Pooling):
    """The largest element of each window."""

    _default = "max_pooling2d"
    _function = staticmethod(convolution.max_pool)


class AveragePooling2D(_Pooling):
    """The mean of each window."""

    _default = "average_pooling2d"
    _function = staticmethod(convolution.avg_pool)


def conv2d(inputs: Any, filters: int, kernel_size: Any, *args: Any, reuse: Any = None, **options: Any) -> Tensor:
    """A layer of convolutions."""
    return Conv2D(filters, kernel_size, *args, **options)(inputs, _reuse=reuse)


def max_pooling2d(inputs: Any, pool_size: Any, strides: Any, *args: Any, **options: Any) -> Tensor:
    """The largest element of each window."""
    return MaxPooling2D(pool_size, strides, *args, **options)(inputs)


def average_pooling2d(inputs: Any, pool_size: Any, strides: Any, *args: Any, **options: Any) -> Tensor:
    """The mean of each window."""
    return AveragePooling2D(pool_size, strides, *args, **options)(inputs)


EXPORTED = {
    "Conv2D": Conv2D, "MaxPooling2D": MaxPooling2D, "AveragePooling2D": AveragePooling2D, "conv2d": conv2d,
    "max_pooling2d": max_pooling2d, "average_pooling2d": average_pooling2d,
}  # fmt: skip

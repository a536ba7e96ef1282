"""Convolutions over sequences and images of batch x sizes x channels."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.eager.tensor import run
from engine.dialects.tensorflow.keras import activations
from engine.dialects.tensorflow.keras.both import array_ops, nn_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn
from engine.dialects.tensorflow.keras.layers.core import take_weight_options, weight_config
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec

_TO_ENGINE, _BACK, _WEIGHTS = (0, 3, 1, 2), (0, 2, 3, 1), (3, 2, 0, 1)


def sizes(value: Any, rank: int, name: str, *, zero: bool = False) -> tuple[int, ...]:
    """A number or ``rank`` of them.

    :raises ValueError: it is neither, or not positive.
    """
    found = (value,) * rank if isinstance(value, int) else tuple(value)
    if len(found) != rank or any(not isinstance(n, int) for n in found):
        raise ValueError(f"The `{name}` argument must be a tuple of {rank} integers. Received: {value}")
    if any(n < (0 if zero else 1) for n in found):
        raise ValueError(
            f"The `{name}` argument must be a tuple of {rank} integers. Received {name}={value}, including values "
            f"{ {n for n in found if n <= 0} } that do not satisfy `value > 0`"
        )
    return found


def around(word: str, lengths: Any, window: Any, steps: Any, rates: Any) -> tuple[tuple[int, int], ...]:
    """How many zeros go before and after; "same" puts the odd one after."""
    found = []
    for size, length, step, rate in zip(lengths, window, steps, rates, strict=True):
        reach = (length - 1) * rate
        if word == "valid":
            found.append((0, 0))
        elif word == "causal":
            found.append((reach, 0))
        else:
            total = max((-(-size // step) - 1) * step + reach + 1 - size, 0)
            found.append((total // 2, total - total // 2))
    return tuple(found)


def out_length(size: Any, length: int, word: str, step: int, rate: int = 1) -> Any:
    """How many windows there are."""
    if size is None:
        return None
    reach = (length - 1) * rate
    return -(-size // step) if word in ("same", "causal") else (size - reach - 1) // step + 1


class _Conv(BuiltIn):
    """What convolutions share: weights of window x channels in x filters."""

    rank = 2

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", data_format: Any = None,
        dilation_rate: Any = 1, groups: int = 1, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None, kernel_constraint: Any = None,
        bias_constraint: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **options)
        if filters is not None and filters <= 0:
            raise ValueError(
                f"Invalid value for argument `filters`. Expected a strictly positive value. Received filters={filters}."
            )
        self.filters, self.groups, self.use_bias = filters, groups, use_bias
        self.kernel_size = sizes(kernel_size, self.rank, "kernel_size")
        self.strides = sizes(strides, self.rank, "strides")
        self.dilation_rate = sizes(dilation_rate, self.rank, "dilation_rate")
        self.padding = padding.lower()
        self.data_format = data_format or "channels_last"
        if self.data_format != "channels_last" or groups != 1:
            raise NotImplementedError(
                "this teaching engine has convolutions with data_format='channels_last' and groups=1 only"
            )
        allowed = {"valid", "same", "causal"} if self.rank == 1 else {"valid", "same"}
        if self.padding not in allowed:
            raise ValueError(f"The `padding` argument must be a list/tuple or one of {allowed}. Received: {padding}")
        self.activation = activations.get(activation)
        take_weight_options(self, locals(), "kernel", "bias")
        self.input_spec = InputSpec(min_ndim=self.rank + 2)

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, channels, self.filters)

    def build(self, input_shape: Any) -> None:
        channels = input_shape[-1]
        if channels is None:
            raise ValueError(
                f"The channel dimension of the inputs should be defined. The input_shape received is {input_shape}, "
                f"where axis -1 (0-based) is the channel dimension, which found to be `None`."
            )
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={-1: channels})
        self.kernel = self.add_weight(
            name="kernel", shape=self._kernel_shape(channels), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias", shape=(self._outputs(channels),), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.compute_output_shape(tuple(input_shape))

    def _outputs(self, channels: int) -> int:
        return self.filters

    def compute_output_shape(self, input_shape: Any) -> Any:
        found = [
            out_length(size, length, self.padding, step, rate)
            for size, length, step, rate in zip(
                input_shape[1:-1], self.kernel_size, self.strides, self.dilation_rate, strict=True
            )
        ]
        if any(n is not None and n <= 0 for n in found):
            raise ValueError(
                f"Computed output size would be zero or negative. Received `inputs shape={tuple(input_shape)}`, "
                f"`kernel shape={self._kernel_shape(input_shape[-1])}`, "
                f"`dilation_rate=[{' '.join(map(str, self.dilation_rate))}]`, `strides={self.strides}`, "
                f"`padding={self.padding}`."
            )
        return (input_shape[0], *found, self._outputs(input_shape[-1]))

    def _as_images(self, inputs: Any) -> Any:
        return array_ops.expand_dims(inputs, 1) if self.rank == 1 else inputs

    def call(self, inputs: Any) -> Any:
        return self._finished(self._convolved(inputs))

    def _convolved(self, inputs: Any) -> Any:
        extra = (1,) * (2 - self.rank)
        images = self._as_images(inputs)
        kernel = array_ops.expand_dims(self.kernel, 0) if self.rank == 1 else self.kernel
        steps, rates = (*extra, *self.strides), (*extra, *self.dilation_rate)
        window = (*extra, *self.kernel_size)
        lengths = tuple(images.shape)[1:3]
        word = self.padding
        zeros = around(word, lengths, window, steps, rates)
        if word == "causal":
            zeros = ((0, 0), zeros[1])
        turned = run("transpose", "Transpose", images, axes=_TO_ENGINE)
        weights = run("transpose", "Transpose", kernel, axes=_WEIGHTS)
        found = run("conv2d", "Conv2D", turned, weights, stride=steps, padding=zeros, dilation=rates)
        result = run("transpose", "Transpose", found, axes=_BACK)
        return array_ops.squeeze(result, 1) if self.rank == 1 else result

    def _finished(self, x: Any) -> Any:
        if self.bias is not None:
            x = nn_ops.bias_add(x, self.bias)
        return self.activation(x)

    def get_config(self) -> dict[str, Any]:
        weights = weight_config(self, "kernel", "bias")
        order = ("kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer")
        return {
            **super().get_config(), "filters": self.filters, "kernel_size": self.kernel_size, "strides": self.strides,
            "padding": self.padding, "data_format": self.data_format, "dilation_rate": self.dilation_rate,
            "groups": self.groups, "activation": activations.serialize_activation(self.activation),
            "use_bias": self.use_bias, **{name: weights[name] for name in order}, "activity_regularizer": None,
            "kernel_constraint": weights["kernel_constraint"], "bias_constraint": weights["bias_constraint"],
        }  # fmt: skip


class Conv2D(_Conv):
    """Each window of an image times the weights."""


class Conv1D(_Conv):
    """Each window of a sequence times the weights."""

    rank = 1


class DepthwiseConv2D(_Conv):
    """Each channel by itself, with ``depth_multiplier`` filters."""

    def __init__(self, kernel_size: Any, depth_multiplier: int = 1, **options: Any) -> None:
        self.depth_multiplier = depth_multiplier
        options = {
            {"depthwise_initializer": "kernel_initializer"}.get(name, name): value for name, value in options.items()
        }
        super().__init__(1, kernel_size, **options)

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, channels, self.depth_multiplier)

    def _outputs(self, channels: int) -> int:
        return channels * self.depth_multiplier

    def _convolved(self, inputs: Any) -> Any:
        whole, parts = self.kernel, []
        for channel in range(inputs.shape[-1]):
            self.__dict__["kernel"] = whole[:, :, channel : channel + 1, :]
            try:
                parts.append(super()._convolved(inputs[..., channel : channel + 1]))
            finally:
                self.__dict__["kernel"] = whole
        return array_ops.concat(parts, -1)


class Conv2DTranspose(_Conv):
    """Each number spread over a window: the way back of a convolution."""

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, self.filters, channels)

    def compute_output_shape(self, input_shape: Any) -> Any:
        lengths = [
            None if size is None else size * step if self.padding == "same" else size * step + max(length - step, 0)
            for size, length, step in zip(input_shape[1:-1], self.kernel_size, self.strides, strict=True)
        ]
        return (input_shape[0], *lengths, self.filters)

    def _convolved(self, inputs: Any) -> Any:
        shape = self.compute_output_shape(tuple(inputs.shape))
        zeros = around(self.padding, shape[1:3], self.kernel_size, self.strides, self.dilation_rate)
        turned = run("transpose", "Transpose", inputs, axes=_TO_ENGINE)
        weights = run("transpose", "Transpose", self.kernel, axes=_WEIGHTS)
        found = run(
            "conv2d_input", "Conv2DBackpropInput", turned, weights, shape=(shape[0], self.filters, *shape[1:3]),
            stride=self.strides, padding=zeros, dilation=self.dilation_rate,
        )  # fmt: skip
        return run("transpose", "Transpose", found, axes=_BACK)


LAYERS = {cls.__name__: cls for cls in (Conv1D, Conv2D, DepthwiseConv2D, Conv2DTranspose)} | {
    "Convolution1D": Conv1D, "Convolution2D": Conv2D, "Convolution2DTranspose": Conv2DTranspose,
}  # fmt: skip

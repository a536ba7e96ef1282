"""The largest or the mean of windows, or of everything."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.eager.tensor import run
from engine.dialects.tensorflow.keras.both import array_ops, math_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn
from engine.dialects.tensorflow.keras.layers.convolution import around, out_length, sizes
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec

_M = math_ops.FUNCTIONS


class _Pooling(BuiltIn):
    rank = 2
    kernel, label = "max_pool2d", "MaxPool"

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid", data_format: Any = None,
        name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **options)
        self.pool_size = sizes(pool_size, self.rank, "pool_size")
        self.strides = sizes(self.pool_size if strides is None else strides, self.rank, "strides", zero=True)
        self.padding, self.data_format = padding.lower(), data_format or "channels_last"
        if self.padding not in ("valid", "same"):
            raise ValueError(
                "The `padding` argument must be a list/tuple or one of {'valid', 'same'}. Received: " + padding
            )
        if self.data_format != "channels_last":
            raise NotImplementedError("this teaching engine pools with data_format='channels_last' only")
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.built = True

    def call(self, inputs: Any) -> Any:
        extra = (1,) * (2 - self.rank)
        images = array_ops.expand_dims(inputs, 1) if self.rank == 1 else inputs
        window, steps = (*extra, *self.pool_size), (*extra, *self.strides)
        zeros = around(self.padding, tuple(images.shape)[1:3], window, steps, (1, 1))
        more = {"count_padding": False} if self.label == "AvgPool" else {}
        turned = run("transpose", "Transpose", images, axes=(0, 3, 1, 2))
        found = run(self.kernel, self.label, turned, size=window, stride=steps, padding=zeros, **more)
        result = run("transpose", "Transpose", found, axes=(0, 2, 3, 1))
        return array_ops.squeeze(result, 1) if self.rank == 1 else result

    def compute_output_shape(self, input_shape: Any) -> Any:
        found = [
            out_length(size, length, self.padding, step)
            for size, length, step in zip(input_shape[1:-1], self.pool_size, self.strides, strict=True)
        ]
        if any(n is not None and n <= 0 for n in found):
            raise ValueError(
                "Computed output size would be negative. Received: "
                f"`inputs_shape={tuple(input_shape)}` and `pool_size={self.pool_size}`"
                f", `strides={self.strides}`, `padding={self.padding}`"
            )
        return (input_shape[0], *found, input_shape[-1])

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "pool_size": self.pool_size, "padding": self.padding, "strides": self.strides,
            "data_format": self.data_format,
        }  # fmt: skip


class MaxPooling2D(_Pooling):
    """The largest of each window of an image."""


class MaxPooling1D(_Pooling):
    """The largest of each window of a sequence."""

    rank = 1


class AveragePooling2D(_Pooling):
    """The mean of each window of an image."""

    kernel, label = "avg_pool2d", "AvgPool"


class AveragePooling1D(AveragePooling2D):
    """The mean of each window of a sequence."""

    rank = 1


class GlobalAveragePooling2D(BuiltIn):
    """The mean of each channel."""

    rank, reduction = 2, "reduce_mean"

    def __init__(self, data_format: Any = None, keepdims: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.keepdims, self.data_format = keepdims, data_format or "channels_last"
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.built = True

    def call(self, inputs: Any) -> Any:
        return _M[self.reduction](inputs, tuple(range(1, self.rank + 1)), self.keepdims)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "data_format": self.data_format, "keepdims": self.keepdims}


class GlobalMaxPooling2D(GlobalAveragePooling2D):
    """The largest of each channel."""

    reduction = "reduce_max"


class GlobalMaxPooling1D(GlobalMaxPooling2D):
    """The largest of each channel of a sequence."""

    rank = 1


class GlobalAveragePooling1D(GlobalAveragePooling2D):
    """The mean of each channel of a sequence, of the steps that the mask leaves."""

    rank = 1

    def __init__(self, data_format: Any = None, keepdims: bool = False, **options: Any) -> None:
        super().__init__(data_format, keepdims, **options)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        if mask is None:
            return _M["reduce_mean"](inputs, 1, self.keepdims)
        present = array_ops.expand_dims(math_ops.cast(mask, inputs.dtype), 2)
        total = _M["reduce_sum"](_M["multiply"](inputs, present), 1, self.keepdims)
        return _M["divide"](total, _M["reduce_sum"](present, 1, self.keepdims))

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None


_CLASSES = (
    MaxPooling1D, MaxPooling2D, AveragePooling1D, AveragePooling2D, GlobalAveragePooling1D, GlobalAveragePooling2D,
    GlobalMaxPooling1D, GlobalMaxPooling2D,
)  # fmt: skip
LAYERS = {
    **{cls.__name__: cls for cls in _CLASSES},
    **{cls.__name__.replace("Pooling", "Pool").replace("Average", "Avg"): cls for cls in _CLASSES},
}  # fmt: skip

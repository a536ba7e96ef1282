"""Dense, Embedding, Activation, Lambda, Masking and what else is not of a larger family."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import activations, initializers, marks, nest, penalties, state, symbolic
from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, math_ops, nn_ops
from engine.dialects.tensorflow.keras.functions import take
from engine.dialects.tensorflow.keras.layers.base import BuiltIn, Layer
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec
from engine.dialects.tensorflow.keras.serialization import serialize
from engine.dialects.tensorflow.keras.symbolic import KerasTensor, Node

_M = math_ops.FUNCTIONS


def weight_config(layer: Any, *names: str) -> dict[str, Any]:
    """The initializers, regularizers and constraints of a layer as its config holds them."""
    found = {}
    for what in ("initializer", "regularizer", "constraint"):
        for name in names:
            found[f"{name}_{what}"] = serialize(getattr(layer, f"{name}_{what}"))
    return found


def take_weight_options(layer: Any, options: dict[str, Any], *names: str) -> None:
    """Initializers, regularizers and constraints from a constructor's arguments onto the layer."""
    for name in names:
        setattr(layer, f"{name}_initializer", initializers.get(options[f"{name}_initializer"]))
        setattr(layer, f"{name}_regularizer", penalties.regularizer(options.get(f"{name}_regularizer")))
        setattr(layer, f"{name}_constraint", penalties.constraint(options.get(f"{name}_constraint")))


class Dense(BuiltIn):
    """``activation(inputs @ kernel + bias)``."""

    def __init__(
        self, units: int, activation: Any = None, use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, kernel_constraint: Any = None, bias_constraint: Any = None,
        quantization_config: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        if not isinstance(units, int | np.integer) or units <= 0:
            raise ValueError(
                f"Received an invalid value for `units`, expected a positive integer. Received: units={units}"
            )
        super().__init__(activity_regularizer=activity_regularizer, **options)
        self.units, self.use_bias = int(units), use_bias
        self.activation = activations.get(activation)
        take_weight_options(self, locals(), "kernel", "bias")
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        size = input_shape[-1]
        self.kernel = self.add_weight(
            name="kernel", shape=(size, self.units), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                name="bias", shape=(self.units,), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})

    def call(self, inputs: Any, training: Any = None) -> Any:
        rank = len(inputs.shape)
        if rank == 2:
            x = math_ops.matmul(inputs, self.kernel)
        else:
            x = math_ops.tensordot(inputs, self.kernel, [[rank - 1], [0]])
        if self.bias is not None:
            x = nn_ops.bias_add(x, self.bias)
        return self.activation(x)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return (*tuple(input_shape)[:-1], self.units)

    def get_config(self) -> dict[str, Any]:
        weights = weight_config(self, "kernel", "bias")
        return {
            **super().get_config(), "units": self.units,
            "activation": activations.serialize_activation(self.activation), "use_bias": self.use_bias, **weights,
            "quantization_config": None,
        }  # fmt: skip


class Embedding(BuiltIn):
    """A row of numbers for each index."""

    def __init__(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, embeddings_constraint: Any = None, mask_zero: bool = False,
        weights: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        length = options.pop("input_length", None)
        if length is not None:
            import warnings

            warnings.warn("Argument `input_length` is deprecated. Just remove it.", stacklevel=2)
        super().__init__(**options)
        self.input_dim, self.output_dim, self.mask_zero = input_dim, output_dim, mask_zero
        take_weight_options(self, locals(), "embeddings")
        self.autocast = False
        self.supports_masking = mask_zero
        if weights is not None:
            self.build()
            self.set_weights(weights if isinstance(weights, list) else [weights])

    def build(self, input_shape: Any = None) -> None:
        self.embeddings = self.add_weight(
            name="embeddings", shape=(self.input_dim, self.output_dim), initializer=self.embeddings_initializer,
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        if dtype_of(inputs).kind not in "iu":
            inputs = math_ops.cast(inputs, "int32")
        return take(self.embeddings, inputs, 0)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        if not self.mask_zero or isinstance(inputs, KerasTensor):
            return None
        return _M["not_equal"](inputs, 0)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return (*tuple(input_shape), self.output_dim)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "input_dim": self.input_dim, "output_dim": self.output_dim,
            "embeddings_initializer": serialize(self.embeddings_initializer),
            "embeddings_regularizer": serialize(self.embeddings_regularizer),
            "activity_regularizer": serialize(self.activity_regularizer),
            "embeddings_constraint": serialize(self.embeddings_constraint), "mask_zero": self.mask_zero,
        }  # fmt: skip


class Activation(BuiltIn):
    """An activation function as a layer."""

    def __init__(self, activation: Any, **options: Any) -> None:
        super().__init__(**options)
        self.supports_masking = True
        self.activation = activations.get(activation)
        self.built = True

    def call(self, inputs: Any) -> Any:
        return self.activation(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        base = super().get_config()
        return {**base, "activation": activations.serialize_activation(self.activation)}


class Identity(BuiltIn):
    """What comes in."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.supports_masking = True
        self.built = True

    def call(self, inputs: Any) -> Any:
        return inputs


class Lambda(Layer):
    """A function of the program as a layer."""

    def __init__(
        self, function: Any, output_shape: Any = None, mask: Any = None, arguments: Any = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.arguments = arguments or {}
        self.function = function
        self.mask = mask
        self.supports_masking = mask is not None
        self._output_shape = output_shape
        self.built = True

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        import inspect

        options = dict(self.arguments)
        takes = inspect.signature(self.function).parameters
        if "mask" in takes and mask is not None:
            options["mask"] = mask
        if "training" in takes and training is not None:
            options["training"] = training
        return self.function(inputs, **options)

    def compute_output_spec(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        if self._output_shape is not None:
            return KerasTensor(
                self.compute_output_shape(nest.map_leaves(lambda x: x.shape, inputs)), self.compute_dtype
            )
        try:
            return symbolic.outcome(self.call, (inputs,), {})
        except Exception as error:
            raise NotImplementedError(
                "We could not automatically infer the shape of the Lambda's output. Please specify the `output_shape` "
                "argument for this Lambda layer."
            ) from error

    def compute_output_shape(self, input_shape: Any) -> Any:
        if self._output_shape is None:
            found = symbolic.outcome(self.call, (KerasTensor(input_shape, self.compute_dtype),), {})
            return nest.map_leaves(lambda tensor: tensor.shape, found)
        if callable(self._output_shape):
            return self._output_shape(input_shape)
        shape = self._output_shape if isinstance(self._output_shape, tuple | list) else (self._output_shape,)
        return (input_shape[0], *shape)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self) -> dict[str, Any]:
        return {
            "name": self.name, "trainable": self.trainable, "dtype": self.dtype_policy.serialized(),
            "function": serialize(self.function), "arguments": self.arguments,
        }  # fmt: skip


class Masking(BuiltIn):
    """Steps whose every number is ``mask_value`` are left out by the layers that follow."""

    def __init__(self, mask_value: float = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.mask_value = mask_value
        self.supports_masking = True
        self.built = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return _M["reduce_any"](_M["not_equal"](inputs, self.mask_value), -1)

    def call(self, inputs: Any) -> Any:
        present = _M["reduce_any"](_M["not_equal"](inputs, self.mask_value), -1, True)
        result = _M["multiply"](inputs, math_ops.cast(present, str(dtype_of(inputs))))
        marks.put(result, "mask", array_ops.squeeze(present, -1))
        return result

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "mask_value": self.mask_value}


class InputLayer(Layer):
    """Where a functional model begins."""

    def __init__(
        self, shape: Any = None, batch_size: int | None = None, dtype: Any = None, sparse: Any = None,
        ragged: Any = None, batch_shape: Any = None, input_tensor: Any = None, optional: bool = False,
        name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        if "input_shape" in options or "batch_input_shape" in options:
            shape = options.pop("input_shape", shape)
        if options:
            raise ValueError(f"Unrecognized keyword arguments passed to {type(self).__name__}: {options}")
        if shape is not None and batch_shape is not None:
            raise ValueError("You cannot pass both `shape` and `batch_shape` at the same time.")
        if batch_shape is None and input_tensor is None:
            if shape is None:
                raise ValueError("You must pass a `shape` argument.")
            sizes = (shape,) if isinstance(shape, int) else tuple(shape)
            for size in sizes:
                if size is not None and not isinstance(size, int | np.integer):
                    raise ValueError(f"Cannot convert '{shape}' to a shape. ")
            batch_shape = (batch_size, *sizes)
        self.batch_shape = tuple(input_tensor.shape if input_tensor is not None else batch_shape)
        self.optional, self.sparse, self.ragged = optional, bool(sparse), bool(ragged)
        self.input_dtype_name = dtypes.as_dtype(dtype or state.floatx()).name
        self.dtype_policy = type(self.dtype_policy)(self.input_dtype_name)
        output = input_tensor if input_tensor is not None else KerasTensor(
            self.batch_shape, self.input_dtype_name, name=name
        )  # fmt: skip
        self.__dict__["_input_tensor"] = output
        Node(self, (), {}, output)
        self.built = True

    def call(self, *arguments: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {
            "batch_shape": self.batch_shape, "dtype": self.input_dtype_name, "sparse": self.sparse,
            "ragged": self.ragged, "name": self.name, "optional": self.optional,
        }  # fmt: skip


def Input(
    shape: Any = None, batch_size: int | None = None, dtype: Any = None, sparse: Any = None, ragged: Any = None,
    batch_shape: Any = None, name: str | None = None, tensor: Any = None, optional: bool = False,
) -> Any:  # fmt: skip
    """A symbolic tensor with which a functional model begins."""
    layer = InputLayer(shape, batch_size, dtype, sparse, ragged, batch_shape, tensor, optional, name)
    return layer.output


def as_tensor(value: Any) -> Any:
    return convert(value)


LAYERS = {
    cls.__name__: cls for cls in (
        Layer, Dense, Embedding, Activation, Identity, Lambda, Masking, InputLayer, InputSpec,
    )
} | {"Input": Input}  # fmt: skip

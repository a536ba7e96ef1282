"""``tf.layers`` of 1.x: functions that make variables and ops at once, and the classes behind them."""

from __future__ import annotations

import math
from contextlib import ExitStack
from typing import Any

from engine.dialects.tensorflow import math_ops, nn_ops
from engine.dialects.tensorflow.array_ops import identity, reshape, shape
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.control_flow import cond
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.initializers import Zeros
from engine.dialects.tensorflow.linear_algebra import tensordot
from engine.dialects.tensorflow.scopes import get_variable, variable_scope
from engine.dialects.tensorflow.variables import Variable


def affine(x: Tensor, weights: Any, bias: Any = None) -> Tensor:
    """``x @ weights + bias`` over the last axis of ``x``."""
    rank = x.shape.ndims or 2
    found = math_ops.matmul(x, weights) if rank == 2 else tensordot(x, weights, [[rank - 1], [0]])
    return found if bias is None else nn_ops.bias_add(found, bias)


def last_size(x: Tensor, what: str) -> int:
    """The last dimension, which a layer must know. :raises ValueError: it is unknown."""
    size = x.shape.as_list()[-1] if x.shape.ndims else None
    if size is None:
        raise ValueError(f"The last dimension of the inputs to {what} should be defined. Found `None`.")
    return int(size)


class Layer:
    """What layers share: variables made at the first call, under a scope of their own."""

    _default = "layer"
    _least_rank = 0
    """How many axes inputs have at least."""
    _rank: int | None = None
    """How many axes inputs have, where it is fixed."""

    def __init__(self, trainable: bool = True, name: str | None = None, **_options: Any) -> None:
        self.trainable = trainable
        self._given = name
        self.name = name or get_default_graph().layer_name(self._default)
        self._scope: Any = None
        self._last_size: int | None = None
        self.dtype: str = "float32"
        """Of the variables: that of the first inputs, if they are floating-point numbers."""
        self.trainable_weights: list[Variable] = []
        self.non_trainable_weights: list[Variable] = []
        self.built = False

    @property
    def variables(self) -> list[Variable]:
        return [*self.trainable_weights, *self.non_trainable_weights]

    weights = variables

    @property
    def trainable_variables(self) -> list[Variable]:
        return self.trainable_weights

    def add_weight(
        self, name: str, shape: Any, initializer: Any, regularizer: Any = None, trainable: bool = True
    ) -> Variable:
        """A variable of this layer."""
        trains = trainable and self.trainable
        found = get_variable(name, shape, self.dtype, initializer, regularizer, trainable=trains)
        (self.trainable_weights if trains else self.non_trainable_weights).append(found)
        return found

    def build(self, inputs: Tensor) -> None:
        raise NotImplementedError

    def call(self, inputs: Tensor, **options: Any) -> Tensor:
        raise NotImplementedError

    def _check(self, inputs: Tensor) -> None:
        """:raises ValueError: this layer cannot take such inputs."""
        said = f'Input 0 of layer "{self.name}" is incompatible with the layer: expected'
        rank = inputs.shape.ndims
        if rank is not None and (rank < self._least_rank or self._rank not in (None, rank)):
            wanted = f"min_ndim={self._least_rank}" if self._rank is None else f"ndim={self._rank}"
            raise ValueError(f"{said} {wanted}, found ndim={rank}. Full shape received: {tuple(inputs.shape)}")
        sizes = inputs.shape.as_list() if rank else []
        if self._last_size is not None and sizes and sizes[-1] not in (None, self._last_size):
            raise ValueError(
                f"{said} axis -1 of input shape to have value {self._last_size}, but received input with shape "
                f"{tuple(sizes)}"
            )

    def __call__(self, inputs: Any, *, _reuse: Any = None, **options: Any) -> Tensor:
        tensor = convert(inputs)
        with ExitStack() as places:
            if self._scope is None:
                given = self._given or (self._default if _reuse else None)
                opened = variable_scope(given, default_name=self._default, reuse=_reuse)
                self._scope = places.enter_context(opened)
            else:  # ops of every call stand in the scope of the first one
                places.enter_context(variable_scope(self._scope, reuse=True, auxiliary_name_scope=False))
                places.enter_context(tensor.graph.name_scope(self._scope.original_name_scope))
            self._check(tensor)
            if not self.built:
                if tensor.dtype.is_floating:
                    self.dtype = tensor.dtype.base_dtype.name
                self.build(tensor)
                self.built = True
            return self.call(tensor, **options)

    apply = __call__

    def count_params(self) -> int:
        """How many numbers the variables hold.

        :raises ValueError: there are none yet.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it "
                f"manually via: `{self.name}.build(batch_input_shape)`."
            )
        return sum(variable.shape.num_elements() or 0 for variable in self.variables)


class Dense(Layer):
    """``activation(inputs @ kernel + bias)``."""

    _default = "dense"
    _least_rank = 2

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(trainable, name, **options)
        self.units, self.activation, self.use_bias = int(units), activation, use_bias
        self._initial = kernel_initializer, bias_initializer or Zeros()
        self._penalties = kernel_regularizer, bias_regularizer
        self.bias: Any = None

    def build(self, inputs: Tensor) -> None:
        kind = inputs.dtype.base_dtype
        if not kind.is_floating:
            raise TypeError(f"A Dense layer can only be built with a floating-point dtype. Received: dtype={kind!r}")
        size = inputs.shape.as_list()[-1] if inputs.shape.ndims else None
        if size is None:
            raise ValueError(
                "The last dimension of the inputs to a Dense layer should be defined. Found None. Full input shape "
                f"received: {inputs.shape}"
            )
        self._last_size = size
        self.kernel = self.add_weight("kernel", [size, self.units], self._initial[0], self._penalties[0])
        if self.use_bias:
            self.bias = self.add_weight("bias", [self.units], self._initial[1], self._penalties[1])

    def call(self, inputs: Tensor, **options: Any) -> Tensor:
        found = affine(inputs, self.kernel, self.bias)
        return found if self.activation is None else self.activation(found)


class Dropout(Layer):
    """Drops elements with probability ``rate`` while training."""

    _default = "dropout"

    def __init__(
        self, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None, name: str | None = None, **options: Any
    ) -> None:
        super().__init__(name=name, **options)
        self._rate, self._noise, self._seed = rate, noise_shape, seed

    def build(self, inputs: Tensor) -> None:
        return None

    def call(self, inputs: Tensor, training: Any = False, **options: Any) -> Tensor:
        def dropped() -> Tensor:
            return nn_ops.dropout(inputs, rate=self._rate, noise_shape=self._noise, seed=self._seed)

        return smart_cond(training, dropped, lambda: identity(inputs))  # type: ignore[no-any-return]


class Flatten(Layer):
    """All axes but the first as one."""

    _default = "flatten"

    def build(self, inputs: Tensor) -> None:
        return None

    def call(self, inputs: Tensor, **options: Any) -> Tensor:
        return flat(inputs)


def smart_cond(pred: Any, true_fn: Any, false_fn: Any) -> Any:
    """One of two functions: decided now if ``pred`` is a Python value, else in the graph."""
    if isinstance(pred, Tensor | Variable):
        return cond(pred, true_fn, false_fn)
    return true_fn() if pred else false_fn()


def flat(x: Tensor) -> Tensor:
    """All axes but the first as one."""
    sizes = x.shape.as_list()
    if any(size is None for size in sizes[1:]):
        return reshape(x, [shape(x)[0] if sizes[0] is None else sizes[0], -1])
    return reshape(x, [-1, math.prod(size or 0 for size in sizes[1:])])


def dense(inputs: Any, units: int, activation: Any = None, use_bias: bool = True, **options: Any) -> Tensor:
    """A fully connected layer."""
    reuse = options.pop("reuse", None)
    return Dense(units, activation, use_bias, **options)(inputs, _reuse=reuse)


def dropout(inputs: Any, rate: Any = 0.5, noise_shape: Any = None, seed: Any = None, training: Any = False, name: str | None = None) -> Tensor:  # fmt: skip  # noqa: E501
    """``inputs`` with elements dropped while ``training``."""
    return Dropout(rate, noise_shape, seed, name)(inputs, training=training)


def flatten(inputs: Any, name: str | None = None, data_format: str = "channels_last") -> Tensor:
    """All axes but the first as one."""
    return Flatten(name=name)(inputs)


EXPORTED = {
    "Layer": Layer, "Dense": Dense, "Dropout": Dropout, "Flatten": Flatten,
    "dense": dense, "dropout": dropout, "flatten": flatten,
}  # fmt: skip

"""One step of a recurrent network: SimpleRNNCell, LSTMCell, GRUCell, and several on top of each other."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras import activations, nest, random
from engine.dialects.tensorflow.keras.both import array_ops, math_ops, nn_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn, Layer
from engine.dialects.tensorflow.keras.layers.core import take_weight_options, weight_config
from engine.dialects.tensorflow.keras.serialization import serialize

_M = math_ops.FUNCTIONS


class _Cell(BuiltIn):
    """What the cells share: a kernel for inputs, one for the state, a bias, dropout on both."""

    gates = 1
    seed_first = False
    """Whether dropout's seed is drawn before those of the initializers (the order decides the numbers)."""

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, kernel_constraint: Any = None,
        recurrent_constraint: Any = None, bias_constraint: Any = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, seed: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        if units <= 0:
            raise ValueError(
                f"Received an invalid value for argument `units`, expected a positive integer, got {units}."
            )
        super().__init__(**options)
        self.seed = seed
        if self.seed_first:
            self.seed_generator = random.SeedGenerator(seed)
        self.units, self.use_bias = units, use_bias
        self.activation = activations.get(activation)
        take_weight_options(self, locals(), "kernel", "recurrent", "bias")
        if not self.seed_first:
            self.seed_generator = random.SeedGenerator(seed)
        self.dropout = min(1.0, max(0.0, dropout))
        self.recurrent_dropout = min(1.0, max(0.0, recurrent_dropout))
        self.state_size: Any = units
        self.output_size = units
        self._masks: dict[str, Any] = {}

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.units * self.gates,)

    def build(self, input_shape: Any) -> None:
        for name, rows in (("kernel", input_shape[-1]), ("recurrent", self.units)):
            weight = self.add_weight(
                shape=(rows, self.units * self.gates), name=name if name == "kernel" else "recurrent_kernel",
                initializer=getattr(self, f"{name}_initializer"), regularizer=getattr(self, f"{name}_regularizer"),
                constraint=getattr(self, f"{name}_constraint"),
            )  # fmt: skip
            setattr(self, "kernel" if name == "kernel" else "recurrent_kernel", weight)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=self._bias_shape(), name="bias", initializer=self._bias_initializer(),
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def _bias_initializer(self) -> Any:
        return self.bias_initializer

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        size = nest.flatten(self.state_size)
        return [array_ops.zeros((batch_size, n), self.compute_dtype) for n in size]

    # -- dropout: one mask for all steps of a sequence ---------------------------------------------------------------
    def _dropped(self, which: str, x: Any, rate: float, training: Any) -> Any:
        if not training or not rate:
            return x
        if which not in self._masks:
            self._masks[which] = random.dropout(array_ops.ones_like(x), rate, None, self.seed_generator)
        return _M["multiply"](x, self._masks[which])

    def reset_masks(self) -> None:
        self._masks.clear()

    def compute_output_shape(self, input_shape: Any) -> Any:
        return (input_shape[0], self.units)

    def get_config(self) -> dict[str, Any]:
        weights = weight_config(self, "kernel", "recurrent", "bias")
        return {
            **super().get_config(), "units": self.units, "activation": serialize(self.activation),
            "use_bias": self.use_bias, **weights, "dropout": self.dropout,
            "recurrent_dropout": self.recurrent_dropout, "seed": self.seed,
        }  # fmt: skip


class SimpleRNNCell(_Cell):
    """``activation(inputs @ kernel + bias + state @ recurrent_kernel)``."""

    seed_first = True

    def call(self, sequence: Any, states: Any, training: Any = False) -> Any:
        before = states[0] if isinstance(states, list | tuple) else states
        sequence = self._dropped("inputs", sequence, self.dropout, training)
        h = math_ops.matmul(sequence, self.kernel)
        if self.bias is not None:
            h = nn_ops.bias_add(h, self.bias)
        before = self._dropped("state", before, self.recurrent_dropout, training)
        output = self.activation(_M["add"](h, math_ops.matmul(before, self.recurrent_kernel)))
        return output, [output] if isinstance(states, list | tuple) else output


class LSTMCell(_Cell):
    """A state that gates keep, forget and show."""

    gates = 4

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, **options
        )
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = [units, units]

    def _bias_initializer(self) -> Any:
        if not self.unit_forget_bias:
            return self.bias_initializer

        def initial(shape: Any, dtype: Any = None) -> Any:
            first = self.bias_initializer((self.units,), dtype=dtype)
            last = self.bias_initializer((self.units * 2,), dtype=dtype)
            return array_ops.concat([first, array_ops.ones((self.units,), dtype or "float32"), last], 0)

        return initial

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        h, c = states
        inputs = self._dropped("inputs", inputs, self.dropout, training)
        h = self._dropped("state", h, self.recurrent_dropout, training)
        z = _M["add"](math_ops.matmul(inputs, self.kernel), math_ops.matmul(h, self.recurrent_kernel))
        if self.bias is not None:
            z = _M["add"](z, self.bias)
        z0, z1, z2, z3 = array_ops.split(z, 4, axis=1)
        i, f = self.recurrent_activation(z0), self.recurrent_activation(z1)
        c = _M["add"](_M["multiply"](f, c), _M["multiply"](i, self.activation(z2)))
        o = self.recurrent_activation(z3)
        h = _M["multiply"](o, self.activation(c))
        return h, [h, c]

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "recurrent_activation": serialize(self.recurrent_activation),
            "unit_forget_bias": self.unit_forget_bias,
        }  # fmt: skip


class GRUCell(_Cell):
    """A state that one gate updates and another resets."""

    gates = 3

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", reset_after: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, **options
        )
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        before = states[0] if isinstance(states, list | tuple) else states
        inputs = self._dropped("inputs", inputs, self.dropout, training)
        dropped = self._dropped("state", before, self.recurrent_dropout, training)
        biases = (None, None)
        if self.bias is not None:
            biases = array_ops.unstack(self.bias) if self.reset_after else (self.bias, None)  # type: ignore[assignment]
        x = math_ops.matmul(inputs, self.kernel)
        if biases[0] is not None:
            x = _M["add"](x, biases[0])
        xz, xr, xh = array_ops.split(x, 3, axis=-1)
        if self.reset_after:
            inner = math_ops.matmul(dropped, self.recurrent_kernel)
            if biases[1] is not None:
                inner = _M["add"](inner, biases[1])
            hz, hr, hh = array_ops.split(inner, 3, axis=-1)
            z, r = self.recurrent_activation(_M["add"](xz, hz)), self.recurrent_activation(_M["add"](xr, hr))
            new = self.activation(_M["add"](xh, _M["multiply"](r, hh)))
        else:
            both = math_ops.matmul(dropped, self.recurrent_kernel[:, : 2 * self.units])
            hz, hr = array_ops.split(both, 2, axis=-1)
            z, r = self.recurrent_activation(_M["add"](xz, hz)), self.recurrent_activation(_M["add"](xr, hr))
            last = math_ops.matmul(_M["multiply"](r, dropped), self.recurrent_kernel[:, 2 * self.units :])
            new = self.activation(_M["add"](xh, last))
        h = _M["add"](_M["multiply"](z, before), _M["multiply"](_M["subtract"](1.0, z), new))
        return h, [h] if isinstance(states, list | tuple) else h

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "recurrent_activation": serialize(self.recurrent_activation),
            "reset_after": self.reset_after,
        }  # fmt: skip


class StackedRNNCells(Layer):
    """Cells on top of each other."""

    def __init__(self, cells: Any, **options: Any) -> None:
        super().__init__(**options)
        for cell in cells:
            if "call" not in dir(cell) or "state_size" not in dir(cell):
                raise ValueError(
                    "All cells must have a `call` method and a `state_size` attribute. Received cell without one: "
                    f"cell={cell}"
                )
        self.cells = list(cells)

    @property
    def state_size(self) -> Any:
        return [cell.state_size for cell in self.cells]

    @property
    def output_size(self) -> Any:
        last = self.cells[-1]
        return getattr(last, "output_size", None) or nest.flatten(last.state_size)[0]

    def get_initial_state(self, batch_size: Any = None) -> list[Any]:
        return [cell.get_initial_state(batch_size) for cell in self.cells]

    def reset_masks(self) -> None:
        for cell in self.cells:
            if hasattr(cell, "reset_masks"):
                cell.reset_masks()

    def build(self, input_shape: Any) -> None:
        for cell in self.cells:
            if not cell.built:
                cell.build(input_shape)
            input_shape = (input_shape[0], nest.flatten(getattr(cell, "output_size", cell.state_size))[0])

    def call(self, inputs: Any, states: Any, training: Any = False, **options: Any) -> Any:
        after = []
        for cell, before in zip(self.cells, states, strict=True):
            listed = isinstance(before, list | tuple)
            more = {"training": training} if cell._call_has_training_arg else {}
            inputs, now = cell(inputs, before if listed else [before], **more)
            after.append(now if listed or not isinstance(now, list | tuple) else now[0])
        return inputs, after

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "cells": [serialize(cell) for cell in self.cells]}


CELLS = {cls.__name__: cls for cls in (SimpleRNNCell, LSTMCell, GRUCell, StackedRNNCells)}

"""Layers over sequences: RNN with any cell, SimpleRNN, LSTM, GRU."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.both import array_ops, is_tensor, math_ops
from engine.dialects.tensorflow.keras.layers.base import Layer
from engine.dialects.tensorflow.keras.layers.cells import CELLS, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec
from engine.dialects.tensorflow.keras.serialization import serialize
from engine.dialects.tensorflow.keras.symbolic import KerasTensor

_M = math_ops.FUNCTIONS


class RNN(Layer):
    """A cell, step by step along the second axis."""

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
        stateful: bool = False, unroll: bool = False, zero_output_for_mask: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        if isinstance(cell, list | tuple):
            cell = StackedRNNCells(cell)
        if "call" not in dir(cell):
            raise ValueError(f"Argument `cell` should have a `call` method. Received: cell={cell}")
        if "state_size" not in dir(cell):
            raise ValueError(
                "The RNN cell should have a `state_size` attribute (single integer or list of integers, one integer "
                f"per RNN state). Received: cell={cell}"
            )
        super().__init__(**options)
        self.zero_output_for_mask = zero_output_for_mask
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.stateful, self.unroll = go_backwards, stateful, unroll
        self.supports_masking = True
        self.input_spec = InputSpec(ndim=3)
        self.states: Any = None

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        shape = (sequences_shape[0], *sequences_shape[2:])
        if isinstance(self.cell, Layer) and not self.cell.built:
            with state.name_scope(self.cell.name, caller=self.cell):
                self.cell.build(shape)
            self.cell.built = True
        self._make_states(sequences_shape[0])

    def _make_states(self, batch: Any) -> None:
        if self.stateful and self.states is None:
            if batch is None:
                raise ValueError(
                    "When using `stateful=True` in a RNN, the batch size must be static. Found dynamic batch size: "
                    f"sequence.shape[0]={batch}"
                )
            self.states = self.get_initial_state(batch)

    def get_initial_state(self, batch_size: Any) -> Any:
        if hasattr(self.cell, "get_initial_state"):
            return self.cell.get_initial_state(batch_size)
        return [array_ops.zeros((batch_size, n), self.compute_dtype) for n in nest.flatten(self.cell.state_size)]

    def reset_states(self) -> None:
        """Begin with zeros again."""
        if self.states is not None:
            self.states = nest.map_leaves(lambda x: array_ops.zeros_like(x), self.states)

    reset_state = reset_states

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False) -> Any:
        length = sequences.shape[1]
        if initial_state is None:
            initial_state = self.states if self.stateful else self.get_initial_state(sequences.shape[0])
        states = list(initial_state) if isinstance(initial_state, list | tuple) else [initial_state]
        states = [x if is_tensor(x) or isinstance(x, list | tuple) else convert(x) for x in states]
        if hasattr(self.cell, "reset_masks"):
            self.cell.reset_masks()
        options = {"training": training} if getattr(self.cell, "_call_has_training_arg", False) else {}
        if isinstance(mask, list | tuple):
            mask = mask[0]
        steps = array_ops.unstack(sequences, axis=1)
        present = None if mask is None else array_ops.unstack(mask, axis=1)
        order = range(length)[::-1] if self.go_backwards else range(length)
        outputs: list[Any] = []
        output: Any = None
        for step in order:
            new, after = self.cell(steps[step], states, **options)
            after = list(after) if isinstance(after, list | tuple) else [after]
            if present is not None:
                here = array_ops.expand_dims(present[step], -1)
                last = output if output is not None and not self.zero_output_for_mask else array_ops.zeros_like(new)
                new = array_ops.where(here, new, last)
                after = nest.map_leaves(lambda a, b, here=here: array_ops.where(here, a, b), after, states)
            output, states = new, after
            outputs.append(output)
        if self.stateful:
            self.states = nest.map_leaves(array_ops.stop_gradient, states)
        result = array_ops.stack(outputs, axis=1) if self.return_sequences else output
        return (result, *states) if self.return_state else result

    def compute_mask(self, _: Any, mask: Any = None) -> Any:
        mask = nest.flatten(mask)[0]
        found = mask if self.return_sequences else None
        return [found, *[None] * len(nest.flatten(self.cell.state_size))] if self.return_state else found

    def compute_output_shape(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any:
        batch, length = sequences_shape[0], sequences_shape[1]
        states = [(batch, n) for n in nest.flatten(self.cell.state_size)]
        size = getattr(self.cell, "output_size", None) or nest.flatten(self.cell.state_size)[0]
        shape = (batch, length, size) if self.return_sequences else (batch, size)
        return (shape, *states) if self.return_state else shape

    def compute_output_spec(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False
    ) -> Any:
        found = self.compute_output_shape(tuple(sequences.shape))
        made = nest.map_shapes(lambda shape: KerasTensor(shape, self.compute_dtype), found)
        return tuple(made) if self.return_state else made

    def get_config(self) -> dict[str, Any]:
        found = {
            **super().get_config(), "return_sequences": self.return_sequences, "return_state": self.return_state,
            "go_backwards": self.go_backwards, "stateful": self.stateful, "unroll": self.unroll,
            "zero_output_for_mask": self.zero_output_for_mask,
        }  # fmt: skip
        return found if isinstance(self, _Ready) else {**found, "cell": serialize(self.cell)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        from engine.dialects.tensorflow.keras.serialization import deserialize

        if "cell" in config:
            config = {**config, "cell": deserialize(config["cell"])}
        return cls(**config)


_OF_LAYER = (
    "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "activity_regularizer", "name", "dtype",
    "trainable", "zero_output_for_mask", "input_shape", "input_dim", "autocast",
)  # fmt: skip


class _Ready(RNN):
    """An RNN that brings its cell along."""

    cell_class: Any = SimpleRNNCell

    def __init__(self, units: int, *arguments: Any, **options: Any) -> None:
        own = {name: options.pop(name) for name in _OF_LAYER if name in options}
        for old in ("use_cudnn", "implementation", "time_major"):
            options.pop(old, None)
        cell_name = state.snake_case(self.cell_class.__name__)
        cell = self.cell_class(units, *arguments, dtype=own.get("dtype"), trainable=own.get("trainable", True),
                               name=cell_name, **options)  # fmt: skip
        super().__init__(cell, **own)

    def __getattr__(self, name: str) -> Any:
        cell = self.__dict__.get("cell")
        if cell is None or name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if name in ("kernel", "recurrent_kernel", "bias"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        try:
            return getattr(cell, name)
        except AttributeError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def get_config(self) -> dict[str, Any]:
        cell = self.cell.get_config()
        return {
            **super().get_config(),
            **{name: cell[name] for name in cell if name not in ("name", "trainable", "dtype")},
        }


class SimpleRNN(_Ready):
    """The plain recurrent network."""


class LSTM(_Ready):
    """Long short-term memory."""

    cell_class = LSTMCell


class GRU(_Ready):
    """Gated recurrent units."""

    cell_class = GRUCell


LAYERS = {**CELLS, **{cls.__name__: cls for cls in (RNN, SimpleRNN, LSTM, GRU)}}

"""Layers around a layer: Bidirectional, TimeDistributed, Wrapper."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.both import array_ops, math_ops
from engine.dialects.tensorflow.keras.layers.base import Layer
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize
from engine.dialects.tensorflow.keras.symbolic import KerasTensor

_M = math_ops.FUNCTIONS


class Wrapper(Layer):
    """A layer that uses another one."""

    def __init__(self, layer: Any, **options: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Layer {layer} supplied to Wrapper isn't a supported layer type. Please ensure wrapped layer is a "
                "valid Keras layer."
            )
        super().__init__(**options)
        self.layer = layer

    def build(self, input_shape: Any = None) -> None:
        if not self.layer.built:
            with state.name_scope(self.layer.name, caller=self.layer):
                self.layer.build(input_shape)
            self.layer.built = True

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "layer": serialize(self.layer)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        config = dict(config)
        return cls(deserialize(config.pop("layer")), **config)


class TimeDistributed(Wrapper):
    """The layer on each step of a sequence by itself."""

    def __init__(self, layer: Any, **options: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `TimeDistributed` layer with a `keras.layers.Layer` instance. Received: {layer}"
            )
        super().__init__(layer, **options)
        self.supports_masking = True

    def _inner(self, shape: Any) -> Any:
        if not isinstance(shape, tuple | list) or len(shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: "
                f"{shape}"
            )
        return (shape[0], *shape[2:])

    def build(self, input_shape: Any = None) -> None:
        super().build(self._inner(tuple(input_shape)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        child = self.layer.compute_output_shape(self._inner(tuple(input_shape)))
        return (child[0], input_shape[1], *child[1:])

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        options = {"training": training} if self.layer._call_has_training_arg else {}
        outputs = []
        for step in range(inputs.shape[1]):
            more = {"mask": mask[:, step]} if mask is not None and self.layer._call_has_mask_arg else {}
            outputs.append(self.layer.call(inputs[:, step], **options, **more))
        return array_ops.stack(outputs, axis=1)


class Bidirectional(Layer):
    """A recurrent layer forwards and a second one backwards."""

    def __init__(
        self, layer: Any, merge_mode: Any = "concat", weights: Any = None, backward_layer: Any = None, **options: Any
    ) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `Bidirectional` layer with a `keras.layers.Layer` instance. Received: {layer}"
            )
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError(
                f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}'
            )
        super().__init__(**options)
        config = serialize(layer)
        config["config"]["name"] = f"forward_{layer.name.removeprefix('forward_')}"
        config.pop("build_config", None)
        self.forward_layer = type(layer).from_config(dict(config["config"]))
        if backward_layer is None:
            config["config"]["go_backwards"] = True
            config["config"]["name"] = f"backward_{layer.name.removeprefix('backward_')}"
            self.backward_layer = type(layer).from_config(dict(config["config"]))
        else:
            self.backward_layer = backward_layer
        if self.forward_layer.go_backwards == self.backward_layer.go_backwards:
            raise ValueError(
                "Forward layer and backward layer should have different `go_backwards` value. Received: "
                f"forward_layer.go_backwards {self.forward_layer.go_backwards}, "
                f"backward_layer.go_backwards={self.backward_layer.go_backwards}"
            )
        for one in (self.forward_layer, self.backward_layer):
            one.zero_output_for_mask = one.return_sequences
        self.merge_mode = merge_mode
        self.stateful, self.return_sequences, self.return_state = (
            layer.stateful, layer.return_sequences, layer.return_state
        )  # fmt: skip
        self.supports_masking = True
        self.input_spec = layer.input_spec

    def build(self, sequences_shape: Any, initial_state_shape: Any = None) -> None:
        for layer in (self.forward_layer, self.backward_layer):
            if not layer.built:
                layer.build(sequences_shape)

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None) -> Any:
        half = None if initial_state is None else len(initial_state) // 2
        first = None if initial_state is None else initial_state[:half]
        second = None if initial_state is None else initial_state[half:]
        y = self.forward_layer(sequences, initial_state=first, mask=mask, training=training)
        back = self.backward_layer(sequences, initial_state=second, mask=mask, training=training)
        states: tuple[Any, ...] = ()
        if self.return_state:
            states = (*y[1:], *back[1:])
            y, back = y[0], back[0]
        if self.return_sequences:
            back = array_ops.reverse(back, [1])
        if self.merge_mode is None:
            return (y, back, *states)
        merged = {
            "concat": lambda: array_ops.concat([y, back], -1), "sum": lambda: _M["add"](y, back),
            "ave": lambda: _M["divide"](_M["add"](y, back), 2.0), "mul": lambda: _M["multiply"](y, back),
        }[self.merge_mode]()  # fmt: skip
        return (merged, *states) if self.return_state else merged

    def compute_output_shape(self, sequences_shape: Any, initial_state_shape: Any = None) -> Any:
        shape = self.forward_layer.compute_output_shape(sequences_shape)
        states: list[Any] = []
        if self.return_state:
            shape, states = shape[0], shape[1:]
        if self.merge_mode == "concat":
            shape = (*shape[:-1], shape[-1] * 2)
        shapes = [shape, shape] if self.merge_mode is None else [shape]
        found = [*shapes, *states, *states]
        return found if len(found) > 1 else found[0]

    def compute_output_spec(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = None
    ) -> Any:
        found = self.compute_output_shape(tuple(sequences.shape))
        made = nest.map_shapes(lambda shape: KerasTensor(shape, self.compute_dtype), found)
        return tuple(made) if isinstance(made, list) else made

    def compute_mask(self, _: Any, mask: Any = None) -> Any:
        mask = nest.flatten(mask)[0]
        found = mask if self.return_sequences else None
        first = [found, found] if self.merge_mode is None else [found]
        return first if len(first) > 1 or self.return_state else found

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "merge_mode": self.merge_mode, "layer": serialize(self.forward_layer),
            "backward_layer": serialize(self.backward_layer),
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        config = dict(config)
        layer, backward = deserialize(config.pop("layer")), config.pop("backward_layer", None)
        return cls(layer, backward_layer=None if backward is None else deserialize(backward), **config)


LAYERS = {cls.__name__: cls for cls in (Wrapper, TimeDistributed, Bidirectional)}

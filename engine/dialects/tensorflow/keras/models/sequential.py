"""``keras.Sequential``: one layer after the other."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras import marks, nest
from engine.dialects.tensorflow.keras.layers.base import Layer
from engine.dialects.tensorflow.keras.layers.core import InputLayer
from engine.dialects.tensorflow.keras.models.functional import Functional
from engine.dialects.tensorflow.keras.models.model import Model
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize
from engine.dialects.tensorflow.keras.symbolic import KerasTensor


class Sequential(Model):
    """A stack of layers."""

    __module__ = "keras.src.models.sequential"

    def __init__(self, layers: Any = None, trainable: bool = True, name: str | None = None) -> None:
        self._start_trainer()
        Layer.__init__(self, trainable=trainable, name=name)
        self.__dict__["_functional"] = None
        self.__dict__["_stack"] = []
        if layers:
            for layer in layers if isinstance(layers, list | tuple) else [layers]:
                self.add(layer, rebuild=False)
            self._maybe_rebuild()

    def add(self, layer: Any, rebuild: bool = True) -> None:
        """Put a layer on top.

        :raises ValueError: it is none, or has the name of another one.
        """
        stack = self._stack
        if not stack and getattr(layer, "_input_shape_arg", None) is not None:
            self.add(InputLayer(shape=layer._input_shape_arg))
        if isinstance(layer, KerasTensor) and isinstance(layer._keras_history.operation, InputLayer):
            layer = layer._keras_history.operation
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Only instances of `keras.Layer` can be added to a Sequential model. Received: {layer} (of type "
                f"{type(layer)})"
            )
        if any(layer.name == other.name and layer is not other for other in stack) or any(layer is x for x in stack):
            raise ValueError(
                f"All layers added to a Sequential model should have unique names. Name '{layer.name}' is already the "
                "name of a layer in this model. Update the `name` argument to pass a unique name."
            )
        if isinstance(layer, InputLayer) and stack and isinstance(stack[0], InputLayer):
            raise ValueError(
                f"Sequential model '{self.name}' has already been configured to use input shape "
                f"{stack[0].batch_shape}. You cannot add a different Input layer to it."
            )
        stack.append(layer)
        self._changed()
        if rebuild:
            self._maybe_rebuild()

    def pop(self, rebuild: bool = True) -> Any:
        """Take the last layer off."""
        layer = self._stack.pop()
        self._changed()
        if rebuild:
            self._maybe_rebuild()
        return layer

    def _changed(self) -> None:
        self.built = False
        self.__dict__["_functional"] = None
        self.__dict__["_kept"] = list(self._stack)

    def _maybe_rebuild(self) -> None:
        self._changed()
        if not self._stack or len(self._stack) < 2:
            return
        first = self._stack[0]
        if isinstance(first, InputLayer):
            self.build(first.batch_shape)
        elif hasattr(first, "input_shape") and isinstance(first, Model):
            self.build(first.input_shape)

    def build(self, input_shape: Any = None) -> None:
        """Connect the layers, for inputs of this shape."""
        if not self._stack:
            raise ValueError(
                f"Sequential model {self.name} cannot be built because it has no layers. Call `model.add(layer)`."
            )
        if not nest.is_shape(input_shape) or input_shape is None:
            return
        shape = tuple(input_shape)
        if isinstance(self._stack[0], InputLayer):
            if self._stack[0].batch_shape != shape:
                raise ValueError(
                    f"Sequential model '{self.name}' has already been configured to use input shape "
                    f"{self._stack[0].batch_shape}. You cannot build it with input_shape {shape}"
                )
        else:
            self._stack.insert(0, InputLayer(batch_shape=shape, dtype=self._stack[0].compute_dtype))
        inputs = x = self._stack[0].output
        for layer in self._stack[1:]:
            try:
                x = layer(x)
            except NotImplementedError:
                return
        self.__dict__["_functional"] = Functional(inputs=inputs, outputs=x)
        self.__dict__["_kept"] = list(self._stack)

    def call(self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any) -> Any:
        """Run the layers one after the other."""
        if self._functional is not None:
            return self._functional.call(inputs, training=training, mask=mask, **kwargs)
        for layer in self.layers:
            given = {"mask": mask} if layer._call_has_mask_arg else {}
            if layer._call_has_training_arg and training is not None:
                given["training"] = training
            inputs = layer(inputs, **given)
            mask = nest.map_leaves(marks.mask_of, inputs)
        return inputs

    @property
    def layers(self) -> list[Any]:
        stack = self._stack
        return list(stack[1:] if stack and isinstance(stack[0], InputLayer) else stack)

    @layers.setter
    def layers(self, _: Any) -> None:
        raise AttributeError(
            "`Sequential.layers` attribute is reserved and should not be used. Use `add()` and `pop()` to change the "
            "layers in this model."
        )

    def _of_functional(self, attribute: str, what: str) -> Any:
        if self._functional is not None:
            return getattr(self._functional, attribute)
        raise AttributeError(f"Sequential model '{self.name}' has no defined {what} yet.")

    @property
    def input_shape(self) -> Any:
        return self._of_functional("input_shape", "input shape")

    @property
    def output_shape(self) -> Any:
        return self._of_functional("output_shape", "output shape")

    @property
    def inputs(self) -> Any:
        return self._of_functional("inputs", "inputs")

    @property
    def outputs(self) -> Any:
        return self._of_functional("outputs", "outputs")

    @property
    def output_names(self) -> Any:
        return self._functional.output_names if self._functional is not None else None

    def compute_output_spec(self, inputs: Any, training: Any = None, mask: Any = None, **options: Any) -> Any:
        if self._functional is not None:
            return self._functional.compute_output_spec(inputs, training=training, mask=mask)
        for layer in self.layers:
            inputs = layer.compute_output_spec(inputs)
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        if self._functional is not None:
            return self._functional.compute_output_shape(input_shape)
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def get_config(self) -> dict[str, Any]:
        config: dict[str, Any] = {
            "name": self.name, "trainable": self.trainable, "dtype": self.dtype_policy.serialized(),
            "layers": [serialize(layer) for layer in self._stack],
        }  # fmt: skip
        if self._functional is not None:
            config["build_input_shape"] = self._stack[0].batch_shape
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        model = cls(name=config.get("name"))
        for described in config["layers"]:
            model.add(deserialize(described, custom_objects, family_of="keras.layers"), rebuild=False)
        model._maybe_rebuild()
        shape = config.get("build_input_shape")
        if model._functional is None and shape:
            model.build(tuple(shape))
        return model

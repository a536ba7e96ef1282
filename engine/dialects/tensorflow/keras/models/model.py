"""``keras.Model``: a layer that can be trained, printed and saved."""

from __future__ import annotations

import inspect
from typing import Any

from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.layers.base import Layer
from engine.dialects.tensorflow.keras.layers.core import InputLayer
from engine.dialects.tensorflow.keras.symbolic import KerasTensor, outcome
from engine.dialects.tensorflow.keras.training.trainer import Trainer


def _functional_arguments(arguments: tuple[Any, ...], options: dict[str, Any]) -> bool:
    return (
        len(arguments) >= 2
        or (len(arguments) == 1 and "outputs" in options)
        or ("inputs" in options and "outputs" in options)
    )


class Model(Trainer, Layer):
    """A network."""

    __module__ = "keras.src.models.model"

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        if cls is Model and _functional_arguments(arguments, options):
            from engine.dialects.tensorflow.keras.models.functional import Functional

            return super().__new__(Functional, *arguments, **options)
        return super().__new__(cls, *arguments, **options)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._start_trainer()
        if _functional_arguments(arguments, options):
            from engine.dialects.tensorflow.keras.models.functional import Functional

            if not isinstance(self, Functional):
                cls = type(self)
                self.__class__ = type(cls.__name__, (cls, Functional), {"__module__": cls.__module__})
            Functional.__init__(self, *arguments, **options)  # type: ignore[arg-type]
            return
        Layer.__init__(self, *arguments, **options)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"Model {type(self).__name__} does not have a `call()` method implemented.")

    @property
    def layers(self) -> list[Any]:
        return list(self._layers)

    @layers.setter
    def layers(self, _: Any) -> None:
        raise AttributeError("`Model.layers` attribute is reserved and should not be used. Please use another name.")

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """A layer by name or place.

        :raises ValueError: there is none.
        """
        if index is not None and name is not None:
            raise ValueError(f"Provide only a layer name or a layer index. Received: index={index}, name={name}.")
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self.layers)} layers."
                )
            return self.layers[index]
        if name is None:
            raise ValueError("Provide either a layer name or layer index at `get_layer`.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}. Existing layers are: {[layer.name for layer in self.layers]}.")

    def build(self, input_shape: Any = None) -> None:
        """Make all weights, for inputs of this shape."""
        if type(self).call is Model.call:
            self.built = True
            return
        shapes = nest.map_shapes(lambda shape: KerasTensor(shape), input_shape)
        try:
            with state.quiet():
                outcome(self.call, (shapes,), {})
        except Exception as error:
            raise ValueError(
                f"Model {self} cannot be built automatically by calling it on an input of shape {input_shape}: {error}"
            ) from error

    # -- showing -----------------------------------------------------------------------------------------------------
    def summary(
        self, line_length: Any = None, positions: Any = None, print_fn: Any = None, expand_nested: bool = False,
        show_trainable: bool = False, layer_range: Any = None,
    ) -> None:  # fmt: skip
        """Print the layers as a table."""
        from engine.dialects.tensorflow.keras.models.summary import print_summary

        print_summary(self, line_length, positions, print_fn, expand_nested, show_trainable)

    # -- files -------------------------------------------------------------------------------------------------------
    def save(self, filepath: Any, overwrite: bool = True, **options: Any) -> None:
        from engine.dialects.tensorflow.keras.models import saving

        saving.save_model(self, filepath, overwrite, **options)

    def save_weights(self, filepath: Any, overwrite: bool = True) -> None:
        from engine.dialects.tensorflow.keras.models import saving

        saving.save_weights(self, filepath, overwrite)

    def load_weights(self, filepath: Any, skip_mismatch: bool = False, **_: Any) -> None:
        from engine.dialects.tensorflow.keras.models import saving

        saving.load_weights(self, filepath, skip_mismatch)

    def export(self, filepath: Any, **_: Any) -> None:
        raise NotImplementedError(
            "model.export: this teaching engine saves Keras models as .keras files only; use model.save('model.keras')"
        )

    def to_json(self, **options: Any) -> str:
        import json

        from engine.dialects.tensorflow.keras.serialization import serialize

        return json.dumps(serialize(self), **options)

    def get_build_config(self) -> Any:
        return super().get_build_config() if self._build_shapes is not None else None

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        from engine.dialects.tensorflow.keras.models.functional import Functional, functional_from_config

        names = set(config)
        if {"name", "layers", "input_layers", "output_layers"} <= names:
            parameters = inspect.signature(cls.__init__).parameters
            if cls in (Model, Functional) or "inputs" in parameters:
                return functional_from_config(Functional if cls is Model else cls, config, custom_objects)
        return cls(**config)


Model.build.automatic = True  # type: ignore[attr-defined]
__all__ = ["InputLayer", "Model"]

"""``keras.models.clone_model``: the same model with weights of its own."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras.models.functional import Functional, functional_from_config
from engine.dialects.tensorflow.keras.models.sequential import Sequential
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None, **_: Any) -> Any:
    """Each layer made anew from its config (or by ``clone_function``), with first values of its own.

    :raises ValueError: the model is a subclass, whose ``call`` nobody can clone.
    """
    if isinstance(model, Sequential):
        make = clone_function or (lambda layer: type(layer).from_config(layer.get_config()))
        made = Sequential(name=model.name)
        for layer in model._stack:
            made.add(
                deserialize(serialize(layer)) if layer is model._stack[0] and not model.layers else make(layer),
                rebuild=False,
            )
        made._maybe_rebuild()
        return made
    if isinstance(model, Functional):
        return functional_from_config(Functional, model.get_config())
    raise ValueError(
        f"Expected `model` argument to be a Sequential or Functional model, but got a subclassed model instead: {model}"
    )

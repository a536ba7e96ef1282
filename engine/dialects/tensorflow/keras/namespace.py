"""What ``tf.keras`` and ``import keras`` find, module by module."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from engine.dialects.missing import module_getattr
from engine.dialects.tensorflow.keras import (
    activations,
    backend,
    datasets,
    functions,
    initializers,
    lambdas,
    penalties,
    preprocessing,
    random,
    serialization,
    state,
    symbolic,
    variables,
)
from engine.dialects.tensorflow.keras.callbacks import known as callbacks
from engine.dialects.tensorflow.keras.layers import (
    activation_layers,
    attention,
    base,
    convolution,
    core,
    merging,
    noise,
    normalization,
    pooling,
    recurrent,
    reshaping,
    wrappers,
)
from engine.dialects.tensorflow.keras.losses import classes as losses
from engine.dialects.tensorflow.keras.metrics import known as metrics
from engine.dialects.tensorflow.keras.metrics.base import Metric
from engine.dialects.tensorflow.keras.models import cloning, functional, model, saving, sequential
from engine.dialects.tensorflow.keras.optimizers import algorithms, schedules
from engine.dialects.tensorflow.keras.optimizers.base import Optimizer
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize
from engine.dialects.tensorflow.keras.training import batches, progress

VERSION = saving.VERSION

LAYERS: dict[str, Any] = {}
for _family in (
    core, reshaping, noise, activation_layers, merging, convolution, pooling, normalization, recurrent, wrappers,
    attention,
):  # fmt: skip
    LAYERS |= _family.LAYERS
serialization.family("keras.layers", {**LAYERS, "Sequential": sequential.Sequential})
_MODELS: dict[str, Any] = {
    "Model": model.Model, "Sequential": sequential.Sequential, "Functional": functional.Functional,
}  # fmt: skip
serialization.family("keras", _MODELS)
serialization.family("keras.models", _MODELS)
serialization.family("keras.src.models.functional", {"Functional": functional.Functional})


def _unavailable(what: str, why: str) -> Any:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"{what}: {why}")

    refuse.__name__ = what.rpartition(".")[2]
    return refuse


def plot_model(model: Any = None, to_file: Any = "model.png", *_: Any, **__: Any) -> Any:
    """Keras draws with pydot. Without it a notebook is told so and goes on, and so is a program here: the page is the
    picture."""
    print(
        "You must install pydot (`pip install pydot`) for `plot_model` to work. This teaching engine has no pydot: the "
        "page beside the program shows the model as a graph.",
        file=sys.stderr,
    )


def get_custom_objects() -> dict[str, Any]:
    return state.program.custom_objects


def _of(family: str) -> Any:
    return lambda config, custom_objects=None: deserialize(config, custom_objects, family_of=family)


_NO_NET = "nothing is downloaded here"


def names() -> dict[str, dict[str, Any]]:
    """The names of each module below ``keras``; the empty one is ``keras`` itself."""
    serializing = {"serialize": serialize}
    utils = {
        "to_categorical": preprocessing.to_categorical, "normalize": preprocessing.normalize,
        "pad_sequences": preprocessing.pad_sequences, "Progbar": progress.Progbar,
        "set_random_seed": random.set_random_seed, "plot_model": plot_model, "model_to_dot": plot_model,
        "register_keras_serializable": serialization.register_keras_serializable,
        "custom_object_scope": serialization.custom_object_scope,
        "CustomObjectScope": serialization.custom_object_scope,
        "get_custom_objects": get_custom_objects, "serialize_keras_object": serialize,
        "deserialize_keras_object": deserialize, "clear_session": state.clear_session,
        "get_file": _unavailable("keras.utils.get_file", f"{_NO_NET}; give the file with --with"),
        "pack_x_y_sample_weight": batches.pack_x_y_sample_weight,
        "unpack_x_y_sample_weight": batches.unpack_x_y_sample_weight,
        "load_img": _unavailable("keras.utils.load_img", "this teaching engine reads no pictures"),
        "img_to_array": lambda img, data_format=None, dtype=None: _image(img, dtype),
        "image_dataset_from_directory": _unavailable(
            "keras.utils.image_dataset_from_directory", "this teaching engine reads no pictures"
        ),
    }  # fmt: skip
    top = {
        **_MODELS, "Input": core.Input, "Layer": base.Layer, "Variable": variables.Variable,
        "KerasTensor": symbolic.KerasTensor, "Operation": symbolic.Operation, "InputSpec": LAYERS["InputSpec"],
        "Loss": losses.Loss, "Metric": Metric, "Optimizer": Optimizer,
        "Initializer": initializers.Initializer, "Regularizer": penalties.Regularizer,
        "DTypePolicy": base.DTypePolicy, "SeedGenerator": random.SeedGenerator, "__version__": VERSION,
        "version": lambda: VERSION, "name_scope": state.name_scope,
    }  # fmt: skip
    models = {
        **_MODELS, "load_model": saving.load_model, "save_model": saving.save_model,
        "clone_model": cloning.clone_model, "model_from_json": model_from_json,
    }  # fmt: skip
    return {
        "": top,
        "layers": {**LAYERS, **serializing, "deserialize": _of("keras.layers")},
        "models": models,
        "losses": {**losses.OBJECTS, "get": losses.get, **serializing, "deserialize": _of("keras.losses")},
        "metrics": {**metrics.OBJECTS, "get": metrics.get, **serializing, "deserialize": _of("keras.metrics")},
        "optimizers": {**algorithms.OBJECTS, "get": algorithms.get, **serializing,
                       "deserialize": _of("keras.optimizers")},
        "optimizers.schedules": dict(schedules.SCHEDULES),
        "callbacks": dict(callbacks.CLASSES),
        "initializers": {**initializers.OBJECTS, "get": initializers.get, **serializing,
                         "deserialize": _of("keras.initializers")},
        "activations": {**activations.FUNCTIONS, "get": activations.get, **serializing,
                        "deserialize": _of("keras.activations")},
        "regularizers": {**penalties.REGULARIZERS, "get": penalties.regularizer, **serializing,
                         "deserialize": _of("keras.regularizers")},
        "constraints": {**penalties.CONSTRAINTS, "get": penalties.constraint, **serializing,
                        "deserialize": _of("keras.constraints")},
        "utils": utils,
        "backend": backend.FUNCTIONS,
        "config": {**backend.CONFIG, "enable_unsafe_deserialization": lambdas.enable_unsafe_deserialization},
        "ops": functions.FUNCTIONS,
        "random": random.FUNCTIONS,
        "datasets": {},
        **{f"datasets.{name}": found for name, found in datasets.SETS.items()},
        "saving": {
            "load_model": saving.load_model, "save_model": saving.save_model,
            "register_keras_serializable": serialization.register_keras_serializable,
            "custom_object_scope": serialization.custom_object_scope,
            "CustomObjectScope": serialization.custom_object_scope, "get_custom_objects": get_custom_objects,
            "serialize_keras_object": serialize, "deserialize_keras_object": deserialize,
        },
        "preprocessing": {},
        "preprocessing.sequence": {"pad_sequences": preprocessing.pad_sequences},
        "preprocessing.text": {
            "Tokenizer": preprocessing.Tokenizer, "text_to_word_sequence": preprocessing.text_to_word_sequence,
            "one_hot": preprocessing.one_hot_words,
        },
        "preprocessing.image": {"img_to_array": utils["img_to_array"], "load_img": utils["load_img"]},
        "applications": {},
        "mixed_precision": {"set_global_policy": _unavailable(
            "keras.mixed_precision.set_global_policy", "give dtype='mixed_float16' to the layers"
        )},
    }  # fmt: skip


def _image(img: Any, dtype: Any) -> Any:
    import numpy as np

    array = np.asarray(img, dtype or "float32")
    return array[..., None] if array.ndim == 2 else array


def model_from_json(text: str, custom_objects: Any = None) -> Any:
    """A model from what ``to_json`` gave."""
    import json

    return deserialize(saving._as_lists(json.loads(text)), custom_objects, family_of="keras.models")


def keras_modules() -> dict[str, ModuleType]:
    """``keras`` and what is below it, by full name, for a new program.

    >>> sorted(name for name in keras_modules() if name.startswith("keras.lo"))
    ['keras.losses']
    """
    state.begin()
    modules: dict[str, ModuleType] = {}
    for part, found in names().items():
        name = f"keras.{part}" if part else "keras"
        module = modules[name] = ModuleType(name)
        module.__dict__.update(found)
        module.__path__ = []
        module.__dict__["__getattr__"] = module_getattr(module, "Keras")
        outer, _, inner = name.rpartition(".")
        if outer:
            setattr(modules[outer], inner, module)
    return modules


def with_keras(tensorflow: dict[str, ModuleType]) -> dict[str, ModuleType]:
    """The modules of TensorFlow with ``keras`` beside and in them, and what ``tf`` itself names of it."""
    keras = keras_modules()
    beside = {f"tensorflow.{name}": module for name, module in keras.items()}
    for name in ("initializers", "losses", "metrics", "optimizers"):
        beside[f"tensorflow.{name}"] = keras[f"keras.{name}"]
    for name, module in beside.items():
        outer, _, inner = name.rpartition(".")
        if outer == "tensorflow":
            setattr(tensorflow[outer], inner, module)
    return {**tensorflow, **keras, **beside}

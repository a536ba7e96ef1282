"""Models and weights as files.

A ``.keras`` file is a zip with ``config.json`` and ``metadata.json`` as Keras writes them; the arrays beside them are
in ``model.weights.npz``. What ends in ``.h5`` holds the same zip: there is no HDF5 here, so only this engine reads it.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np

from engine.dialects.tensorflow.keras.serialization import deserialize, serialize

_CONFIG, _WEIGHTS, _METADATA = "config.json", "model.weights.npz", "metadata.json"
VERSION = "3.15.1"


def save_model(
    model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True, **options: Any
) -> None:
    """Everything that is needed to go on with a model.

    :raises ValueError: the name has another ending.
    """
    path = str(filepath)
    if options.pop("save_format", None) is not None:
        pass
    if not path.endswith((".keras", ".h5", ".hdf5")):
        raise ValueError(
            "Invalid filepath extension for saving. Please add either a `.keras` extension for the native Keras format "
            "(recommended) or a `.h5` extension. Use `model.export(filepath)` if you want to export a SavedModel for "
            f"use with TFLite/TFServing/etc. Received: filepath={filepath}."
        )
    _write(path, {
        _CONFIG: json.dumps(serialize(model), default=str).encode(),
        _METADATA: json.dumps({"keras_version": VERSION, "written_by": "stepgraph"}).encode(),
        _WEIGHTS: _packed(_arrays(model, include_optimizer)),
    })  # fmt: skip


def load_model(filepath: Any, custom_objects: Any = None, compile: bool = True, safe_mode: bool = True) -> Any:
    """A model from a file of :func:`save_model`.

    :raises ValueError: there is no such file, or Keras itself wrote it.
    """
    path = str(filepath)
    files = _read(
        path, f"File not found: filepath={filepath}. Please ensure the file is an accessible `.keras` zip file."
    )
    if _WEIGHTS not in files:
        raise ValueError(
            f"{path}: its weights are an HDF5 file, which this teaching engine cannot read; it loads the .keras files "
            "that it has saved itself"
        )
    config = _as_lists(json.loads(files[_CONFIG]))
    if not compile:
        config.pop("compile_config", None)
    from engine.dialects.tensorflow.keras import lambdas

    with lambdas.allowed(not safe_mode):
        model = deserialize(config, custom_objects, family_of="keras.models")
    arrays = np.load(io.BytesIO(files[_WEIGHTS]))
    _fill(model.weights, arrays, "weights", model.name)
    optimizer = model.optimizer
    if compile and optimizer is not None and any(name.startswith("optimizer/") for name in arrays.files):
        optimizer.build(model.trainable_weights)
        _fill(optimizer.variables, arrays, "optimizer", optimizer.name)
    return model


def save_weights(model: Any, filepath: Any, overwrite: bool = True) -> None:
    """The weights, and what the optimizer keeps, without the model.

    :raises ValueError: the name has another ending.
    """
    path = str(filepath)
    if not path.endswith(".weights.h5") and not path.endswith(".weights.json"):
        raise ValueError(f"The filename must end in `.weights.h5`. Received: filepath={path}")
    _write(path, {_WEIGHTS: _packed(_arrays(model))})


def load_weights(model: Any, filepath: Any, skip_mismatch: bool = False) -> None:
    """Give a model the weights of a file.

    :raises ValueError: they are those of another one.
    """
    path = str(filepath)
    if not path.endswith((".weights.h5", ".keras", ".h5")):
        raise ValueError(
            f"File format not supported: filepath={path}. Keras 3 only supports V3 `.keras` and `.weights.h5` files, "
            "or legacy V1/V2 `.h5` files."
        )
    files = _read(path, None)
    if _WEIGHTS not in files:
        raise ValueError(f"{path}: this teaching engine loads only the weights that it has saved itself")
    arrays = np.load(io.BytesIO(files[_WEIGHTS]))
    _fill(model.weights, arrays, "weights", model.name)
    optimizer = getattr(model, "optimizer", None)
    if optimizer is not None and optimizer.built and _count(arrays, "optimizer") == len(optimizer.variables):
        _fill(optimizer.variables, arrays, "optimizer", optimizer.name)


def _arrays(model: Any, include_optimizer: bool = True) -> dict[str, Any]:
    arrays = {f"weights/{i}": w._array for i, w in enumerate(model.weights)}
    optimizer = getattr(model, "optimizer", None)
    if include_optimizer and optimizer is not None and optimizer.built:
        arrays |= {f"optimizer/{i}": w._array for i, w in enumerate(optimizer.variables)}
    return arrays


def _count(arrays: Any, part: str) -> int:
    return sum(key.startswith(f"{part}/") for key in arrays.files)


def _fill(variables: Any, arrays: Any, part: str, name: str) -> None:
    held = [arrays[f"{part}/{i}"] for i in range(_count(arrays, part))]
    if len(held) != len(variables):
        raise ValueError(
            f"A total of {len(variables)} objects could not be loaded. Layer '{name}' expected {len(variables)} "
            f"variables, but received {len(held)} variables during loading."
        )
    for variable, value in zip(variables, held, strict=True):
        variable.assign(value)


def _packed(arrays: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _write(path: str, files: dict[str, bytes]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as bundle:
        for name, data in files.items():
            bundle.writestr(name, data)
    with open(path, "wb") as file:
        file.write(buffer.getvalue())


def _read(path: str, missing: str | None) -> dict[str, bytes]:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        if missing is None:
            raise
        raise ValueError(missing) from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as bundle:
            return {name: bundle.read(name) for name in bundle.namelist()}
    except zipfile.BadZipFile:
        raise ValueError(
            f"{path}: no file that this teaching engine has saved; HDF5 files of Keras itself cannot be read here"
        ) from None


def _as_lists(value: Any) -> Any:
    """Shapes are tuples again after JSON made lists of them."""
    if isinstance(value, dict):
        return {
            key: tuple(item)
            if key in ("batch_shape", "build_input_shape") and isinstance(item, list)
            else _as_lists(item)
            for key, item in value.items()
        }
    return [_as_lists(item) for item in value] if isinstance(value, list) else value

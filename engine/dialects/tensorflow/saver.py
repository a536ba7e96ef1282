"""``tf.train.Saver`` and what reads its files.

The names of the files are the real ones, their contents are ours: ``.data-…`` is a NumPy archive, ``.index`` and
``.meta`` are JSON. Checkpoints written by TensorFlow itself cannot be read.
"""

from __future__ import annotations

import glob
import io
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.meta_graph import export_meta_graph, import_variables
from engine.dialects.tensorflow.saver_ops import add_saver_ops
from engine.dialects.tensorflow.variables import Variable, global_variables
from engine.errors import GraphError
from engine.static.serialise import values_in

_DATA = ".data-00000-of-00001"


class CheckpointState:
    """What the file ``checkpoint`` of a folder says."""

    def __init__(self, model_checkpoint_path: str, all_model_checkpoint_paths: list[str]) -> None:
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths = all_model_checkpoint_paths

    def __str__(self) -> str:
        lines = [f'model_checkpoint_path: "{self.model_checkpoint_path}"']
        lines += [f'all_model_checkpoint_paths: "{path}"' for path in self.all_model_checkpoint_paths]
        return "\n".join(lines) + "\n"


class Saver:
    """Writes the values of variables to files, and brings them back."""

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        **_options: Any,
    ) -> None:
        found = global_variables() if var_list is None else var_list
        if not found and not allow_empty:
            raise ValueError("No variables to save")
        self._variables: dict[str, Variable] = (
            dict(found) if isinstance(found, dict) else {variable.op.name: variable for variable in found}
        )
        if len(self._variables) < len(found):
            names = [variable.op.name for variable in found]
            twice = next(name_ for name_ in names if names.count(name_) > 1)
            raise ValueError(f"At least two variables have the same name: {twice}")
        for name_, variable in self._variables.items():
            if not isinstance(variable, Variable):
                raise TypeError(
                    "names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: "
                    f"{convert(variable)}"
                )
            if not isinstance(name_, str):
                raise TypeError(f"names_to_saveables must be a dict mapping string names to variables, not {name_!r}")
        if self._variables and not defer_build:
            add_saver_ops(next(iter(self._variables.values())).graph, self._variables, name or "save")
        self._most = max_to_keep or 0
        self._last: list[str] = []

    @property
    def last_checkpoints(self) -> list[str]:
        return list(self._last)

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        self._last = list(last_checkpoints)

    def recover_last_checkpoints(self, checkpoint_paths: list[str]) -> None:
        self._last = [path for path in checkpoint_paths if checkpoint_exists(path)]

    def save(
        self,
        sess: Any,
        save_path: Any,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        **_options: Any,
    ) -> str:
        """Write a checkpoint; gives its path without endings.

        :raises ValueError: there is no folder for it, and none can be made.
        """
        path = str(os.fspath(save_path))
        if global_step is not None:
            step = global_step if isinstance(global_step, int | np.integer) else sess.run(global_step)
            path = f"{path}-{int(step)}"
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            try:
                os.mkdir(folder)  # one folder, as the real one makes
            except OSError:
                raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.") from None
        nodes = list(self._variables.values())
        values = dict(zip(self._variables, sess.run(nodes), strict=True))
        write_values(path, values)
        if write_meta_graph:
            export_meta_graph(f"{path}.{meta_graph_suffix}", graph=sess.graph)
        if write_state:
            self._remember(path, latest_filename)
        return path

    def _remember(self, path: str, latest_filename: str | None) -> None:
        if path in self._last:
            self._last.remove(path)
        self._last.append(path)
        while self._most and len(self._last) > self._most:
            for file in glob.glob(glob.escape(self._last.pop(0)) + ".*"):
                os.remove(file)
        update_checkpoint_state(os.path.dirname(path), path, self._last, latest_filename)

    def restore(self, sess: Any, save_path: Any) -> None:
        """Give the variables the values of a checkpoint. No initialiser needs to run.

        :raises ValueError: there is no such checkpoint.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        path = os.fspath(save_path)
        if not checkpoint_exists(path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {path}")
        reader = CheckpointReader(path)
        for name, variable in self._variables.items():
            if not reader.has_tensor(name):
                raise errors.NotFoundError(
                    None, None, "Restoring from checkpoint failed. This is most likely due to a Variable name or other "
                    "graph key that is missing from the checkpoint. Please ensure that you have not altered the graph "
                    f"expected based on the checkpoint. Original error:\n\nKey {name} not found in checkpoint\n\t "
                    "[[{{node save/RestoreV2}}]]",
                )  # fmt: skip
            value = reader.get_tensor(name)
            if not variable.shape.is_compatible_with(value.shape):
                raise errors.InvalidArgumentError(
                    None, None, "Restoring from checkpoint failed. This is most likely due to a mismatch between the "
                    "current graph and the graph from the checkpoint. Please ensure that you have not altered the "
                    "graph expected based on the checkpoint. Original error:\n\nAssign requires shapes of both tensors "
                    f"to match. lhs shape= {list(variable.shape.as_list())} rhs shape= {list(value.shape)}",
                )  # fmt: skip
        for name, variable in self._variables.items():
            sess.load_(variable, reader.get_tensor(name))

    def export_meta_graph(self, filename: Any = None, **_options: Any) -> None:
        if filename is not None:
            export_meta_graph(filename)


def write_values(path: str, values: Mapping[str, Any]) -> None:
    """The two files of a checkpoint: the values, and what they are."""
    data = io.BytesIO()
    np.savez(data, allow_pickle=False, **{str(i): value for i, value in enumerate(values.values())})
    _write(path + _DATA, data.getvalue())
    shapes = {name: [value.dtype.name, list(value.shape)] for name, value in values.items()}
    _write(path + ".index", json.dumps(shapes).encode())


class CheckpointReader:
    """What is in a checkpoint."""

    def __init__(self, path: str) -> None:
        try:
            with open(path + ".index", "rb") as file:
                self._shapes: dict[str, Any] = json.loads(file.read())
            with open(path + _DATA, "rb") as file:
                stored = values_in(io.BytesIO(file.read()))
        except FileNotFoundError:
            raise errors.NotFoundError(
                None, None, f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {path}"
            ) from None
        except (ValueError, GraphError):
            raise errors.DataLossError(
                None, None, f"{path} is no checkpoint of this teaching engine, which reads those that it has written"
            ) from None
        self._values = {name: stored[str(i)] for i, name in enumerate(self._shapes)}

    def has_tensor(self, tensor_str: str) -> bool:
        return tensor_str in self._values

    def get_tensor(self, tensor_str: str) -> Any:
        if tensor_str not in self._values:
            raise errors.NotFoundError(None, None, f"Key {tensor_str} not found in checkpoint")
        return self._values[tensor_str]

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        return {name: list(value.shape) for name, value in self._values.items()}

    def get_variable_to_dtype_map(self) -> dict[str, Any]:
        from engine.dialects.tensorflow.dtypes import from_numpy

        return {name: from_numpy(value.dtype) for name, value in self._values.items()}


NewCheckpointReader = load_checkpoint = CheckpointReader


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """(name, shape) of everything in a checkpoint, sorted by name."""
    path = os.fspath(ckpt_dir_or_file)
    reader = CheckpointReader(latest_checkpoint(path) or path if os.path.isdir(path) else path)
    return sorted(reader.get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of one variable in a checkpoint."""
    path = os.fspath(ckpt_dir_or_file)
    return CheckpointReader(latest_checkpoint(path) or path if os.path.isdir(path) else path).get_tensor(name)


def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    return os.path.exists(f"{os.fspath(checkpoint_prefix)}.index")


def get_checkpoint_state(checkpoint_dir: Any, latest_filename: str | None = None) -> CheckpointState | None:
    """What the folder's file ``checkpoint`` says; ``None`` if there is none."""
    file = os.path.join(os.fspath(checkpoint_dir), latest_filename or "checkpoint")
    if not os.path.exists(file):
        return None
    found: dict[str, list[str]] = {"model_checkpoint_path": [], "all_model_checkpoint_paths": []}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.partition(": ")
            if key in found:
                path = json.loads(value)
                found[key].append(path if os.path.isabs(path) else os.path.join(os.fspath(checkpoint_dir), path))
    if not found["model_checkpoint_path"]:
        return None
    return CheckpointState(found["model_checkpoint_path"][0], found["all_model_checkpoint_paths"])


def update_checkpoint_state(
    save_dir: Any,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None,
) -> None:
    """Write the folder's file ``checkpoint``."""
    folder = os.fspath(save_dir)
    paths = list(all_model_checkpoint_paths or [model_checkpoint_path])
    if not os.path.isabs(folder):  # a folder that moves takes its checkpoints with it
        model_checkpoint_path = os.path.relpath(model_checkpoint_path, folder or ".")
        paths = [os.path.relpath(path, folder or ".") for path in paths]
    text = str(CheckpointState(model_checkpoint_path, paths))
    _write(os.path.join(folder, latest_filename or "checkpoint"), text.encode())


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The path of the checkpoint that was written last in this folder."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not checkpoint_exists(state.model_checkpoint_path):
        return None
    return state.model_checkpoint_path


def import_meta_graph(meta_graph_or_file: Any, clear_devices: bool = False, import_scope: Any = None) -> Saver | None:
    """Build the graph of a ``.meta`` file in the default graph; gives a saver of its variables, if it has any."""
    found = import_variables(get_default_graph(), os.fspath(meta_graph_or_file), import_scope or "")
    return Saver(found, defer_build=True) if found else None  # its ops came along with the graph


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)

"""``tf.train.Checkpoint`` and ``tfe.Saver``: the variables of objects, by the names of attributes."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.saver import CheckpointReader, checkpoint_exists, update_checkpoint_state, write_values


def _variables(thing: Any, path: str, found: dict[str, Any], seen: set[int]) -> None:
    """Every variable that can be reached, under the path of attributes to it."""
    if isinstance(thing, ResourceVariable):
        found.setdefault(path, thing)
        return
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, list | tuple):
        parts = [(str(place), item) for place, item in enumerate(thing)]
    elif isinstance(thing, dict):
        parts = [(str(key), item) for key, item in thing.items()]
    elif hasattr(thing, "__dict__") and not isinstance(thing, type):
        slots = thing.variables() if callable(getattr(thing, "get_slot_names", None)) else []
        parts = [*vars(thing).items(), *((f"slot_{i}", slot) for i, slot in enumerate(slots))]
    else:
        return
    for name, item in parts:
        _variables(item, f"{path}/{name}" if path else str(name), found, seen)


class Status:
    """What restoring found."""

    def __init__(self, missing: list[str]) -> None:
        self._missing = missing

    def assert_consumed(self) -> Status:
        """:raises AssertionError: a variable had no value in the checkpoint."""
        if self._missing:
            raise AssertionError(f"Unresolved object in checkpoint: {self._missing[0]}")
        return self

    assert_existing_objects_matched = assert_consumed

    def expect_partial(self) -> Status:
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Nothing is left to do: values were there at once."""

    run_restore_ops = initialize_or_restore


class Checkpoint:
    """Saves and restores the variables of the objects given by name."""

    def __init__(self, **things: Any) -> None:
        from engine.dialects.tensorflow.late.switch import executing_eagerly

        if not executing_eagerly():
            raise NotImplementedError(
                "tf.train.Checkpoint: this teaching engine has it while executing eagerly; in a graph use "
                "tf.train.Saver"
            )
        self.__dict__.update(things)
        self._count = 0
        self._kept: list[str] = []

    def _found(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, thing in vars(self).items():
            if name not in ("_count", "_kept"):
                _variables(thing, name, found, set())
        return found

    def write(self, file_prefix: Any, session: Any = None) -> str:
        """Write the values to files of exactly this name."""
        path = str(os.fspath(file_prefix))
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        write_values(path, {name: np.array(v._array) for name, v in self._found().items()})
        return path

    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Write the values; the name gets the number of this save."""
        self._count += 1
        path = self.write(f"{os.fspath(file_prefix)}-{self._count}")
        self._kept.append(path)
        update_checkpoint_state(os.path.dirname(path), path, self._kept)
        return path

    def restore(self, save_path: Any) -> Status:
        """Give the variables the values of a checkpoint (``None``: leave them)."""
        if save_path is None:
            return Status([])
        path = os.fspath(save_path)
        if not checkpoint_exists(path):
            raise ValueError(f"Could not find checkpoint or SavedModel at {path}.")
        reader, missing = CheckpointReader(path), []
        for name, variable in self._found().items():
            if reader.has_tensor(name):
                variable.assign(reader.get_tensor(name))
            else:
                missing.append(name)
        return Status(missing)

    read = restore

"""``tf.train.Checkpoint`` and ``tf.train.CheckpointManager``: values of variables by the paths of objects."""

from __future__ import annotations

import glob
import json
import os
from typing import Any

import numpy as np

from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.objects.tracking import key_of, variables_of
from engine.dialects.tensorflow.saver import (
    CheckpointReader,
    checkpoint_exists,
    get_checkpoint_state,
    update_checkpoint_state,
    write_values,
)

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


class CheckpointLoadStatus:
    """What restoring found."""

    __module__ = "tensorflow.python.checkpoint.checkpoint"

    def __init__(self, unused: list[str], unbound: list[Any]) -> None:
        self._unused, self._unbound = unused, unbound

    def assert_consumed(self) -> CheckpointLoadStatus:
        """:raises AssertionError: the checkpoint has values that no object took, or an object found none."""
        if self._unused:
            raise AssertionError(
                f"Unresolved object in checkpoint (root).{self._unused[0].replace('/', '.')}: attributes {{\n  name: "
                f'"VARIABLE_VALUE"\n  full_name: "{self._unused[0].rpartition("/")[2]}"\n  checkpoint_key: '
                f'"{key_of(self._unused[0])}"\n}}\n'
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """:raises AssertionError: an object found no value."""
        if self._unbound:
            count = len(self._unbound)
            raise AssertionError(
                f"Found {count} Python objects that were not bound to checkpointed values, likely due to changes in "
                f"the Python program. Showing {min(10, count)} of {count} unmatched objects: {self._unbound[:10]}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Nothing is left to do: values were there at once."""

    run_restore_ops = initialize_or_restore


class InitializationOnlyStatus(CheckpointLoadStatus):
    """What restoring nothing gives."""

    def assert_consumed(self) -> CheckpointLoadStatus:
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_consumed


class Checkpoint:
    """Saves and restores the variables of the objects given by name."""

    __module__ = "tensorflow.python.checkpoint.checkpoint"

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self._self_root = root
        self._self_kept: list[str] = []
        self._self_pending: dict[str, Any] = {}
        for name, thing in kwargs.items():
            setattr(self, name, thing)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        pending = self.__dict__.get("_self_pending")
        if pending and not name.startswith("_self_"):
            self._give(pending)

    def _found(self) -> dict[str, ResourceVariable]:
        if self._self_root is None:
            return variables_of(self)
        found = variables_of(self._self_root)
        own = {name: item for name, item in vars(self).items() if not name.startswith("_self_")}
        return {**found, **variables_of(own)}

    @property
    def save_counter(self) -> Any:
        """How often it has been saved, as a variable."""
        self._counted()
        return self.__dict__["save_counter_"]

    def _counted(self) -> None:
        if "save_counter_" not in self.__dict__:
            counter = ResourceVariable(np.int64(0), trainable=False, name="save_counter")
            self.__dict__["save_counter_"] = counter
            stored = self._self_pending.get(key_of("save_counter"))
            if stored is not None:
                counter.assign(stored)

    def _paths(self) -> dict[str, ResourceVariable]:
        return {("save_counter" if path == "save_counter_" else path): v for path, v in self._found().items()}

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Write the values to files of exactly this name."""
        path = str(os.fspath(file_prefix))
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        found = self._paths()
        shapes = {name: list(v._array.shape) for name, v in found.items()}
        values: dict[str, Any] = {OBJECT_GRAPH: np.array(json.dumps(shapes).encode())}
        values.update({key_of(name): np.array(v._array) for name, v in found.items()})
        write_values(path, values)
        return path

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Write the values; the name gets the number of this save."""
        self._counted()
        self.save_counter.assign_add(1)
        path = self.write(f"{os.fspath(file_prefix)}-{int(self.save_counter)}")
        self._self_kept.append(path)
        update_checkpoint_state(os.path.dirname(path), path, self._self_kept)
        return path

    def read(self, save_path: Any, options: Any = None) -> CheckpointLoadStatus:
        """Give the variables the values of a checkpoint.

        :raises NotFoundError: there is none.
        """
        path = os.fspath(save_path)
        if os.path.isdir(path):
            inner = os.path.join(path, "variables", "variables")
            state = get_checkpoint_state(path)
            path = inner if checkpoint_exists(inner) else state.model_checkpoint_path if state else path
        try:
            reader = CheckpointReader(path)
        except errors.NotFoundError as error:
            raise errors.NotFoundError(
                None, None,
                f"Error when restoring from checkpoint or SavedModel at {path}: {error}\nPlease double-check that the "
                "path is correct. You may be missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').",
            ) from None  # fmt: skip
        stored = {key: reader.get_tensor(key) for key in reader.get_variable_to_shape_map() if key != OBJECT_GRAPH}
        self._self_pending = dict(stored)
        return self._give(stored)

    def restore(self, save_path: Any, options: Any = None) -> CheckpointLoadStatus:
        """Give the variables the values of a checkpoint (``None``: leave them)."""
        if save_path is None:
            return InitializationOnlyStatus([], [])
        status = self.read(save_path)
        self._counted()
        return CheckpointLoadStatus([p for p in status._unused if p != "save_counter"], status._unbound)

    def _give(self, stored: dict[str, Any]) -> CheckpointLoadStatus:
        found = self._paths()
        unbound = []
        for path, variable in found.items():
            if key_of(path) in stored:
                variable.assign(stored[key_of(path)])
                self._self_pending.pop(key_of(path), None)
            else:
                unbound.append(variable)
        unused = [key.removesuffix(key_of("")) for key in stored if key.removesuffix(key_of("")) not in found]
        return CheckpointLoadStatus(unused, unbound)


class CheckpointManager:
    """Keeps the last few checkpoints of a folder."""

    __module__ = "tensorflow.python.checkpoint.checkpoint_management"

    def __init__(
        self, checkpoint: Any, directory: Any, max_to_keep: int | None, keep_checkpoint_every_n_hours: Any = None,
        checkpoint_name: str = "ckpt", step_counter: Any = None, checkpoint_interval: int | None = None,
        init_fn: Any = None,
    ) -> None:  # fmt: skip
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"`max_to_keep` must be a positive integer or `None`. Received: `max_to_keep={max_to_keep}`"
            )
        self._checkpoint, self._directory = checkpoint, os.fspath(directory)
        self._most, self._name = max_to_keep, checkpoint_name
        self._step, self._interval, self._begin = step_counter, checkpoint_interval, init_fn
        self._last_step: int | None = None
        state = get_checkpoint_state(self._directory)
        self._kept = [] if state is None else [p for p in state.all_model_checkpoint_paths if checkpoint_exists(p)]

    @property
    def directory(self) -> str:
        return str(self._directory)

    @property
    def checkpoint(self) -> Any:
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        return self._interval

    @property
    def checkpoints(self) -> list[str]:
        """The paths of those that are kept, oldest first."""
        return list(self._kept)

    @property
    def latest_checkpoint(self) -> str | None:
        return self._kept[-1] if self._kept else None

    def save(self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None) -> str | None:
        """Write another one, and delete what is too old; gives its path."""
        if self._interval is not None and self._step is not None and check_interval:
            now = int(self._step)
            if self._last_step is not None and now < self._last_step + self._interval:
                return None
            self._last_step = now
        self._checkpoint._counted()
        counter = self._checkpoint.save_counter
        counter.assign_add(1)
        number = int(counter) if checkpoint_number is None else int(checkpoint_number)
        path: str = self._checkpoint.write(os.path.join(self._directory, f"{self._name}-{number}"))
        self._kept = [p for p in self._kept if p != path] + [path]
        while self._most is not None and len(self._kept) > self._most:
            for file in glob.glob(f"{glob.escape(self._kept.pop(0))}.*"):
                os.remove(file)
        update_checkpoint_state(self._directory, path, self._kept)
        return path

    def restore_or_initialize(self) -> str | None:
        """Restore the latest one, if there is any; gives its path."""
        if self.latest_checkpoint is not None:
            self._checkpoint.restore(self.latest_checkpoint)
            return str(self.latest_checkpoint)
        if self._begin is not None:
            self._begin()
        return None

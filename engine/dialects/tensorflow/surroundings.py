"""What stands around the ops: scopes, collections, options."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.variables import Variable


class GraphKeys:
    """The usual names of collections."""

    GLOBAL_VARIABLES = "variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    LOCAL_VARIABLES = "local_variables"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    SUMMARIES = "summaries"
    GLOBAL_STEP = "global_step"
    TRAIN_OP = "train_op"
    WEIGHTS, BIASES, ACTIVATIONS = "weights", "biases", "activations"


class _Options:
    """Options, taken and kept. Most configure what this engine does not have (devices) and have no effect; a session
    reads ``inter_op_parallelism_threads``."""

    def __init__(self, **options: Any) -> None:
        self.__dict__.update(options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.__dict__[name] = _Options()
        return value


class ConfigProto(_Options):
    pass


class GPUOptions(_Options):
    pass


@contextmanager
def name_scope(name: Any, default_name: Any = None, values: Any = None) -> Any:
    with get_default_graph().name_scope(default_name if name is None and default_name is not None else name) as scope:
        yield scope


def control_dependencies(control_inputs: Any) -> Any:
    return get_default_graph().control_dependencies(control_inputs)


def device(name: Any) -> Any:
    return get_default_graph().device(name)


def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    return get_default_graph().colocate_with(op, ignore_existing)


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    hint = preferred_dtype if dtype_hint is None else dtype_hint
    return convert(value, dtype, name or "Const", None if hint is None else dtypes.as_dtype(hint))


def add_to_collection(name: str, value: Any) -> None:
    get_default_graph().add_to_collection(name, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: str) -> list[Any]:
    return get_default_graph().get_collection_ref(key)


def is_tensor(x: Any) -> bool:
    return isinstance(x, Tensor | Variable)


class PhysicalDevice:
    """What computes: here, one processor."""

    def __init__(self, name: str, device_type: str) -> None:
        self.name, self.device_type = name, device_type

    def __repr__(self) -> str:
        return f"PhysicalDevice(name={self.name!r}, device_type={self.device_type!r})"


def devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """``tf.config.list_physical_devices``."""
    found = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    return [device for device in found if device_type in (None, device.device_type)]

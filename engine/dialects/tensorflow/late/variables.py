"""``tf.get_variable`` and the global step while executing eagerly."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.session import BaseSession
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.sources import quiet


def get_variable(
    name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
    trainable: bool | None = None, **_more: Any,
) -> ResourceVariable:  # fmt: skip
    """A new variable; nothing is shared while executing eagerly."""
    from engine.dialects.tensorflow.initializers import GlorotUniform, is_initializer

    if initializer is None:
        initializer = GlorotUniform()
    if is_initializer(initializer) or callable(initializer):
        if shape is None:
            raise ValueError(f"Shape of a new variable ({name}) must be fully defined, but instead was <unknown>.")
        with quiet(), Graph().as_default() as graph:
            made = initializer() if isinstance(initializer, type) else initializer
            tensor = made(TensorShape(shape).as_list(), dtype or "float32")
            initializer = BaseSession(graph=graph).run(tensor)
    return ResourceVariable(initializer, trainable=trainable, name=name, dtype=dtype)


_steps: list[ResourceVariable] = []


def get_or_create_global_step(graph: Any = None) -> ResourceVariable:
    """The number of steps, made when it is first asked for."""
    if not _steps:
        _steps.append(ResourceVariable(np.int64(0), trainable=False, name="global_step"))
    return _steps[0]


def get_global_step(graph: Any = None) -> ResourceVariable | None:
    return _steps[0] if _steps else None


def begin() -> None:
    """A new program."""
    _steps.clear()


STEPS = {
    "get_or_create_global_step": get_or_create_global_step, "create_global_step": get_or_create_global_step,
    "get_global_step": get_global_step,
}  # fmt: skip

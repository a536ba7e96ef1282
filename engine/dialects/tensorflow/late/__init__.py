"""Late 1.x: graph mode and eager execution in one program, switched on by ``tf.enable_eager_execution()``."""

from __future__ import annotations

from engine.dialects.tensorflow.eager import operators, random_ops, tape
from engine.dialects.tensorflow.late import contrib, variables
from engine.dialects.tensorflow.late.switch import Mode


def begin() -> None:
    """A new program: nothing of the last one's eager execution is left."""
    operators.attach()
    tape.begin()
    random_ops.begin()
    contrib.begin()
    variables.begin()


__all__ = ["Mode", "begin"]

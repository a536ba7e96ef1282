"""``v[0].assign(5.0)``: what a slice of a variable can do besides being a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.messages import failed
from engine.dialects.tensorflow.eager.tensor import EagerTensor, convert
from engine.dialects.tensorflow.shapes import brackets
from engine.dynamic.tensor import Tensor as EngineTensor


class VariableSlice(EagerTensor):
    """A slice that knows where it was taken, so that it can be written to."""

    __slots__ = ("_key", "_of")
    __module__ = "tensorflow.python.framework.ops"
    _of: Any
    _key: Any

    def assign(self, value: Any, name: str | None = None) -> Any:
        """Put a value there."""
        label = "ResourceStridedSliceAssign"
        given = convert(value, self._of.dtype)
        new = np.array(self._of._array)
        shape = np.shape(new[self._key])
        if given._array.shape != shape and given._array.size != 1:
            raise failed(
                label,
                f"shape mismatch: value of shape {brackets(given._array.shape)} does not fit in {brackets(shape)}",
            )
        new[self._key] = given._array
        return self._of._write("assign", label, given, new)


VariableSlice.__name__ = VariableSlice.__qualname__ = "EagerTensor"


def sliced(variable: Any, key: Any, value: EagerTensor) -> EagerTensor:
    """``value``, which is ``variable[key]``, as something to write to; keys with tensors in them stay plain."""
    parts = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(part, int | slice | np.integer) or part in (None, Ellipsis) for part in parts):
        return value
    made = VariableSlice.__new__(VariableSlice)
    for name in EngineTensor.__slots__:
        if name != "__weakref__":
            setattr(made, name, getattr(value, name))
    made._of, made._key = variable, key
    return made

"""Notes on tensors: the mask that travels with one, the scores from which a softmax was made.

Tensors have no room for attributes of their own, so the notes lie beside them and vanish with them.
"""

from __future__ import annotations

import weakref
from typing import Any

from engine.dialects.tensorflow.eager.tensor import EagerTensor

_notes: dict[tuple[int, str], tuple[weakref.ref[Any], Any]] = {}


def put(tensor: Any, kind: str, value: Any) -> None:
    """Note ``value`` under ``kind``."""
    if hasattr(tensor, "__dict__"):  # symbolic tensors have room
        tensor.__dict__[f"_keras_{kind}"] = value
        return
    key = (id(tensor), kind)
    # Not weakref.finalize: a program's finalizers are dropped at its end, and its tensors may outlive it.
    _notes[key] = weakref.ref(tensor, lambda _gone: _notes.pop(key, None)), value


def get(tensor: Any, kind: str) -> Any:
    """What is noted under ``kind``, or ``None``."""
    if hasattr(tensor, "__dict__"):
        return tensor.__dict__.get(f"_keras_{kind}")
    found = _notes.get((id(tensor), kind))
    return found[1] if found is not None and found[0]() is tensor else None


def mask_of(tensor: Any) -> Any:
    return get(tensor, "mask")


def _attribute(kind: str) -> property:
    """A note as the attribute of a tensor that Keras has for it."""

    def read(tensor: Any) -> Any:
        found = get(tensor, kind)
        if found is None:
            raise AttributeError(f"'{type(tensor).__module__}.EagerTensor' object has no attribute '_keras_{kind}'")
        return found

    return property(read, lambda tensor, value: put(tensor, kind, value))


EagerTensor._keras_mask = _attribute("mask")  # type: ignore[attr-defined]

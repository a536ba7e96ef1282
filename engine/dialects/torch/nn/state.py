"""Loading state into modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.tensor import Tensor
from engine.dynamic import observe


def load_state(module: Any, state: Mapping[str, Any], strict: bool) -> tuple[list[str], list[str]]:
    """Copy ``state`` into ``module``; returns the missing and the unexpected names.

    :raises RuntimeError: names (if ``strict``) or sizes do not match.
    """
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    own = module.state_dict(keep_vars=True)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    problems: list[str] = []
    for name, value in state.items():
        if name not in own:
            continue
        target = own[name]
        array = value._array if isinstance(value, Tensor) else np.asarray(value)
        if array.shape != target._array.shape:
            problems.append(
                f"size mismatch for {name}: copying a param with shape {Tensor(array).shape!r} from checkpoint, the "
                f"shape in "
                f"current model is {target.shape!r}."
            )
            continue
        put_values(target, array)
    errors = []
    if strict and unexpected:
        errors.append("Unexpected key(s) in state_dict: " + ", ".join(f'"{n}"' for n in unexpected) + ". ")
    if strict and missing:
        errors.append("Missing key(s) in state_dict: " + ", ".join(f'"{n}"' for n in missing) + ". ")
    errors = [*reversed(errors), *problems]
    if errors:
        listed = "\n\t".join(errors)
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t{listed}")
    return missing, unexpected


def put_values(tensor: Any, array: Any, how: str = "assign") -> None:
    """Overwrite a tensor's values outside the tape, and tell whoever listens."""
    tensor._array[...] = array
    tensor._storage.version += 1
    listener = events.listener
    if listener is not None:
        if tensor._node < 0:
            name = tensor.__dict__.get("_name", "")
            observe.created(listener, tensor, type(tensor).__name__, name=name)
            if name:
                listener.node_named(tensor._node, name.rpartition(".")[2])
        else:
            observe.written(listener, tensor, tensor._node, how)

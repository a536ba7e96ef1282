"""The gradient rules by op type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.dialects.tensorflow.handles import Operation, Tensor

Rule = Callable[..., Sequence[Any]]
RULES: dict[str, Rule] = {}


def rule(*types: str) -> Callable[[Rule], Rule]:
    """Declare the gradient of ops of these types: ``rule(op, *gradients of its outputs)`` gives one for each input."""

    def declare(function: Rule) -> Rule:
        for name in types:
            RULES[name] = function
        return function

    return declare


def attribute(op: Operation, name: str, default: Any = None) -> Any:
    """An attribute of the engine's node behind ``op``."""
    return op._node.attributes.get(name, default)


def is_trainable(tensor: Tensor) -> bool:
    """Whether gradients flow through ``tensor``."""
    return tensor._node.type is not None and tensor._node.type.dtype.kind in "fc"

"""Backward hooks of modules: nodes at a module's door that see gradients pass."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.function import attach, hand_node_class

_Door = hand_node_class("BackwardHookFunctionBackward")


def _through(tensors: list[Tensor], back: Any) -> list[Tensor]:
    """The same tensors behind a node that calls ``back`` with their gradients."""
    fresh = [x.detach() for x in tensors]
    attach(FACADE, _Door, tensors, fresh, back, "hook")
    return fresh


def _replace(structure: Any, old: list[Tensor], new: list[Tensor]) -> Any:
    if isinstance(structure, Tensor):
        return new[0] if structure is old[0] else structure
    swapped = [next((n for o, n in zip(old, new, strict=True) if o is x), x) for x in structure]
    return tuple(swapped)


def watch_inputs(module: Any, arguments: tuple[Any, ...], state: dict[str, Any]) -> tuple[Any, ...]:
    """Let gradients that leave through the module's inputs call the hooks."""
    tensors = [x for x in arguments if isinstance(x, Tensor) and x.requires_grad]
    state["inputs"] = [x for x in arguments if isinstance(x, Tensor)]
    state["watched"] = bool(tensors)
    if not tensors:
        return arguments

    def back(gradients: Any) -> Any:
        given = list(gradients)
        for hook in tuple(module._backward_hooks.values()):
            answer = hook(module, tuple(given), state.get("outgoing", (None,)))
            if answer is not None:
                given = list(answer) if isinstance(answer, tuple) else [answer]
        return given

    return _replace(arguments, tensors, _through(tensors, back))  # type: ignore[no-any-return]


def watch_outputs(module: Any, result: Any, state: dict[str, Any]) -> Any:
    """Note gradients that arrive at the module's results; without watched inputs call the hooks right there."""
    results = [result] if isinstance(result, Tensor) else list(result)
    tensors = [x for x in results if isinstance(x, Tensor) and x.requires_grad]
    if not tensors:
        return result

    def back(gradients: Any) -> Any:
        state["outgoing"] = tuple(gradients)
        if not state.get("watched"):
            for hook in tuple(module._backward_hooks.values()):
                hook(module, (None,) * max(1, len(state.get("inputs", ()))), tuple(gradients))
        return gradients

    return _replace(result, tensors, _through(tensors, back))

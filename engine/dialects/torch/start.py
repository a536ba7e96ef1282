"""Starting backward: where it may start, and with what gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.torch import messages
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import BY_ARRAY, Size
from engine.dynamic.backward import backward as engine_backward
from engine.dynamic.tensor import fresh
from engine.errors import StepgraphError


def backward(
    self: Tensor, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    """Add the gradients of this tensor to the ``.grad`` of the leaves that it was computed from."""
    run_backward([self], [gradient], retain_graph, create_graph, inputs)


def seed_for(root: Tensor, gradient: Any) -> Tensor:
    """The gradient with which backward starts at ``root``."""
    if gradient is None:
        if root._array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if root._array.dtype.kind == "c":
            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {BY_ARRAY[root._array.dtype]!r}"
            )
        one = np.array(1, root._array.dtype)
        return fresh(Tensor, one if not root._array.ndim else one.reshape(root._array.shape))
    if not isinstance(gradient, Tensor):
        if isinstance(gradient, int | float):
            raise TypeError(f"'{type(gradient).__name__}' object is not iterable")
        given = gradient[0] if isinstance(gradient, list | tuple) and gradient else gradient
        raise TypeError(f"gradients can be either Tensors or None, but got {type(given).__name__}")
    if gradient._array.shape != root._array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[0] has a shape of {Size(gradient._array.shape)!r} and output[0] has a "
            f"shape of "
            f"{Size(root._array.shape)!r}."
        )
    if gradient._array.dtype != root._array.dtype:
        return Tensor(gradient._array.astype(root._array.dtype))
    return gradient


def check_roots(roots: Sequence[Tensor]) -> None:
    """Refuse to start backward where there is nothing to go back through."""
    for index, root in enumerate(roots):
        if not root.requires_grad:
            raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")


def run_backward(
    roots: Sequence[Tensor], gradients: Sequence[Any], retain_graph: bool | None, create_graph: bool, inputs: Any = None
) -> None:
    """``torch.autograd.backward`` after its arguments were sorted out."""
    check_roots(roots)
    seeds = [seed_for(r, g) for r, g in zip(roots, gradients, strict=True)]
    keep = create_graph if retain_graph is None else retain_graph
    wanted = None if inputs is None else [inputs] if isinstance(inputs, Tensor) else list(inputs)
    if wanted is not None and not wanted:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    try:
        engine_backward(
            FACADE,
            roots,
            seeds,
            retain_graph=keep,
            create_graph=create_graph,
            inputs=wanted,
        )
    except StepgraphError as error:
        raise messages.translate(error) from None

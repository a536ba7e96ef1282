"""Gradients of the dynamic mode: :func:`backward` and :func:`grad`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from engine.dynamic import modes
from engine.dynamic.backward import backward as engine_backward
from engine.dynamic.backward import grad as engine_grad
from engine.errors import ShapeError, StateError, StepgraphError
from engine.native.tensors import FACADE, Tensor, tensor
from engine.native.words import with_saved


def is_grad_enabled() -> bool:
    """Whether ops are recorded right now (:func:`engine.no_grad` switches it off)."""
    return modes.enabled


def is_inference_mode_enabled() -> bool:
    """Whether what is made right now can never be recorded (:class:`engine.inference_mode`)."""
    return modes.inference


def backward(
    roots: Tensor | Sequence[Tensor],
    seeds: Any = None,
    *,
    retain_graph: bool = False,
    create_graph: bool = False,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Add the gradients of ``roots`` to the ``.grad`` of the leaves behind them (of ``inputs`` only, if given).

    ``seeds``, of the shapes of ``roots``, weigh them; they may be left out for single numbers. ``retain_graph`` keeps
    what ops saved, so that backward can run again; ``create_graph`` records backward itself, so that it can be
    differentiated.

    >>> x = tensor([1.0, 3.0], requires_grad=True)
    >>> backward(x * x, seeds=[1.0, 1.0])
    >>> x.grad
    tensor([2., 6.])

    :raises StateError: a root requires no gradient, saved values were freed or overwritten.
    :raises ShapeError: a seed is missing, or has another shape than its root.
    """
    starts = _listed(roots)
    given = _seeds(starts, seeds)
    wanted = None if inputs is None else _listed(inputs)
    try:
        engine_backward(
            FACADE, starts, given, retain_graph=retain_graph or create_graph, create_graph=create_graph, inputs=wanted
        )
    except StepgraphError as error:
        raise with_saved(error) from None


def backward_of(self: Tensor, seed: Any = None, *, retain_graph: bool = False, create_graph: bool = False) -> None:
    """Add the gradients of this tensor to the ``.grad`` of the leaves behind it. See :func:`engine.backward`."""
    try:
        engine_backward(
            FACADE, (self,), (_seed(self, seed),), retain_graph=retain_graph or create_graph, create_graph=create_graph
        )
    except StepgraphError as error:
        raise with_saved(error) from None


@overload
def grad(
    roots: Tensor | Sequence[Tensor], inputs: Tensor, seeds: Any = None, *, retain_graph: bool = False,
    create_graph: bool = False,
) -> Tensor | None: ...  # fmt: skip
@overload
def grad(
    roots: Tensor | Sequence[Tensor], inputs: Sequence[Tensor], seeds: Any = None, *, retain_graph: bool = False,
    create_graph: bool = False,
) -> list[Tensor | None]: ...  # fmt: skip
def grad(
    roots: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    seeds: Any = None,
    *,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> Any:
    """The gradients of ``roots`` for ``inputs``: a tensor for a tensor, a list for a list; ``None`` where the roots do
    not depend on one. No ``.grad`` changes. The rest is as in :func:`backward`.

    >>> x = tensor(3.0, requires_grad=True)
    >>> first = grad(x * x * x, x, create_graph=True)
    >>> grad(first, x)
    tensor(18.)
    """
    starts, wanted = _listed(roots), _listed(inputs)
    for place, x in enumerate(wanted):
        if not x._requires_grad:
            raise StateError(
                f"grad: input {place} ({x.dtype} {x.shape}) requires no gradient; make it with requires_grad=True"
            )
    given = _seeds(starts, seeds)
    try:
        found = engine_grad(
            FACADE, starts, wanted, given, retain_graph=retain_graph or create_graph, create_graph=create_graph
        )
    except StepgraphError as error:
        raise with_saved(error) from None
    return found[0] if isinstance(inputs, Tensor) else found


def _listed(tensors: Any) -> list[Tensor]:
    found = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    for x in found:
        if not isinstance(x, Tensor):
            raise StateError(f"backward: gradients are of tensors, not of {type(x).__name__}")
    if not found:
        raise StateError("backward: there is nothing to differentiate; give at least one tensor")
    return found


def _seeds(roots: Sequence[Tensor], seeds: Any) -> list[Tensor]:
    listed = [seeds] * len(roots) if seeds is None or len(roots) == 1 else list(seeds)
    if len(listed) != len(roots):
        raise ShapeError(f"backward: {len(listed)} seeds for {len(roots)} roots; give one for each", op="backward")
    return [_seed(root, seed) for root, seed in zip(roots, listed, strict=True)]


def _seed(root: Tensor, seed: Any) -> Tensor:
    if not root._requires_grad:
        raise StateError(
            f"backward: this tensor ({root.dtype} {root.shape}) depends on nothing that requires a gradient; make the "
            "parameters with requires_grad=True and compute it outside no_grad"
        )
    if seed is None:
        if root._array.size != 1:
            raise ShapeError(
                f"backward: a tensor of shape {root.shape} needs a seed of the same shape (the gradient that arrives "
                "at it); or reduce it to a single number first, with sum or mean",
                op="backward",
                shapes=(root.shape,),
            )
        one = np.array(1, root._array.dtype)
        return Tensor(one if not root._array.ndim else one.reshape(root._array.shape))
    given = seed if isinstance(seed, Tensor) else tensor(seed, root.dtype)
    if given.shape != root.shape:
        raise ShapeError(
            f"backward: a seed of shape {given.shape} does not fit a tensor of shape {root.shape}; they must be equal",
            op="backward",
            shapes=(root.shape, given.shape),
        )
    return given if given.dtype == root.dtype else Tensor(given._array.astype(root.dtype))

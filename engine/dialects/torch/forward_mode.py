"""``torch.autograd.forward_ad``: how results move when inputs move.

This engine has no second arithmetic that carries tangents along. A dual tensor is a tensor that is watched, with its
tangent noted; what a result's tangent is, is found when a program asks for it, as the gradient of a gradient. The
numbers are those of PyTorch; the work is done later.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from engine.dialects.torch import autograd
from engine.dialects.torch.creation import zeros_like
from engine.dialects.torch.tensor import Tensor

UnpackedDualTensor = namedtuple("UnpackedDualTensor", "primal tangent")

_levels: list[list[tuple[Tensor, Tensor]]] = []
"""The open levels: the dual tensors that were made, with their tangents."""


class dual_level:
    """Dual tensors live inside this context."""

    __module__ = "torch.autograd.forward_ad"

    def __enter__(self) -> int:
        if _levels:
            raise RuntimeError("Nested forward mode AD is not supported at the moment")
        _levels.append([])
        self._grad = autograd.enable_grad()
        self._grad.__enter__()
        return 0

    def __exit__(self, *error: Any) -> None:
        self._grad.__exit__(*error)
        _levels.pop()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Any:
    """``tensor`` moving along ``tangent``.

    :raises RuntimeError: outside :class:`dual_level`, or the shapes differ.
    """
    if not _levels:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            f"Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    dual = tensor.view_as(tensor) if tensor.requires_grad else tensor.detach().requires_grad_()
    _levels[-1].append((dual, tangent))
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> Any:
    """A tensor without its motion, and its tangent (``None`` if it does not move)."""
    if not _levels:
        return UnpackedDualTensor(tensor, None)
    known = next((tangent for dual, tangent in _levels[-1] if dual is tensor), None)
    if known is not None or not tensor.requires_grad:
        return UnpackedDualTensor(tensor.detach(), known)
    duals, tangents = [dual for dual, _ in _levels[-1]], [tangent for _, tangent in _levels[-1]]
    weight = zeros_like(tensor).requires_grad_()
    back = autograd.grad(tensor, duals, weight, create_graph=True, retain_graph=True, allow_unused=True)
    moving = [(g, t) for g, t in zip(back, tangents, strict=True) if g is not None and g.requires_grad]
    if not moving:
        return UnpackedDualTensor(tensor.detach(), None)
    (tangent,) = autograd.grad([g for g, _ in moving], weight, [t for _, t in moving], retain_graph=True)
    return UnpackedDualTensor(tensor.detach(), tangent)


NAMES = "dual_level make_dual unpack_dual UnpackedDualTensor"

"""What a node of the backward graph keeps, under PyTorch's names: ``y.grad_fn._saved_self``."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.messages import FREED
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.nodes import GradNode

PREFIX = "_saved_"
_OPERANDS = {
    "mm": "self mat2", "matmul": "self mat2", "bmm": "self mat2", "addmm": "self mat1 mat2", "mv": "self vec",
    "dot": "self tensor", "linear": "mat1 mat2", "convolution": "input weight",
    "transposed_convolution": "input weight",
    "gather": "self index", "mse_loss": "self target", "nll_loss": "self target", "where": "condition self other",
    "pow": "self exponent", "embedding": "weight indices", "batch_norm": "input weight", "layer_norm": "input weight",
}  # fmt: skip
"""What PyTorch calls the operands of an op, where that is not ``self`` and ``other``."""


def _names(node: GradNode) -> dict[str, int]:
    """The values that a node keeps by name: the place of an operand, -1 for the result."""
    assert node.recipe is not None
    assert node.primitive is not None
    names = _OPERANDS.get(node.primitive.name, "self other").split()
    found = {names[place]: place for place in node.recipe.operands if place < len(names)}
    return found | ({"result": -1} if node.recipe.saves_out else {})


def saved(node: GradNode, name: str) -> Any:
    """What ``node`` keeps under ``name``.

    :raises AttributeError: it keeps nothing under it.
    :raises RuntimeError: that was freed.
    """
    recipe = node.recipe
    known = {} if recipe is None or node.primitive is None else _names(node)
    if recipe is None or name not in known:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '{PREFIX}{name}'")
    if node.saved is None:
        raise RuntimeError(FREED)
    if known[name] < 0:
        return FACADE.rebuild(node)
    value = node.saved[2 * recipe.operands.index(known[name])]
    return value if isinstance(value, Tensor) else getattr(value, "_array", value)


def _attribute(node: GradNode, name: str) -> Any:
    """Python asks here for attributes that a node does not have."""
    if name.startswith(PREFIX):
        return saved(node, name.removeprefix(PREFIX))
    raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")


GradNode.__getattr__ = _attribute  # type: ignore[attr-defined]

"""The mean squared error and its gradient as NumPy calls into buffers, past the kernels' own Python calls."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from engine.ops.losses import loss_weight
from engine.passes.draft import Step
from engine.static.binding import Names
from engine.tensor_type import TensorType

_SHORT = 4096
_FLOAT32 = np.dtype(np.float32)


def scratch_of(step: Step, operands: Sequence[str], bind: Names) -> TensorType | None:
    """The type of a buffer that :func:`loss` needs; ``None`` if the kernel must do it (it looks at the memory)."""
    if step.op != "mse_loss" or step.attributes["reduction"] != "mean":
        return None
    a, b = (read.type for read, _ in step.inputs)
    if a is None or not a.is_known or a != b or a.dtype != _FLOAT32 or not bind.is_contiguous(operands[0]):
        return None
    return a if 0 < prod(n or 0 for n in a.shape or ()) <= _SHORT and a.shape else None


def loss(step: Step, operands: Sequence[str], scratch: np.ndarray, bind: Names) -> tuple[str, str]:
    """A first call into ``scratch``, and the expression of the result: what the kernel does, to the bit."""
    name, flat = bind("d", scratch), bind("flat", scratch.ravel())
    first = f"{bind('subtract', np.subtract)}({operands[0]}, {operands[1]}, {name})"
    return first, f"{bind('dot', np.dot)}({flat}, {flat}) / {scratch.size}"


def gradient(step: Step, operands: Sequence[str], out: str | None, bind: Names) -> str | None:
    """``mse_loss_grad`` where what arrives from above is a constant (it is, at the root of a gradient graph)."""
    upstream = step.inputs[0][0]
    if out is None or upstream.op != "constant" or step.type is None or not step.type.is_known:
        return None
    if upstream.type is None or upstream.type.shape != () or any(r.type != step.type for r, _ in step.inputs[1:]):
        return None
    size = prod(n or 0 for n in step.type.shape or ())
    weight = np.array(
        loss_weight(upstream.attributes["value"], step.attributes["reduction"], size, 2.0), step.type.dtype
    )
    first = f"{bind('subtract', np.subtract)}({operands[1]}, {operands[2]}, {out})"
    return f"{first}; {bind('multiply', np.multiply)}({out}, {bind('weight', weight)}, {out})"

"""The mean squared error and its gradient as NumPy calls into buffers, past the kernels' own Python calls."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from engine.ops.losses import loss_weight
from engine.ops.undispatched import dot
from engine.passes.draft import Draft, Step
from engine.passes.fusion import CHANGING, memory_of
from engine.static.binding import Names
from engine.tensor_type import TensorType

Pair = tuple[Step, Step]
Buffer = tuple[np.ndarray, np.ndarray]
"""The raw bytes, and the array over them."""
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
    return first, f"{bind('dot', dot)}({flat}, {flat}) / {scratch.size}"


def gradient(step: Step, operands: Sequence[str], out: str | None, bind: Names) -> str | None:
    """``mse_loss_grad`` where what arrives from above is a constant (it is, at the root of a gradient graph)."""
    if out is None or not weighs(step):
        return None
    first = f"{bind('subtract', np.subtract)}({operands[1]}, {operands[2]}, {out})"
    return f"{first}; {weighted(step, out, bind)}"


def weighs(step: Step) -> bool:
    """Whether a ``mse_loss_grad`` is the distance of its operands times a constant, all of one type."""
    upstream = step.inputs[0][0]
    if upstream.op != "constant" or step.type is None or not step.type.is_known:
        return False
    if upstream.type is None or upstream.type.shape != ():
        return False
    return all(read.type == step.type for read, _ in step.inputs[1:])


def weighted(step: Step, out: str, bind: Names) -> str:
    """The call that makes the gradient of the distance, which is in ``out``."""
    assert step.type is not None
    upstream, size = step.inputs[0][0].attributes["value"], prod(n or 0 for n in step.type.shape or ())
    weight = np.array(loss_weight(upstream, step.attributes["reduction"], size, 2.0), step.type.dtype)
    return f"{bind('multiply', np.multiply)}({out}, {bind('weight', weight)}, {out})"


class Distances:
    """What a loss leaves in its buffer, the distance of its operands, for the gradient that begins with the same.

    ``wanted`` says whether a gradient in ``draft`` will :meth:`take` it: neither it nor its operands may change before.
    """

    def __init__(self) -> None:
        self._kept: dict[Pair, Buffer] = {}
        self._gradients: dict[Draft, dict[Pair, Step]] = {}

    def wanted(self, loss: Step, draft: Draft) -> bool:
        """Whether a gradient of ``draft`` begins with the distance that ``loss`` computes."""
        found = self._gradients.get(draft)
        if found is None:
            found = self._gradients[draft] = {
                _pair(step): step for step in draft.steps if step.op == "mse_loss_grad" and step not in draft.fed
            }
        step = found.get(_pair(loss))
        if step is None or step in draft.fetches or not weighs(step):
            return False
        return not any(memory_of(read).op in CHANGING for read, _ in loss.inputs)

    def keep(self, loss: Step, buffer: Buffer) -> None:
        """``buffer`` holds what ``loss`` computed."""
        self._kept[_pair(loss)] = buffer

    def take(self, step: Step) -> Buffer | None:
        """The buffer that holds the distance which ``step`` begins with; from now on it is that step's."""
        return self._kept.pop(_pair(step), None) if step.op == "mse_loss_grad" else None


def _pair(step: Step) -> Pair:
    (a, _), (b, _) = step.inputs[-2:]
    return a, b

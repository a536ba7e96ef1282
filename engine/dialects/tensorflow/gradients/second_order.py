"""``tf.hessians``: second derivatives, row by row."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.array_ops import reshape, stack
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.creation import zeros_like
from engine.dialects.tensorflow.gradients.walk import gradients
from engine.dialects.tensorflow.handles import Tensor


def hessians(
    ys: Any, xs: Any, name: str = "hessians", colocate_gradients_with_ops: bool = False, gate_gradients: bool = False,
    aggregation_method: Any = None,
) -> list[Tensor]:  # fmt: skip
    """The second derivatives of the sum of ``ys`` for each of ``xs``, of shape ``x.shape + x.shape``.

    :raises ValueError: the shape of one of ``xs`` is not known while the graph is built.
    """
    wanted = list(xs) if isinstance(xs, list | tuple) else [xs]
    found = []
    for x, first in zip(wanted, gradients(ys, wanted, name=name), strict=True):
        shape = convert(x).shape
        if first is None or not shape.is_fully_defined():
            raise ValueError(f"Cannot compute Hessian of {x}: its gradient and its whole shape must be known")
        flat = reshape(first, [-1])
        rows = [gradients(flat[i], x, name=name)[0] for i in range(shape.num_elements() or 0)]
        filled = [zeros_like(convert(x)) if row is None else row for row in rows]
        found.append(reshape(stack(filled), shape.as_list() * 2))
    return found

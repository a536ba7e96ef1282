"""What the rules share: sums over broadcast axes, shapes, ops whose real operands the engine does not need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dialects.tensorflow import array_ops, reductions
from engine.dialects.tensorflow.build import apply
from engine.dialects.tensorflow.gradients import kernels  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import several

sizes_of = array_ops.shape


def lowered(
    op: str,
    tf_type: str,
    operands: Sequence[Tensor],
    attributes: Mapping[str, Any] | None = None,
    shown: Sequence[Tensor] | None = None,
    name: str | None = None,
) -> Tensor:
    """An op that the graph lists as ``tf_type`` of ``shown`` and that the engine computes from ``operands``."""
    inputs = [(f"x{place}", operand) for place, operand in enumerate(operands)]
    found = apply(op, tf_type, name, inputs, attributes, same_type=False)
    if shown is not None:
        found.op._inputs = list(shown)
    return found


def by_shape(
    op: str,
    tf_type: str,
    g: Tensor,
    source: Tensor,
    shown: Sequence[Tensor],
    attributes: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """Like :func:`lowered` for an op that brings ``g`` to the shape of ``source``, known now or in the run."""
    dims = source.shape._dims
    if dims is not None and None not in dims:
        return lowered(op, tf_type, [g], {"shape": tuple(dims), **(attributes or {})}, shown, name)
    return lowered(f"{op}_like", tf_type, [g, source], attributes, shown, name)


def reshaped(g: Tensor, source: Tensor, sizes: Tensor) -> Tensor:
    """``g`` in the shape of ``source``, which ``sizes`` holds."""
    return by_shape("reshape", "Reshape", g, source, [g, sizes])


def same_shape(x: Tensor, y: Tensor) -> bool:
    """Whether both shapes are known, and equal: gradients of most ops then make no op to sum them back."""
    dims = x.shape._dims
    return dims is not None and dims == y.shape._dims and None not in dims


def reduce_arguments(x: Tensor, y: Tensor, gx: Tensor | None, gy: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """The gradients of two operands that were broadcast together, each summed back to its operand's shape."""
    first, second = x.shape._dims, y.shape._dims
    x_sizes, y_sizes = sizes_of(x), sizes_of(y)
    axes = _broadcast_axes(first, second)
    if axes is None:
        pair = _axes_in_run(x_sizes, y_sizes)
        return _summed_in_run(gx, x, x_sizes, pair[0]), _summed_in_run(gy, y, y_sizes, pair[1])
    assert first is not None
    assert second is not None
    x_shorter, y_shorter = len(first) < len(second), len(second) < len(first)
    return (
        _summed(gx, x, x_sizes, axes[0]) if axes[0] or x_shorter else gx,
        _summed(gy, y, y_sizes, axes[1]) if axes[1] or y_shorter else gy,
    )


def _broadcast_axes(first: Any, second: Any) -> tuple[list[int], list[int]] | None:
    """The axes along which each operand was repeated; ``None`` if only the run knows."""
    if first is None or second is None:
        return None
    rank = max(len(first), len(second))
    left, right = [1] * (rank - len(first)) + list(first), [1] * (rank - len(second)) + list(second)
    found: tuple[list[int], list[int]] = ([], [])
    for axis, (a, b) in enumerate(zip(left, right, strict=True)):
        if a == 1 and b != 1:
            found[0].append(axis)
        elif b == 1 and a != 1:
            found[1].append(axis)
        elif a is None or b is None:
            return None
    return found


def _axes_in_run(x_sizes: Tensor, y_sizes: Tensor) -> list[Tensor]:
    first = lowered("tf_broadcast_axes", "BroadcastGradientArgs", [x_sizes, y_sizes], {"place": 0})
    core = first.graph.core
    inputs = [x_sizes._node, y_sizes._node]
    second = core.add("tf_broadcast_axes", inputs, {"place": 1}, name=f"{first.op.name}:1/", label=first.op.type)
    return list(several(first, [second]))


def _summed(g: Tensor | None, source: Tensor, sizes: Tensor, axes: list[int]) -> Tensor | None:
    if g is None:
        return None
    return reshaped(reductions.reduce_sum(g, axes, keepdims=True), source, sizes)


def _summed_in_run(g: Tensor | None, source: Tensor, sizes: Tensor, axes: Tensor) -> Tensor | None:
    """One sum to the shape of ``source``; the axes are the graph's way of saying so."""
    if g is None:
        return None
    total = by_shape("sum_to", "Sum", g, source, [g, axes])
    return lowered("identity", "Reshape", [total], shown=[total, sizes])

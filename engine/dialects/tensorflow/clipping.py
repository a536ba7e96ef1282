"""``tf.clip_by_value``, ``tf.clip_by_norm``, ``tf.clip_by_global_norm`` and the norm of a list."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.math_ops import maximum, minimum, multiply, sqrt, truediv
from engine.dialects.tensorflow.reductions import reduce_sum


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Tensor:
    tensor = convert(t, name="t")
    with tensor.graph.name_scope(name or "clip_by_value") as scope:
        return maximum(minimum(tensor, clip_value_max), clip_value_min, name=scope)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    if isinstance(t, IndexedSlices):
        return IndexedSlices(clip_by_norm(t.values, clip_norm, axes, name), t.indices, t.dense_shape)
    tensor = convert(t, name="t")
    with tensor.graph.name_scope(name or "clip_by_norm") as scope:
        norm = sqrt(reduce_sum(multiply(tensor, tensor), axes, keepdims=True))
        return truediv(multiply(tensor, clip_norm), maximum(norm, clip_norm), name=scope)


def _rows(t: Any) -> Any:
    """Of a gradient that is rows of a table those rows, each counted by itself."""
    return t.values if isinstance(t, IndexedSlices) else t


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The length of all tensors taken as one vector."""
    from engine.dialects.tensorflow.array_ops import stack
    from engine.dialects.tensorflow.creation import constant
    from engine.dialects.tensorflow.nn_ops import l2_loss

    with get_default_graph().name_scope(name or "global_norm"):
        halves = [l2_loss(_rows(t)) for t in t_list if t is not None]
        total = reduce_sum(stack(halves))
        return sqrt(total * constant(2.0, total.dtype.base_dtype), name="global_norm")


def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None) -> Any:
    """The tensors, all scaled by one factor so that their common length is at most ``clip_norm``; and that length."""
    from engine.dialects.tensorflow.array_ops import identity
    from engine.dialects.tensorflow.creation import constant

    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with get_default_graph().name_scope(name or "clip_by_global_norm"):
        least = minimum(1.0 / norm, truediv(constant(1.0, norm.dtype.base_dtype), clip_norm))
        scale = clip_norm * least + (norm - norm)  # an infinite norm makes everything NaN
        found: list[Any] = []
        for place, tensor in enumerate(t_list):
            if tensor is None:
                found.append(None)
                continue
            scaled = identity(convert(_rows(tensor)) * scale, name=f"{name or 'clip_by_global_norm'}/_{place}")
            sliced = isinstance(tensor, IndexedSlices)
            found.append(IndexedSlices(scaled, tensor.indices, tensor.dense_shape) if sliced else scaled)
        return found, norm

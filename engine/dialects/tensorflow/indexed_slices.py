"""``tf.IndexedSlices``: the gradient of a table of which only some rows were looked up, as those rows alone.

The same row may stand there more than once; what it amounts to is then the sum.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class IndexedSlicesValue(NamedTuple):
    """What a session gives for an :class:`IndexedSlices`."""

    values: Any
    indices: Any
    dense_shape: Any


class IndexedSlices:
    """``values[i]`` is a row with the number ``indices[i]`` of a tensor of shape ``dense_shape``, which has zeros
    elsewhere. Where a tensor is needed it becomes that tensor."""

    __module__ = "tensorflow.python.framework.indexed_slices"

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    @property
    def values(self) -> Any:
        return self._values

    @property
    def indices(self) -> Any:
        return self._indices

    @property
    def dense_shape(self) -> Any:
        return self._dense_shape

    @property
    def dtype(self) -> Any:
        return self._values.dtype

    @property
    def shape(self) -> Any:
        """The shape of the whole, as far as it is known."""
        from engine.dialects.tensorflow.shapes import TensorShape

        if self._dense_shape is None:
            return TensorShape(None)
        array = getattr(self._dense_shape, "_array", None)
        if array is None:
            from engine.dialects.tensorflow.creation import constant_value

            array = constant_value(self._dense_shape)
        return TensorShape(None) if array is None else TensorShape([int(n) for n in array])

    @property
    def name(self) -> Any:
        return self._values.name

    @property
    def op(self) -> Any:
        return self._values.op

    @property
    def graph(self) -> Any:
        return self._values.graph

    @property
    def device(self) -> Any:
        return self._values.device

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __repr__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"

    __str__ = __repr__

    # -- as a tensor -------------------------------------------------------------------------------------------------
    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return self._as_tensor()

    def _as_tensor(self) -> Any:
        """The whole.

        :raises ValueError: its shape was never said.
        """
        if self._dense_shape is None:
            raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {self}")
        from engine.dialects.tensorflow.segments import unsorted_segment_sum

        if hasattr(self._values, "_array"):
            from engine.dialects.tensorflow.eager.tensor import run

            count = self._dense_shape[0]
            whole = run("tf_unsorted_segments", "UnsortedSegmentSum", self._values, self._indices, count)
        else:
            whole = unsorted_segment_sum(self._values, self._indices, self._dense_shape[0])
            whole.set_shape(self.shape)
        return whole


def joined(parts: list[IndexedSlices], concat: Any) -> IndexedSlices:
    """The sum of several, whose rows stand one after the other. ``concat(list, axis)`` joins tensors."""
    if len(parts) == 1:
        return parts[0]
    values, indices = concat([x.values for x in parts], 0), concat([x.indices for x in parts], 0)
    return IndexedSlices(values, indices, parts[0].dense_shape)

"""``tf.TensorArray`` of 2.x: the array of a graph in a function, a list of tensors while executing eagerly."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow import tensor_arrays
from engine.dialects.tensorflow.eager import array_ops
from engine.dialects.tensorflow.eager.tensor import Valued, convert
from engine.dialects.tensorflow.shapes import TensorShape


class TensorArray:
    """``tf.TensorArray``: the graph's array in a function, a list of tensors while executing eagerly."""

    __module__ = "tensorflow.python.ops.tensor_array_ops"

    def __new__(cls, dtype: Any, size: Any = None, **more: Any) -> Any:
        if graphs._stack:
            return tensor_arrays.TensorArray(dtype, size, **more)
        return super().__new__(cls)

    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: bool | None = None, clear_after_read: bool | None = None,
        tensor_array_name: str | None = None, handle: Any = None, flow: Any = None, infer_shape: bool = True,
        element_shape: Any = None, colocate_with_first_write_call: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        from engine.dialects.tensorflow import dtypes

        self.dtype = dtypes.as_dtype(dtype)
        self.dynamic_size = bool(dynamic_size)
        self.element_shape = TensorShape(element_shape)
        self._items: list[Any] = [None] * int(0 if size is None else size)

    def size(self, name: str | None = None) -> Any:
        return convert(len(self._items), "int32")

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Put ``value`` at a place."""
        place = int(index)
        if place >= len(self._items):
            if not self.dynamic_size:
                from engine.dialects.tensorflow.errors import OutOfRangeError

                raise OutOfRangeError(
                    None, None,
                    f"Tried to write to index {place} but array is not resizeable and size is: {len(self._items)}",
                )  # fmt: skip
            self._items += [None] * (place + 1 - len(self._items))
        self._items[place] = convert(value, self.dtype) if not isinstance(value, Valued) else value
        return self

    def read(self, index: Any, name: str | None = None) -> Any:
        """What is at a place."""
        place = int(index)
        if not 0 <= place < len(self._items):
            from engine.dialects.tensorflow.errors import OutOfRangeError

            raise OutOfRangeError(
                None, None, f"Tried to read from index {place} but array size is: {len(self._items)} "
            )
        return self._filled()[place]

    def _filled(self) -> list[Any]:
        like = next((x for x in self._items if x is not None), None)
        zero = convert(np.zeros(() if like is None else like._array.shape, self.dtype._numpy))
        return [zero if x is None else x for x in self._items]

    def stack(self, name: str | None = None) -> Any:
        """All items, stacked."""
        return array_ops.stack(self._filled()) if self._items else convert(np.zeros((0,), self.dtype._numpy))

    def concat(self, name: str | None = None) -> Any:
        """All items, one after the other."""
        return array_ops.concat(self._filled(), 0)

    def gather(self, indices: Any, name: str | None = None) -> Any:
        items = self._filled()
        return array_ops.stack([items[int(i)] for i in convert(indices)])

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Rows as items."""
        self._items = list(convert(value, self.dtype))
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Rows of ``value`` at these places."""
        for place, row in zip(convert(indices), convert(value), strict=True):
            self.write(place, row)
        return self

    def identity(self) -> TensorArray:
        return self

    def mark_used(self) -> None:
        """Nothing: whoever wrote has used it."""

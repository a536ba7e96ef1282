"""``tf.TensorShape`` of eager tensors: all sizes are known."""

from __future__ import annotations

from typing import Any


class TensorShape(tuple[int, ...]):
    """The sizes of all dimensions.

    >>> TensorShape((2, 3)), str(TensorShape((2,))), TensorShape((2, 3))[1:]
    (TensorShape([2, 3]), '(2,)', TensorShape([3]))
    """

    __slots__ = ()
    __module__ = "tensorflow.python.framework.tensor_shape"

    @property
    def rank(self) -> int:
        return len(self)

    ndims = rank

    def as_list(self) -> list[int]:
        return list(self)

    def num_elements(self) -> int:
        total = 1
        for size in self:
            total *= size
        return total

    def is_fully_defined(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return TensorShape(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> TensorShape:
        return TensorShape((*self, *other))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, list | tuple) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)

"""``tf.TensorShape`` of eager tensors: all sizes are known."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import shapes as partial


class _Either(type):
    """Shapes with open sizes, which are of another class, count as well."""

    def __instancecheck__(cls, value: Any) -> bool:
        return super().__instancecheck__(value) or isinstance(value, partial.TensorShape)


class TensorShape(tuple[int, ...], metaclass=_Either):
    """The sizes of all dimensions. Where some are open (``None``, or not even a rank is known) this gives a
    :class:`engine.dialects.tensorflow.shapes.TensorShape` instead.

    >>> TensorShape((2, 3)), str(TensorShape((2,))), TensorShape((2, 3))[1:]
    (TensorShape([2, 3]), '(2,)', TensorShape([3]))
    """

    __slots__ = ()
    __module__ = "tensorflow.python.framework.tensor_shape"

    def __new__(cls, dims: Any = ()) -> TensorShape:
        if dims.__class__ is tuple and None not in dims:
            return tuple.__new__(cls, dims)
        found = partial.TensorShape(dims)
        return tuple.__new__(cls, found.as_list()) if found.is_fully_defined() else found  # type: ignore[return-value]

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
        return self.concatenate(other)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, list | tuple) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    @property
    def dims(self) -> Any:
        return partial.TensorShape(self).dims

    def is_compatible_with(self, other: Any) -> bool:
        return partial.TensorShape(self).is_compatible_with(other)

    def assert_is_compatible_with(self, other: Any) -> None:
        partial.TensorShape(self).assert_is_compatible_with(other)

    def merge_with(self, other: Any) -> TensorShape:
        return TensorShape(partial.TensorShape(self).merge_with(other))

    def concatenate(self, other: Any) -> TensorShape:
        return TensorShape(partial.TensorShape(self).concatenate(other))

    def with_rank(self, rank: int) -> TensorShape:
        return TensorShape(partial.TensorShape(self).with_rank(rank))

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)

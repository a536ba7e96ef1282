"""``tf.TensorShape`` and ``tf.Dimension``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Static = tuple["int | None", ...] | None


class Dimension:
    """One size, perhaps unknown (``value`` is ``None``)."""

    def __init__(self, value: Any) -> None:
        if isinstance(value, Dimension):
            value = value.value
        self._value = None if value is None else int(value)
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {self._value} must be >= 0")

    @property
    def value(self) -> int | None:
        return self._value

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __eq__(self, other: object) -> Any:
        other = other.value if isinstance(other, Dimension) else other
        if self._value is None or other is None:
            return None
        return self._value == other

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return None if equal is None else not equal

    def __hash__(self) -> int:
        return hash(self._value)

    def __int__(self) -> int:
        return self._value  # type: ignore[return-value]

    __index__ = __int__

    def _with(self, other: Any, function: Any) -> Dimension:
        right = Dimension(other)
        if self._value is None or right._value is None:
            return Dimension(None)
        return Dimension(function(self._value, right._value))

    def __add__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a // b)

    __div__ = __floordiv__

    def __mod__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a % b)

    def _compare(self, other: Any, function: Any) -> Any:
        right = Dimension(other)
        return None if self._value is None or right._value is None else function(self._value, right._value)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: a < b)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: a <= b)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: a > b)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: a >= b)


def dimension_value(dimension: Any) -> Any:
    """``tf.dimension_value``: the integer (or ``None``) of a dimension."""
    return dimension.value if isinstance(dimension, Dimension) else dimension


class TensorShape:
    """A static shape: sizes, unknown sizes, or not even a rank. ``v2``: items are plain integers, as in 2.x."""

    v2 = False

    def __init__(self, dims: Any = None) -> None:
        if isinstance(dims, TensorShape):
            self._dims: Static = dims._dims
        elif dims is None:
            self._dims = None
        elif isinstance(dims, int | Dimension):
            self._dims = (dimension_value(dims),)
        else:
            self._dims = tuple(_size(d) for d in dims)

    @property
    def ndims(self) -> int | None:
        return None if self._dims is None else len(self._dims)

    rank = ndims

    @property
    def dims(self) -> list[Dimension] | None:
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def is_fully_defined(self) -> bool:
        return self._dims is not None and None not in self._dims

    def num_elements(self) -> int | None:
        if not self.is_fully_defined():
            return None
        total = 1
        for d in self._dims or ():
            total *= d or 0
        return total

    def is_compatible_with(self, other: Any) -> bool:
        right = TensorShape(other)._dims
        if self._dims is None or right is None:
            return True
        return len(self._dims) == len(right) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, right, strict=True)
        )

    def agreed(self, other: Any) -> TensorShape:
        """What ``set_shape`` makes of two shapes. :raises ValueError: they differ, in the words of the runtime."""
        right = TensorShape(other)
        if self._dims is not None and right._dims is not None:
            if len(self._dims) != len(right._dims):
                raise ValueError(f"Shapes must be equal rank, but are {len(self._dims)} and {len(right._dims)}")
            for place, (a, b) in enumerate(zip(self._dims, right._dims, strict=True)):
                if a is not None and b is not None and a != b:
                    raise ValueError(
                        f"Dimension {place} in both shapes must be equal, but are {a} and {b}. "
                        f"Shapes are {brackets(self._dims)} and {brackets(right._dims)}."
                    )
        return self.merge_with(right)

    def merge_with(self, other: Any) -> TensorShape:
        right = TensorShape(other)
        if not self.is_compatible_with(right):
            raise ValueError(f"Shapes {self} and {right} are not compatible")
        if self._dims is None or right._dims is None:
            return right if self._dims is None else self
        return type(self)([b if a is None else a for a, b in zip(self._dims, right._dims, strict=True)])

    def concatenate(self, other: Any) -> TensorShape:
        right = TensorShape(other)._dims
        return type(self)(None if self._dims is None or right is None else [*self._dims, *right])

    def with_rank(self, rank: int) -> TensorShape:
        if self._dims is None:
            return type(self)([None] * rank)
        if len(self._dims) != rank:
            raise ValueError(f"Shape {self} must have rank {rank}")
        return self

    def assert_is_compatible_with(self, other: Any) -> None:
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {TensorShape(other)} are incompatible")

    def __getitem__(self, key: Any) -> Any:
        if self._dims is None:
            return TensorShape(None) if isinstance(key, slice) else (None if self.v2 else Dimension(None))
        if isinstance(key, slice):
            return type(self)(self._dims[key])
        return self._dims[key] if self.v2 else Dimension(self._dims[key])

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims if self.v2 else [Dimension(d) for d in self._dims])

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __eq__(self, other: object) -> bool:
        try:
            right = TensorShape(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._dims == right._dims

    def __hash__(self) -> int:
        return hash(self._dims)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        unknown = "None" if self.v2 else "?"
        inner = ", ".join(unknown if d is None else str(d) for d in self._dims)
        return f"({inner},)" if len(self._dims) == 1 else f"({inner})"

    def __repr__(self) -> str:
        if self.v2:
            return f"TensorShape({None if self._dims is None else list(self._dims)})"
        return "TensorShape(None)" if self._dims is None else f"TensorShape({self.dims})"


def _size(value: Any) -> int | None:
    if value is None or isinstance(value, Dimension):
        return dimension_value(value)  # type: ignore[no-any-return]
    size = int(value)
    if size < -1:
        raise ValueError(f"Dimension {size} must be >= 0")
    return None if size == -1 else size


def brackets(dims: Static) -> str:
    """A shape as messages of the runtime write it: ``[2,?]``."""
    return "<unknown>" if dims is None else "[" + ",".join("?" if d is None else str(d) for d in dims) + "]"


def softmax_axis(axis: Any, dim: Any) -> int:
    """The axis of a softmax: ``dim`` is its older name, the last one is meant where neither is said."""
    chosen = dim if axis is None else axis
    return -1 if chosen is None else int(chosen)

"""Blocks on sequences: mapping, summing, joining, cutting."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.array_ops import concat
from engine.dialects.tensorflow_fold.blocks import Block, Building, as_block, promised, sequence_of
from engine.dialects.tensorflow_fold.composing import Pipe
from engine.dialects.tensorflow_fold.folding import Reduce
from engine.dialects.tensorflow_fold.single_values import Function
from engine.dialects.tensorflow_fold.types import (
    PyObjectType,
    ResultType,
    SequenceType,
    TensorType,
    TupleType,
    tensors_in,
)
from engine.dialects.tensorflow_fold.weaving import Weaver


class Map(Block):
    """A block on each element."""

    def __init__(self, elem_block: Any, name: str | None = None) -> None:
        super().__init__(name)
        self._block = as_block(elem_block)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return SequenceType(self._block.infer(building, sequence_of(given)))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return [self._block.weave(weaver, item) for item in value]


class _Each(Block):
    """A reduction that is done for each tensor of an element by itself."""

    _function: Any

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self._reduce: Reduce | None = None

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        self._reduce = Reduce(Function(type(self)._function, name=type(self).__name__))
        return self._reduce.infer(building, given)

    def weave(self, weaver: Weaver, value: Any) -> Any:
        assert self._reduce is not None
        return self._reduce.weave(weaver, value)


class Sum(_Each):
    """The sum of the elements."""

    _function = staticmethod(lambda a, b: math_ops.add(a, b))


class Max(_Each):
    """The largest, element by element."""

    _function = staticmethod(lambda a, b: math_ops.maximum(a, b))


class Min(_Each):
    """The smallest, element by element."""

    _function = staticmethod(lambda a, b: math_ops.minimum(a, b))


class Mean(Block):
    """The mean of the elements."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self._sum = Sum()
        self._share = Function(lambda total, count: math_ops.truediv(total, _column(count, total)), name="Mean")

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        kind = self._sum.infer(building, given)
        self._count = TensorType((), "float32")
        building.tensor(self._count)
        return self._share.infer(building, TupleType((kind, self._count)))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        count = weaver.constant(self._count, max(len(value), 1))
        return self._share.weave(weaver, (self._sum.weave(weaver, value), count))


def _column(count: Any, total: Any) -> Any:
    from engine.dialects.tensorflow.array_ops import reshape

    return reshape(count, [-1, *[1] * ((total.shape.ndims or 1) - 1)])


class Concat(Block):
    """The tensors of a tuple side by side."""

    def __init__(self, concat_dim: int = 0, flatten: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        self._axis = concat_dim
        self._function = Function(lambda *parts: concat(list(parts), self._axis + 1), name="Concat")

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        kinds = tensors_in(given)
        if len(kinds) == 1:
            return kinds[0]
        return self._function.infer(building, TupleType(tuple(kinds)))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        parts = tuple(promised(value))
        return parts[0] if len(parts) == 1 else self._function.weave(weaver, parts)


class Zip(Block):
    """Sequences side by side: a sequence of tuples."""

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        if not isinstance(given, TupleType):
            raise TypeError(f"Zip reads a tuple of sequences, not {given!r}")
        return SequenceType(TupleType(tuple(sequence_of(item) for item in given.items)))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return list(zip(*value, strict=False))


class Broadcast(Block):
    """A value as often as it is wanted."""

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return SequenceType(given)

    def weave(self, weaver: Weaver, value: Any) -> Any:
        import itertools

        return itertools.repeat(value)


def ZipWith(elem_block: Any, name: str | None = None) -> Block:
    """A block on the tuples of sequences side by side."""
    return Pipe(Zip(), Map(elem_block), name=name)


class NGrams(Block):
    """Every ``n`` neighbours of a sequence."""

    def __init__(self, n: int, name: str | None = None) -> None:
        super().__init__(name)
        if n <= 0:
            raise ValueError(f"n must be positive: {n}")
        self._n = n

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return SequenceType(TupleType((sequence_of(given),) * self._n))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        items = list(value)
        return [tuple(items[place : place + self._n]) for place in range(len(items) - self._n + 1)]


class Slice(Block):
    """A part of a sequence."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(kwargs.pop("name", None))
        self._slice = slice(*args) if args else slice(*(kwargs.get(key) for key in ("start", "stop", "step")))

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        if isinstance(given, TupleType):
            return TupleType(given.items[self._slice])
        return given if isinstance(given, PyObjectType) else SequenceType(sequence_of(given))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return value[self._slice]


class Length(Block):
    """How many elements there are, as a tensor."""

    def __init__(self, dtype: Any = "float32", name: str | None = None) -> None:
        super().__init__(name)
        self._kind = TensorType((), str(getattr(dtype, "name", dtype)))

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        sequence_of(given)
        return building.tensor(self._kind)

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return weaver.constant(self._kind, len(value))

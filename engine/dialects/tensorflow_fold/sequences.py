"""Blocks on sequences: mapping, folding, reducing, joining."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.array_ops import concat
from engine.dialects.tensorflow_fold.blocks import (
    Block,
    Building,
    FromTensor,
    Function,
    Zeros,
    as_block,
    promised,
    sequence_of,
)
from engine.dialects.tensorflow_fold.composing import Pipe
from engine.dialects.tensorflow_fold.types import (
    PyObjectType,
    ResultType,
    SequenceType,
    TensorType,
    TupleType,
    VoidType,
    canonical,
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


def _start(given: Any) -> Block:
    """Where a fold begins: a block, a value, or zeros of a type."""
    if isinstance(given, Block):
        return given
    if isinstance(given, ResultType):
        return Zeros(given)
    return as_block(given)


class Fold(Block):
    """``combine(state, element)`` from the first element to the last."""

    def __init__(self, combine_block: Any, start_block: Any, name: str | None = None) -> None:
        super().__init__(name)
        self._combine, self._start = as_block(combine_block), _start(start_block)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        state = self._start.infer(building, VoidType() if isinstance(self._start, Zeros | FromTensor) else given)
        found = self._combine.infer(building, TupleType((state, sequence_of(given))))
        if found != state:
            raise TypeError(f"{self!r}: the combine block gives {found!r}, but the state is {state!r}")
        return state

    def weave(self, weaver: Weaver, value: Any) -> Any:
        state = self._start.weave(weaver, value)
        for item in value:
            state = self._combine.weave(weaver, (state, item))
        return state


class RNN(Block):
    """A cell along a sequence: (outputs, last state)."""

    def __init__(
        self, cell: Any, initial_state: Any = None, initial_state_from_input: bool = False, name: str | None = None
    ) -> None:
        super().__init__(name)
        self._cell = as_block(cell)
        self._first = None if initial_state is None else _start(initial_state)
        self._from_input = initial_state_from_input
        self._size = getattr(cell, "state_size", None)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        if self._from_input:
            if not isinstance(given, TupleType) or len(given.items) != 2:
                raise TypeError(f"{self!r} reads (sequence, initial state), not {given!r}")
            elements, state = sequence_of(given.items[0]), given.items[1]
        else:
            if self._first is None:
                if self._size is None:
                    raise TypeError(f"{self!r} needs an initial_state")
                self._first = Zeros(_sized(self._size))
            elements, state = sequence_of(given), self._first.infer(building, VoidType())
        found = self._cell.infer(building, TupleType((elements, state)))
        if not isinstance(found, TupleType) or len(found.items) != 2 or found.items[1] != state:
            raise TypeError(f"{self!r}: the cell gives {found!r}, not (output, {state!r})")
        return TupleType((SequenceType(found.items[0]), state))

    def weave(self, weaver: Weaver, value: Any) -> Any:
        if self._from_input:
            items, state = value
        else:
            assert self._first is not None
            items, state = value, self._first.weave(weaver, None)
        outputs = []
        for item in items:
            output, state = self._cell.weave(weaver, (item, state))
            outputs.append(output)
        return outputs, state


def _sized(size: Any) -> ResultType:
    if isinstance(size, tuple):
        return TupleType(tuple(_sized(item) for item in size))
    return canonical(int(size))


class Reduce(Block):
    """``combine(left, right)`` over a sequence as a balanced tree: its depth is the logarithm of the length."""

    def __init__(self, combine_block: Any, default_block: Any = None, name: str | None = None) -> None:
        super().__init__(name)
        self._combine = as_block(combine_block)
        self._default = None if default_block is None else _start(default_block)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        kind = sequence_of(given)
        found = self._combine.infer(building, TupleType((kind, kind)))
        if found != kind:
            raise TypeError(f"{self!r}: combining two of {kind!r} gives {found!r}")
        if self._default is None:
            self._default = Zeros(kind)
        self._default.infer(building, VoidType())
        return kind

    def weave(self, weaver: Weaver, value: Any) -> Any:
        items = list(value)
        if not items:
            assert self._default is not None
            return self._default.weave(weaver, None)
        while len(items) > 1:
            pairs = [self._combine.weave(weaver, (a, b)) for a, b in zip(items[::2], items[1::2], strict=False)]
            items = pairs + items[len(items) - len(items) % 2 :]
        return items[0]


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

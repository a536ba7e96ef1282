"""Blocks that fold a sequence into one value, or carry a state along it."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow_fold.blocks import Block, Building, as_block, sequence_of
from engine.dialects.tensorflow_fold.single_values import FromTensor, Zeros
from engine.dialects.tensorflow_fold.types import (
    ResultType,
    SequenceType,
    TupleType,
    VoidType,
    canonical,
)
from engine.dialects.tensorflow_fold.weaving import Weaver


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

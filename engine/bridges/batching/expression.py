"""Expressions over cells: what is to be computed for one tree or sequence, before anything is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.dynamic.tensor import Tensor
from engine.errors import DtypeError, ShapeError

_CONSTANTS = (Tensor, np.ndarray, np.generic, bool, int, float, complex)
_new: Any = object.__new__
_CALL_MISUSE = (
    "{} is a call of a cell that has not run yet, so it has no value: pass it to another cell, or run it with "
    "evaluate([...])"
)


class Cell:
    """A function that many expressions share, such as the step of a recurrent network.

    ``function`` takes one tensor for each argument of a call; each has one more dimension in front than the argument
    of a single call, the rows that are batched. It gives one tensor with as many rows, or a tuple of ``outputs`` of
    them (a call is then indexed: ``call[0]``).

    >>> double = Cell(lambda x: x + x, name="double")
    >>> double(double(1.0))
    <call double at depth 2>
    """

    __slots__ = ("_kind", "function", "name", "outputs")

    def __init__(self, function: Callable[..., Any], *, name: str = "", outputs: int = 1) -> None:
        if not callable(function):
            raise TypeError(f"a cell is made from a function of tensors, not from {type(function).__name__}")
        if outputs < 1:
            raise ValueError(f"a cell has at least 1 output, not {outputs}")
        self.function = function
        self.name = name or getattr(function, "__name__", "cell")
        self.outputs = outputs
        self._kind = Call if outputs == 1 else MultiCall

    def __call__(self, *arguments: Any) -> Call:
        """An expression: one call of this cell.

        :raises ShapeError: there are no arguments (then nothing says how many rows there are), or one of them is a
            call of a cell with several outputs.
        :raises DtypeError: an argument is no call, tensor, array or number.
        """
        depth = 0
        for x in arguments:
            kind = x.__class__
            if kind is Call:
                if x.depth > depth:
                    depth = x.depth
            elif kind is not int:
                other = self._depth_of(x)
                if other > depth:
                    depth = other
        if not arguments:
            raise ShapeError(f"{self.name}: a call without arguments has no rows; give it at least one", op=self.name)
        call: Call = _new(self._kind)
        call.cell = self
        call.arguments = arguments
        call.depth = depth + 1
        return call

    def _depth_of(self, x: Any) -> int:
        """The depth of an argument that is no plain call."""
        if isinstance(x, Part):
            return x.call.depth
        if isinstance(x, MultiCall):
            raise ShapeError(
                f"{self.name}: the cell {x.cell.name!r} has {x.cell.outputs} outputs; pass one of them, such as "
                "call[0]",
                op=self.name,
            )
        if not isinstance(x, _CONSTANTS):
            raise DtypeError(
                f"{self.name}: an argument is {type(x).__name__}; arguments are calls of cells, tensors, arrays or "
                "numbers"
            )
        return 0

    def __repr__(self) -> str:
        return f"<cell {self.name}>"


class Call:
    """One call of a cell in an expression, made by calling the cell. ``arguments`` are calls, parts of calls and
    constants; ``depth`` is 1 + the greatest depth among them, constants having depth 0."""

    __slots__ = ("arguments", "cell", "depth", "number")

    cell: Cell
    arguments: tuple[Any, ...]
    depth: int
    number: int

    def __bool__(self) -> bool:
        raise TypeError(_CALL_MISUSE.format(repr(self)))

    def __repr__(self) -> str:
        return f"<call {self.cell.name} at depth {self.depth}>"


class MultiCall(Call):
    """A call of a cell with several outputs; its parts are what other calls take."""

    __slots__ = ()

    def __getitem__(self, index: int) -> Part:
        if not 0 <= index < self.cell.outputs:
            raise IndexError(f"{self.cell.name} has {self.cell.outputs} outputs, there is none at {index}")
        return Part(self, index)

    def __iter__(self) -> Iterator[Part]:
        return (Part(self, i) for i in range(self.cell.outputs))


class Part:
    """One of several outputs of a call."""

    __slots__ = ("call", "index")

    def __init__(self, call: MultiCall, index: int) -> None:
        self.call = call
        self.index = index

    @property
    def depth(self) -> int:
        """The depth of the call."""
        return self.call.depth

    @property
    def number(self) -> int:
        """The number of this value in the schedule that numbered the call last."""
        return self.call.number + self.index

    def __bool__(self) -> bool:
        raise TypeError(_CALL_MISUSE.format(repr(self)))

    def __repr__(self) -> str:
        return f"<output {self.index} of {self.call!r}>"


Expression = Call | Part

"""Blocks: what is to be computed for one example. Here is what all of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow_fold.types import (
    PyObjectType,
    ResultType,
    SequenceType,
    TensorType,
    TupleType,
    canonical,
)
from engine.dialects.tensorflow_fold.weaving import LoomOp, Value, Weaver


class Building:
    """What a compiler gathers while it works out types: ops, types of tensors, tensors of the graph."""

    def __init__(self) -> None:
        self.ops: list[LoomOp] = []
        self.types: dict[TensorType, None] = {}
        self.shared: dict[TensorType, list[Any]] = {}
        self.metrics: dict[str, tuple[TensorType, list[Value]]] = {}
        self.waiting: list[Any] = []

    def tensor(self, kind: TensorType) -> TensorType:
        self.types.setdefault(kind)
        return kind

    def op(
        self, name: str, function: Callable[..., Any], inputs: list[TensorType], outputs: list[TensorType]
    ) -> LoomOp:
        """A new function of the loop."""
        for kind in (*inputs, *outputs):
            self.tensor(kind)
        found = LoomOp(name, function, tuple(inputs), tuple(outputs), len(self.ops))
        self.ops.append(found)
        return found


class Block:
    """What all blocks share: ``a >> b`` pipes, ``block['key']`` picks, ``eval`` computes one example."""

    def __init__(self, name: str | None = None, input_type: Any = None, output_type: Any = None) -> None:
        self._name = name or type(self).__name__
        self._input = None if input_type is None else canonical(input_type)
        self._output = None if output_type is None else canonical(output_type)
        self._inferred: tuple[Building, ResultType] | None = None

    # -- types -------------------------------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        return self._name

    @property
    def input_type(self) -> ResultType | None:
        return self._input

    @property
    def output_type(self) -> ResultType | None:
        return self._output

    def set_input_type(self, given: Any) -> Block:
        """Say what goes in. :raises TypeError: something else was said before."""
        wanted = canonical(given)
        if self._input is not None and self._input != wanted:
            raise TypeError(
                f"Type mismatch between input type {self._input!r} and expected input type {wanted!r} in {self!r}."
            )
        self._input = wanted
        return self

    def set_output_type(self, given: Any) -> Block:
        """Say what comes out. :raises TypeError: something else was said before."""
        wanted = canonical(given)
        if self._output is not None and self._output != wanted:
            raise TypeError(
                f"Type mismatch between output type {self._output!r} and expected output type {wanted!r} in {self!r}."
            )
        self._output = wanted
        return self

    def infer(self, building: Building, given: ResultType) -> ResultType:
        """What comes out when ``given`` goes in; what the loop needs for it is built once."""
        if self._input is not None and self._input != given:
            raise TypeError(f"bad input type {given!r} for {self!r}, expected {self._input!r}")
        if self._inferred is None or self._inferred[0] is not building:
            self._input = given
            found = self._infer(building, given)
            if self._output is not None and self._output != found:
                raise TypeError(f"bad output type {found!r} for {self!r}, expected {self._output!r}")
            self._output = found
            self._inferred = (building, found)
        return self._inferred[1]

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        raise NotImplementedError

    def weave(self, weaver: Weaver, value: Any) -> Any:
        """The value that comes out for one example: tensors are promises, everything else is there."""
        raise NotImplementedError

    # -- combining ---------------------------------------------------------------------------------------------------
    def __rshift__(self, other: Any) -> Block:
        from engine.dialects.tensorflow_fold.composing import Pipe

        return Pipe(self, other)

    def __rrshift__(self, other: Any) -> Block:
        from engine.dialects.tensorflow_fold.composing import Pipe

        return Pipe(other, self)

    def __getitem__(self, key: Any) -> Block:
        from engine.dialects.tensorflow_fold.composing import Nth, Pipe
        from engine.dialects.tensorflow_fold.compositions import Part
        from engine.dialects.tensorflow_fold.single_values import GetItem

        if self._part_owner() is not None:
            return Part(self._part_owner(), self, key)
        return Pipe(self, GetItem(key) if isinstance(self._output, PyObjectType) else Nth(key))

    def _part_owner(self) -> Any:
        return None

    def reads(self, *others: Any) -> Block:
        """Inside a composition: let this block read the results of others."""
        from engine.dialects.tensorflow_fold.compositions import current_composition

        current_composition().connect(others[0] if len(others) == 1 else others, self)
        return self

    def eval(
        self, inp: Any, feed_dict: Any = None, session: Any = None, tolist: bool = False, use_while_loop: bool = True
    ) -> Any:
        """The value for one example."""
        from engine.dialects.tensorflow_fold.compiler import evaluate

        return evaluate(self, inp, feed_dict, session, tolist)

    def is_forward_declaration_ref(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<td.{self._name}>"


def as_block(given: Any) -> Block:
    """A block out of what programs write: a block, a layer or function of tensors, a dictionary, a tuple."""
    from engine.dialects.tensorflow_fold.composing import AllOf, Record
    from engine.dialects.tensorflow_fold.layers import Layer
    from engine.dialects.tensorflow_fold.single_values import FromTensor, Function

    if isinstance(given, Block):
        return given
    if isinstance(given, Layer):
        return Function(given)
    if isinstance(given, dict):
        return Record(given)
    if isinstance(given, list | tuple):
        if all(isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) for item in given):
            return Record(given)
        return AllOf(*given)
    if isinstance(given, np.ndarray | float | int):
        return FromTensor(given)
    if callable(given):
        return Function(given)
    raise TypeError(f"{given!r} cannot be converted to a block")


def promised(value: Any) -> list[Value]:
    """The tensors of a value of tensors and tuples."""
    if isinstance(value, Value):
        return [value]
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in promised(item)]
    raise TypeError(f"{value!r} is no tensor")


def rebuilt(kind: ResultType, values: list[Value]) -> Any:
    """Tensors in the structure of their type."""
    if isinstance(kind, TupleType):
        return tuple(rebuilt(item, values) for item in kind.items)
    return values.pop(0)


def sequence_of(given: ResultType) -> ResultType:
    """The kind of a sequence's elements."""
    if isinstance(given, PyObjectType):
        return given
    if isinstance(given, SequenceType):
        return given.element
    if isinstance(given, TupleType) and len(set(given.items)) == 1:
        return given.items[0]
    raise TypeError(f"expected a sequence, but got {given!r}")

"""Blocks: what is to be computed for one example. First the base and the blocks on single values."""

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
    VoidType,
    canonical,
    tensor_type,
    tensors_in,
)
from engine.dialects.tensorflow_fold.weaving import LoomOp, Value, Weaver

CYCLES = "Composition cannot have cycles."


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
        from engine.dialects.tensorflow_fold.composing import Nth, Part, Pipe

        if self._part_owner() is not None:
            return Part(self._part_owner(), self, key)
        return Pipe(self, GetItem(key) if isinstance(self._output, PyObjectType) else Nth(key))

    def _part_owner(self) -> Any:
        return None

    def reads(self, *others: Any) -> Block:
        """Inside a composition: let this block read the results of others."""
        from engine.dialects.tensorflow_fold.composing import current_composition

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


class _Leaf(Block):
    """A block from an object of the program to a tensor."""

    kind: TensorType

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return building.tensor(self.kind)

    def array(self, value: Any) -> Any:
        return value

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return weaver.constant(self.kind, self.array(value))


class Tensor(_Leaf):
    """An array of the program as a tensor."""

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None) -> None:
        super().__init__(name, PyObjectType())
        self.kind = tensor_type(shape, dtype)


class Scalar(Tensor):
    """A number of the program as a tensor."""

    def __init__(self, dtype: Any = "float32", name: str | None = None) -> None:
        super().__init__([], dtype, name)


class Vector(Tensor):
    """A list of numbers as a tensor."""

    def __init__(self, size: int, dtype: Any = "float32", name: str | None = None) -> None:
        super().__init__([size], dtype, name)


class OneHot(_Leaf):
    """A number of ``range(*bounds)`` as a vector with a single 1."""

    def __init__(self, *bounds: int, dtype: Any = "float32", name: str | None = None) -> None:
        super().__init__(name, PyObjectType())
        self._low, self._high = (0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        if self._low >= self._high:
            raise ValueError(f"start must be strictly less than stop; {self._low} vs. {self._high}")
        self.kind = tensor_type([self._high - self._low], dtype)

    def array(self, value: Any) -> Any:
        if not self._low <= value < self._high:
            raise ValueError(f"value out of range: {value} is not in [{self._low}, {self._high})")
        found = np.zeros(self.kind.shape, self.kind.numpy)
        found[value - self._low] = 1
        return found


class OneHotFromList(OneHot):
    """One of the ``elements`` as a vector with a single 1."""

    def __init__(self, elements: Any, dtype: Any = "float32", strict: bool = True, name: str | None = None) -> None:
        known = list(elements)
        if not known:
            raise ValueError("elements of OneHot must not be empty")
        super().__init__(len(known), dtype=dtype, name=name)
        self._places = {element: place for place, element in enumerate(known)}
        self._strict = strict

    def array(self, value: Any) -> Any:
        if value not in self._places:
            if self._strict:
                raise KeyError(value)
            return np.zeros(self.kind.shape, self.kind.numpy)
        return super().array(self._places[value])


class InputTransform(Block):
    """An object of the program, made into another one by a function."""

    def __init__(self, py_fn: Callable[[Any], Any], name: str | None = None) -> None:
        super().__init__(name, PyObjectType(), PyObjectType())
        if not callable(py_fn):
            raise TypeError(f"py_fn is not callable: {py_fn}")
        self._function = py_fn

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return PyObjectType()

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return self._function(value)


class GetItem(Block):
    """What stands under ``key`` in an object of the program."""

    def __init__(self, key: Any, name: str | None = None) -> None:
        super().__init__(name, PyObjectType(), PyObjectType())
        self._key = key

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return PyObjectType()

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return value[self._key]


class Identity(Block):
    """What goes in."""

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return given

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return value


class Void(Block):
    """Nothing, whatever goes in."""

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        return VoidType()

    def weave(self, weaver: Weaver, value: Any) -> Any:
        return None


class FromTensor(Block):
    """A tensor of the graph (or an array), the same for every example."""

    def __init__(self, tensor: Any, name: str | None = None) -> None:
        super().__init__(name)
        self._given = tensor

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        from engine.dialects.tensorflow.build import convert

        tensor = convert(np.asarray(self._given, np.float32) if isinstance(self._given, float | list) else self._given)
        kind = building.tensor(tensor_type(tensor.shape, tensor.dtype.base_dtype))
        held = building.shared.setdefault(kind, [])
        self._row = len(held)
        held.append(tensor)
        return kind

    def weave(self, weaver: Weaver, value: Any) -> Any:
        assert isinstance(self._output, TensorType)
        return Value(self._output, self._row)


class Function(Block):
    """A function of tensors; in the loop each has one more axis in front, the calls that run together."""

    def __init__(self, tf_fn: Any, name: str | None = None, infer_output_type: bool = True) -> None:
        if not callable(tf_fn):
            raise TypeError(f"tf_fn is not callable: {tf_fn}")
        self._title = name or getattr(tf_fn, "name", "") or getattr(tf_fn, "__name__", "") or "function"
        super().__init__(name)
        self._function = tf_fn
        self._op: LoomOp | None = None

    @property
    def tf_fn(self) -> Any:
        return self._function

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        from engine.dialects.tensorflow_fold.layers import traced_output

        inputs = [] if isinstance(given, VoidType) else tensors_in(given)
        if not inputs:
            raise TypeError(f"{self!r} reads no tensor; a function of the loop has at least one argument")
        found = traced_output(self._function, given)
        self._op = building.op(self._title, found.function, inputs, tensors_in(found.kind))
        return found.kind

    def weave(self, weaver: Weaver, value: Any) -> Any:
        assert self._op is not None
        assert self._output is not None
        return rebuilt(self._output, self._op(*promised(value)))

    def __repr__(self) -> str:
        return f"<td.Function tf_fn={self._title!r}>"


class Optional(Block):
    """What ``some_case`` gives for a value, ``none_case`` (zeros) for ``None``."""

    def __init__(self, some_case: Any, none_case: Any = None, name: str | None = None) -> None:
        super().__init__(name, PyObjectType())
        self._some = as_block(some_case)
        self._none = None if none_case is None else as_block(none_case)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        found = self._some.infer(building, given)
        if self._none is None:
            self._none = Zeros(found)
        other = self._none.infer(building, VoidType() if isinstance(self._none, Zeros | FromTensor) else given)
        if other != found:
            raise TypeError(f"the cases of {self!r} give different types: {found!r} and {other!r}")
        return found

    def weave(self, weaver: Weaver, value: Any) -> Any:
        assert self._none is not None
        return (self._none if value is None else self._some).weave(weaver, value)


class Zeros(Block):
    """Zeros of a type."""

    def __init__(self, output_type: Any, name: str | None = None) -> None:
        super().__init__(name, None, output_type)

    def infer(self, building: Building, given: ResultType) -> ResultType:
        assert self._output is not None
        for kind in tensors_in(self._output):
            building.tensor(kind)
        return self._output

    def weave(self, weaver: Weaver, value: Any) -> Any:
        assert self._output is not None
        kinds = tensors_in(self._output)
        return rebuilt(self._output, [weaver.constant(kind, np.zeros(kind.shape)) for kind in kinds])


class Metric(Block):
    """A tensor that is also gathered under a name, over all examples: ``compiler.metric_tensors[name]``."""

    def __init__(self, metric_name: str) -> None:
        super().__init__(metric_name)

    def _infer(self, building: Building, given: ResultType) -> ResultType:
        if not isinstance(given, TensorType):
            raise TypeError(f"a metric is a tensor, not {given!r}")
        held = building.metrics.setdefault(self._name, (given, []))
        if held[0] != given:
            raise TypeError(f"Metric {self._name} has types {held[0]!r} and {given!r}.")
        self._seen = held[1]
        return VoidType()

    def weave(self, weaver: Weaver, value: Any) -> Any:
        self._seen.append(value)
        return None


def sequence_of(given: ResultType) -> ResultType:
    """The kind of a sequence's elements."""
    if isinstance(given, PyObjectType):
        return given
    if isinstance(given, SequenceType):
        return given.element
    if isinstance(given, TupleType) and len(set(given.items)) == 1:
        return given.items[0]
    raise TypeError(f"expected a sequence, but got {given!r}")

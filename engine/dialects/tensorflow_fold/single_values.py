"""Blocks on one value: numbers, parts of an example, functions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow_fold.blocks import Block, Building, as_block, promised, rebuilt
from engine.dialects.tensorflow_fold.types import (
    PyObjectType,
    ResultType,
    TensorType,
    VoidType,
    tensor_type,
    tensors_in,
)
from engine.dialects.tensorflow_fold.weaving import LoomOp, Value, Weaver


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

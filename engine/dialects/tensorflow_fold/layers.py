"""Layers: functions of tensors with variables that are made once and used wherever the layer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.dialects.tensorflow import math_ops, nn_ops
from engine.dialects.tensorflow.array_ops import expand_dims
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.creation import placeholder
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.indexing_ops import gather
from engine.dialects.tensorflow.initializers import RandomUniform, VarianceScaling, Zeros
from engine.dialects.tensorflow.nests import leaves
from engine.dialects.tensorflow.scopes import AUTO_REUSE, get_variable, variable_scope
from engine.dialects.tensorflow_fold.types import ResultType, TensorType, TupleType, tensor_type, tensors_in


class Layer:
    """Something callable that owns a variable scope."""

    def __init__(self, name_or_scope: Any = None, default: str = "layer") -> None:
        with variable_scope(name_or_scope, default) as scope:
            self._scope = scope
        self.name = scope.name

    @property
    def scope(self) -> Any:
        return self._scope

    def _call(self, *inputs: Any) -> Any:
        raise NotImplementedError

    def __call__(self, *inputs: Any) -> Any:
        with variable_scope(self._scope, reuse=AUTO_REUSE):
            return self._call(*inputs)

    def __rrshift__(self, other: Any) -> Any:
        from engine.dialects.tensorflow_fold.composing import Pipe

        return Pipe(other, self)

    def __rshift__(self, other: Any) -> Any:
        from engine.dialects.tensorflow_fold.composing import Pipe

        return Pipe(self, other)


class FC(Layer):
    """A fully connected layer."""

    def __init__(
        self, num_units_out: int, activation: Any = nn_ops.relu, initializer: Any = None, input_keep_prob: Any = None,
        output_keep_prob: Any = None, name: str | None = None, **_more: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, "FC")
        self._units, self._activation = int(num_units_out), activation
        self._initializer = initializer or VarianceScaling(1.0, "fan_avg", "uniform")
        self._keep = input_keep_prob, output_keep_prob

    def _call(self, x: Any) -> Any:
        tensor = convert(x)
        if tensor.shape.ndims == 1:
            tensor = expand_dims(tensor, 1)
        if self._keep[0] is not None:
            tensor = nn_ops.dropout(tensor, keep_prob=self._keep[0])
        size = tensor.shape.as_list()[-1]
        weights = get_variable("weights", [size, self._units], initializer=self._initializer)
        bias = get_variable("bias", [self._units], initializer=Zeros())
        found = nn_ops.bias_add(math_ops.matmul(tensor, weights), bias)
        if self._activation is not None:
            found = self._activation(found)
        return found if self._keep[1] is None else nn_ops.dropout(found, keep_prob=self._keep[1])


class Embedding(Layer):
    """A table of vectors, read by number."""

    def __init__(
        self, num_buckets: int, num_units_out: int, initializer: Any = None, name: str | None = None,
        trainable: bool = True, mod_inputs: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(name, "Embedding")
        self._buckets, self._units, self._trainable, self._mod = num_buckets, num_units_out, trainable, mod_inputs
        self._initializer = RandomUniform(-1.0, 1.0) if initializer is None else initializer

    def table(self) -> Any:
        if hasattr(self._initializer, "shape") and not callable(self._initializer):
            return get_variable("weights", initializer=self._initializer, trainable=self._trainable)
        shape = [self._buckets, self._units]
        return get_variable("weights", shape, initializer=self._initializer, trainable=self._trainable)

    @property
    def weights(self) -> Any:
        with variable_scope(self._scope, reuse=AUTO_REUSE):
            return self.table()

    def _call(self, x: Any) -> Any:
        numbers = convert(x)
        if self._mod:
            numbers = math_ops.mod(numbers, convert(self._buckets, numbers.dtype.base_dtype))
        return gather(self.table(), numbers)


class ScopedLayer(Layer):
    """A function (or a cell) whose variables live in a scope of their own."""

    def __init__(self, layer_fn: Any, name_or_scope: Any = None) -> None:
        super().__init__(name_or_scope, getattr(layer_fn, "__name__", None) or "ScopedLayer")
        self._function = layer_fn

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._function, name)

    def _call(self, *inputs: Any) -> Any:
        return self._function(*inputs)


@dataclass
class Traced:
    """A function for the loop, and what it gives."""

    function: Any
    kind: ResultType


def traced_output(function: Any, given: ResultType) -> Traced:
    """Call a function on placeholders, so that its variables are made outside the loop and its result's type is known.

    :raises TypeError: the result has no known shape, or no row for each row that went in.
    """
    graph = get_default_graph()
    owned = isinstance(function, Layer)

    def arguments(rows: list[Any]) -> list[Any]:
        found = _structured(given, rows)
        return list(found) if isinstance(given, TupleType) else [found]

    with variable_scope(None, "td") as scope, graph.name_scope("types"):
        doors = [placeholder(kind.dtype, [None, *kind.shape], name="argument") for kind in tensors_in(given)]
        result = function(*arguments(list(doors)))

    def kind_of(tensor: Any) -> TensorType:
        found = convert(tensor)
        sizes = found.shape.as_list() if found.shape.ndims is not None else [None]
        if not sizes or any(size is None for size in sizes[1:]):
            raise TypeError(
                f"{getattr(function, '__name__', function)!r} gave a tensor of shape {found.shape}: its rows "
                "need a known shape"
            )
        return tensor_type(sizes[1:], found.dtype.base_dtype)

    def structured(value: Any) -> ResultType:
        if isinstance(value, list | tuple):
            return TupleType(tuple(structured(item) for item in value))
        return kind_of(value)

    kind = structured(result)

    def run(*rows: Any) -> list[Any]:
        if owned:
            found = function(*arguments(list(rows)))
        else:
            with variable_scope(scope, reuse=AUTO_REUSE):
                found = function(*arguments(list(rows)))
        return leaves(_tuples(found))

    return Traced(run, kind)


def _structured(kind: ResultType, rows: list[Any]) -> Any:
    """Rows in the structure of their type."""
    if isinstance(kind, TupleType):
        return tuple(_structured(item, rows) for item in kind.items)
    return rows.pop(0)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value

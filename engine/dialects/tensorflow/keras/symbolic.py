"""Symbolic tensors of the functional API, the operations between them, and the nodes that say who made what."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.keras import nest, state

_NO_TENSORFLOW = (
    "A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is a symbolic placeholder for a "
    "shape and dtype, used when constructing Keras Functional models or Keras Functions. You can only use it as input "
    "to a Keras layer or a Keras operation (from the namespaces `keras.layers` and `keras.ops`). You are likely doing "
    "something like:\n\n```\nx = Input(...)\n...\ntf_fn(x)  # Invalid.\n```\n\nWhat you should do instead is wrap "
    "`tf_fn` in a layer:\n\n```\nclass MyLayer(Layer):\n    def call(self, x):\n        return tf_fn(x)\n\n"
    "x = MyLayer()(x)\n```\n"
)


class History(NamedTuple):
    """Which call of which operation made a symbolic tensor."""

    operation: Any
    node_index: int
    tensor_index: int


class KerasTensor:
    """A tensor that is known by shape and dtype alone.

    >>> KerasTensor((None, 3), name="x")
    <KerasTensor shape=(None, 3), dtype=float32, sparse=False, ragged=False, name=x>
    """

    __module__ = "keras.src.backend.common.keras_tensor"
    _keras_history: History

    def __init__(
        self, shape: Any, dtype: Any = "float32", sparse: bool = False, ragged: bool = False,
        record_history: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        self.shape = tuple(shape)
        self.dtype = dtypes.as_dtype(dtype or state.floatx()).name
        self.sparse, self.ragged = sparse, ragged
        self.name = name or state.unique_name("keras_tensor")

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def reshape(self, newshape: Any) -> Any:
        return apply("Reshape", lambda x: _functions()["reshape"](x, newshape), self)

    def __repr__(self) -> str:
        return (
            f"<KerasTensor shape={self.shape}, dtype={self.dtype}, sparse={self.sparse}, ragged={self.ragged}, "
            f"name={self.name}>"
        )

    __str__ = __repr__

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise ValueError(
            "A KerasTensor is symbolic: it's a placeholder for a shape and a dtype. It doesn't have any actual "
            "numerical value. You cannot convert it to a NumPy array."
        )

    def __tf_tensor__(self, *_: Any, **__: Any) -> Any:
        raise ValueError(_NO_TENSORFLOW)

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("Iterating over a symbolic KerasTensor is not supported.")

    def __bool__(self) -> bool:
        raise TypeError("A symbolic KerasTensor cannot be used as a boolean.")

    def __hash__(self) -> int:
        return id(self)

    def __getitem__(self, key: Any) -> Any:
        return apply("GetItem", lambda x: x[key], self)

    def __neg__(self) -> Any:
        return apply("Negative", lambda x: -x, self)

    def __abs__(self) -> Any:
        return apply("Absolute", abs, self)


def _functions() -> dict[str, Any]:
    from engine.dialects.tensorflow.keras.functions import FUNCTIONS

    return FUNCTIONS


def _attach() -> None:
    """Python's operators on symbolic tensors."""
    import operator

    for method, kind, function in (
        ("add", "Add", operator.add), ("sub", "Subtract", operator.sub), ("mul", "Multiply", operator.mul),
        ("truediv", "TrueDivide", operator.truediv), ("floordiv", "FloorDivide", operator.floordiv),
        ("mod", "Mod", operator.mod), ("pow", "Power", operator.pow), ("matmul", "Matmul", operator.matmul),
    ):  # fmt: skip
        setattr(KerasTensor, f"__{method}__", lambda a, b, k=kind, f=function: apply(k, f, a, b))
        setattr(KerasTensor, f"__r{method}__", lambda a, b, k=kind, f=function: apply(k, f, b, a))
    for method, kind, function in (
        ("lt", "Less", operator.lt), ("le", "LessEqual", operator.le), ("gt", "Greater", operator.gt),
        ("ge", "GreaterEqual", operator.ge), ("eq", "Equal", operator.eq), ("ne", "NotEqual", operator.ne),
    ):  # fmt: skip
        setattr(KerasTensor, f"__{method}__", lambda a, b, k=kind, f=function: apply(k, f, a, b))


_attach()


class Operation:
    """What takes tensors and gives tensors and has a name: layers, and functions in functional models."""

    name: str

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = state.unique_name(type(self).__name__)
        if not isinstance(name, str) or "/" in name:
            raise ValueError(
                f"Argument `name` must be a string and cannot contain character `/`. Received: name={name} "
                f"(of type {type(name)})"
            )
        self.name = name
        self.__dict__["_inbound_nodes"] = []
        self.__dict__["_outbound_nodes"] = []

    # -- what the first call took and gave ---------------------------------------------------------------------------
    def _one(self, what: str, attribute: str) -> Any:
        nodes = self.__dict__["_inbound_nodes"]
        if not nodes:
            raise AttributeError(f"The layer {self.name} has never been called and thus has no defined {what}.")
        found = getattr(nodes[0], attribute)
        return found[0] if len(found) == 1 else found

    @property
    def input(self) -> Any:
        """What it was first called on, as a symbolic tensor."""
        return self._one("input", "input_tensors")

    @property
    def output(self) -> Any:
        """What its first call gave, as a symbolic tensor."""
        return self._one("output", "output_tensors")


class FunctionOperation(Operation):
    """A function between symbolic tensors: a node like a layer, without weights."""

    def __init__(self, kind: str, function: Callable[..., Any]) -> None:
        super().__init__(state.unique_name(kind))
        self.kind, self.function = kind, function

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.function(*arguments, **options)


class Node:
    """One call of an operation on symbolic tensors."""

    def __init__(self, operation: Any, arguments: tuple[Any, ...], options: dict[str, Any], outputs: Any) -> None:
        self.operation, self.arguments, self.options, self.outputs = operation, arguments, options, outputs
        self.input_tensors = [x for x in nest.flatten([arguments, options]) if isinstance(x, KerasTensor)]
        self.output_tensors = [x for x in nest.flatten(outputs) if isinstance(x, KerasTensor)]
        number = len(operation._inbound_nodes)
        for place, tensor in enumerate(self.output_tensors):
            tensor._keras_history = History(operation, number, place)
        operation._inbound_nodes.append(self)
        for parent in self.parents:
            parent.operation._outbound_nodes.append(self)

    @property
    def parents(self) -> list[Node]:
        """The nodes that made what it takes."""
        found = {}
        for tensor in self.input_tensors:
            history = tensor._keras_history
            node = history.operation._inbound_nodes[history.node_index]
            found[id(node)] = node
        return list(found.values())

    def filled(self, values: dict[int, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments and options with values in the places of symbolic tensors."""

        def fill(x: Any) -> Any:
            return values[id(x)] if isinstance(x, KerasTensor) else x

        return nest.map_leaves(fill, self.arguments), {
            name: nest.map_leaves(fill, value) for name, value in self.options.items()
        }


def is_symbolic(*structures: Any) -> bool:
    """Whether a symbolic tensor is among them."""
    return any(isinstance(x, KerasTensor) for x in nest.flatten(structures))


def apply(kind: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """``function`` on values now, or as a node between symbolic tensors."""
    if not is_symbolic(arguments, options):
        return function(*arguments, **options)
    operation = FunctionOperation(kind, function)
    outputs = outcome(function, arguments, options)
    Node(operation, arguments, options, outputs)
    return outputs


def outcome(function: Callable[..., Any], arguments: Any, options: Any) -> Any:
    """What ``function`` would give for symbolic tensors: it runs on zeros, with two sizes for what is not known."""
    tried = [_tried(function, arguments, options, size) for size in _sizes(arguments, options)]

    def merged(*tensors: Any) -> Any:
        first = tensors[0]
        if not isinstance(first, Valued):
            return first
        shapes = [tuple(t._array.shape) for t in tensors]
        shape = [sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes, strict=True)]
        return KerasTensor(shape, str(first._array.dtype))

    return nest.map_leaves(merged, *tried)


def _sizes(arguments: Any, options: Any) -> tuple[int, ...]:
    unknown = any(isinstance(x, KerasTensor) and None in x.shape for x in nest.flatten([arguments, options]))
    return (2, 3) if unknown else (2,)


def _tried(function: Callable[..., Any], arguments: Any, options: Any, size: int) -> Any:
    def zeros(x: Any) -> Any:
        if not isinstance(x, KerasTensor):
            return x
        # Rows and columns that are not known are many, so that windows fit.
        free = (size, *[size * 16 + 3] * len(x.shape))
        shape = [free[place] if n is None else n for place, n in enumerate(x.shape)]
        return wrap(np.zeros(shape, dtypes.as_dtype(x.dtype)._numpy))

    hidden = contextlib.nullcontext() if size == 2 else contextlib.redirect_stdout(io.StringIO())
    with state.quiet(), state.in_loop(size), hidden:
        ready = {name: nest.map_leaves(zeros, value) for name, value in options.items()}
        return function(*nest.map_leaves(zeros, tuple(arguments)), **ready)

"""``tf.Variable``: a value that can be assigned."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import events
from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import messages, row_writing, tape
from engine.dialects.tensorflow.eager.tensor import EagerTensor, Valued, array_of, convert, repr_of, run
from engine.dialects.tensorflow.eager.variable_slices import sliced
from engine.dialects.tensorflow.function.func_graph import building
from engine.dialects.tensorflow.shapes import TensorShape as PartialShape
from engine.dialects.tensorflow.shapes import brackets
from engine.dynamic import observe
from engine.dynamic.tensor import Storage
from engine.dynamic.tensor import Tensor as EngineTensor

_scopes: list[str] = []


def begin() -> None:
    """A new program."""
    _scopes.clear()


@contextmanager
def variable_scope(name: str | None) -> Iterator[str]:
    """Variables made inside get ``name`` in front of theirs (``"a/"``: exactly that, whatever is around)."""
    around = _scopes[-1] if _scopes else ""
    _scopes.append("" if not name else name if name.endswith("/") else f"{around}{name}/")
    try:
        yield _scopes[-1]
    finally:
        _scopes.pop()


def _declared(shape: Any, array: np.ndarray[Any, Any]) -> PartialShape | None:
    """The shape that a variable is said to have; ``None`` if it is that of its value.

    :raises ValueError: the first value has another one.
    """
    found = PartialShape(shape)
    if not found.is_compatible_with(list(array.shape)):
        raise ValueError(
            f"The initial value's shape ({PartialShape(array.shape)}) is not compatible with the explicitly supplied "
            f"`shape` argument ({found})."
        )
    return None if found.is_fully_defined() else found


class ResourceVariable(Valued):
    """A variable. Assigning gives it a new array, so that what a tape saved of the old value stays right."""

    __slots__ = ("_declared", "_name", "_trainable")
    _declared: PartialShape | None
    """The shape of whatever may be assigned, where ``shape`` leaves sizes open."""
    __module__ = "tensorflow.python.ops.resource_variable_ops"
    _kind = "Variable"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if graphs._stack and building() is None and cls is ResourceVariable:
            from engine.dialects.tensorflow.variables import Variable as OfGraph

            return OfGraph(*args, **kwargs)
        return super().__new__(cls)

    def __init__(
        self, initial_value: Any = None, trainable: bool | None = None, validate_shape: bool = True,
        caching_device: Any = None, name: str | None = None, variable_def: Any = None, dtype: Any = None,
        import_scope: Any = None, constraint: Any = None, synchronization: Any = None, aggregation: Any = None,
        shape: Any = None,
    ) -> None:  # fmt: skip
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
                "`variable_def`. You provided neither."
            )
        making = building()
        if making is not None:
            initial_value = making.initial_value(initial_value, dtype)
        elif callable(initial_value):
            initial_value = initial_value()
        kind = None if dtype is None else dtypes.as_dtype(dtype)
        if isinstance(initial_value, Valued):
            try:
                array = np.array(convert(initial_value, kind)._array)
            except ValueError as error:
                raise ValueError(f"initial_value: {error}") from None
        else:
            array = array_of(initial_value, kind)
        EngineTensor.__init__(self, array)
        self._declared = None if shape is None else _declared(shape, array)
        self._name = f"{_scopes[-1] if _scopes else ''}{name or 'Variable'}"
        self._trainable = trainable is not False
        self._requires_grad = self._trainable and array.dtype.kind in "fc"
        if making is not None:
            making.made_variables.append(self)
        listener = events.listener
        if listener is not None:
            self._node = listener.node_created(
                observe.graph_of(listener), "input", (), observe.type_of(self), role="variable", label="Variable",
                name=self.name,
            )  # fmt: skip
            observe.written(listener, self, self._node, "initial")

    @property
    def name(self) -> str:
        return f"{self._name}:0"

    @property
    def shape(self) -> Any:
        return super().shape if self._declared is None else self._declared

    @property
    def _static_shape(self) -> tuple[int | None, ...] | None:
        """What a graph knows of the shape."""
        if self._declared is None:
            return self._array.shape
        return None if self._declared.ndims is None else tuple(self._declared.as_list())

    @property
    def trainable(self) -> bool:
        return self._trainable

    def _was_read(self) -> None:
        tape.read(self)

    def _captured(self, graph: Any, name: str) -> Any:
        if not graph.building_function:
            raise RuntimeError("resource: Attempting to capture an EagerTensor without building a function.")
        return graph.read(self)

    def numpy(self) -> Any:
        """The value, as an array of its own.

        :raises NotImplementedError: a function is being traced.
        """
        if building() is not None:
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return super().numpy()

    @property
    def handle(self) -> Any:
        """What stands for the storage: the variable itself."""
        return self

    def is_initialized(self, name: str | None = None) -> Any:
        """Always: a variable is made with a value."""
        return convert(True)

    def initialized_value(self) -> Any:
        return self.read_value()

    @property
    def initial_value(self) -> Any:
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    def eval(self, session: Any = None) -> Any:
        raise NotImplementedError(
            "eval() is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def read_value(self) -> Any:
        return run("identity", "ReadVariableOp", self)

    value = read_value

    def __repr__(self) -> str:
        if building() is not None:
            return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={repr_of(self._array)}>"

    __str__ = __repr__

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'ResourceVariable' object has no attribute '{name}'")

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)  # type: ignore[misc]
        return found if graphs._stack else sliced(self._home(), key, found)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("'ResourceVariable' object does not support item assignment")

    # -- writing -----------------------------------------------------------------------------------------------------
    def assign(self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Give it another value of the same shape."""
        made = building()
        if made is not None:
            return self._in_graph(made, "assign", "AssignVariableOp", value, name)
        new = convert(value, self.dtype)
        fits = self._array.shape.__eq__ if self._declared is None else self._declared.is_compatible_with
        if not fits(new._array.shape):
            raise ValueError(
                f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable shape {self.shape}, and "
                f"the assigned value shape {new.shape} are incompatible."
            )
        return self._write("assign", "AssignVariableOp", new, np.array(new._array))

    def assign_add(self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Add to it."""
        made = building()
        if made is not None:
            return self._in_graph(made, "assign_add", "AssignAddVariableOp", delta, name)
        new = self._fitting(delta, "AssignAddVariableOp")
        return self._write("assign_add", "AssignAddVariableOp", new, np.asarray(self._array + new._array))

    def assign_sub(self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Subtract from it."""
        made = building()
        if made is not None:
            return self._in_graph(made, "assign_sub", "AssignSubVariableOp", delta, name)
        new = self._fitting(delta, "AssignSubVariableOp")
        return self._write("assign_sub", "AssignSubVariableOp", new, np.asarray(self._array - new._array))

    def _in_graph(self, graph: Any, op: str, label: str, value: Any, name: str | None) -> Any:
        """A write as a node of a function; later reads there see it."""
        from engine.dialects.tensorflow.build import convert as in_graph

        tensor = in_graph(value, self.dtype)
        if not tensor.shape.is_compatible_with(self._static_shape):
            if op == "assign":
                raise ValueError(
                    f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable shape {self.shape}, "
                    f"and the assigned value shape {tensor.shape} are incompatible."
                )
            raise ValueError(
                f"Dimension 0 in both shapes must be equal, but are {self.shape} and {tensor.shape} for "
                f"'{{{{node {label}}}}}'"
            )
        graph.write(self._home(), op, label, tensor, name)
        return UnreadVariable(self)

    def _home(self) -> ResourceVariable:
        """The variable itself, whatever it is called here."""
        return self

    def _fitting(self, delta: Any, label: str) -> Any:
        new = convert(delta, self.dtype)
        if new._array.shape != self._array.shape:
            raise messages.failed(
                label,
                f"Cannot update variable with shape {brackets(self._array.shape)} using a Tensor with shape "
                f"{brackets(new._array.shape)}, shapes must be equal.",
            )
        return new

    def _hold(self, array: np.ndarray[Any, Any]) -> None:
        """The next version of the value: who read the one before keeps it."""
        before = self._storage
        self._array = array
        self._storage = Storage()
        self._storage.number, self._storage.version = before.number, before.version + 1

    def _received(self, array: np.ndarray[Any, Any]) -> None:
        """A function has written another value."""
        self._hold(array)
        listener = events.listener
        if listener is not None:
            observe.written(listener, self, observe.node_of(listener, self), "assign")

    def _write(self, op: str, label: str, given: Any, array: np.ndarray[Any, Any]) -> Any:
        start = events.clock()
        self._hold(array)
        listener = events.listener
        if listener is not None:
            node = observe.node_of(listener, self)
            source = observe.node_of(listener, given)
            update = listener.node_created(
                observe.graph_of(listener), op, [(node, 0), (source, 0)], observe.type_of(self), role="update",
                label=label,
            )  # fmt: skip
            storage = observe.storage_number(self._storage)
            listener.op_ran(update, array, start, events.clock(), storage=storage, version=self._storage.version)
            observe.written(listener, self, node, "assign")
        return UnreadVariable(self)


row_writing.attach(ResourceVariable)


class UnreadVariable(ResourceVariable):
    """What an assignment gives: the variable itself under another name."""

    __slots__ = ("_of",)
    _of: ResourceVariable
    __module__ = "tensorflow.python.ops.resource_variable_ops"

    def __init__(self, of: ResourceVariable) -> None:
        while isinstance(of, UnreadVariable):
            of = of._of
        for name in EngineTensor.__slots__:
            if name != "__weakref__":
                setattr(self, name, getattr(of, name))
        self._name, self._trainable, self._declared, self._of = of._name, of._trainable, of._declared, of

    def __repr__(self) -> str:
        return super().__repr__().replace(f"'{self.name}'", "'UnreadVariable'", 1)

    __str__ = __repr__

    def _was_read(self) -> None:
        tape.read(self._of)

    def _home(self) -> ResourceVariable:
        return self._of

    def _captured(self, graph: Any, name: str) -> Any:
        return self._of._captured(graph, name)

    def _write(self, op: str, label: str, given: Any, array: np.ndarray[Any, Any]) -> Any:
        return self._of._write(op, label, given, array)


Variable = ResourceVariable

__all__ = ["EagerTensor", "ResourceVariable", "Variable"]

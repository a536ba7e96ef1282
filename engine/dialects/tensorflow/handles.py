"""``tf.Operation`` and ``tf.Tensor``: handles of the engine's nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.errors import OperatorNotAllowedInGraphError
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static import Node

if TYPE_CHECKING:
    from engine.dialects.tensorflow.graph import Graph


_AUTOGRAPH = (
    "If you are using AutoGraph, you can try decorating this function with @tf.function. If that does not work, then "
    "you may be using an unsupported feature or your source code may not be visible to AutoGraph. See "
    "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md"
    "#access-to-source-code for more information."
)


class Handle:
    """What stands for a node; a recorder reads the node from this slot without running any code of the program."""

    __slots__ = ("_node",)
    _node: Node


class Operation(Handle):
    """One op of a graph: a name, a type, inputs, outputs."""

    __module__ = "tensorflow.python.framework.ops"

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self._node = node
        self.outputs: list[Tensor] = [] if node.type is None else [Tensor(self, 0, node)]
        self._inputs: Sequence[Tensor] | None = None
        self._waits: Sequence[Operation] | None = None  # the real graph's order, where the engine needs none
        self._device: str = graph.devices[-1] if graph.devices else ""
        self.attributes_: dict[str, Any] = {}

    @property
    def name(self) -> str:
        return self._node.name

    @property
    def type(self) -> str:
        return self._node.label

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        if self._inputs is not None:
            return tuple(self._inputs)
        return tuple(self.graph.tensor(node) for node, _ in self._node.inputs)

    @property
    def control_inputs(self) -> list[Operation]:
        if self._waits is not None:
            return list(self._waits)
        return [self.graph.operation(node) for node in self._node.control]

    @property
    def device(self) -> str:
        return self._device

    @property
    def node_def(self) -> Any:
        """The op as data, a ``tf.NodeDef``."""
        from engine.dialects.tensorflow.graph_transfer import node_def

        return node_def(self)

    @property
    def op_def(self) -> Any:
        return None

    def values(self) -> tuple[Tensor, ...]:
        return tuple(self.outputs)

    def get_attr(self, name: str) -> Any:
        if name in self.attributes_:
            return self.attributes_[name]
        if name in ("T", "dtype") and self.outputs:
            return self.outputs[0].dtype.base_dtype
        found = self.node_def.attr
        if name in found:
            kind = found[name].WhichOneof("value")
            value = getattr(found[name], kind) if kind else None
            return dtypes.as_dtype(value) if kind == "type" else value
        raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        chosen = session or default_session()
        if chosen is None:
            raise ValueError(
                "Cannot execute operation using `run()`: No default session is registered. Use "
                "`with sess.as_default():` or pass an explicit session to `run(session=sess)`"
            )
        if chosen.graph is not self.graph:
            raise _of_another(session, "execute operation: the operation's", "run(session=sess)")
        chosen.run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"

    def __str__(self) -> str:
        return str(self.node_def)


def _of_another(session: Any, what: str, advice: str) -> ValueError:
    """The session at hand has another graph."""
    which, after = ("given", "") if session is not None else ("default", f" Pass an explicit session to {advice}.")
    return ValueError(f"Cannot use the {which} session to {what} graph is different from the session's graph.{after}")


class Tensor(Handle):
    """A handle of one result: what will be computed, never a value."""

    __module__ = "tensorflow.python.framework.ops"
    __array_priority__ = 100
    OVERLOADABLE_OPERATORS: frozenset[str] = frozenset()

    def __init__(self, op: Operation, value_index: int, node: Node, ref: bool = False) -> None:
        self.op = op
        self.value_index = value_index
        self._node = node
        self.ref_ = ref or node.op in ("variable", "assign", "assign_add", "assign_sub")
        self._shape: TensorShape | None = None

    @property
    def graph(self) -> Graph:
        return self.op.graph

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.value_index}"

    @property
    def dtype(self) -> dtypes.DType:
        assert self._node.type is not None
        found = dtypes.from_numpy(self._node.type.dtype)
        return found._as_ref if self.ref_ else found

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self._node.shape) if self._shape is None else self._shape

    @property
    def device(self) -> str:
        return self.op._device

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        self._shape = self.shape.agreed(shape)

    def consumers(self) -> list[Operation]:
        return [op for op in self.graph.get_operations() if any(t is self for t in op.inputs)]

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        chosen = session or default_session()
        if chosen is None:
            raise ValueError(
                "Cannot evaluate tensor using `eval()`: No default session is registered. Use "
                "`with sess.as_default()` or pass an explicit session to `eval(session=sess)`"
            )
        if chosen.graph is not self.graph:
            raise _of_another(session, "evaluate tensor: the tensor's", "`eval(session=sess)`")
        return chosen.run(self, feed_dict)

    def __str__(self) -> str:
        shape = "" if self.shape.ndims is None else f", shape={self.shape}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. You can attempt the "
            "following resolutions to "
            "the problem: If you are running in Graph mode, use Eager execution mode or decorate this function with "
            "@tf.function. " + _AUTOGRAPH
        )

    def __iter__(self) -> Any:
        raise OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. You can attempt the following "
            "resolutions to the problem: "
            "If you are running in Graph mode, use Eager execution mode or decorate this function with @tf.function. "
            + _AUTOGRAPH
        )

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). Please call `x.shape` rather than `len(x)` "
            "for shape information."
        )

    def __array__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. This error may indicate "
            f"that you're trying "
            "to pass a Tensor to a NumPy call, which is not supported."
        )

    def __float__(self) -> float:
        raise TypeError("float() argument must be a string or a real number, not 'SymbolicTensor'")

    def __int__(self) -> int:
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'SymbolicTensor'")

    def __getattr__(self, name: str) -> Any:
        if name == "numpy":
            raise AttributeError("'SymbolicTensor' object has no attribute 'numpy'")
        raise AttributeError(f"'SymbolicTensor' object has no attribute {name!r}")

    if TYPE_CHECKING:  # math_ops gives tensors their operators

        def __getitem__(self, key: Any) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...

    def __hash__(self) -> int:
        return id(self)

    elementwise = False
    """Whether ``==`` compares elements, as in 2.x."""

    def __eq__(self, other: object) -> Any:
        return _compared("equal", self, other) if self.elementwise else self is other

    def __ne__(self, other: object) -> Any:
        return _compared("not_equal", self, other) if self.elementwise else self is not other

    @staticmethod
    def _autograph() -> Any:
        """Who deals with it in control flow that AutoGraph has rewritten."""
        from engine.dialects.tensorflow.function.staging import Staging

        return Staging


def _compared(name: str, tensor: Tensor, other: object) -> Any:
    from engine.dialects.tensorflow import math_ops

    return name == "not_equal" if other is None else getattr(math_ops, name)(tensor, other)


# In a graph the real ones are called so: messages of Python itself show it.
Tensor.__name__ = Tensor.__qualname__ = "SymbolicTensor"

_sessions: list[Any] = []


def default_session() -> Any:
    return _sessions[-1] if _sessions else None


def numpy_value(tensor: Tensor) -> np.ndarray[Any, Any] | None:
    """The value of a constant, known while the graph is built."""
    value = tensor._node.attributes.get("value") if tensor._node.op == "constant" else None
    return None if value is None else np.asarray(value)

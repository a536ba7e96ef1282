"""``tf.Graph``, ``tf.Operation``, ``tf.Tensor``: facades over the engine's static graph and its nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.errors import OperatorNotAllowedInGraphError
from engine.dialects.tensorflow.labels import LABELS
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static import Graph as Core
from engine.static import Node

FINALIZED = "Graph is finalized and cannot be modified."


class Graph:
    """A graph of ops. ``core`` is the engine's graph; an op here is one node there, mostly."""

    def __init__(self) -> None:
        self.core = Core()
        self.core.labels = LABELS
        self.variable_scope: Any = None
        self.variable_store: dict[str, Any] = {}
        self.seed: int | None = None
        self.seeded_ops = 0
        self.scope_counts: dict[str, int] = {}
        self.hidden: set[Node] = set()
        self._operations: dict[Node, Operation] = {}
        self._collections: dict[str, list[Any]] = {}

    # -- building ----------------------------------------------------------------------------------------------------
    def operation(self, node: Node) -> Operation:
        """The facade of a node, made once."""
        found = self._operations.get(node)
        if found is None:
            found = self._operations[node] = Operation(self, node)
        return found

    def tensor(self, node: Node) -> Tensor:
        """The first result of a node."""
        return self.operation(node).outputs[0]

    def check_open(self) -> None:
        if self.core.finalized:
            raise RuntimeError(FINALIZED)

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        _stack.append(self)
        try:
            yield self
        finally:
            _stack.remove(self)

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        if name:
            self._check_name(name.rstrip("/"), scoped=bool(self.core.names.scope))
        with self.core.scope(name) as scope:
            yield scope

    @contextmanager
    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Iterator[None]:
        if control_inputs is None:
            with self.core.control_dependencies(None):
                yield
            return
        nodes = [self.as_graph_element(item, "dependency")._node for item in control_inputs]
        with self.core.control_dependencies(nodes):
            yield

    @contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        yield

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        return self.core.names.unique(name, mark_as_used)

    def finalize(self) -> None:
        self.core.finalize()

    @staticmethod
    def _check_name(name: str, scoped: bool = False) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_.\\/>-]*" if scoped else r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*", name):
            raise ValueError(f"'{name}' is not a valid scope name")

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def finalized(self) -> bool:
        return self.core.finalized

    @property
    def version(self) -> int:
        return len(self.get_operations())

    @property
    def building_function(self) -> bool:
        return False

    def get_operations(self) -> list[Operation]:
        return [self.operation(node) for node in self.core.nodes if node not in self.hidden]

    def get_operation_by_name(self, name: str) -> Operation:
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name)}.")
        found: Operation = self.as_graph_element(name, allow_tensor=False)
        return found

    def get_tensor_by_name(self, name: str) -> Tensor:
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name)}.")
        found: Tensor = self.as_graph_element(name, allow_operation=False)
        return found

    def _node_named(self, name: str) -> Node | None:
        node = self.core.by_name(name)
        return None if node is None or node in self.hidden else node

    def as_graph_element(
        self, obj: Any, what: str = "", allow_tensor: bool = True, allow_operation: bool = True
    ) -> Any:
        """The tensor or op that ``obj`` (a tensor, op, variable or name) stands for.

        :raises ValueError: it is not part of this graph, or there is no such name.
        :raises TypeError: it is something else.
        """
        converted = getattr(type(obj), "_as_graph_element", None)
        if converted is not None:
            obj = converted(obj)
        if isinstance(obj, str):
            return self._named(obj, allow_tensor, allow_operation)
        if isinstance(obj, Tensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"Operation {obj} is not an element of this graph.")
            return obj
        wanted = (
            "Tensor or Operation" if allow_tensor and allow_operation else "Tensor" if allow_tensor else "Operation"
        )
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    def _named(self, name: str, allow_tensor: bool, allow_operation: bool) -> Any:
        if ":" in name and allow_tensor:
            op_name, _, place = name.rpartition(":")
            if not op_name or not place.isdigit():
                raise ValueError(
                    f"The name {name!r} looks a like a Tensor name, but is not a valid one. "
                    'Tensor names must be of the form "<op_name>:<output_index>".'
                )
            node = self._node_named(op_name)
            if node is None:
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                    "does not exist in the graph."
                )
            outputs = self.operation(node).outputs
            if int(place) >= len(outputs):
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                    f"exists but only has {len(outputs)} outputs."
                )
            return outputs[int(place)]
        if ":" not in name and allow_operation:
            node = self._node_named(name)
            if node is None:
                raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            return self.operation(node)
        if ":" not in name:
            if self._node_named(name) is None:
                raise ValueError(
                    f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. "
                    'Tensor names must be of the form "<op_name>:<output_index>".'
                )
            raise ValueError(
                f"The name {name!r} refers to an Operation, not a Tensor. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        raise ValueError(f"The name {name!r} refers to a Tensor, not an Operation.")

    def is_feedable(self, tensor: Any) -> bool:
        return True

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        return True

    # -- collections -------------------------------------------------------------------------------------------------
    def add_to_collection(self, name: str, value: Any) -> None:
        self.check_open()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        for name in (names,) if isinstance(names, str) else tuple(dict.fromkeys(names or ())):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        return [item for item in items if hasattr(item, "name") and re.match(scope, item.name)]

    def get_collection_ref(self, name: str) -> list[Any]:
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        return [key for key, items in self._collections.items() if items]

    def clear_collection(self, name: str) -> None:
        self._collections.pop(name, None)

    def __repr__(self) -> str:
        return f"<tensorflow.python.framework.ops.Graph object at {id(self):#x}>"


class Handle:
    """What stands for a node; a recorder reads the node from this slot without running any code of the program."""

    __slots__ = ("_node",)
    _node: Node


class Operation(Handle):
    """One op of a graph: a name, a type, inputs, outputs."""

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self._node = node
        self.outputs: list[Tensor] = [] if node.type is None else [Tensor(self, 0, node)]
        self._inputs: Sequence[Tensor] | None = None
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
        return [self.graph.operation(node) for node in self._node.control]

    @property
    def device(self) -> str:
        return ""

    @property
    def op_def(self) -> Any:
        return None

    def values(self) -> tuple[Tensor, ...]:
        return tuple(self.outputs)

    def get_attr(self, name: str) -> Any:
        if name in self.attributes_:
            return self.attributes_[name]
        if name in ("T", "dtype") and self.outputs:
            return self.outputs[0].dtype
        raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        chosen = session or default_session()
        if chosen is None:
            raise ValueError(
                "Cannot execute operation using `run()`: No default session is registered. Use "
                "`with sess.as_default():` or pass an explicit session to `run(session=sess)`"
            )
        chosen.run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"

    def __str__(self) -> str:
        lines = [f'name: "{self.name}"', f'op: "{self.type}"']
        lines += [f'input: "{t.op.name if t.value_index == 0 else t.name}"' for t in self.inputs]
        lines += [f'input: "^{op.name}"' for op in self.control_inputs]
        return "\n".join(lines) + "\n"


class Tensor(Handle):
    """A handle of one result: what will be computed, never a value."""

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
        return ""

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        self._shape = self.shape.merge_with(shape)

    def consumers(self) -> list[Operation]:
        return [op for op in self.graph.get_operations() if any(t is self for t in op.inputs)]

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        chosen = session or default_session()
        if chosen is None:
            raise ValueError(
                "Cannot evaluate tensor using `eval()`: No default session is registered. Use "
                "`with sess.as_default()` or pass an explicit session to `eval(session=sess)`"
            )
        return chosen.run(self, feed_dict)

    def __str__(self) -> str:
        shape = "" if self.shape.ndims is None else f", shape={self.shape}"
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. You can attempt the "
            "following resolutions to "
            "the problem: If you are running in Graph mode, use Eager execution mode or decorate this function with "
            "@tf.function. If you are using AutoGraph, you can try decorating this function with "
            "@tf.function. If that does "
            "not work, then you may be using an unsupported feature or your source code may not be "
            "visible to AutoGraph. See "
            "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md"
            "#access-to-source-code for more information."
        )

    def __iter__(self) -> Any:
        raise OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. You can attempt the following "
            "resolutions to the problem: "
            "If you are running in Graph mode, use Eager execution mode or decorate this function with @tf.function."
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

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


_stack: list[Graph] = []
_sessions: list[Any] = []
_default: list[Graph] = []


def get_default_graph() -> Graph:
    """The graph that new ops go into."""
    if _stack:
        return _stack[-1]
    if not _default:
        _default.append(Graph())
    return _default[0]


def reset_default_graph() -> None:
    if _stack:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, "
            "exit the nesting and "
            "create a new graph."
        )
    _default[:] = [Graph()]


def begin() -> None:
    """Forget every graph and session: a new program starts."""
    _stack.clear()
    _sessions.clear()
    _default.clear()


def default_session() -> Any:
    return _sessions[-1] if _sessions else None


def numpy_value(tensor: Tensor) -> np.ndarray[Any, Any] | None:
    """The value of a constant, known while the graph is built."""
    value = tensor._node.attributes.get("value") if tensor._node.op == "constant" else None
    return None if value is None else np.asarray(value)

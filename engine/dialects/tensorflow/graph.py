"""``tf.Graph``, ``tf.Operation``, ``tf.Tensor``: facades over the engine's static graph and its nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.dialects.tensorflow.graph_collections import Collections
from engine.dialects.tensorflow.handles import Operation, Tensor, _sessions
from engine.dialects.tensorflow.labels import CONTROL_NAMES, LABELS
from engine.static import Graph as Core
from engine.static import Node

_PATTERN = r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$"
_NODE_NAME = re.compile(_PATTERN)
FINALIZED = "Graph is finalized and cannot be modified."


class Graph(Collections):
    """A graph of ops. ``core`` is the engine's graph; an op here is one node there, mostly."""

    def __init__(self) -> None:
        super().__init__()
        self.core = Core()
        self.core.labels = LABELS
        self.core.control_names = CONTROL_NAMES
        self.variable_scope: Any = None
        self.variable_store: dict[str, Any] = {}
        self.variable_origins: dict[str, list[tuple[str, int, str]]] = {}
        self.seed: int | None = None
        self.seeded_ops = 0
        self.scope_counts: dict[str, int] = {}
        self.layer_counts: dict[str, int] = {}
        """How many layers and cells without a name of their own there are, by what they are called then."""
        self.hidden: set[Node] = set()
        self.unfetchable: set[Node] = set()
        self.context: Any = None
        """The decision or loop that is being built, if any."""
        self.reduced_shapes: set[tuple[Any, ...]] = set()
        """Shapes and axes of which gradients of reductions have worked out the rest in this graph."""
        self._operations: dict[Node, Operation] = {}
        self.devices: list[str] = []
        self.known_to_sessions = 0

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

    def layer_name(self, default: str) -> str:
        """The name of another layer or cell to which the program gives none."""
        count = self.layer_counts[default] = self.layer_counts.get(default, 0) + 1
        return f"{default}_{count}"

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
            self._check_name(name, scoped=bool(self.core.names.scope))
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
        """New ops say that they are on this device; there is one here."""
        wanted = device_name_or_function
        if callable(wanted):  # it decides by the op, which does not matter here
            wanted = None
        self.devices.append(_device(wanted) if wanted else "")
        try:
            yield
        finally:
            self.devices.pop()

    @contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """New ops are where ``op`` is: there is one device here."""
        self.as_graph_element(op)
        yield

    def get_name_scope(self) -> str:
        return self.core.names.scope

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        return self.core.names.unique(name, mark_as_used)

    def finalize(self) -> None:
        self.core.finalize()

    @staticmethod
    def _check_name(name: str, scoped: bool = False) -> None:
        """:raises ValueError: a scope cannot have this name."""
        if scoped and not re.fullmatch(r"[A-Za-z0-9_.\\/>-]*", name):
            raise ValueError(
                f"'{name}' is not a valid scope name. A scope name has to match the following pattern: "
                r"^[A-Za-z0-9_.\\/>-]*$"
            )
        if not scoped and not _NODE_NAME.fullmatch(name):
            raise ValueError(
                f"'{name}' is not a valid root scope name. A root scope name has to match the following pattern: "
                f"{_PATTERN}"
            )

    def check_node_name(self, name: str) -> None:
        """:raises ValueError: a node cannot have this name."""
        if not _NODE_NAME.fullmatch(name):
            raise ValueError(
                f"`{name}` is not a valid node name. Accepted names conform to Regex /re.compile({_PATTERN!r})/"
            )

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

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as data, a ``tf.GraphDef``."""
        from engine.dialects.tensorflow.graph_transfer import as_graph_def

        return as_graph_def(self, from_version, add_shapes)

    def get_operations(self) -> list[Operation]:
        return [self.operation(node) for node in self.core.nodes if node not in self.hidden]

    def get_operation_by_name(self, name: str) -> Operation:
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name)}.")
        if ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
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
        """Whether a session may be asked for it: what lies in a branch or loop has no value of its own."""
        node = self.as_graph_element(tensor_or_op)._node
        return node.region is None and node not in self.unfetchable

    def __repr__(self) -> str:
        return f"<tensorflow.python.framework.ops.Graph object at {id(self):#x}>"


def _device(name: Any) -> str:
    """A device in its full form: ``/cpu:0`` is ``/device:CPU:0``.

    :raises ValueError: it is no device.
    """
    found = re.sub(
        r"/(?:device:)?(cpu|gpu)(?=:|$)", lambda m: f"/device:{m[1].upper()}", str(name), flags=re.IGNORECASE
    )
    if not re.fullmatch(r"(/(job|replica|task|device)(:[A-Za-z0-9_*]+)+)+", found):
        raise ValueError(f"Unknown attribute: '{str(name).strip('/').partition(':')[0]}' in '{name}'")
    return found


_stack: list[Graph] = []
_default: list[Graph] = []


def get_default_graph() -> Graph:
    """The graph that new ops go into."""
    if _stack:
        return _stack[-1]
    if not _default:
        _default.append(Graph())
    return _default[0]


def graph_mode() -> None:
    """``disable_eager_execution``: ops go into the default graph from now on.

    :raises ValueError: not at the program's start.
    """
    if _stack and _stack[0] not in _default:
        raise ValueError("tf.disable_eager_execution must be called at program startup.")
    if not _stack:
        _stack.append(get_default_graph())


def reset_default_graph() -> None:
    if len(_stack) == 1 and _stack[0] in _default:  # eager execution is disabled
        _default[:] = _stack[:] = [Graph()]
        return
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

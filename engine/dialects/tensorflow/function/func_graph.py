"""The graph that a trace of ``tf.function`` builds: values of outside are captured, effects keep their order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import events
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.labels import LABELS
from engine.static import Node
from engine.static.building_control import inside
from engine.static.regions import ControlNames, Region
from engine.tensor_type import TensorType

_NAMES = ControlNames(
    outputs={"cond": "Identity", "while_loop": "Identity", "stack": "Stack", "value": "Identity"},
    variables={"condition": "Placeholder", "body": "Placeholder"},
    scopes=False,
)
_LABELS = {**LABELS, "variable": "Placeholder"}
EFFECTS = frozenset(
    {"tf_print", "tf_print_v2", "tf_assert", "tf_py_func", "tf_dataset_begin", "tf_dataset_next", "tf_generator"}
)
"""Ops that happen whenever the function runs, whether their results are used or not; beside all writes."""
SINGLETON = (
    "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only "
    "created once or created outside tf.function. See https://www.tensorflow.org/guide/function#creating_tfvariables "
    "for more information."
)
_SMALL = 128
"""Values of outside up to this size stand in the real graph as constants."""


@dataclass(slots=True, eq=False)
class Capture:
    """A tensor or variable of outside, and the node that stands for it."""

    value: Any
    node: Node


class FuncGraph(Graph):
    """A graph that stands for a function. ``captures`` are the tensors and variables of outside that it uses."""

    building_function = True

    def __init__(self, name: str, outer: Graph | None = None) -> None:
        super().__init__()
        self.name = self.core.name = name
        self.core.labels = _LABELS
        self.core.control_names = _NAMES
        self.core.effects = EFFECTS
        self.outer_graph = outer
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.captures: dict[int, Capture] = {}
        self.made_variables: list[Any] = []
        self.may_make_variables = True
        self.ended: int | None = None
        self._order: dict[Region | None, dict[Any, tuple[Node | None, list[Node]]]] = {}

    # -- what comes from outside -------------------------------------------------------------------------------------
    def captured(self, value: Any, name: str = "") -> Tensor:
        """The tensor that stands for an eager tensor."""
        known = self.captures.get(id(value))
        if known is None:
            array = value._array
            small = array.size <= _SMALL and array.dtype.kind != "O"
            with inside(self.core, None):
                node = self.core.placeholder(array.shape, array.dtype, name or "Placeholder")
            node.label = "Const" if small else "Placeholder"
            known = self.captures[id(value)] = Capture(value, node)
        return self.tensor(known.node)

    def resource(self, variable: Any, name: str) -> Node:
        """The node that stands for a variable."""
        known = self.captures.get(id(variable))
        if known is None:
            kind = TensorType(variable._array.dtype, variable._static_shape)
            with inside(self.core, None):
                node = self.core.add("variable", type=kind, name=f"{name}/resource", role="variable")
            if events.listener is not None:  # a recording calls it by the variable's name
                events.listener.node_named(node.traced, variable._name)
            known = self.captures[id(variable)] = Capture(variable, node)
        return known.node

    def read(self, variable: Any, name: str = "ReadVariableOp") -> Tensor:
        """The value of a variable at this point of the function."""
        node = self.resource(variable, name)
        made = self.core.add("copy", [node], name=name, label="ReadVariableOp", control=self._before(node, False))
        self._note(node, made, False)
        return self.tensor(made)

    def write(self, variable: Any, op: str, label: str, value: Tensor, name: str | None) -> Operation:
        """A write to a variable, after everything that reads or writes it so far."""
        node = self.resource(variable, name or label)
        waits = self._before(node, True)
        made = self.core.add(op, [node, value._node], name=name or label, label=label, role="update", control=waits)
        self._note(node, made, True)
        return self.operation(made)

    def initial_value(self, given: Any, dtype: Any) -> Any:
        """The value of a variable that the function makes: computed at once, outside of the graph.

        :raises ValueError: the function may make none (any more).
        """
        if not self.may_make_variables:
            raise ValueError(SINGLETON)
        with init_scope() if callable(given) else nullcontext():
            value = given() if callable(given) else given
        if not isinstance(value, Tensor):
            return value
        from engine.dialects.tensorflow.session import BaseSession

        held = {c.node: c.value._array for c in self.captures.values() if c.node.op == "placeholder"}
        return BaseSession(graph=self)._run([value._node], held)[0]

    # -- the order of effects ----------------------------------------------------------------------------------------
    def _state(self, key: Any) -> tuple[Node | None, list[Node]]:
        """What last wrote ``key`` (a variable, or ``None`` for the world outside), and what has read it since."""
        region: Region | None = self.core._region
        while True:
            found = self._order.get(region, {}).get(key)
            if found is not None or region is None:
                return found or (None, [])
            region = region.parent

    def _before(self, key: Any, writes: bool) -> list[Node]:
        last, reads = self._state(key)
        return [*([] if last is None else [last]), *(reads if writes else ())]

    def _note(self, key: Any, node: Node, writes: bool) -> None:
        last, reads = self._state(key)
        self._order.setdefault(self.core._region, {})[key] = (node, []) if writes else (last, [*reads, node])

    def after_control(self, owner: Node) -> None:
        """A decision or loop is built: what comes next waits for it as it would for what lies inside."""
        reads, writes = _touched(owner)
        for key in writes:
            self._note(key, owner, True)
        for key in reads - writes:
            self._note(key, owner, False)

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Ops made inside act on the world outside: they come after those so far."""
        count = len(self.core.nodes)
        with self.core.control_dependencies(self._before(None, True)):
            yield
        for node in self.core.nodes[count:]:
            if node.op in EFFECTS:
                self._note(None, node, True)

    def effects(self) -> list[Node]:
        """The nodes outside of any decision or loop that act: every run of the function runs them."""
        return [node for node in self.core.nodes if node.region is None and _acts(node)]

    def reading(self) -> list[Node]:
        """The reads of variables outside of any decision or loop."""
        return [n for n in self.core.nodes if n.region is None and n.op == "copy" and n.label == "ReadVariableOp"]

    # -- looking -----------------------------------------------------------------------------------------------------
    def get_operations(self) -> list[Operation]:
        """The ops of the function; what lies inside decisions and loops is part of functions of their own."""
        nodes = self.core.nodes if self.ended is None else self.core.nodes[: self.ended]
        return [self.operation(node) for node in nodes if node.region is None and node not in self.hidden]

    @property
    def structured_outputs(self) -> Any:
        return self.__dict__.get("_structured")

    @property
    def variables(self) -> tuple[Any, ...]:
        return tuple(c.value for c in self.captures.values() if hasattr(c.value, "_trainable"))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        return tuple(v for v in self.variables if v._trainable)

    @property
    def external_captures(self) -> list[Any]:
        return [c.value for c in self.captures.values()]

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    # -- trying ------------------------------------------------------------------------------------------------------
    @contextmanager
    def scratch(self) -> Iterator[None]:
        """What is built inside is forgotten: it only shows what would come of it."""
        core, names = self.core, self.core.names
        kept = len(core.nodes), dict(names._used), dict(core._by_name), dict(self.captures), set(self.hidden)
        order = {region: dict(found) for region, found in self._order.items()}
        region = core._region
        inner = None if region is None else list(region.nodes)
        listener, events.listener = events.listener, None
        try:
            yield
        finally:
            events.listener = listener
            for node in core.nodes[kept[0] :]:
                self._operations.pop(node, None)
            del core.nodes[kept[0] :]
            names._used, core._by_name, self.captures, self.hidden = kept[1], kept[2], kept[3], kept[4]
            self._order = order
            if region is not None and inner is not None:
                region.nodes[:] = inner


def _acts(node: Node) -> bool:
    return (
        node.op.startswith("assign")
        or node.op in EFFECTS
        or any(_acts(one) for region in node.regions for one in region.nodes)
    )


def _touched(owner: Node) -> tuple[set[Any], set[Any]]:
    """The variables that the regions of a node read and write; ``None`` is the world outside."""
    reads: set[Any] = set()
    writes: set[Any] = set()
    for region in owner.regions:
        for node in region.nodes:
            if node.op.startswith("assign"):
                writes.add(node.inputs[0][0])
            elif node.op in EFFECTS:
                writes.add(None)
            elif node.op == "copy" and node.label == "ReadVariableOp":
                reads.add(node.inputs[0][0])
    return reads, writes


def building() -> FuncGraph | None:
    """The function graph that is being built, if that is what happens."""
    stack = graphs._stack
    return stack[-1] if stack and isinstance(stack[-1], FuncGraph) else None


@contextmanager
def init_scope() -> Iterator[None]:
    """``tf.init_scope``: what happens inside happens outside of all functions that are being traced."""
    kept = list(graphs._stack)
    while graphs._stack and isinstance(graphs._stack[-1], FuncGraph):
        graphs._stack.pop()
    try:
        yield
    finally:
        graphs._stack[:] = kept


OUT_OF_SCOPE = (
    "{tensor!r} is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow "
    "collections to access it.\nPlease see https://www.tensorflow.org/guide/function"
    "#all_outputs_of_a_tffunction_must_be_return_values for more information.\n\n{tensor!r} was defined here:\n    "
    "(in {graph!r})\n\nThe tensor {tensor!r} cannot be accessed from {here}, because it was defined in {graph!r}, "
    "which is out of scope."
)


def check_scope(value: Any) -> None:
    """:raises TypeError: a symbolic tensor is used outside of the function that it belongs to."""
    here = building()
    if isinstance(value, Tensor) and isinstance(value.graph, FuncGraph) and value.graph is not here:
        where = "here" if here is None else repr(here)
        error = TypeError(OUT_OF_SCOPE.format(tensor=value, graph=value.graph, here=where))
        error._in_user_code = True  # type: ignore[attr-defined]  # the real one is not told with the lines of the program
        raise error


def array_in(value: Any) -> np.ndarray[Any, Any]:
    """The array of an eager value."""
    return np.asarray(value._array)

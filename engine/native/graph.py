"""The static mode natively: graphs whose nodes know where the program made them, and sessions that say so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from os.path import dirname
from typing import Any

import numpy as np

from engine.errors import StepgraphError
from engine.ops import TABLE
from engine.ops.type_rules import show
from engine.static import Graph as EngineGraph
from engine.static import Node, gradients
from engine.static import Session as EngineSession
from engine.static.node import Output
from engine.static.plan import Plan

_HERE = dirname(dirname(__file__))


class Graph(EngineGraph):
    """A static graph: nodes are added by its methods, by operators, and by every function of ``engine`` on nodes.

    >>> import engine
    >>> g = engine.Graph()
    >>> x = g.placeholder((None, 3), name="x")
    >>> w = g.variable([[1.0], [2.0], [3.0]], name="w")
    >>> y = engine.relu(x @ w)
    >>> session = engine.Session(g)
    >>> session.run(g.initializer())
    >>> print(session.run(y, {x: [[1, 1, 1]]}))
    [[6.]]

    ``g.ops.full((2,), 1.0)`` adds an op that has no operands to tell the graph by.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._places: dict[Node, tuple[str, int]] = {}

    @property
    def ops(self) -> Ops:
        """Every op of the table as a method that adds a node to this graph."""
        return Ops(self)

    def assign(self, variable: Node, value: Any) -> Node:
        """A node that writes ``value`` into ``variable`` when it runs, and gives the new value."""
        return self._write("assign", variable, value)

    def assign_add(self, variable: Node, value: Any) -> Node:
        """A node that adds ``value`` to ``variable`` when it runs, and gives the new value."""
        return self._write("assign_add", variable, value)

    def assign_sub(self, variable: Node, value: Any) -> Node:
        """A node that takes ``value`` from ``variable`` when it runs, and gives the new value."""
        return self._write("assign_sub", variable, value)

    def _write(self, op: str, variable: Node, value: Any) -> Node:
        given = _array(value) if isinstance(value, list) else value
        dtype = None if isinstance(value, Node) or variable.type is None else variable.type.dtype
        source = given if isinstance(given, Node) else self.constant(given, dtype)
        return self.add(op, [variable, source], role="update")

    def group(self, nodes: Sequence[Node], name: str = "group") -> Node:
        """A node without a result that runs all of ``nodes``."""
        return self.add("group", control=nodes, name=name, role="control")

    def apply(self, op: str, *arguments: Any, **options: Any) -> Node:
        """See :meth:`engine.static.Graph.apply`; nested lists are taken as :func:`engine.tensor` takes them."""
        declared = TABLE.get(op)
        count = 0 if declared is None else len(arguments) if declared.variadic else len(declared.inputs)
        given = [self.constant(_array(x)) if isinstance(x, list) else x for x in arguments[:count]]
        return super().apply(op, *given, *arguments[count:], **options)

    def place_of(self, node: Node) -> tuple[str, int] | None:
        """The file and line of the program where ``node`` was made."""
        return self._places.get(node)

    def add(self, op: str, inputs: Sequence[Node | Output] = (), *arguments: Any, **more: Any) -> Node:
        """See :meth:`engine.static.Graph.add`; errors also name the operands' dtypes and the line of the program."""
        try:
            node = super().add(op, inputs, *arguments, **more)
        except StepgraphError as error:
            given = [x[0] if isinstance(x, tuple) else x for x in inputs]
            words = ", ".join(f"{n.name}: {_type_text(n)}" for n in given) or "no operands"
            file, line = _program_place()
            error.args = (f"{error} [{op} on {words}; at {file}, line {line}]",)
            raise
        self._places[node] = _program_place()
        return node


class Ops:
    """``g.ops.<name>(…)`` adds an op to the graph ``g``."""

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getattr__(self, name: str) -> Callable[..., Node]:
        from engine.native.functions import function_names, plain

        if name not in function_names():
            raise AttributeError(f"the table has no op {name!r}")

        def add(*arguments: Any, **attributes: Any) -> Node:
            bound = {key: plain(key, value) for key, value in attributes.items()}
            return self._graph.apply(name, *arguments, **bound)

        return add

    def __dir__(self) -> list[str]:
        from engine.native.functions import function_names

        return sorted(function_names())


class Session(EngineSession):
    """Runs parts of a graph with variables of its own. A run that fails leaves every variable as it was, and the error
    says at which line of the program the failing node was made. See :class:`engine.static.Session`."""

    def _failed(self, plan: Plan, error: Exception) -> Exception:
        return self._placed(super()._failed(plan, error))

    def _build(self, key: tuple[Any, ...], arrays: Any) -> Plan:
        try:
            return super()._build(key, arrays)
        except StepgraphError as error:
            raise self._placed(error) from None

    def _converted(self, node: Node, value: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        try:
            return super()._converted(node, value, dtype)
        except StepgraphError as error:
            raise self._placed(error) from None

    def _check_variables(self, plan: Plan) -> None:
        try:
            super()._check_variables(plan)
        except StepgraphError as error:
            raise self._placed(error) from None

    def _placed(self, error: Exception) -> Exception:
        """``error``, with the line where its node was made."""
        node, graph = getattr(error, "node", None), self.graph
        if isinstance(node, Node) and isinstance(graph, Graph):
            place = graph.place_of(node)
            if place is not None:
                text = f"{node.name!r} is {node.op} {_type_text(node)}, made at {place[0]}, line {place[1]}"
                error.args = (f"{error} [{text}]",)
        return error


def _array(values: list[Any]) -> np.ndarray[Any, Any]:
    """Nested lists of numbers as an array: float32, int64 or bool.

    :raises DtypeError: they are no numbers. :raises ShapeError: the lists have different lengths.
    """
    from engine.native.tensors import array_of

    return array_of(values)


def _type_text(node: Node) -> str:
    return "without a result" if node.type is None else f"{node.type.dtype} {show(node.shape)}"


def _program_place() -> tuple[str, int]:
    """The innermost frame that is not the engine's own."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


Feeds = Mapping[Node, Any]

__all__ = ["Feeds", "Graph", "Node", "Ops", "Session", "gradients"]

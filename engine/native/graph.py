"""The static mode natively: graphs whose nodes know where the program made them, and sessions that say so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.dynamic.tensor import Tensor as EngineTensor
from engine.errors import DtypeError, GraphError, StepgraphError
from engine.ops import TABLE
from engine.ops.type_rules import show
from engine.places import program_place
from engine.static import Graph as EngineGraph
from engine.static import Node, gradients
from engine.static import Session as EngineSession
from engine.static.node import Output

_TAKEN = (Node, int, float, complex, np.ndarray, np.generic)
"""What an op of a graph takes as it is."""


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
        if not isinstance(variable, Node) or variable.op not in ("variable", "assign", "assign_add", "assign_sub"):
            what = self.description(variable) if isinstance(variable, Node) else f"not {type(variable).__name__}"
            raise GraphError(f"{op}: only a variable can be written to; make one with variable() [{what}]")
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
        given = [self._given(op, x) for x in arguments[:count]]
        return super().apply(op, *given, *arguments[count:], **options)

    def _given(self, op: str, x: Any) -> Any:
        """``x`` as an operand: a node (or its port), a number or an array.

        :raises GraphError: a tensor of the dynamic mode. :raises DtypeError: it is nothing that holds numbers.
        """
        if isinstance(x, _TAKEN):
            return x
        if isinstance(x, list):
            return self.constant(_array(x))
        if isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], Node):
            return x
        if isinstance(x, EngineTensor):
            raise GraphError(
                f"{op}: nodes of a graph have no value yet, and one operand is a tensor of {x._array.dtype} "
                f"{x._array.shape}; feed the tensor's values through a placeholder, or make it a constant of the graph"
            )
        if isinstance(x, tuple):
            return self.constant(_array(list(x)))
        kind = "None" if x is None else f"of type {type(x).__name__}"
        raise DtypeError(f"{op}: an operand is {kind}; operands are nodes, numbers, arrays or lists")

    def place_of(self, node: Node) -> tuple[str, int] | None:
        """The file and line of the program where ``node`` was made."""
        return self._places.get(node)

    def description(self, node: Node) -> str:
        """The op, type and line of ``node``."""
        place = self._places.get(node)
        if place is None:
            return ""  # it could not be built
        return f"{node.name!r} is {node.op} {_type_text(node)}, made at {place[0]}, line {place[1]}"

    def add(self, op: str, inputs: Sequence[Node | Output] = (), *arguments: Any, **more: Any) -> Node:
        """See :meth:`engine.static.Graph.add`; errors also name the operands' dtypes."""
        try:
            node = super().add(op, inputs, *arguments, **more)
        except StepgraphError as error:
            given = [x[0] if isinstance(x, tuple) else x for x in inputs]
            words = ", ".join(f"{n.name}: {_type_text(n)}" for n in given) or "no operands"
            error.args = (f"{error.message} [{op} on {words}]",)
            raise
        self._places[node] = program_place(sys._getframe(1))
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


def _array(values: list[Any]) -> np.ndarray[Any, Any]:
    """Nested lists of numbers as an array: float32, int64 or bool.

    :raises DtypeError: they are no numbers. :raises ShapeError: the lists have different lengths.
    """
    from engine.native.tensors import array_of

    return array_of(values)


def _type_text(node: Node) -> str:
    return "without a result" if node.type is None else f"{node.type.dtype} {show(node.shape)}"


Feeds = Mapping[Node, Any]

__all__ = ["Feeds", "Graph", "Node", "Ops", "Session", "gradients"]

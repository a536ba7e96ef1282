"""Nodes of one update of a variable: the real graph has a single op there, so all but the last are hidden under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow import scattering  # noqa: F401  (declares ops)
from engine.dialects.tensorflow.build import hide
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.variables import Variable
from engine.static import Node


class Steps:
    """What an optimiser computes, on whole variables or, with ``rows`` (each number there once), on those rows."""

    def __init__(self, graph: Graph, tf_type: str, rows: Tensor | None = None) -> None:
        self.graph = graph
        self.rows = rows
        self.tf_type = f"Sparse{tf_type}" if rows is not None else tf_type
        self.before = len(graph.core.nodes)

    def op(self, name: str, *operands: Any) -> Node:
        return self.graph.core.apply(name, *(_node(x) for x in operands))

    def read(self, var: Any) -> Any:
        """The value of a variable, or its rows."""
        return self.now(_node(var))

    def write(self, how: str, var: Variable, value: Any, label: str = "") -> Node:
        """``assign``, ``assign_add`` or ``assign_sub``; :meth:`now` gives what it left."""
        core = self.graph.core
        if self.rows is None:
            return core.add(how, [var._node, _node(value)], role="update", label=label)
        scatter = {"assign": "tf_scatter_update", "assign_add": "tf_scatter_add", "assign_sub": "tf_scatter_sub"}[how]
        whole = core.apply(scatter, var._node, self.rows._node, _node(value))
        return core.add("assign", [var._node, whole], role="update", label=label)

    def now(self, written: Any) -> Any:
        """What a node holds, or its rows."""
        return written if self.rows is None else self.graph.core.apply("tf_gather", written, self.rows._node, axis=0)

    def done(self, how: str, var: Variable, value: Any, inputs: Sequence[Any]) -> Operation:
        """The last write, which the graph shows in the place of all."""
        node = self.write(how, var, value, self.tf_type)
        hide(self.graph, self.graph.core.nodes[self.before : node.index], node)
        operation = self.graph.operation(node)
        given = [*inputs, self.rows] if self.rows is not None else inputs
        operation._inputs = [x if isinstance(x, Tensor) else x._variable for x in given]
        return operation


def _node(x: Any) -> Any:
    return x._node if hasattr(x, "_node") else x

"""The graph's interpreter of the op table: where other interpreters compute, this one adds nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.errors import StepgraphError
from engine.ops import TABLE
from engine.static.graph import Graph
from engine.static.node import Node


@dataclass(frozen=True, slots=True)
class ShapeOf:
    """A shape token of a node whose dimensions are not all known while the graph is built."""

    node: Node

    def __len__(self) -> int:
        """The rank; 0 if even that is unknown (then nothing about the shape is proven)."""
        return len(self.node.shape or ())


def shape_token(node: Node) -> tuple[int, ...] | ShapeOf:
    """The shape of ``node`` as gradient functions pass it on: a tuple if it is known, else a :class:`ShapeOf`."""
    if node.type is not None and node.type.is_known:
        return node.type.shape  # type: ignore[return-value]
    return ShapeOf(node)


def _unknown(values: Iterable[Any]) -> bool:
    """Whether one of ``values`` is a shape that only a run knows, or holds one."""
    for value in values:
        kind = value.__class__
        if kind is ShapeOf or (kind is tuple and any(item.__class__ is ShapeOf for item in value)):
            return True
    return False


class Interpreter:
    """``F`` for gradient functions: ``F.mul(a, b)`` adds a node to ``graph`` and returns it.

    An op that is given a :class:`ShapeOf` becomes its ``like`` relative, which reads the shape from the node itself
    when the graph runs; so one gradient graph serves every batch size.

    >>> from engine.static import Graph
    >>> g = Graph()
    >>> F = Interpreter(g)
    >>> F.mul(g.constant(2.0), 3.0).op
    'mul'
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __getattr__(self, op: str) -> Callable[..., Any]:
        declared = TABLE.get(op)
        if declared is None:
            raise AttributeError(f"there is no op {op!r} in the table")
        graph = self.graph

        def add(*arguments: Any, **attributes: Any) -> Any:
            if not (_unknown(arguments) or (attributes and _unknown(attributes.values()))):
                return graph.apply(op, *arguments, **attributes)
            operands, bound = declared.bind(arguments, attributes)
            if not declared.like:
                raise StepgraphError(
                    f"{op} needs a shape that is unknown until the graph runs, and has no form that reads it then"
                )
            token = bound.pop("shape", None)
            if token is None:
                # One shape for each part of a variadic op: all of them are read from the parts.
                sources = [graph.constant_shaped(x) if isinstance(x, tuple) else x.node for x in bound.pop("shapes")]
                return graph.apply(declared.like, *operands, *sources, **bound)
            return graph.apply(declared.like, *operands, token.node, **bound)

        setattr(self, op, add)  # gradients ask for the same few ops again and again
        return add

    @staticmethod
    def shape(x: Any) -> Any:
        """A shape token of ``x``."""
        return shape_token(x) if isinstance(x, Node) else ()

    def sum_back(self, g: Any, target: Node) -> Any:
        """``g`` summed to the shape of ``target``, which was broadcast on the way forward."""
        token = shape_token(target)
        if not isinstance(token, ShapeOf) and isinstance(g, Node) and g.shape == token:
            return g
        return self.sum_to(g, token)

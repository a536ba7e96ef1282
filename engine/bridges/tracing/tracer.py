"""The tracer: ops of the dynamic mode become nodes, tensors from outside become inputs of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import events
from engine.bridges.facades import native
from engine.bridges.tracing.hearing import Hearing
from engine.bridges.tracing.traced import is_traced, make
from engine.dynamic import modes
from engine.dynamic.facade import Facade, Primitive
from engine.dynamic.tensor import Tensor
from engine.errors import StateError, StepgraphError
from engine.static import Graph, Node
from engine.static.building_control import inside
from engine.tensor_type import Shape, TensorType

Reveal = Callable[[Any, str], Any]


@dataclass(slots=True)
class Capture:
    """A tensor from outside that a traced program used: ``node`` is fed with its values at each run. ``current`` is
    what it holds at this point of the trace, another node once the program has written into it."""

    tensor: Tensor
    node: Node
    current: Node

    @property
    def written(self) -> bool:
        """Whether a run has to write the tensor."""
        return self.current is not self.node


class Tracer:
    """Turns ops on tensors into nodes of ``graph``.

    ``reveal(tensor, what)`` answers a program that asks for the value of a traced tensor: ``what`` is ``bool int
    float complex index iter len item tolist numpy``; by default it is an error. ``facade`` says whose tensors they
    are (default: native). With ``concrete`` the ops also run, and traced tensors hold values.
    """

    def __init__(
        self,
        graph: Graph | None = None,
        *,
        facade: Facade | None = None,
        reveal: Reveal | None = None,
        concrete: bool = False,
    ) -> None:
        self.graph = Graph() if graph is None else graph
        self.facade = facade or native()
        self.concrete = concrete
        self.captures: dict[int, Capture] = {}
        self.variables_made = 0
        self._reveal = reveal

    shows_values = False
    """Whether printing a traced tensor asks for its value, too."""

    def backward(self, traced: Any, *arguments: Any, **more: Any) -> Any:
        """A program calls backward on a traced tensor.

        :raises StateError: unless a tracer knows what to do.
        """
        raise StateError(
            f"backward of {traced!r}: it has no past while a function is traced; call backward on what the "
            "function returns"
        )

    # -- what a program sees -------------------------------------------------------------------------------------------
    def placeholder(self, shape: Shape | None, dtype: Any, name: str, value: Any = None) -> Any:
        """A traced tensor whose value every run brings along."""
        return self.tensor(self.graph.placeholder(shape, dtype, name), value)

    def tensor(self, node: Node, value: Any = None) -> Any:
        """A traced tensor for a node of the graph."""
        if node.type is None:
            raise StateError(f"node {node.name!r} has no result, so no tensor can stand for it")
        return make(self, node, value)

    def reveal(self, traced: Any, what: str) -> Any:
        """A program asks for a value. See :class:`Tracer`."""
        if self._reveal is not None:
            return self._reveal(traced, what)
        raise StateError(
            f"{traced!r} has no value while the function is traced, so there is no {what} of it; compute with the "
            "tensor itself"
        )

    # -- what the dynamic mode calls -----------------------------------------------------------------------------------
    def trace(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """An op of the traced program: a node, and a traced tensor for it."""
        inputs = [self.node_of(x) if isinstance(x, Tensor) else x._array for x in operands]
        try:
            node = self.graph.apply(primitive.name, *inputs, label=primitive.label, **attributes)
        except StepgraphError as error:
            raise primitive.facade.explain(primitive, tuple(operands), attributes, error) from None
        return self.tensor(node, self._value(primitive, operands, attributes) if self.concrete else None)

    def write(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """An op that writes into its first operand: from now on the operand is the result, and a tensor from outside is
        written when the graph has run.

        :raises StateError: the operand is a view.
        """
        target = operands[0]
        if target._view is not None:
            raise StateError(
                f"{primitive.label}: a traced function cannot write into a view of a tensor; build a new tensor"
            )
        home = target._of_region if is_traced(target) else None
        if home is not self.graph._region:
            raise StateError(
                f"{primitive.label}: a branch or loop on a traced tensor cannot write in place into a tensor from "
                "outside of it; "
                "assign a new value to a variable (x = x + y)"
            )
        result = self.trace(primitive, operands, attributes)
        node, wanted = result._of_node, TensorType(target._array.dtype, target._array.shape)
        if node.type != wanted:
            if node.type.shape != wanted.shape and node.type.shape is not None:
                raise StateError(
                    f"{primitive.label}: a result of shape {node.type.shape} cannot be written into shape "
                    f"{wanted.shape}"
                )
            node = self.graph.apply("cast", node, dtype=wanted.dtype)
        if is_traced(target):
            target._of_node = node
            target._array = result._array
        else:
            self.capture(target).current = node
        return target

    def _value(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        from engine.dynamic.promote import agree

        arrays: Any = [x._array for x in operands]
        if primitive.promotes:
            arrays = agree(primitive, arrays)
        return np.asarray(primitive.kernel(*arrays, **attributes))

    def node_of(self, tensor: Tensor) -> Node:
        """The node that holds a tensor's value at this point."""
        known: Node = tensor._of_node if is_traced(tensor) else self.capture(tensor).current  # type: ignore[attr-defined]
        return known

    def rows(self, traced: Any) -> Any:
        """The size of the first dimension: an integer, or a traced tensor where it is only known in a run."""
        shape = traced._of_node.shape
        if shape[0] is not None:
            return shape[0]
        sizes = self.graph.apply("shape_of", traced._of_node)
        return self.tensor(self.graph.apply("cast", self.graph.apply("select", sizes, 0, 0), dtype=np.dtype("int64")))

    def capture(self, tensor: Tensor) -> Capture:
        """A tensor from outside as an input of the graph, made when it is first used."""
        known = self.captures.get(id(tensor))
        if known is None:
            name = "variable" if tensor._requires_grad else "captured"
            with inside(self.graph, None), self.graph.scope(None):
                node = self.graph.placeholder(tensor._array.shape, tensor._array.dtype, name)
            known = self.captures[id(tensor)] = Capture(tensor, node, node)
        return known

    @contextmanager
    def active(self) -> Iterator[None]:
        """Inside this block ops are traced."""
        before = modes.tracer, events.listener
        modes.tracer, events.listener = self, Hearing(self, events.listener)
        try:
            yield
        finally:
            modes.tracer, events.listener = before


def current() -> Tracer | None:
    """The tracer that is active, if one is."""
    return modes.tracer  # type: ignore[no-any-return]

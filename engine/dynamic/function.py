"""Gradients written by hand: a node whose way back is a Python function on tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dynamic import observe
from engine.dynamic.apply import edge_of
from engine.dynamic.facade import Facade
from engine.dynamic.nodes import GradNode, Port, sequence, watch
from engine.dynamic.tensor import Tensor, fresh

Back = Callable[[Sequence[Tensor | None]], Sequence[Tensor | None]]


class HandNode(GradNode):
    """``back`` takes the gradients of the results and returns one for each operand (``None``: none)."""

    __slots__ = ("back", "types")

    back: Back
    types: tuple[tuple[tuple[int, ...], Any], ...]

    def run_by_hand(self, work: Any, g: Any) -> Sequence[Any]:
        gradients: list[Any] = list(g) if self.outputs > 1 else [g]
        given = [None if x is None else work.as_tensor(x) for x in gradients]
        if events.listener is None or work.create:
            return [None if x is None else work.as_gradient(x) for x in self.back(given)]
        before, observe.serving = observe.serving, observe.gradient_node(events.listener, self)
        for tensor in given:
            if tensor is not None and tensor._node < 0:
                tensor._node = observe.serving  # a gradient on its way, no data of the program
        try:
            return [None if x is None else work.as_gradient(x) for x in self.back(given)]
        finally:
            observe.serving = before


def hand_node_class(label: str) -> type[HandNode]:
    """A class of hand-written nodes under a dialect's name for them."""
    return type(label, (HandNode,), {"__slots__": (), "label": label})


def attach(
    facade: Facade, node_class: type[HandNode], operands: Sequence[Tensor], results: Sequence[Tensor], back: Back,
    op: str = "function",
) -> HandNode:  # fmt: skip
    """Make ``results`` (fresh tensors) the outputs of a hand-written node over ``operands``."""
    watch()
    node = node_class()
    node.edges = tuple(edge_of(x) if x._requires_grad else None for x in operands)
    node.sequence = next(sequence)  # after what the edges lead to, which may have been made just now
    node.attributes = {}
    node.saved = ()
    node.recipe = None
    node.back = back
    node.types = tuple((x._array.shape, x._array.dtype) for x in results)
    if len(results) > 1:
        node.outputs = len(results)
    for index, result in enumerate(results):
        if result._array.dtype.kind in "fc":
            result._requires_grad = True
            result._grad_fn = Port(node, index) if len(results) > 1 else node
    listener = events.listener
    if listener is not None:
        observe.taped_by_hand(listener, node, operands, results[0], op)
    return node


def zeros_for(facade: Facade, node: HandNode, index: int) -> Tensor:
    """A zero gradient for a result that got none."""
    shape, dtype = node.types[index]
    return fresh(facade.tensor, np.zeros(shape, dtype))

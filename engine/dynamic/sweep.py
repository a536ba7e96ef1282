"""The plain way back: one root, nobody listening, no user code on the way, gradients added to the leaves.

:mod:`engine.dynamic.backward` first counts how many gradients each node waits for. Here nothing is counted: a node's
consumers always have higher numbers than the node, so whenever the highest-numbered node that a gradient has reached
runs, it has all that it will get. This is the order in which the counting way runs them, too. Leaves get their
gradients at the end; the difference could only be seen by code that runs in between, and there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush, heapreplace
from sys import getrefcount
from typing import Any

import numpy as np

from engine.dynamic.facade import Facade
from engine.dynamic.nodes import AccumulateGrad, GradNode, Port
from engine.dynamic.tensor import fresh

_ndarray = np.ndarray
_add: Any = np.add


def _unshared() -> int:
    """The reference count, where :func:`sweep` asks for it, of a gradient that nobody else has."""
    gradients = (np.zeros(1),)
    for _, gradient in zip((None,), gradients):  # noqa: B905  (as it is written there)
        return getrefcount(gradient)
    raise AssertionError


_UNSHARED = _unshared()


def sweep(facade: Facade, root: GradNode, seed: Any, keep: bool) -> None:
    """Send ``seed`` (an array of the root's shape) back from ``root``, a node with one output, to the leaves.

    ``keep``: nodes hold on to what they saved. If a node fails, the leaves that had all their gradients keep them.
    """
    F = facade.kernels
    leaves: dict[AccumulateGrad, Any] = {}
    arrived: dict[GradNode, Any] = {}
    ready: list[tuple[int, GradNode]] = []
    """The nodes that a gradient has reached, those made last first."""
    node, g = root, seed
    try:
        while True:
            recipe = node.recipe
            gradients: Sequence[Any]
            if recipe is None:
                gradients = _by_hand(facade, node, g, keep)
            else:
                gradients = recipe.run(F, g, node)
                if node.repair is not None:
                    gradients = mend(F, node.repair, gradients)
                if not keep and recipe.holds_values:
                    node.saved = None
            following: Any = None
            ahead: Any = None
            edge: Any
            for edge, gradient in zip(node.edges, gradients):  # noqa: B905  (strict costs more than the rest of the line)
                if edge is None or gradient is None:
                    continue
                if edge.__class__ is AccumulateGrad:
                    if edge in leaves:
                        leaves[edge] = _add(leaves[edge], gradient)
                    elif (
                        edge.variable._grad is not None
                        or (getrefcount(gradient) == _UNSHARED and gradient.base is None)
                        or gradient.__class__ is not _ndarray
                    ):
                        leaves[edge] = gradient
                    else:
                        leaves[edge] = gradient.copy()
                elif edge.__class__ is Port or edge.outputs > 1:
                    _arrive_at_port(edge, gradient, arrived, ready)
                elif edge is following:
                    ahead = _add(ahead, gradient)
                elif edge in arrived:
                    arrived[edge] = _add(arrived[edge], gradient)
                elif following is None:  # most nodes lead to one other: it needs no queue
                    following, ahead = edge, gradient
                else:
                    arrived[edge] = gradient
                    heappush(ready, (-edge.sequence, edge))
            if not ready:
                if following is None:
                    break
                node, g = following, ahead
            elif following is None:
                node = heappop(ready)[1]
                g = arrived.pop(node)
            elif -ready[0][0] > following.sequence:
                arrived[following] = ahead
                node = heapreplace(ready, (-following.sequence, following))[1]
                g = arrived.pop(node)
            else:
                node, g = following, ahead
    except BaseException:
        late = _leaves_behind([node, *(other for _, other in ready)])
        _accumulate(facade, ((leaf, value) for leaf, value in leaves.items() if leaf not in late))
        raise
    _accumulate(facade, leaves.items())


def mend(F: Any, wanted: Sequence[Any], gradients: Sequence[Any]) -> Sequence[Any]:
    """Sum gradients back over broadcast dimensions and cast them back over promotions; ``wanted``: the operands'
    shapes and dtypes, as :attr:`engine.dynamic.nodes.GradNode.repair` has them."""
    result = list(gradients)
    for place, kind in enumerate(wanted):
        gradient = result[place]
        if kind is None or gradient is None:
            continue
        shape, dtype = kind
        own = gradient.shape
        if own != shape:
            gradient = F.broadcast_to(gradient, shape) if len(own) < len(shape) else F.sum_to(gradient, shape)
        if gradient.dtype is not dtype and gradient.dtype != dtype:
            gradient = F.cast(gradient, dtype)
        result[place] = gradient
    return result


def _by_hand(facade: Facade, node: GradNode, g: Any, keep: bool) -> Sequence[Any]:
    """Run a node that has no recipe: a base one of whose views was written to."""
    from engine.dynamic.backward import Pass  # stands on this module

    gradients: Sequence[Any] = node.run_by_hand(Pass(facade, keep, False), g)  # type: ignore[attr-defined]
    if not keep:
        node.saved = None
    return gradients


def _arrive_at_port(edge: Any, gradient: Any, arrived: dict[GradNode, Any], ready: list[tuple[int, GradNode]]) -> None:
    """A gradient of one of the outputs of a node that has several."""
    target, index = (edge.target, edge.index) if edge.__class__ is Port else (edge, 0)
    slots = arrived.get(target)
    if slots is None:
        slots = arrived[target] = [None] * target.outputs
        heappush(ready, (-target.sequence, target))
    slots[index] = gradient if slots[index] is None else _add(slots[index], gradient)


def _accumulate(facade: Facade, found: Iterable[tuple[AccumulateGrad, Any]]) -> None:
    """Add complete gradients, which nobody else has where there was none before, to the ``.grad`` of leaves."""
    kind = facade.tensor
    for leaf, value in found:
        variable = leaf.variable
        known = variable._grad
        if known is None:
            variable._grad = fresh(kind, value if value.__class__ is _ndarray else np.array(value))
        else:
            _add(known._array, value, out=known._array)
            known._storage.version += 1


def _leaves_behind(nodes: Sequence[GradNode]) -> set[GradNode]:
    """The leaves (and all else) that can be reached from ``nodes``."""
    found = set(nodes)
    stack = list(found)
    while stack:
        for edge in stack.pop().edges:
            node: Any = edge.target if type(edge) is Port else edge
            if node is not None and node not in found:
                found.add(node)
                stack.append(node)
    return found

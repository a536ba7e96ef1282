"""The way back: gradients travel along the tape from results to leaves.

A loop, not a recursion, so chains of any length work. A node runs when every gradient that it will get has arrived;
among nodes that are ready the one made last runs first, and a leaf's gradient is accumulated as soon as it is complete.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dynamic import modes, nodes, observe
from engine.dynamic.apply import edge_of
from engine.dynamic.facade import Facade
from engine.dynamic.nodes import AccumulateGrad, GradNode, Port, split_edge
from engine.dynamic.sweep import mend, sweep
from engine.dynamic.tensor import Tensor, fresh
from engine.errors import StateError

Place = tuple[GradNode, int]
"""A node and one of its outputs."""


def backward(
    facade: Facade,
    roots: Sequence[Tensor],
    seeds: Sequence[Tensor],
    *,
    retain_graph: bool = False,
    create_graph: bool = False,
    inputs: Sequence[Tensor] | None = None,
) -> None:
    """Add the gradients of ``roots`` (weighted by ``seeds``, of the same shapes) to the ``.grad`` of the leaves
    behind them.

    ``inputs`` limits this to some tensors. ``create_graph`` records backward itself, so that it can be differentiated.

    :raises FreedError: a node was run before and let go of what it saved.
    :raises ModifiedError: a saved value was overwritten.
    """
    if inputs is None:
        if events.listener is None and len(roots) == 1 and not create_graph and not nodes.watched:
            root: Any = edge_of(roots[0])
            if root.__class__ is not Port and root.recipe is not None and root.outputs == 1:
                sweep(facade, root, seeds[0]._array, retain_graph)
                return
        Pass(facade, retain_graph, create_graph).run(roots, seeds)
        return
    found = grad(facade, roots, inputs, seeds, retain_graph=retain_graph, create_graph=create_graph)
    for tensor, gradient in zip(inputs, found, strict=True):
        if gradient is not None:
            if tensor._grad is None or create_graph:
                tensor._grad = gradient if tensor._grad is None else facade.tape.add(tensor._grad, gradient)
            else:
                np.add(tensor._grad._array, gradient._array, out=tensor._grad._array)


def grad(
    facade: Facade,
    roots: Sequence[Tensor],
    inputs: Sequence[Tensor],
    seeds: Sequence[Tensor],
    *,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> list[Tensor | None]:
    """The gradients of ``roots`` for ``inputs`` (``None`` where a root does not depend on one); no ``.grad``
    changes."""
    places = [split_edge(edge_of(tensor)) for tensor in inputs]
    work = Pass(facade, retain_graph, create_graph)
    work.captures = dict.fromkeys(places)
    work.run(roots, seeds)
    return [None if (value := work.captures[place]) is None else work.as_tensor(value) for place in places]


LARGE = 1 << 16
"""Bytes from which on a gradient may be kept instead of copied: finding out whether it may costs as much as copying
less does."""


def _owned(value: Any, g: Any, gradients: Sequence[Any], saved: Any) -> bool:
    """Whether a gradient function made ``value`` anew: all else that it could have handed on is what it was given."""
    return (
        value.__class__ is np.ndarray
        and value.nbytes >= LARGE
        and value.base is None
        and value.flags.writeable
        and value is not g
        and sum(other is value for other in gradients) == 1
        and not any(getattr(kept, "_array", kept) is value for kept in saved or ())
    )


class Pass:
    """One run of backward. Gradients are arrays, or tensors if the run itself is recorded."""

    def __init__(self, facade: Facade, retain_graph: bool, create_graph: bool) -> None:
        self.facade = facade
        self.keep = retain_graph or create_graph
        self.create = create_graph
        self.F: Any = facade.tape if create_graph else facade.kernels
        self.add: Callable[[Any, Any], Any] = self.F.add if create_graph else np.add
        self.captures: dict[Place, Any] | None = None
        self.freed: list[int] = []

    def as_tensor(self, gradient: Any) -> Tensor:
        return gradient if self.create else fresh(self.facade.tensor, np.asarray(gradient))

    def as_gradient(self, tensor: Tensor) -> Any:
        return tensor if self.create else tensor._array

    def run(self, roots: Sequence[Tensor], seeds: Sequence[Tensor]) -> None:
        listener = events.listener
        places = [split_edge(edge_of(root)) for root in roots]
        if listener is not None:
            for (node, _), seed in zip(places, seeds, strict=True):
                listener.backward_started(observe.gradient_node(listener, node), seed._array)
        before = modes.set_enabled(self.create)
        try:
            self._propagate(places, [self.as_gradient(seed) for seed in seeds])
        finally:
            modes.set_enabled(before)
            if listener is not None:
                if self.freed:
                    listener.graph_freed(self.freed)
                for node, _ in places:
                    listener.backward_ended(node.node)

    def _count(self, roots: Sequence[GradNode]) -> dict[GradNode, int]:
        """How many gradients each node behind the roots waits for."""
        waiting: dict[GradNode, int] = dict.fromkeys(roots, 0)
        stack = list(waiting)
        while stack:
            for edge in stack.pop().edges:
                if edge is not None:
                    node = edge.target if type(edge) is Port else edge
                    if node in waiting:
                        waiting[node] += 1
                    else:
                        waiting[node] = 1  # type: ignore[index]
                        stack.append(node)  # type: ignore[arg-type]
        return waiting

    def _needed(self, waiting: dict[GradNode, int]) -> set[GradNode]:
        """With captures, only nodes from which a captured place can be reached have to run."""
        assert self.captures is not None
        needed = {node for node, _ in self.captures}
        for node in sorted(waiting, key=lambda n: n.sequence):
            if any(edge is not None and split_edge(edge)[0] in needed for edge in node.edges):
                needed.add(node)
        return needed

    def _propagate(self, places: Sequence[Place], seeds: Sequence[Any]) -> None:
        waiting = self._count([node for node, _ in places])
        needed = None if self.captures is None else self._needed(waiting)
        arrived: dict[GradNode, Any] = {}
        for (node, index), seed in zip(places, seeds, strict=True):
            self._arrive(arrived, node, index, seed)
        ready = [(-node.sequence, node) for node in dict.fromkeys(node for node, _ in places) if not waiting[node]]
        heapq.heapify(ready)
        listener = events.listener
        plain = needed is None and not self.create
        F, add, keep, pop, push, clock = self.F, self.add, self.keep, heapq.heappop, heapq.heappush, events.clock
        following: GradNode | None = None
        while ready or following is not None:
            if following is None:
                node = pop(ready)[1]
            elif ready and -ready[0][0] > following.sequence:
                push(ready, (-following.sequence, following))
                node = pop(ready)[1]
            else:
                node = following
            following = None
            g = arrived.pop(node, None)
            gradients: Sequence[Any]
            saved = node.saved
            recipe = node.recipe
            if plain and recipe is not None and g is not None and node.hooks is None:
                start = 0 if listener is None else clock()
                gradients = recipe.run(F, g, node)
                if node.repair is not None:
                    gradients = mend(F, node.repair, gradients)
                if listener is not None:
                    observe.gradient_ran(listener, node, gradients, start, clock())
                if not keep and recipe.holds_values:
                    if listener is not None and saved is not None:
                        self.freed.append(observe.gradient_node(listener, node))
                    node.saved = None
            elif type(node) is AccumulateGrad:
                self._accumulate(node, g)
                continue
            else:
                gradients = self._run(node, g, needed)
            for edge, gradient in zip(node.edges, gradients):  # noqa: B905  (strict costs more than the rest of the line)
                if edge is None:
                    continue
                target: Any = edge
                if type(edge) is Port:
                    target = edge.target
                    if gradient is not None:
                        self._arrive(arrived, target, edge.index, gradient)
                elif gradient is not None:
                    known = arrived.get(target)
                    if target.outputs > 1:
                        self._arrive(arrived, target, 0, gradient)
                    else:
                        arrived[target] = gradient if known is None else add(known, gradient)
                left = waiting[target] - 1
                waiting[target] = left
                if left:
                    continue
                if type(target) is AccumulateGrad:
                    if target in arrived:
                        value = arrived.pop(target)
                        own = (
                            value is gradient
                            and plain
                            and node.recipe is not None
                            and _owned(value, g, gradients, saved)
                        )
                        self._accumulate(target, value, own)
                elif following is None:
                    following = target
                else:
                    push(ready, (-target.sequence, target))

    def _run(self, node: GradNode, g: Any, needed: set[GradNode] | None) -> Sequence[Any]:
        """Run a node with all that may go with it: hooks, captures, a listener, a recording of the run itself."""
        if node.hooks is not None or self.captures is not None:
            g = self._meet(node, g)
        if g is None or (needed is not None and node not in needed):
            return (None,) * len(node.edges)
        listener = events.listener
        start = 0 if listener is None else events.clock()
        if node.recipe is None:
            gradients: Sequence[Any] = node.run_by_hand(self, g)  # type: ignore[attr-defined]
        else:
            gradients = (node.recipe.replay if self.create else node.recipe.run)(self.F, g, node)
            if node.repair is not None:
                gradients = self.repair(node, gradients)
        if listener is not None:
            observe.gradient_ran(listener, node, gradients, start, events.clock())
        if not self.keep and (node.recipe is None or node.recipe.holds_values):
            if listener is not None and node.saved is not None:
                self.freed.append(observe.gradient_node(listener, node))
            node.saved = None
        return gradients

    def _arrive(self, arrived: dict[GradNode, Any], node: GradNode, index: int, gradient: Any) -> None:
        """Add a gradient to those that arrived at one output of a node."""
        if node.outputs == 1:
            known = arrived.get(node)
            arrived[node] = gradient if known is None else self.add(known, gradient)
            return
        slots = arrived.setdefault(node, [None] * node.outputs)
        slots[index] = gradient if slots[index] is None else self.add(slots[index], gradient)

    def repair(self, node: GradNode, gradients: Sequence[Any]) -> Sequence[Any]:
        """Sum gradients back over broadcast dimensions and cast them back over promotions."""
        assert node.repair is not None
        F = self.F
        result = list(gradients)
        for place, wanted in enumerate(node.repair):
            gradient = result[place]
            if wanted is None or gradient is None:
                continue
            array = gradient._array if self.create else gradient
            if array.shape != wanted[0]:
                more = len(array.shape) < len(wanted[0])
                gradient = F.broadcast_to(gradient, wanted[0]) if more else F.sum_to(gradient, wanted[0])
            if array.dtype != wanted[1]:
                gradient = F.cast(gradient, wanted[1])
            result[place] = gradient
        return result

    def _meet(self, node: GradNode, g: Any) -> Any:
        """A gradient is complete at a node: run hooks on it, keep it where asked to."""
        many = node.outputs > 1
        slots = (g if g is not None else [None] * node.outputs) if many else [g]
        for index, value in enumerate(slots):
            if value is None:
                continue
            if node.hooks is not None:
                value = slots[index] = self._run_hooks(node.hooks.before.get(index), value)
                kept = node.hooks.retains.get(index)
                tensor = None if kept is None else kept()
                if tensor is not None:
                    new = self.as_tensor(value)
                    if not self.create:
                        new = fresh(self.facade.tensor, np.array(value))
                    tensor._grad = new if tensor._grad is None else self.facade.tape.add(tensor._grad, new)
            if self.captures is not None and (node, index) in self.captures:
                self.captures[node, index] = value
        return slots if many else slots[0]

    def _run_hooks(self, hooks: dict[int, Any] | None, value: Any) -> Any:
        for hook in tuple(hooks.values()) if hooks else ():
            answer = hook(self.as_tensor(value))
            if answer is not None:
                if not isinstance(answer, Tensor):
                    raise StateError(f"a hook on a gradient returned {type(answer).__name__}; return a tensor or None")
                value = self.as_gradient(answer)
        return value

    def _accumulate(self, node: AccumulateGrad, value: Any, own: bool = False) -> None:
        """Add a complete gradient to the ``.grad`` of a leaf; ``own``: nobody else has the array."""
        variable = node.variable
        if variable._hooks and value is not None:
            value = self._run_hooks(variable._hooks, value)
        if self.captures is not None:
            if (node, 0) in self.captures:
                self.captures[node, 0] = value
            return
        known = variable._grad
        if self.create:
            variable._grad = value if known is None else self.F.add(known, value)
        elif known is None:
            # A copy, unless the array is known to be ours: it may be shared with another gradient, or be a view of one.
            if not own:
                value = np.array(value) if value.__class__ is not np.ndarray else value.copy()
            variable._grad = fresh(self.facade.tensor, value)
        else:
            np.add(known._array, value, out=known._array)
            known._storage.version += 1
        listener = events.listener
        if listener is not None:
            current = variable._grad
            assert current is not None
            current._node = node.node if node.node >= 0 else observe.accumulate_node(listener, node)
            storage = current._storage
            number = storage.number if storage.number >= 0 else observe.storage_number(storage)
            listener.gradient_accumulated(
                current._node, current._array, known is not None, storage=number, version=storage.version
            )
        for hook in tuple(getattr(variable, "_after", {}).values()):  # a dialect's hooks on gradients that are complete
            hook(variable)


__all__ = ["backward", "grad"]

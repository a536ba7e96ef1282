"""``tf.GradientTape``: what happens inside its block can be differentiated.

The engine records whatever depends on a watched tensor while at least one tape runs. A tape only follows what happened
while *it* ran: every gradient node has a number, and a tape knows which numbers are its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import events
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import lookups
from engine.dialects.tensorflow.eager.tensor import FACADE, EagerTensor, Valued, convert, run, running_tapes, wrap
from engine.dynamic import observe
from engine.dynamic.apply import edge_of
from engine.dynamic.backward import Pass
from engine.dynamic.nodes import AccumulateGrad, GradNode, sequence, split_edge
from engine.dynamic.tensor import Tensor as EngineTensor
from engine.dynamic.tensor import fresh

_running: list[GradientTape] = running_tapes


def begin() -> None:
    """A new program: no tape runs, so nothing is recorded."""
    _running.clear()


def read(variable: Any) -> None:
    """A variable was read: tapes that watch by themselves watch it."""
    for tape in _running:
        if tape._automatic and variable._trainable:
            tape._variables.setdefault(id(variable), variable)


class UnconnectedGradients:
    """What the gradient of something unconnected is."""

    NONE = "none"
    ZERO = "zero"


class GradientTape:
    """Records ops, so that :meth:`gradient` can go back along them."""

    __module__ = "tensorflow.python.eager.backprop"

    def __new__(cls, persistent: bool = False, watch_accessed_variables: bool = True) -> Any:
        if graphs._stack:
            from engine.dialects.tensorflow.function.graph_tape import GraphTape

            return GraphTape(persistent, watch_accessed_variables)
        return super().__new__(cls)

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._automatic = watch_accessed_variables
        self._variables: dict[int, Any] = {}
        self._watched: dict[int, Any] = {}
        self._lent: list[Any] = []
        self._lookups: dict[int, list[lookups.Lookup]] = {}
        self._windows: list[list[int]] = []
        self._used = False

    # -- recording ---------------------------------------------------------------------------------------------------
    def __enter__(self) -> GradientTape:
        if self in _running:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        if self in _running:
            self._close()
        for tensor in self._lent:
            if not any(tensor is x for tape in _running for x in tape._lent):
                tensor._requires_grad = False
        self._lent.clear()

    def _open(self) -> None:
        _running.append(self)
        self._windows.append([next(sequence), -1])

    def _close(self) -> None:
        _running.remove(self)
        self._windows[-1][1] = next(sequence)

    def watch(self, tensor: Any) -> None:
        """Follow a tensor that is no trainable variable."""
        for one in _flat(tensor):
            if not isinstance(one, Valued):
                raise ValueError(
                    f"Passed in object {one} of type '{type(one).__name__}', not tf.Tensor or tf.Variable or "
                    "ExtensionType."
                )
            self._watched[id(one)] = one
            if not one._requires_grad and one._array.dtype.kind in "fc":
                one._requires_grad = True
                self._lent.append(one)
                if events.listener is not None and one._node >= 0 and one._grad_fn is None:
                    events.listener.role_changed(one._node, "variable")

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Nothing is recorded inside this block."""
        if self not in _running:
            raise RuntimeError("Tape is not active")
        self._close()
        try:
            yield
        finally:
            self._open()

    def reset(self) -> None:
        """Forget everything so far."""
        self._windows = [[next(sequence), -1]] if self in _running else []
        self._variables.clear()
        self._watched.clear()
        self._lookups.clear()

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that were read, in the order in which they were."""
        watched = (x for x in self._watched.values() if hasattr(x, "_trainable"))
        return tuple({id(x): x for x in (*self._variables.values(), *watched)}.values())

    # -- gradients ---------------------------------------------------------------------------------------------------
    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """The gradients of ``target`` (the sum of its elements) for ``sources``, in their structure; ``None`` where it
        does not depend on one."""
        self._begin_gradient()
        wanted = list(_flat(sources))
        for one in wanted:
            if not isinstance(one, Valued):
                raise AttributeError(f"'{type(one).__name__}' object has no attribute 'dtype'")
        roots = [x for x in _flat(target) if isinstance(x, Valued)]
        given = [None] * len(roots) if output_gradients is None else list(_flat(output_gradients))
        found = self._gradients(roots, wanted, given, rows=True)
        if unconnected_gradients == "zero":
            zeros = (wrap(np.zeros(x._array.shape, x._array.dtype), "zeros") for x in wanted)
            found = [z if g is None else g for g, z in zip(found, zeros, strict=True)]
        return _like(sources, iter(found))

    def _begin_gradient(self) -> None:
        """:raises RuntimeError: the tape is used up, or never recorded anything."""
        if self._used or (not self._windows and not self._persistent):
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
            )
        if self in _running and not self._persistent:
            self._close()
        self._used = not self._persistent

    def _gradients(self, roots: list[Any], wanted: list[Any], given: list[Any], rows: bool = False) -> list[Any]:
        """With ``rows`` the gradient of a table of which only rows were looked up is those rows."""
        pairs = [
            (root, _ones(root) if seed is None else convert(seed, root.dtype))
            for root, seed in zip(roots, given, strict=True)
            if root._grad_fn is not None or self._follows(root)
        ]
        sources = {id(x): x for x in wanted if self._follows(x) or self._made(x)}
        if not pairs or not sources:
            return [None] * len(wanted)
        places = {key: split_edge(edge_of(x)) for key, x in sources.items()}
        work = TapePass(self)
        tables = self._tables([root for root, _ in pairs], places) if rows and self._lookups else {}
        work.captures = dict.fromkeys(place for key, place in places.items() if key not in tables)
        work.captures.update(((one.node, 0), None) for found in tables.values() for one in found)
        work.run([root for root, _ in pairs], [seed for _, seed in pairs])
        sliced = {key: lookups.slices(work, sources[key], found) for key, found in tables.items()}
        places = {key: place for key, place in places.items() if key not in tables}
        arrived = {key: work.captures[place] for key, place in places.items()}
        results = {
            key: _result(work, sources[key], place[0], arrived[key])
            for key, place in places.items()
            if arrived[key] is not None
        }
        return [results.get(id(x), sliced.get(id(x))) for x in wanted]

    def looked_up(self, table: Any, lookup: lookups.Lookup) -> None:
        """Rows of ``table`` were looked up."""
        self._lookups.setdefault(id(table), []).append(lookup)

    def _tables(self, roots: list[Any], places: dict[int, Any]) -> dict[int, list[lookups.Lookup]]:
        """The lookups in each source of which nothing but rows was used on the way to ``roots``."""
        known = {key: {one.node: one for one in self._lookups[key]} for key in places if key in self._lookups}
        wanted = {places[key]: key for key in known}
        used: dict[int, dict[GradNode, lookups.Lookup]] = {}
        starts = [split_edge(edge_of(root))[0] for root in roots]
        dense = {wanted[place] for place in map(split_edge, map(edge_of, roots)) if place in wanted}
        seen, waiting = set(starts), starts
        while waiting:
            node = waiting.pop()
            if not self.owns(node):
                continue
            for edge in node.edges:
                if edge is None:
                    continue
                place = split_edge(edge)
                key = wanted.get(place)
                if key is not None:
                    one = known[key].get(node)
                    if one is None:
                        dense.add(key)
                    else:
                        used.setdefault(key, {})[node] = one
                if place[0] not in seen:
                    seen.add(place[0])
                    waiting.append(place[0])
        # In the order in which they were made.
        return {
            key: sorted(found.values(), key=lambda one: one.node.sequence)
            for key, found in used.items()
            if key not in dense
        }

    def _made(self, tensor: Any) -> bool:
        """Whether a tensor is the result of an op that this tape recorded."""
        return tensor._grad_fn is not None and self.owns(split_edge(tensor._grad_fn)[0])

    def _follows(self, leaf: Any) -> bool:
        return id(leaf) in self._watched or id(leaf) in self._variables

    def owns(self, node: GradNode) -> bool:
        """Whether the tape ran when ``node`` was made."""
        return any(start < node.sequence and (end < 0 or node.sequence < end) for start, end in self._windows)

    def jacobian(self, target: Any, sources: Any, **_: Any) -> Any:
        """The gradient of every element of ``target``."""
        self._begin_gradient()
        root = convert(target)
        wanted = list(_flat(sources))
        rows: list[list[Any]] = []
        for place in range(root._array.size):
            seed = np.zeros(root._array.size, root._array.dtype)
            seed[place] = 1
            rows.append(self._gradients([root], wanted, [wrap(seed.reshape(root._array.shape), "one of")]))
        result: list[Any] = []
        for column, x in enumerate(wanted):
            parts = [row[column] for row in rows]
            whole = None
            if any(part is not None for part in parts):
                zero = wrap(np.zeros(x._array.shape, x._array.dtype), "zeros")
                stacked = run("stack", "Pack", *[zero if part is None else part for part in parts], axis=0)
                whole = run("reshape", "Reshape", stacked, shape=(*root._array.shape, *x._array.shape))
            result.append(whole)
        return _like(sources, iter(result))

    def batch_jacobian(self, target: Any, source: Any, **_: Any) -> Any:
        """For each example along the first axis, the gradient of every element of its target for its source."""
        self._begin_gradient()
        root, wanted = convert(target), convert(source)
        shape, from_ = root._array.shape, wanted._array.shape
        if not shape or not from_ or shape[0] != from_[0]:
            raise ValueError(
                f"Need first dimension of target shape ({root.shape}) and source shape ({wanted.shape}) to match."
            )
        columns = []
        for place in range(int(np.prod(shape[1:]))):
            seed = np.zeros((shape[0], int(np.prod(shape[1:]))), root._array.dtype)
            seed[:, place] = 1
            (column,) = self._gradients([root], [source], [wrap(seed.reshape(shape), "one of")])
            if column is None:
                return None
            columns.append(column)
        stacked = run("stack", "Pack", *columns, axis=1)
        return run("reshape", "Reshape", stacked, shape=(*shape, *from_[1:]))


class TapePass(Pass):
    """Backward along what one tape recorded; recorded itself if another tape runs."""

    def __init__(self, tape: GradientTape) -> None:
        super().__init__(FACADE, True, bool(_running))
        self._tape = tape

    def _needed(self, waiting: dict[GradNode, int]) -> set[GradNode]:
        return {node for node in super()._needed(waiting) if self._tape.owns(node)}


def _ones(root: Any) -> EagerTensor:
    return fresh(EagerTensor, np.ones(root._array.shape, root._array.dtype))


def _result(work: TapePass, source: EngineTensor, node: GradNode, value: Any) -> Any:
    """What arrived for one source; in a recording it is the gradient kept for that variable."""
    out = work.as_tensor(value)
    listener = events.listener
    if listener is not None and isinstance(node, AccumulateGrad):
        number = observe.accumulate_node(listener, node)
        listener.gradient_accumulated(number, out._array, False, storage=observe.storage_number(out._storage))
        if out._node < 0:
            out._node = number
    return out


def _flat(value: Any) -> Iterator[Any]:
    """What lists, tuples and dictionaries hold, in order (of keys sorted)."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _flat(value[key])
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _like(structure: Any, items: Iterator[Any]) -> Any:
    if isinstance(structure, dict):
        found = {key: _like(structure[key], items) for key in sorted(structure)}
        return {key: found[key] for key in structure}
    if isinstance(structure, list | tuple):
        return type(structure)([_like(item, items) for item in structure])
    return next(items)

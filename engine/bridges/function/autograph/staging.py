"""Decisions and loops on traced tensors: the blocks run once each, into regions of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.bridges.function.key import flatten, rebuild
from engine.bridges.tracing import Tracer, is_traced
from engine.dynamic.tensor import Tensor
from engine.errors import StateError
from engine.static import Node

Values = tuple[Any, ...]
_NUMBERS = (Tensor, np.ndarray, np.generic, bool, int, float, complex)


class Undefined:
    """A variable that has no value (yet): using it fails as it does in Python."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def _fail(self, *_: Any, **__: Any) -> Any:
        name = object.__getattribute__(self, "_name")
        raise UnboundLocalError(f"variable {name!r} is used before it has a value (it may only get one on some ways)")

    __getattr__ = __call__ = __bool__ = __iter__ = __len__ = __getitem__ = __float__ = __int__ = __index__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = (
        __rmatmul__
    ) = _fail
    __neg__ = __lt__ = __le__ = __gt__ = __ge__ = __array__ = _fail

    def __repr__(self) -> str:
        return f"<{object.__getattribute__(self, '_name')} has no value>"


def choose(
    test: Any, then: Callable[..., Values], otherwise: Callable[..., Values], values: Values, names: Sequence[str]
) -> Values:
    """What the variables are after a decision on ``test``. Both ways run once, now, each into a region.

    A variable that has a value after one way only has none afterwards.

    :raises StateError: a variable that is no tensor differs.
    """
    tracer: Tracer = test._of_tracer
    seen: list[tuple[Any, list[Any]]] = []

    def way(block: Callable[..., Values]) -> Callable[[], list[Node]]:
        def run() -> list[Node]:
            found: list[tuple[str, Any]] = []
            structure = flatten(_own_copies(tracer, block(*_own_copies(tracer, values))), "", found)
            leaves = [leaf for _, leaf in found]
            seen.append((structure, leaves))
            if len(seen) == 1:
                return [as_node(tracer, leaf) for leaf in leaves if isinstance(leaf, _NUMBERS)]
            _compare(seen[0], seen[1], names)
            pairs = zip(seen[0][1], leaves, strict=True)
            return [_second(tracer, a, b) for a, b in pairs if isinstance(a, _NUMBERS)]

        return run

    nodes = iter(tracer.graph.cond(test._of_node, way(then), way(otherwise)))
    (structure, first), (_, second) = seen
    result = []
    for a, b in zip(first, second, strict=True):
        node = next(nodes) if isinstance(a, _NUMBERS) else None
        if isinstance(a, Undefined) or isinstance(b, Undefined):
            result.append(a if isinstance(a, Undefined) else b)
        else:
            result.append(a if node is None or _same(a, b) else tracer.tensor(node))
    return rebuild(structure, iter(result))  # type: ignore[no-any-return]


def _second(tracer: Tracer, first: Any, leaf: Any) -> Node:
    """The second way's value; where it has none, something of the same type that nobody will read."""
    if not isinstance(leaf, Undefined):
        return as_node(tracer, leaf)
    kind = as_node(tracer, first).type
    assert kind is not None
    return tracer.graph.constant(np.zeros([1 if n is None else n for n in kind.shape or ()], kind.dtype))


def _compare(first: tuple[Any, list[Any]], second: tuple[Any, list[Any]], names: Sequence[str]) -> None:
    if first[0] != second[0]:
        raise StateError(
            f"after the two ways of an if on a tensor, {', '.join(names)} are nested differently; make them alike"
        )
    places = names if len(names) == len(first[1]) else ["a value"] * len(first[1])
    for name, a, b in zip(places, first[1], second[1], strict=True):
        if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
            continue
        if isinstance(a, Undefined) or isinstance(b, Undefined):
            continue
        if a is not b and not (
            isinstance(a, Undefined) or (type(a) is type(b) and not isinstance(a, _NUMBERS) and a == b)
        ):
            raise StateError(
                f"{name!r} is {type(a).__name__} after one way of an if on a tensor and {type(b).__name__} after "
                "the other; "
                "only tensors and numbers can depend on a tensor"
            )


def _same(a: Any, b: Any) -> bool:
    """Whether nothing was chosen: the same node, object or Python number on both ways."""
    if is_traced(a) and is_traced(b):
        return a._of_node is b._of_node
    return a is b or (type(a) is type(b) and isinstance(a, bool | int | float | str) and a == b)


def repeat(
    tracer: Tracer, test: Callable[..., Any], body: Callable[..., Values], values: Values, names: Sequence[str]
) -> Values:
    """What the variables are after a loop on a traced condition; ``test`` and ``body`` run once, now, into regions.

    :raises StateError: a variable that is no tensor changes in the loop, or what a variable holds is nested
        differently.
    """
    found: list[tuple[str, Any]] = []
    structure = flatten(values, "", found)
    leaves = [leaf for _, leaf in found]
    carried = [i for i, leaf in enumerate(leaves) if isinstance(leaf, _NUMBERS)]

    def filled(nodes: Sequence[Node]) -> Values:
        full = list(leaves)
        for place, node in zip(carried, nodes, strict=True):
            full[place] = tracer.tensor(node)
        return rebuild(structure, iter(full))  # type: ignore[no-any-return]

    def condition(*nodes: Node) -> Node:
        return as_node(tracer, test(*filled(nodes)))

    def step(*nodes: Node) -> list[Node]:
        after: list[tuple[str, Any]] = []
        nested = flatten(body(*filled(nodes)), "", after)
        kept = [leaf for _, leaf in after]
        if nested != structure and not any(isinstance(leaf, Undefined) for leaf in leaves):
            raise StateError(f"a loop on a tensor nests {', '.join(names)} differently after one pass; make them alike")
        if nested != structure:
            raise StateError(
                f"a loop on a tensor makes lists or tuples of {', '.join(names)}; make them before the loop"
            )
        labels = names if len(names) == len(leaves) else ["a value"] * len(leaves)
        for name, old, new in zip(labels, leaves, kept, strict=True):
            if (
                not isinstance(old, (*_NUMBERS, Undefined))
                and old is not new
                and not (type(old) is type(new) and old == new)
            ):
                raise StateError(f"{name!r} changes in a loop on a tensor; only tensors and numbers can")
        return [as_node(tracer, kept[i], initial[p].type.dtype) for p, i in enumerate(carried)]

    initial: list[Any] = [as_node(tracer, leaves[i]) for i in carried]
    results = tracer.graph.while_loop(condition, step, initial)
    last = list(leaves)
    for place, node in zip(carried, results, strict=True):
        last[place] = tracer.tensor(node)
    return rebuild(structure, iter(last))  # type: ignore[no-any-return]


def as_node(tracer: Tracer, leaf: Any, dtype: Any = None) -> Node:
    """A tensor or number as a node; a Python number takes ``dtype``, if given."""
    if isinstance(leaf, Tensor):
        return tracer.node_of(leaf)
    if isinstance(leaf, np.ndarray | np.generic):
        return tracer.graph.constant(leaf)
    if dtype is None:
        dtype = {bool: np.bool_, int: np.int64}.get(
            type(leaf), np.complex64 if isinstance(leaf, complex) else np.float32
        )
    return tracer.graph.constant(leaf, dtype)


def _own_copies(tracer: Tracer, values: Values) -> Values:
    """The same values in traced tensors of their own, so that writing in place on one way does not reach the other."""
    found: list[tuple[str, Any]] = []
    structure = flatten(values, "", found)
    own = [tracer.tensor(x._of_node) if is_traced(x) else x for _, x in found]
    return rebuild(structure, iter(own))  # type: ignore[no-any-return]


class Native:
    """How the operators of AutoGraph deal with traced tensors of the engine."""

    @staticmethod
    def choose(
        test: Any, then: Callable[..., Values], otherwise: Callable[..., Values], values: Values, names: Sequence[str]
    ) -> Values:
        """The variables after a decision on ``test``."""
        return choose(test, then, otherwise, values, names)

    @staticmethod
    def repeat(
        met: Any, test: Callable[..., Any], body: Callable[..., Values], values: Values, names: Sequence[str],
        tracer: Tracer | None = None,
    ) -> Values:  # fmt: skip
        """The variables after a loop; ``met`` is the traced tensor that makes it one of the graph."""
        return repeat(tracer or met._of_tracer, test, body, values, names)

    @staticmethod
    def rows(iterated: Any) -> tuple[Any, Callable[[Any], Any]]:
        """How many rows a traced tensor has, and what gives one of them.

        :raises TypeError: it has no dimensions.
        """
        if not iterated._of_node.shape:
            raise TypeError("iterating over a traced tensor without dimensions: it has no rows")
        tracer = iterated._of_tracer
        return tracer.rows(iterated), lambda i: tracer.tensor(
            tracer.graph.apply("take", iterated._of_node, i._of_node, axis=0)
        )

    @staticmethod
    def logical_and(a: Any, b: Any) -> Any:
        """``a and b``."""
        return a._of_tracer.facade.tape.logical_and(a, b)

    @staticmethod
    def logical_or(a: Any, b: Any) -> Any:
        """``a or b``."""
        return a._of_tracer.facade.tape.logical_or(a, b)

    @staticmethod
    def logical_not(a: Any) -> Any:
        """``not a``."""
        return a._of_tracer.facade.tape.logical_not(a)

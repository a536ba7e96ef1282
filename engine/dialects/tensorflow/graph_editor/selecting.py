"""Choosing ops and tensors of a graph: by name, by scope, by who reads whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor


def as_handle(given: Any) -> Any:
    """A variable as its tensor."""
    convert = getattr(type(given), "_as_graph_element", None)
    return given if convert is None else convert(given)


def flat(given: Any) -> Iterator[Any]:
    """What is in nested lists."""
    if isinstance(given, list | tuple | set | frozenset):
        for item in given:
            yield from flat(item)
    elif given is not None:
        yield as_handle(given)


def check_graphs(*given: Any) -> None:
    """:raises ValueError: they do not all belong to one graph."""
    graph = None
    for index, item in enumerate(given):
        own = getattr(item, "graph", None)
        if graph is None:
            graph = own
        elif own is not graph:
            raise ValueError(f"Argument[{index}]: Wrong graph!")


def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Operation]:
    """Ops out of an op, a graph or nested lists.

    :raises TypeError: something else is among them.
    :raises ValueError: ops of several graphs.
    """
    if isinstance(ops, Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return ops.get_operations()
    found = []
    for item in flat(ops):
        if isinstance(item, Tensor) and ignore_ts:
            continue
        if not isinstance(item, Operation):
            raise TypeError(f"Expected an Operation, got {type(item)}")
        found.append(item)
    if check_graph:
        check_graphs(*found)
    return found


def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False
) -> list[Tensor]:
    """Tensors out of a tensor, a graph or nested lists.

    :raises TypeError: something else is among them.
    :raises ValueError: tensors of several graphs.
    """
    if isinstance(ts, Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return get_tensors(ts)
    found = []
    for item in flat(ts):
        if isinstance(item, Operation) and ignore_ops:
            continue
        if not isinstance(item, Tensor):
            raise TypeError(f"Expected a Tensor, got {type(item)}")
        found.append(item)
    if check_graph:
        check_graphs(*found)
    return found


def get_tensors(graph: Any) -> list[Tensor]:
    """All tensors of a graph."""
    if not isinstance(graph, Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [t for op in graph.get_operations() for t in op.outputs]


def filter_ops(ops: Any, positive_filter: Any = None) -> list[Operation]:
    """The ops that a function (``True``: every one) is true of."""
    found = make_list_of_op(ops)
    return found if positive_filter in (True, None) else [op for op in found if positive_filter(op)]


def filter_ts(ops: Any, positive_filter: Any = None) -> list[Tensor]:
    """The results of ``ops`` that a function is true of."""
    found = [t for op in make_list_of_op(ops) for t in op.outputs]
    return found if positive_filter in (True, None) else [t for t in found if positive_filter(t)]


def get_name_scope_ops(ops: Any, scope: str) -> list[Operation]:
    """The ops below a name scope."""
    inside = scope.rstrip("/")
    return [op for op in make_list_of_op(ops) if not inside or op.name == inside or op.name.startswith(f"{inside}/")]


def _pattern(given: Any) -> Callable[[str], Any]:
    """A filter of names: a regular expression that matches anywhere from the start, compiled or not."""
    return (re.compile(given) if isinstance(given, str) else given).search


def _is_pattern(given: Any) -> bool:
    return isinstance(given, str | re.Pattern)


def select_ops(
    *args: Any, graph: Graph | None = None, positive_filter: Any = None, restrict_ops_regex: bool = False
) -> list[Operation]:
    """Ops: given ones, and those whose names a regular expression finds.

    :raises ValueError: a pattern without a graph.
    """
    found: dict[Operation, None] = {}
    for arg in args:
        if _is_pattern(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            text = arg if isinstance(arg, str) else arg.pattern
            if text.startswith("(?#ts)"):
                continue
            matches = _pattern(arg)
            found.update(dict.fromkeys(op for op in graph.get_operations() if matches(op.name)))
        else:
            found.update(dict.fromkeys(make_list_of_op(arg, ignore_ts=True)))
    return filter_ops(list(found), positive_filter)


def select_ts(
    *args: Any, graph: Graph | None = None, positive_filter: Any = None, restrict_ts_regex: bool = False
) -> list[Tensor]:
    """Tensors: given ones, and those whose names a regular expression (beginning with ``(?#ts)``) finds.

    :raises ValueError: a pattern without a graph.
    """
    found: dict[Tensor, None] = {}
    for arg in args:
        if _is_pattern(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            text = arg if isinstance(arg, str) else arg.pattern
            if restrict_ts_regex and not text.startswith("(?#ts)"):
                continue
            matches = _pattern(arg)
            found.update(dict.fromkeys(t for t in get_tensors(graph) if matches(t.name)))
        else:
            found.update(dict.fromkeys(make_list_of_t(arg, ignore_ops=True)))
    return [t for t in found if positive_filter in (True, None) or positive_filter(t)]


def select_ops_and_ts(*args: Any, graph: Graph | None = None, **options: Any) -> tuple[list[Operation], list[Tensor]]:
    """Both: patterns mean ops, or tensors when they begin with ``(?#ts)``."""
    return select_ops(*args, graph=graph, **options), select_ts(*args, graph=graph, restrict_ts_regex=True, **options)


def get_generating_ops(ts: Any) -> list[Operation]:
    """The ops whose results these are."""
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Operation]:
    """The ops that read them, each once."""
    found: dict[Operation, None] = {}
    for t in make_list_of_t(ts, allow_graph=False):
        found.update(dict.fromkeys(t.consumers()))
    return list(found)


def get_ops_ios(ops: Any, control_inputs: bool = False, control_outputs: Any = None) -> list[Operation]:
    """The ops beside these: those that they read or wait for, and those that read them."""
    found: dict[Operation, None] = {}
    for op in make_list_of_op(ops):
        found.update(dict.fromkeys(t.op for t in op.inputs))
        if control_inputs:
            found.update(dict.fromkeys(op.control_inputs))
        found.update(dict.fromkeys(reader for t in op.outputs for reader in t.consumers()))
    return list(found)


def _walk(
    seeds: Any, step: Callable[[Operation], Iterable[Operation]], inclusive: bool, within: Any, stop: Any
) -> list[Operation]:
    first = [item.op if isinstance(item, Tensor) else item for item in flat(seeds)]
    check_graphs(*first)
    allowed = None if within is None else set(make_list_of_op(within))
    barred = set(make_list_of_t(stop)) if stop is not None else set()
    found: dict[Operation, None] = dict.fromkeys(op for op in first if allowed is None or op in allowed)
    todo = list(found)
    while todo:
        op = todo.pop(0)
        for other in step(op):
            if other not in found and (allowed is None or other in allowed) and not barred.intersection(other.outputs):
                found[other] = None
                todo.append(other)
    return [op for op in found if inclusive or op not in first]


def get_forward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None, stop_at_ts: Any = (),
    control_outputs: Any = None,
) -> list[Operation]:  # fmt: skip
    """Everything that can be reached from ``seed_ops`` along the edges."""
    return _walk(seed_ops, lambda op: [r for t in op.outputs for r in t.consumers()], inclusive, within_ops, stop_at_ts)


def get_backward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None, within_ops_fn: Any = None, stop_at_ts: Any = (),
    control_inputs: bool = False,
) -> list[Operation]:  # fmt: skip
    """Everything that ``seed_ops`` need."""

    def step(op: Operation) -> list[Operation]:
        return [*(t.op for t in op.inputs), *(op.control_inputs if control_inputs else ())]

    return _walk(seed_ops, step, inclusive, within_ops, stop_at_ts)


def get_within_boundary_ops(
    ops: Any, seed_ops: Any, boundary_ops: Any = (), inclusive: bool = True, **_more: Any
) -> list[Operation]:
    """What is connected to ``seed_ops`` without going through ``boundary_ops``."""
    fence = set(make_list_of_op(boundary_ops))

    def step(op: Operation) -> list[Operation]:
        return [] if op in fence else get_ops_ios([op])

    return [op for op in _walk(seed_ops, step, True, ops, None) if inclusive or op not in fence]

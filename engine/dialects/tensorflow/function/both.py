"""Functions of both modes: while executing eagerly they compute, in a graph they build nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow import graph as graphs


def either(eager: Callable[..., Any], graph: Callable[..., Any]) -> Callable[..., Any]:
    """``eager``, and ``graph`` while a graph is built."""

    @wraps(eager)
    def function(*args: Any, **kwargs: Any) -> Any:
        return (graph if graphs._stack else eager)(*args, **kwargs)

    return function


def lifted(graph: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that only knows graphs: while executing eagerly a small graph of its own runs at once."""
    made: list[Any] = []

    @wraps(graph)
    def function(*args: Any, **kwargs: Any) -> Any:
        if graphs._stack:
            return graph(*args, **kwargs)
        if not made:
            made.append(Lifted(graph, name))
        return made[0](*args, **kwargs)

    function.__name__ = name
    return function


class Lifted:
    """The graphs of one op, one for each kind of arguments; nothing of them is recorded but the op."""

    def __init__(self, graph: Callable[..., Any], name: str) -> None:
        from engine.dialects.tensorflow.function.polymorphic import Function

        self._name = name
        self._function = Function(_free(graph), autograph=False, name=name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from engine import events
        from engine.dialects.tensorflow.eager.messages import failed
        from engine.dialects.tensorflow.sources import quiet

        with quiet():
            try:
                # Not a call of a tf.function: nobody is warned of new traces, or has it run as plain Python.
                trace, leaves = self._function.traced(args, kwargs)
                result = trace.run(leaves)
            except errors.OpError as error:
                if error.kernel is None:
                    raise
                told = failed(*error.kernel, name=None)
                raise type(error)(None, None, told.message) from None
        if events.listener is not None:
            _announced(events.listener, self._name, (args, kwargs), result)
        return result


def _free(graph: Callable[..., Any]) -> Callable[..., Any]:
    """The function with arguments of any names, which a trace need not know."""

    def function(*args: Any, **kwargs: Any) -> Any:
        return graph(*args, **kwargs)

    function.__name__ = graph.__name__
    return function


def _announced(listener: Any, name: str, given: Any, result: Any) -> None:
    """Tell of the results as those of one op."""
    from engine import events
    from engine.bridges.function.key import flatten
    from engine.dialects.tensorflow.eager.tensor import Valued
    from engine.dynamic import observe

    found: list[tuple[str, Any]] = []
    flatten(given, "", found)
    inputs = [(observe.node_of(listener, x), 0) for _, x in found if isinstance(x, Valued)]
    results: list[tuple[str, Any]] = []
    flatten(result, "", results)
    for _, out in results:
        if isinstance(out, Valued):
            now = events.clock()
            out._node = listener.node_created(
                observe.graph_of(listener), "function", inputs, observe.type_of(out), label=name
            )
            listener.op_ran(out._node, out._array, now, now, storage=observe.storage_number(out._storage), version=0)

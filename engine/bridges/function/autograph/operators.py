"""What rewritten control flow calls: Python's way for Python values, nodes for traced tensors.

``if_``, ``while_`` and ``for_`` get a statement's blocks as functions from the variables that they assign to their
next values.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from engine.bridges.function.autograph.staging import Undefined, choose, repeat
from engine.bridges.tracing import is_traced

Values = tuple[Any, ...]
_range = builtins.range


def value(read: Callable[[], Any], name: str) -> Any:
    """The value of a variable that may not be there yet."""
    try:
        return read()
    except NameError:
        return Undefined(name)


def if_(
    test: Any, then: Callable[..., Values], otherwise: Callable[..., Values], values: Values, names: Sequence[str]
) -> Values:
    """The variables after an ``if``."""
    if is_traced(test):
        return choose(test, then, otherwise, values, names)
    return then(*values) if test else otherwise(*values)


def returned(result: Values) -> Any:
    """What an ``if`` whose ways all return gives back."""
    return result[0]


def while_(test: Callable[..., Any], body: Callable[..., Values], values: Values, names: Sequence[str]) -> Values:
    """The variables after a ``while``: as soon as its condition is a traced tensor, the rest is a loop in the graph."""
    while True:
        first = test(*values)
        if is_traced(first):
            return repeat(first._of_tracer, test, body, values, names)
        if not first:
            return values
        values = body(*values)


class TracedRange:
    """``range`` with a traced tensor among its arguments."""

    def __init__(self, *arguments: Any) -> None:
        start, stop, step = (0, *arguments, 1) if len(arguments) == 1 else (*arguments, 1)[:3]
        if is_traced(step) or step == 0:
            raise ValueError("the step of a range over traced tensors is a Python integer other than 0")
        self.start, self.stop, self.step = start, stop, step
        self.tracer = next(x for x in arguments if is_traced(x))._of_tracer


def for_(
    iterated: Any,
    body: Callable[..., Values],
    values: Values,
    names: Sequence[str],
    stopped: Callable[..., Any] | None = None,
) -> Values:
    """The variables after a ``for``. Rows of a traced tensor, and a range with a traced end, make a loop in the graph.
    ``stopped`` tells from the variables whether a ``break`` was met."""

    def going(more: Any, *v: Any) -> Any:
        return more if stopped is None else and_(lambda: not_(stopped(*v)), lambda: more)

    if isinstance(iterated, TracedRange):
        step, stop, start = iterated.step, iterated.stop, iterated.start
        return repeat(
            iterated.tracer,
            lambda i, *v: going(i < stop if step > 0 else i > stop, *v),
            lambda i, *v: (i + step, *body(i, *v)),
            (start, *values),
            ("the counter", *names),
        )[1:]
    if is_traced(iterated):
        tracer = iterated._of_tracer
        if not iterated._of_node.shape:
            raise TypeError("iterating over a traced tensor without dimensions: it has no rows")
        count = tracer.rows(iterated)
        if isinstance(count, int) and count == 0:
            return values

        def next_row(i: Any, *v: Any) -> Values:
            row = tracer.tensor(tracer.graph.apply("take", iterated._of_node, i._of_node, axis=0))
            return (i + 1, *body(row, *v))

        return repeat(tracer, lambda i, *v: going(i < count, *v), next_row, (0, *values), ("the counter", *names))[1:]
    for item in iterated:
        values = body(item, *values)
        if stopped is not None:
            stop = stopped(*values)
            if not is_traced(stop) and stop:
                break
    return values


def and_(*thunks: Callable[[], Any]) -> Any:
    """``a and b``; of traced tensors the logical and."""
    result = thunks[0]()
    for place, thunk in enumerate(thunks[1:], 1):
        if is_traced(result):
            rest = and_(*thunks[place:])
            return result._of_tracer.facade.tape.logical_and(result, rest)
        if not result:
            return result
        result = thunk()
    return result


def or_(*thunks: Callable[[], Any]) -> Any:
    """``a or b``; of traced tensors the logical or."""
    result = thunks[0]()
    for place, thunk in enumerate(thunks[1:], 1):
        if is_traced(result):
            rest = or_(*thunks[place:])
            return result._of_tracer.facade.tape.logical_or(result, rest)
        if result:
            return result
        result = thunk()
    return result


def compared(left: Any, *steps: Callable[..., Any]) -> Any:
    """``a < b < c``: comparisons and operands in turn, no further than needed."""
    result: Any = True
    for compare, operand in zip(steps[::2], steps[1::2], strict=True):
        right = operand()
        now = compare(left, right)
        result = now if result is True else result._of_tracer.facade.tape.logical_and(result, now)
        if not is_traced(now) and not now:
            return now
        left, result = right, result if is_traced(result) else True
    return now if result is True else result


def not_(x: Any) -> Any:
    """``not x``; of a traced tensor the logical not."""
    return x._of_tracer.facade.tape.logical_not(x) if is_traced(x) else not x


def if_expression(test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """``a if test else b``."""
    if is_traced(test):
        return choose(test, lambda: (then(),), lambda: (otherwise(),), (), ("the expression",))[0]
    return then() if test else otherwise()


def range_(*arguments: Any) -> Any:
    """``range``, which also takes traced tensors."""
    return TracedRange(*arguments) if any(is_traced(x) for x in arguments) else _range(*arguments)


__all__ = [
    "and_", "compared", "for_", "if_", "if_expression", "not_", "or_", "range_", "returned", "value", "while_",
]  # fmt: skip

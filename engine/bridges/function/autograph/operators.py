"""What rewritten control flow calls: Python's way for Python values, nodes for traced tensors.

``if_``, ``while_`` and ``for_`` get a statement's blocks as functions from the variables that they assign to their
next values. A dialect with graphs of its own says by ``_autograph`` on the class of its tensors who deals with them: an
object with the methods of :class:`.staging.Native`.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from engine.bridges.function.autograph.staging import Native, Undefined
from engine.bridges.tracing import is_traced

Values = tuple[Any, ...]
_range = builtins.range


def staging_of(x: Any) -> Any:
    """Who deals with ``x`` in a graph; ``None`` for what has a value now."""
    if is_traced(x):
        return Native
    asked = getattr(type(x), "_autograph", None)
    return None if asked is None else asked()


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
    staging = staging_of(test)
    if staging is not None:
        return staging.choose(test, then, otherwise, values, names)  # type: ignore[no-any-return]
    return then(*values) if test else otherwise(*values)


def returned(result: Values) -> Any:
    """What an ``if`` whose ways all return gives back."""
    found = result[0]
    unusable = getattr(type(found), "_unusable", None)
    return found if unusable is None else unusable(found)


def while_(test: Callable[..., Any], body: Callable[..., Values], values: Values, names: Sequence[str]) -> Values:
    """The variables after a ``while``: as soon as its condition is a traced tensor, the rest is a loop in the graph."""
    while True:
        first = test(*values)
        staging = staging_of(first)
        if staging is not None:
            return staging.repeat(first, test, body, values, names)  # type: ignore[no-any-return]
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
        return Native.repeat(
            None,
            lambda i, *v: going(i < stop if step > 0 else i > stop, *v),
            lambda i, *v: (i + step, *body(i, *v)),
            (start, *values),
            ("the counter", *names),
            iterated.tracer,
        )[1:]
    staging = staging_of(iterated)
    if staging is not None and hasattr(staging, "each"):
        return staging.each(iterated, body, values, names, going)  # type: ignore[no-any-return]
    if staging is not None:
        count, row = staging.rows(iterated)
        if isinstance(count, int) and count == 0:
            return values
        return staging.repeat(  # type: ignore[no-any-return]
            iterated,
            lambda i, *v: going(i < count, *v),
            lambda i, *v: (i + 1, *body(row(i), *v)),
            (0, *values),
            ("the counter", *names),
        )[1:]
    for item in iterated:
        values = body(item, *values)
        if stopped is not None:
            stop = stopped(*values)
            if staging_of(stop) is None and stop:
                break
    return values


def and_(*thunks: Callable[[], Any]) -> Any:
    """``a and b``; of traced tensors the logical and."""
    result = thunks[0]()
    for place, thunk in enumerate(thunks[1:], 1):
        staging = staging_of(result)
        if staging is not None:
            return staging.logical_and(result, and_(*thunks[place:]))
        if not result:
            return result
        result = thunk()
    return result


def or_(*thunks: Callable[[], Any]) -> Any:
    """``a or b``; of traced tensors the logical or."""
    result = thunks[0]()
    for place, thunk in enumerate(thunks[1:], 1):
        staging = staging_of(result)
        if staging is not None:
            return staging.logical_or(result, or_(*thunks[place:]))
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
        staging = staging_of(result)
        result = now if staging is None else staging.logical_and(result, now)
        if staging_of(now) is None and not now:
            return now
        left, result = right, result if staging_of(result) is not None else True
    return now if result is True else result


def not_(x: Any) -> Any:
    """``not x``; of a traced tensor the logical not."""
    staging = staging_of(x)
    return not x if staging is None else staging.logical_not(x)


def if_expression(test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """``a if test else b``."""
    staging = staging_of(test)
    if staging is not None:
        return returned(staging.choose(test, lambda: (then(),), lambda: (otherwise(),), (), ("the expression",)))
    return then() if test else otherwise()


def range_(*arguments: Any) -> Any:
    """``range``, which also takes traced tensors."""
    for x in arguments:
        staging = staging_of(x)
        if hasattr(staging, "range"):
            return staging.range(*arguments)
    return TracedRange(*arguments) if any(is_traced(x) for x in arguments) else _range(*arguments)


def len_(x: Any) -> Any:
    """``len``; of a tensor the size of its first dimension."""
    staging = staging_of(x)
    return staging.length(x) if hasattr(staging, "length") else len(x)


def _cast(kind: Any) -> Callable[..., Any]:
    def cast(*arguments: Any) -> Any:
        staging = staging_of(arguments[0]) if len(arguments) == 1 else None
        if staging is not None and hasattr(staging, "cast"):
            return staging.cast(arguments[0], kind)
        return kind(*arguments)

    return cast


def enumerate_(iterated: Any, start: Any = 0) -> Any:
    """``enumerate``, of pipelines too."""
    return iterated.enumerate(start) if hasattr(staging_of(iterated), "each") else enumerate(iterated, start)


BUILTINS: dict[Any, Any] = {
    range: range_, len: len_, int: _cast(int), float: _cast(float), bool: _cast(bool), enumerate: enumerate_,
}  # fmt: skip
"""Python's own functions that may be given what has no value yet."""

__all__ = [
    "and_", "compared", "for_", "if_", "if_expression", "not_", "or_", "range_", "returned", "value", "while_",
]  # fmt: skip

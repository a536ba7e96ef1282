"""The small language of checks: comparisons and arithmetic over facts of a recording, and nothing else.

An expression is Python's syntax without its reach: numbers, texts, tuples, ``and or not``, comparisons, ``+ - * /``,
names of facts, and calls of facts. No attributes, no subscripts, no functions but facts.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_LONGEST = 500


class ExpressionError(ValueError):
    """A text that is no expression of this language: says what is wrong, and at which column."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression; make one with :func:`parse`."""

    text: str
    tree: ast.expr

    def value(self, facts: Mapping[str, Any]) -> Any:
        """What it comes to with ``facts``: values, and functions of texts and numbers.

        A fact may be missing (``None``), or of another kind than expected: arithmetic with it is missing too, and an
        order or a search with it is false.

        >>> known = {"ended": 0, "ops": 1, "final": 1}
        >>> parse('ended == "ok" and ops("mul") <= 4', known).value({"ended": "ok", "ops": lambda name: 4})
        True
        >>> parse('final("loss") * 2 < 0.1', known).value({"final": lambda name: None})
        False
        """
        return _value(self.tree, facts)


def parse(text: str, known: Mapping[str, int]) -> Expression:
    """Read an expression over the ``known`` facts: name -> how many arguments it is called with (0: it is no call).
    Raises :class:`ExpressionError`.

    >>> parse("open('x')", {"ended": 0})
    Traceback (most recent call last):
    app.lessons.expressions.ExpressionError: there is no fact 'open' (column 1); the facts are ended
    """
    if len(text) > _LONGEST:
        raise ExpressionError(f"an expression has at most {_LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = getattr(error, "offset", None) or 1
        raise ExpressionError(f"{getattr(error, 'msg', error)} (column {column})") from None
    try:
        _check(tree, known)
    except RecursionError:
        raise ExpressionError("too many brackets or signs inside of each other") from None
    return Expression(text, tree)


def _check(node: ast.expr, known: Mapping[str, int]) -> None:
    where = f"(column {node.col_offset + 1})"
    match node:
        case ast.Constant(value=value) if isinstance(value, (int, float, str, bool)) or value is None:
            return
        case ast.Tuple(elts=parts) | ast.BoolOp(values=parts):
            pass
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            parts = [operand]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            parts = [left, right]
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARISONS for op in ops):
            parts = [left, *others]
        case ast.Name(id=name):
            _fact(name, 0, where, known)
            return
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            _fact(name, len(parts) or -1, where, known)  # no fact is called without a name
        case ast.Attribute(value=ast.Name(id=name), attr=part):
            if f"{name}.{part}" not in known:
                raise ExpressionError(f"there is no {name}.{part} {where}; there are {', '.join(sorted(known))}")
            return
        case _:
            raise ExpressionError(
                f"{type(node).__name__} cannot be used here {where}: numbers, texts, comparisons, and, or, not, "
                "arithmetic and facts can"
            )
    for inner in parts:
        _check(inner, known)


def _fact(name: str, arguments: int, where: str, known: Mapping[str, int]) -> None:
    if name not in known:
        raise ExpressionError(f"there is no fact {name!r} {where}; the facts are {', '.join(sorted(known))}")
    wanted = known[name]
    if arguments != wanted:
        form = f'{name}("…")' if wanted else name
        raise ExpressionError(f"the fact {name!r} is written {form} {where}")


def _value(node: ast.expr, facts: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts):
            return tuple(_value(part, facts) for part in parts)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(bool(_value(part, facts)) for part in parts)
        case ast.BoolOp(values=parts):
            return any(bool(_value(part, facts)) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, facts)
        case ast.UnaryOp(operand=operand):
            return _computed(operator.neg, _value(operand, facts))
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(_ARITHMETIC[type(op)], _value(left, facts), _value(right, facts))
        case ast.Compare(left=left, ops=ops, comparators=others):
            a = _value(left, facts)
            for compared, other in zip(ops, others, strict=True):
                b = _value(other, facts)
                if not _compared(type(compared), a, b):
                    return False
                a = b
            return True
        case ast.Name(id=name):
            return facts[name]
        case ast.Attribute(value=ast.Name(id=name), attr=part):
            return facts[f"{name}.{part}"]
        case ast.Call(func=ast.Name(id=name), args=parts):
            return facts[name](*(_value(part, facts) for part in parts))
    raise AssertionError(ast.dump(node))


def _computed(operation: Callable[..., Any], *numbers: Any) -> Any:
    """``None`` where a number is missing, is no number, or the result is none."""
    if not all(isinstance(number, (int, float)) for number in numbers):
        return None
    try:
        return operation(*numbers)
    except (ZeroDivisionError, OverflowError):
        return None


def _compared(op: type[ast.cmpop], a: Any, b: Any) -> bool:
    try:
        return bool(_COMPARISONS[op](a, b))
    except TypeError:  # a number beside a text, or beside nothing
        return False

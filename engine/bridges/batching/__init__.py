"""Dynamic batching: expressions of any shape over a few functions, run as one call for each function and depth.

A :class:`Cell` is a function of tensors whose first dimension counts rows. Calling a cell computes nothing, it gives an
expression; :func:`evaluate` then runs many expressions at once. A constant has depth 0, a call 1 + the greatest
depth of its arguments, and calls of the same cell at the same depth run together, whichever expression they belong to::

    >>> import engine
    >>> from engine.bridges.batching import Cell, evaluate
    >>> leaf = Cell(lambda number: engine.cast(number, "float32"), name="leaf")
    >>> plus = Cell(lambda left, right: left + right, name="plus")
    >>> trees = [plus(leaf(1), leaf(2)), plus(plus(leaf(3), leaf(4)), leaf(5))]
    >>> evaluate(trees)
    tensor([ 3., 12.])

What a deeper call needs from further up is passed through. All of it is on the tape: ``backward`` reaches the
parameters that cells use. :class:`Schedule` shows the groups before they run.
"""

from __future__ import annotations

from engine.bridges.batching.expression import Call, Cell, Part
from engine.bridges.batching.schedule import Group, Schedule, evaluate

__all__ = ["Call", "Cell", "Group", "Part", "Schedule", "evaluate"]

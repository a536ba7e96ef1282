"""Compiling a function with guards and graph breaks, in the manner of ``torch.compile``.

The first call captures graphs; where Python needs a value (``.item()``, ``if x > 0``, ``print(x)``) the graph
breaks: what was captured is compiled and run, Python goes on with the value, and a new graph begins. Guards say for
which calls all this holds; a call that fails them compiles again. The first time a size changes, that dimension
becomes dynamic::

    >>> import engine
    >>> from engine.bridges.compile import compile
    >>> @compile
    ... def f(x):
    ...     y = x * 2.0
    ...     if y.sum().item() > 0:
    ...         return y + 1.0
    ...     return y - 1.0
    >>> f(engine.tensor([1.0, 2.0]))
    tensor([3., 5.])
    >>> report = f.explain(engine.tensor([1.0, 2.0]))
    >>> report.graphs, [(b.what, b.line - report.line) for b in report.breaks]
    (2, [('item', 3)])
"""

from __future__ import annotations

from engine.bridges.compile.compiled import Compiled, RecompileLimitWarning, compile
from engine.bridges.compile.report import Break, Report

__all__ = ["Break", "Compiled", "RecompileLimitWarning", "Report", "compile"]

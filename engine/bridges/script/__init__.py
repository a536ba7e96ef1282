"""Functions as graphs that need no Python any more, in the manner of TorchScript.

:func:`trace` runs a function on examples and writes down the one path that it took; it warns where the path depended
on a value. :func:`script` compiles the source of a function written in a subset of Python, so that decisions and
loops stay decisions and loops. Both give a :class:`ScriptFunction`, which can be called, read, saved and loaded::

    >>> import warnings, engine
    >>> from engine.bridges.script import script, trace
    >>> def sign(x):
    ...     if x > 0.0:
    ...         return x * 0.0 + 1.0
    ...     return x * 0.0 - 1.0
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     traced = trace(sign, engine.tensor(5.0))
    >>> traced(engine.tensor(-5.0))
    tensor(1.)
    >>> str(heard[0].message)[:46]
    'Converting a tensor to a Python boolean might '
"""

from __future__ import annotations

from engine.bridges.script.saving import load, save
from engine.bridges.script.script import ScriptError, script
from engine.bridges.script.script_function import ScriptFunction
from engine.bridges.script.trace import TracerWarning, trace

__all__ = ["ScriptError", "ScriptFunction", "TracerWarning", "load", "save", "script", "trace"]

"""Scripting: the source of a function, compiled into a graph with its decisions and loops."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.bridges.function.autograph import converted, why_not_converted
from engine.bridges.function.autograph.convert import tree_of
from engine.bridges.script.script_function import ScriptFunction
from engine.bridges.script.subset import check
from engine.bridges.tracing import Tracer
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import StepgraphError
from engine.tensor_type import TensorType


class ScriptError(StepgraphError, RuntimeError):
    """The source of a function is not in the subset of Python that can be scripted."""


_NUMBERS = {int: np.int64, float: np.float32, bool: np.bool_}


def script(
    function: Callable[..., Any], *types: Any, facade: Facade | None = None, values: dict[str, Any] | None = None
) -> ScriptFunction:
    """``function`` as a graph in which ``if``, ``while`` and ``for`` on its arguments are nodes.

    An argument is of the type given in ``types`` (a :class:`TensorType`, ``int``, ``float``, ``bool``, or an
    example), else by its annotation, else a float32 tensor of any rank. Numbers become tensors, too, so loops over
    ``range(n)`` are loops of the graph. ``values`` are arguments that are built in. Tensors from outside become
    parameters.

    :raises ScriptError: the source is not there, or uses what cannot be scripted (the message says what, and at
        which line).
    """
    name = getattr(function, "__name__", "function")
    try:
        tree = tree_of(function)
    except (OSError, TypeError, SyntaxError) as error:
        raise ScriptError(
            f"{name} cannot be scripted: its source is not available ({error}); define it with def in a file"
        ) from None
    troubles = check(tree)
    if troubles:
        listed = "; ".join(f"line {line}: {text}" for line, text in troubles)
        raise ScriptError(f"{name} cannot be scripted: {listed}")
    tracer = Tracer(facade=facade, reveal=_refuse)
    arguments: dict[str, Any] = {}
    inputs = []
    hints = _hints(function)
    given = list(types)
    for key, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ScriptError(f"{name} cannot be scripted: it takes any number of arguments (*{key})")
        if values and key in values:
            arguments[key] = values[key]
            continue
        kind = _type_of(given.pop(0) if given else hints.get(key, Tensor), key)
        traced = tracer.placeholder(kind.shape, kind.dtype, key)
        arguments[key] = traced
        inputs.append((key, traced._of_node))
    with tracer.active():
        result = converted(function)(**arguments)
    return ScriptFunction.of("script", name, tracer, inputs, result)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except Exception:  # annotations may be any text: what cannot be read is no hint
        return {}


def _type_of(given: Any, name: str) -> TensorType:
    if isinstance(given, TensorType):
        return given
    if given in _NUMBERS:
        return TensorType(np.dtype(_NUMBERS[given]), ())
    if isinstance(given, type) and issubclass(given, Tensor):
        return TensorType(np.dtype("float32"), None)
    if isinstance(given, Tensor | np.ndarray | np.generic):
        array = given._array if isinstance(given, Tensor) else np.asarray(given)
        return TensorType(array.dtype, (None,) * array.ndim)
    if isinstance(given, bool | int | float):
        return TensorType(np.dtype(_NUMBERS[type(given)]), ())
    raise ScriptError(f"the argument {name!r} is of type {given!r}; use a tensor type, int, float or bool")


def _refuse(traced: Any, what: str) -> Any:
    reason = f" ({why_not_converted()})" if what in ("bool", "iter", "index") else ""
    raise ScriptError(
        f"{what} of {traced!r} is not known while the function is compiled; compute with the tensor itself{reason}"
    )

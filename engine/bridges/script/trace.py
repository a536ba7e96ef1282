"""Tracing: one run on examples, written down."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.bridges.script.script_function import ScriptFunction
from engine.bridges.tracing import Tracer
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import DtypeError


class TracerWarning(UserWarning):
    """What is traced depended on a value: other inputs may take another way, the trace does not."""


_CONSTANT = (
    "We can't record the data flow of Python values, so this value will be treated as a constant in the future. "
    "This means "
    "that the trace might not generalize to other inputs!"
)
_WORDS = {
    "bool": f"Converting a tensor to a Python boolean might cause the trace to be incorrect. {_CONSTANT}",
    "int": f"Converting a tensor to a Python integer might cause the trace to be incorrect. {_CONSTANT}",
    "index": f"Converting a tensor to a Python index might cause the trace to be incorrect. {_CONSTANT}",
    "float": f"Converting a tensor to a Python float might cause the trace to be incorrect. {_CONSTANT}",
    "complex": f"Converting a tensor to a Python number might cause the trace to be incorrect. {_CONSTANT}",
    "item": f"Converting a tensor to a Python number might cause the trace to be incorrect. {_CONSTANT}",
    "tolist": f"Converting a tensor to a Python list might cause the trace to be incorrect. {_CONSTANT}",
    "numpy": f"Converting a tensor to a NumPy array might cause the trace to be incorrect. {_CONSTANT}",
    "len": "Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be "
    "tensor.shape[0]. Passing a tensor of different shape might lead to errors or silently give incorrect results.",
    "iter": "Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different shape "
    "won't change "
    "the number of iterations executed (and might lead to errors or silently give incorrect results).",
}


def trace(function: Callable[..., Any], *examples: Any, facade: Facade | None = None) -> ScriptFunction:
    """The path that ``function`` takes on ``examples`` (tensors or arrays), as a graph for inputs of any size.

    Warns (:class:`TracerWarning`) where the path depended on a value. Tensors from outside become parameters.

    :raises StateError: the function writes in place into a tensor from outside.
    """
    tracer = Tracer(facade=facade, reveal=_reveal, concrete=True)
    names = _names(function, len(examples))
    inputs, traced = [], []
    for name, example in zip(names, examples, strict=True):
        if not isinstance(example, Tensor | np.ndarray | np.generic):
            raise DtypeError(f"an example for {name!r} is {type(example).__name__}; examples are tensors or arrays")
        array = example._array if isinstance(example, Tensor) else np.asarray(example)
        traced.append(tracer.placeholder((None,) * array.ndim, array.dtype, name, array.copy()))
        inputs.append((name, traced[-1]._of_node))
    with tracer.active():
        result = function(*traced)
    return ScriptFunction.of("trace", getattr(function, "__name__", "function"), tracer, inputs, result)


def _names(function: Callable[..., Any], count: int) -> list[str]:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    return [names[i] if i < len(names) else f"argument_{i}" for i in range(count)]


def words(what: str) -> str:
    """What a trace says when a program asks for ``what`` of a value.

    >>> words("bool")[:45]
    'Converting a tensor to a Python boolean might'
    """
    return _WORDS.get(what, _WORDS["item"])


def _reveal(traced: Any, what: str) -> Any:
    warnings.warn(words(what), TracerWarning, stacklevel=4)
    array = traced._array
    if what == "iter":
        return iter([traced[i] for i in range(len(array))])
    if what == "len":
        return len(array)
    if what == "numpy":
        return array.copy()
    if what == "tolist":
        return array.tolist()
    value = array.item()
    convert: Any = {"bool": bool, "int": int, "index": int, "float": float, "complex": complex}.get(what)
    return value if convert is None else convert(value)

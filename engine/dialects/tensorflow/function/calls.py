"""Functions of the program as ops, and gradients of its own: ``tf.py_function``, ``tf.custom_gradient``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.build import convert as in_graph
from engine.dialects.tensorflow.eager.tape import GradientTape
from engine.dialects.tensorflow.eager.tensor import FACADE, EagerTensor, Valued, convert, running_tapes
from engine.dialects.tensorflow.function.func_graph import FuncGraph
from engine.dialects.tensorflow.function.own_gradients import with_gradient
from engine.dialects.tensorflow.gradients import gradients as graph_gradients
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.python_functions import py_func
from engine.dynamic import modes
from engine.dynamic.function import attach, hand_node_class
from engine.dynamic.tensor import fresh

_custom_node = hand_node_class("CustomGradient")


def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients", gate_gradients: Any = False,
    aggregation_method: Any = None, stop_gradients: Any = None, unconnected_gradients: Any = "none",
) -> Any:  # fmt: skip
    """``tf.gradients``, which only graphs have."""
    if not graphs._stack:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    return graph_gradients(ys, xs, grad_ys, name)


# -- functions of the program ----------------------------------------------------------------------------------------
def numpy_function(func: Any = None, inp: Any = None, Tout: Any = None, stateful: bool = True, name: Any = None) -> Any:
    """``func`` of arrays, called whenever the op runs."""
    if func is None:
        return lambda function: wraps(function)(lambda *inputs: numpy_function(function, inputs, Tout, stateful, name))
    if graphs._stack:
        return _node(func, inp, Tout, name)
    return _results(func(*[np.asarray(convert(x)._array) for x in inp]), Tout)


def py_function(func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None) -> Any:
    """``func`` of eager tensors, called whenever the op runs; its gradients are those of its ops."""
    if func is None:
        return lambda function: wraps(function)(lambda *inputs: py_function(function, inputs, Tout, name))
    if graphs._stack:
        return _eager_call(func, inp, Tout, name)
    return _results(func(*[x if isinstance(x, EagerTensor) else convert(x) for x in inp]), Tout)


class _Taped:
    """A function of eager tensors that remembers its last call on a tape, for the gradient."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self._func = func
        self._last: tuple[Any, list[Any], list[Any]] = (None, [], [])

    def __call__(self, *arrays: Any) -> Any:
        inputs = [fresh(EagerTensor, np.asarray(x)) for x in arrays]
        with GradientTape(persistent=True) as tape:
            tape.watch(inputs)
            result = self._func(*inputs)
        several = isinstance(result, list | tuple)
        found = [] if result is None else [convert(x) for x in (result if several else [result])]
        self._last = (tape, inputs, found)
        return [x._array for x in found] if several else found[0]._array if found else 0

    def back(self, *seeds: Any) -> list[Any]:
        """The gradients of the last call for what arrives at its results."""
        tape, inputs, results = self._last
        given = [fresh(EagerTensor, np.asarray(seed)) for seed in seeds]
        slopes = tape.gradient(results, inputs, given)
        return [np.zeros_like(x._array) if g is None else g._array for x, g in zip(inputs, slopes, strict=True)]


def _eager_call(func: Callable[..., Any], inp: Any, kinds: Any, name: str | None) -> Any:
    taped = _Taped(func)
    operands = [in_graph(x) for x in inp]
    result = _node(taped, operands, kinds, name, "EagerPyFunc")
    if (
        not operands
        or not all(x.dtype.base_dtype.is_floating for x in operands)
        or not isinstance(result, Tensor | list)
    ):
        return result

    def grad(*seeds: Any) -> Any:
        with get_default_graph().control_dependencies([one.op for one in _several(result)]):
            found = _node(taped.back, list(seeds), [x.dtype.base_dtype for x in operands], None)
        for slope, x in zip(found, operands, strict=True):
            slope.set_shape(x.shape)
        return found

    outputs = with_gradient(result, operands, grad)
    for out in _several(outputs):
        out._node.label = "EagerPyFunc"
    return outputs


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _node(func: Any, inp: Any, kinds: Any, name: str | None, label: str = "PyFunc") -> Any:
    graph = graphs.get_default_graph()
    none = kinds is None or (isinstance(kinds, list | tuple) and not kinds)
    wanted = "float32" if none else kinds

    def run(*arrays: Any) -> Any:
        kept = list(graphs._stack)
        graphs._stack.clear()
        try:
            # Scalars arrive as NumPy numbers, as the real op hands them over.
            result = func(*[np.asarray(a) if np.ndim(a) else np.asarray(a)[()] for a in arrays])
        finally:
            graphs._stack[:] = kept
        return np.float32(0) if none else result

    def build() -> Any:
        return py_func(run, [in_graph(x) for x in inp], wanted, name=name or label)

    if isinstance(graph, FuncGraph):
        with graph.acting():
            result = build()
    else:
        result = build()
    for one in result if isinstance(result, list) else [result]:
        one._node.label = label
        one.op._device = "/job:localhost/replica:0/task:0"
    return result.op if none else result


def _results(found: Any, kinds: Any) -> Any:
    if kinds is None or (isinstance(kinds, list | tuple) and not kinds):
        return None
    if isinstance(kinds, list | tuple):
        return [_result(x, kind) for x, kind in zip(found, kinds, strict=True)]
    return _result(found, kinds)


def _result(value: Any, kind: Any) -> Any:
    if isinstance(value, Valued):
        from engine.dialects.tensorflow.eager.math_ops import cast

        return cast(value, kind)
    return convert(np.asarray(value, dtypes.as_dtype(kind)._numpy))


# -- gradients of its own --------------------------------------------------------------------------------------------
def custom_gradient(f: Any = None) -> Any:
    """A function that gives its result, and a function that gives the gradients. A decorator."""
    if f is None:
        return custom_gradient

    @wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return _graph_custom(f, args, kwargs) if graphs._stack else _eager_custom(f, args, kwargs)

    return decorated


def _eager_custom(f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    operands = [x if isinstance(x, Valued) else convert(x) for x in args]
    for x in operands:
        read = getattr(x, "_was_read", None)
        if read is not None:
            read()
    before = modes.set_enabled(False)
    tapes = running_tapes[:]
    running_tapes.clear()
    try:
        result, grad = f(*operands, **kwargs)
    finally:
        running_tapes[:] = tapes
        modes.set_enabled(before)
    several = isinstance(result, list | tuple)
    found = [convert(x) for x in (result if several else [result])]
    if not running_tapes or not any(x._requires_grad for x in operands):
        return type(result)(found) if several else found[0]
    outputs = [fresh(EagerTensor, x._array) for x in found]
    for out, x in zip(outputs, found, strict=True):
        out._node = x._node
    wanted = [i for i, x in enumerate(operands) if x._requires_grad]

    def back(given: Any) -> list[Any]:
        seeds = [
            fresh(EagerTensor, np.zeros_like(x._array)) if g is None else g for g, x in zip(given, found, strict=True)
        ]
        slopes = grad(*seeds)
        flat = list(slopes) if isinstance(slopes, list | tuple) else [slopes]
        return [None if flat[i] is None else convert(flat[i]) for i in wanted]

    attach(FACADE, _custom_node, [operands[i] for i in wanted], outputs, back, "custom_gradient")
    return type(result)(outputs) if several else outputs[0]


def _graph_custom(f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """In a graph: the result, whose only path back leads through an op with this gradient."""
    operands = [in_graph(x) for x in args]
    result, grad = f(*operands, **kwargs)
    return with_gradient(result, operands, grad)

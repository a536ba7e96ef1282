"""TensorFlow's functions as Keras uses them: on values while executing eagerly, as nodes while a function is traced."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import array_ops as eager_arrays
from engine.dialects.tensorflow.eager import math_ops as eager_math
from engine.dialects.tensorflow.eager import nn_ops as eager_nn
from engine.dialects.tensorflow.eager.tensor import Valued
from engine.dialects.tensorflow.handles import Tensor as SymbolicTensor

TENSORS = (Valued, SymbolicTensor)


def is_tensor(x: Any) -> bool:
    """Whether ``x`` is a tensor (or variable), with a value or in a graph."""
    return isinstance(x, TENSORS)


def in_graph() -> bool:
    """Whether a function is being traced."""
    return bool(graphs._stack)


def dtype_of(x: Any) -> np.dtype[Any]:
    """The NumPy dtype of a tensor."""
    array = getattr(x, "_array", None)
    return array.dtype if array is not None else x.dtype.base_dtype._numpy  # type: ignore[no-any-return]


@cache
def _names() -> dict[str, Any]:
    from engine.dialects.tensorflow.function.names import names

    parts = names()
    return {**parts["math"], **parts["nn"], **parts[""]}


class _Functions:
    """The functions of one eager module, or what they mean in a graph."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        eager = getattr(self._module, name)
        found = _names().get(name.rstrip("_"), eager) if callable(eager) else eager
        setattr(self, name, found)
        return found


class _Table(dict[str, Any]):
    """The functions of ``tf.math`` by name, looked up when first used."""

    def __missing__(self, name: str) -> Any:
        eager = eager_math.FUNCTIONS[name]
        found = self[name] = _names().get(name, eager)
        return found


array_ops: Any = _Functions(eager_arrays)
nn_ops: Any = _Functions(eager_nn)
math_ops: Any = _Functions(eager_math)
math_ops.FUNCTIONS = _Table()


def drawn(draw: Any, x: Any, dtype: np.dtype[Any]) -> Any:
    """Random numbers in the shape of ``x``: ``draw(shape)`` now, or each time that the function being traced runs."""
    from engine.dialects.tensorflow.eager.tensor import wrap

    if not in_graph():
        return wrap(draw(tuple(x.shape)), "random")

    def python(shape: Any) -> Any:
        return draw(tuple(int(n) for n in shape))

    return computed(python, _names()["shape"](x), dtype, tuple(x.shape))


def computed(function: Any, x: Any, dtype: Any, shape: tuple[Any, ...]) -> Any:
    """What a Python function gives each time that the function being traced runs, with a known shape."""
    made = _names()["numpy_function"](function, [x], str(dtype))
    return _names()["reshape"](made, [-1 if n is None else n for n in shape])

"""Eager tensors: what they are, how they print, how values become tensors. :mod:`.operators` attaches arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import events
from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import messages
from engine.dialects.tensorflow.eager.shapes import TensorShape
from engine.dialects.tensorflow.handles import Tensor as SymbolicTensor
from engine.dialects.tensorflow.values import as_array
from engine.dynamic import modes, observe
from engine.dynamic.apply import apply as run_op
from engine.dynamic.facade import NO_ATTRIBUTES, Facade, Primitive
from engine.dynamic.tensor import Number, fresh
from engine.dynamic.tensor import Tensor as EngineTensor

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


class Valued(EngineTensor):
    """What tensors and variables have in common: a value that is known now."""

    __slots__ = ()
    __array_priority__ = 100

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self._array.shape)

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def dtype(self) -> dtypes.DType:
        return dtypes.from_numpy(self._array.dtype)

    @property
    def device(self) -> str:
        return DEVICE

    def numpy(self) -> Any:
        """The value: a NumPy array of its own, a NumPy number if there are no dimensions."""
        return self._array.copy()[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self._array, dtype)

    def _captured(self, graph: Any, name: str) -> Any:
        """What stands for it in a graph that is being built.

        :raises RuntimeError: the graph is not that of a function.
        """
        if not graph.building_function:
            raise RuntimeError("Attempting to capture an EagerTensor without building a function.")
        return graph.captured(self, name)

    @staticmethod
    def _autograph() -> Any:
        """Who deals with it in control flow: the graph, while a function is traced."""
        if not graphs._stack:
            return None
        from engine.dialects.tensorflow.function.staging import Staging

        return Staging if graphs._stack[-1].building_function else None

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __index__(self) -> int:
        return self._scalar().__index__()  # type: ignore[no-any-return]

    def _scalar(self) -> Any:
        if self._array.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._array[()]

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec) if spec else str(self)

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        if not self._array.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self._array)))  # type: ignore[index]

    def __hash__(self) -> int:
        raise TypeError(f"{self._kind} is unhashable. Instead, use {self._kind.lower()}.ref() as the key.")

    _kind = "Tensor"

    def ref(self) -> Reference:
        return Reference(self)


class Reference:
    """A tensor as a key: equal to itself alone."""

    def __init__(self, of: Valued) -> None:
        self._of = of

    def deref(self) -> Valued:
        return self._of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._of is self._of

    def __hash__(self) -> int:
        return id(self._of)


class Tensor(Valued):
    """``tf.Tensor``."""

    __slots__ = ()
    __module__ = "tensorflow.python.framework.tensor"

    @property
    def ndim(self) -> int:
        return self._array.ndim

    @property
    def name(self) -> str:
        raise AttributeError("Tensor.name is undefined when eager execution is enabled.")

    def __str__(self) -> str:
        return f"tf.Tensor({text_of(self._array)}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={repr_of(self._array)}>"

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """:raises NotImplementedError: there is nothing to evaluate while executing eagerly."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def __getattr__(self, name: str) -> Any:
        if name in ("T", "astype", "ravel", "transpose", "reshape", "clip", "size", "tolist", "data"):
            raise AttributeError(
                f"EagerTensor object has no attribute '{name}'. \n        If you are looking for numpy-related "
                "methods, please run the following:\n        tf.experimental.numpy.experimental_enable_numpy_behavior()"
                "\n      "
            )
        raise AttributeError(f"'tensorflow.python.framework.ops.EagerTensor' object has no attribute '{name}'")

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("'tensorflow.python.framework.ops.EagerTensor' object does not support item assignment")


class EagerTensor(Tensor):
    """A tensor with a value, which is all that this dialect makes."""

    __slots__ = ()
    __module__ = "tensorflow.python.framework.ops"


FACADE = Facade("tf2", EagerTensor, gradient_label=lambda label: f"{label}Grad", explain=messages.explain)
"""How this dialect names what the engine does."""

running_tapes: list[Any] = []
"""The tapes that record now. Without any, no op goes on the engine's tape."""

_primitives: dict[tuple[str, str], Primitive] = {}


def text_of(array: np.ndarray[Any, Any]) -> str:
    """An array as ``print`` shows it inside ``tf.Tensor(…)``."""
    text = str(array) if array.ndim else str(array[()])
    return f"\n{text}" if "\n" in text else text


def repr_of(array: np.ndarray[Any, Any]) -> str:
    """An array as ``repr`` shows it inside ``<tf.Tensor …>``."""
    text = repr(array) if array.ndim else repr(array.item())
    return f"\n{text}" if "\n" in text else text


def primitive(op: str, label: str) -> Primitive:
    """The engine's op under TensorFlow's name."""
    known = _primitives.get((op, label))
    if known is None:
        known = _primitives[op, label] = FACADE.primitive(op, label)
    return known


def run(op: str, label: str, *operands: Any, **attributes: Any) -> Any:
    """Run an op on tensors, variables and Python numbers; while a graph is built, add it there."""
    if graphs._stack:
        return _built(op, label, operands, attributes)
    for x in operands:
        read = getattr(x, "_was_read", None) if x.__class__ is not EagerTensor and x.__class__ is not Number else None
        if read is not None:
            read()
    if running_tapes:
        return run_op(primitive(op, label), operands, attributes or NO_ATTRIBUTES)
    before = modes.set_enabled(False)
    try:
        return run_op(primitive(op, label), operands, attributes or NO_ATTRIBUTES)
    finally:
        modes.set_enabled(before)


def _built(op: str, label: str, operands: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
    from engine.dialects.tensorflow.build import apply

    inputs = [(chr(ord("x") + i) if i < 3 else f"input_{i}", _plain(x)) for i, x in enumerate(operands)]
    return apply(op, label, None, inputs, attributes, same_type=False)


def _plain(value: Any) -> Any:
    return value._array if value.__class__ is Number else value


def wrap(array: np.ndarray[Any, Any], label: str = "Const", op: str = "input") -> EagerTensor:
    """A tensor that no op made."""
    if graphs._stack:
        return _constant(array, None)  # type: ignore[no-any-return]
    made = fresh(EagerTensor, array)
    if events.listener is not None:
        observe.created(events.listener, made, label, op)
    return made


def convert(value: Any, dtype: Any = None) -> Any:
    """``value`` as a tensor (a variable stays one).

    :raises TypeError: it does not fit ``dtype``. :raises ValueError: it is no array.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if hasattr(type(value), "__tf_tensor__"):
        return value.__tf_tensor__(wanted)
    if graphs._stack:
        return _constant(value, wanted)
    if isinstance(value, SymbolicTensor):
        check_scope(value)
    if isinstance(value, Valued):
        if wanted is not None and value.dtype != wanted:
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    if isinstance(value, list | tuple) and _holds_tensor(value):
        parts = [convert(item, wanted) for item in value]
        return run("stack", "Pack", *parts, axis=0)
    return wrap(array_of(value, wanted))


def _constant(value: Any, dtype: Any) -> Any:
    from engine.dialects.tensorflow.build import convert as in_graph

    return in_graph(value, dtype)


def check_scope(value: Any) -> None:
    """:raises TypeError: a symbolic tensor is used where it has no value."""
    from engine.dialects.tensorflow.function.func_graph import check_scope

    check_scope(value)
    raise TypeError(f"{value!r} belongs to a graph: it has no value while executing eagerly")


def array_of(value: Any, dtype: dtypes.DType | None = None) -> np.ndarray[Any, Any]:
    """The array of a constant.

    :raises TypeError: it does not fit ``dtype``. :raises ValueError: it is no array.
    """
    try:
        return np.array(as_array(value, dtype))
    except TypeError:
        if dtype is None:
            raise
        raise TypeError(f"Cannot convert {value} to EagerTensor of dtype {dtype.name}") from None
    except ValueError as error:
        if value is None:
            raise
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.") from error


def _holds_tensor(value: Any) -> bool:
    return any(isinstance(x, Valued) or (isinstance(x, list | tuple) and _holds_tensor(x)) for x in value)

"""The tensor of the dynamic mode: an array with a past.

A tensor's attributes begin with an underscore because the dialects' public names (``data``, ``grad``, ``storage`` …)
belong to the frameworks that they imitate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine.dynamic import modes
from engine.errors import StateError
from engine.ops.registry import Array

if TYPE_CHECKING:
    from engine.dynamic.nodes import AccumulateGrad, GradNode, Port
    from engine.dynamic.views import View


class Storage:
    """What views of the same memory share: how often it was written, and its number in a recording (-1: none yet)."""

    version = 0
    number = -1
    inference = False


class InferenceError(StateError):
    """An inference tensor would be saved for backward, become a parameter or, outside inference mode, be written to."""


class UnsavedError(InferenceError):
    """The first of these: an op would save an inference tensor for backward."""


class InferenceStorage(Storage):
    """The memory of what was made in inference mode: writes to it are not counted, so whoever wants to notice them (an
    op that saves an operand for backward) is refused. Ordinary ops pay nothing for the question."""

    inference = True

    @property
    def version(self) -> int:
        """Always 0 in inference mode.

        :raises InferenceError: elsewhere.
        """
        if not modes.inference:
            raise InferenceError(
                "a tensor made in inference mode keeps no count of writes; make a copy of it outside inference mode"
            )
        return 0

    @version.setter
    def version(self, value: int) -> None:
        pass


def storage() -> Storage:
    """New memory, of the kind that belongs to the mode."""
    return InferenceStorage() if modes.inference else Storage()


def version_of(storage: Storage) -> int:
    """How often memory was written, for those who only tell of it; 0 where nobody counts."""
    return 0 if storage.inference else storage.version


class Tensor:
    """An array, and how it came about.

    * ``_array``: the values (a NumPy array, which several tensors may share);
    * ``_storage``: version counter of that memory, shared by all views of it;
    * ``_grad_fn``: the gradient node (or one of its ports) that takes the gradient further, ``None`` for a leaf;
    * ``_grad``: the accumulated gradient, a tensor, or ``None``;
    * ``_view``: what this is a view of, if it is one;
    * ``_accumulate``: the accumulate node of a leaf, once there is one;
    * ``_node``: id in the recording, -1 if nobody listened when it was made.

    >>> Tensor(np.ones(3))._requires_grad
    False
    """

    __slots__ = (
        "__weakref__",
        "_accumulate",
        "_array",
        "_grad",
        "_grad_fn",
        "_hooks",
        "_node",
        "_requires_grad",
        "_storage",
        "_view",
    )

    _requires_grad: bool
    _array: Array
    _storage: Storage
    _grad_fn: GradNode | Port | None
    _grad: Tensor | None
    _view: View | None
    _accumulate: AccumulateGrad | None
    _hooks: dict[int, Any] | None
    _node: int

    def __init__(self, array: Array) -> None:
        self._array = array
        self._storage = storage()
        self._requires_grad = False
        self._grad_fn = None
        self._grad = None
        self._view = None
        self._accumulate = None
        self._hooks = None
        self._node = -1


class Number:
    """A Python number among an op's operands. NumPy lets it take the dtype of the arrays that it meets."""

    __slots__ = ("_array",)

    _requires_grad = False
    _storage = Storage()
    _grad_fn = None
    _grad = None
    _view = None
    _node = -1

    def __init__(self, value: Any) -> None:
        self._array = value


Operand = Tensor | Number
T = TypeVar("T", bound=Tensor)


_new: Any = object.__new__


def fresh(kind: type[T], array: Array) -> T:
    """A tensor of class ``kind`` around ``array``, without the dialect's own constructor (which reads user data)."""
    out = _new(kind)
    out._array = array
    out._storage = InferenceStorage() if modes.inference else Storage()
    out._requires_grad = False
    out._grad_fn = out._grad = out._view = out._accumulate = out._hooks = None
    out._node = -1
    return out  # type: ignore[no-any-return]


def is_number(operand: Operand) -> bool:
    """Whether an operand is a Python number, which has no place in the graph of its own."""
    return type(operand) is Number


def as_array(value: Any) -> Array:
    """A kernel's result as an array (NumPy hands out scalars where there are no dimensions)."""
    return value if type(value) is np.ndarray else np.asarray(value)

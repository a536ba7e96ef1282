"""Traced tensors: a dialect's tensor class with a node in place of a value."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor, fresh
from engine.tensor_type import TensorType

if TYPE_CHECKING:
    from engine.bridges.tracing.tracer import Tracer
    from engine.static.node import Node

_REVEALING = {
    "__bool__": "bool", "__int__": "int", "__float__": "float", "__complex__": "complex", "__index__": "index",
    "__iter__": "iter", "item": "item", "tolist": "tolist", "numpy": "numpy", "__array__": "numpy",
    "backward": "backward",
}  # fmt: skip
"""Methods by which a program asks for values, and what a tracer calls them."""


class TracedMixin:
    """What traced tensors of all dialects share. ``_of_node`` is the node, ``_of_tracer`` who made it,
    ``_of_region`` the branch or loop body in which the tensor (not the node) came about."""

    __slots__ = ()

    _array: Any
    _of_node: Node
    _of_tracer: Tracer | None

    def __len__(self) -> int:
        if self._of_tracer is None:
            return super().__len__()  # type: ignore[misc,no-any-return]
        shape = self._of_node.shape
        if not self._of_tracer.concrete and shape and shape[0] is not None:
            return shape[0]
        return self._of_tracer.reveal(self, "len")  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        if self._of_tracer is None:
            return super().__repr__()
        if self._of_tracer.shows_values:
            return self._of_tracer.reveal(self, "repr")  # type: ignore[no-any-return]
        node = self._of_node
        shape = "unknown shape" if node.shape is None else str(tuple(node.shape)).replace("None", "?")
        return f"<traced {node.name}: {self._array.dtype} {shape}>"

    def __format__(self, spec: str) -> str:
        return repr(self)

    __str__ = __repr__


def _revealing(name: str, word: str) -> Any:
    def method(self: Any, *arguments: Any, **more: Any) -> Any:
        if self._of_tracer is None:
            return getattr(super(type(self), self), name)(*arguments, **more)
        if word == "backward":
            return self._of_tracer.backward(self, *arguments, **more)
        return self._of_tracer.reveal(self, word)

    return method


@cache
def traced_class(facade: Facade) -> type[Tensor]:
    """The class of traced tensors of a dialect: a subclass of the dialect's tensors, so that their methods apply."""
    body: dict[str, Any] = {"__slots__": ("_of_node", "_of_region", "_of_tracer"), "__hash__": object.__hash__}
    body.update({name: _revealing(name, word) for name, word in _REVEALING.items()})
    body["shape"] = property(_shape)
    return type("Traced", (TracedMixin, facade.tensor), body)


def _shape(self: Any) -> Any:
    """The shape as the dialect gives it; a plain tuple with ``None`` where it is not known while tracing."""
    if self._of_tracer is None or self._of_tracer.concrete:
        return super(type(self), self).shape
    known = self._of_node.type
    if known.shape is None:
        return self._of_tracer.reveal(self, "shape")
    return known.shape if None in known.shape else super(type(self), self).shape


def is_traced(x: Any) -> bool:
    """Whether ``x`` stands for a node."""
    return isinstance(x, TracedMixin) and x._of_tracer is not None


def stand_in(type: TensorType) -> np.ndarray[Any, Any]:
    """An array of this dtype and shape (1 for unknown dimensions) that holds nothing and cannot be written."""
    shape = tuple(1 if size is None else size for size in type.shape or ())
    return np.broadcast_to(np.zeros((), type.dtype), shape)


def become_real(traced: Any, value: Tensor) -> None:
    """From now on a traced tensor is an ordinary one, with the value and the past of ``value``."""
    traced._array = value._array
    traced._storage = value._storage
    traced._requires_grad = value._requires_grad
    traced._grad_fn = value._grad_fn
    traced._node = value._node
    traced._of_tracer = None


def make(tracer: Tracer, node: Node, array: Any = None) -> Any:
    """A traced tensor for ``node``; ``array`` is its value in a run that is traced while it happens."""
    assert node.type is not None
    out: Any = fresh(traced_class(tracer.facade), stand_in(node.type) if array is None else array)
    out._of_node = node
    out._of_tracer = tracer
    out._of_region = tracer.graph._region
    return out

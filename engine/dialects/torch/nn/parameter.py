"""``nn.Parameter``: a tensor that modules register and optimizers update."""

from __future__ import annotations

from typing import Any

from engine import events
from engine.dialects.torch.creation import empty
from engine.dialects.torch.tensor import Tensor, announce
from engine.dynamic.tensor import Tensor as EngineTensor


class _IsParameter(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return type.__instancecheck__(cls, value)


class Parameter(Tensor):
    """A leaf that requires a gradient."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        return object.__new__(cls)

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        source = empty(0) if data is None else data
        EngineTensor.__init__(self, source._array if isinstance(source, Tensor) else source)
        self._requires_grad = requires_grad
        if isinstance(source, Tensor):
            self._storage = source._storage
            self._node = source._node
            if events.listener is not None and self._node >= 0 and requires_grad:
                events.listener.role_changed(self._node, "variable")
            elif events.listener is not None:
                announce(self)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{Tensor.__repr__(self)}"

    __str__ = __repr__

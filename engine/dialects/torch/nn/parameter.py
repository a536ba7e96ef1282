"""``nn.Parameter``: a tensor that modules register and optimizers update."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.arguments import sizes_of
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT, as_array_dtype
from engine.dynamic.tensor import Tensor as EngineTensor


def blank(*size: int, dtype: Any = None) -> Parameter:
    """A parameter for an initialiser to fill; a listener hears of it with its first values."""
    kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
    return Parameter(Tensor(np.zeros(sizes_of(size, "empty"), kind)))


class Parameter(Tensor):
    """A leaf that requires a gradient."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        source = np.zeros(0, DEFAULT.float.array) if data is None else data
        if not isinstance(source, Tensor | np.ndarray):
            raise AttributeError(f"'{type(source).__name__}' object has no attribute 'detach'")
        kind = (source._array if isinstance(source, Tensor) else source).dtype.kind
        if requires_grad and kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        EngineTensor.__init__(self, source._array if isinstance(source, Tensor) else source)
        self._requires_grad = requires_grad
        if isinstance(source, Tensor):
            self._storage = source._storage
            self._node = source._node
            if events.listener is not None and self._node >= 0 and requires_grad:
                events.listener.role_changed(self._node, "variable")

    def __repr__(self) -> str:
        return f"Parameter containing:\n{Tensor.__repr__(self)}"

    __str__ = __repr__

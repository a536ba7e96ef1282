"""Define by run: tensors, the tape that records what happened to them, and the way back through it.

* :mod:`~engine.dynamic.tensor` — :class:`Tensor`, :class:`Number` (a Python number as an operand), :class:`Storage`;
* :mod:`~engine.dynamic.facade` — :class:`Facade` names ops the way one dialect does, :class:`Primitive` is one named
op;
* :mod:`~engine.dynamic.apply` — :func:`apply`, through which every op passes;
* :mod:`~engine.dynamic.backward` — :func:`backward`, :func:`grad`;
* :mod:`~engine.dynamic.inplace` — writing into tensors and views;
* :mod:`~engine.dynamic.function` — gradients written by hand;
* :mod:`~engine.dynamic.observe` — what all of this tells a listener.
"""

from __future__ import annotations

from engine.dynamic.apply import apply
from engine.dynamic.backward import backward, grad
from engine.dynamic.facade import Facade, Primitive
from engine.dynamic.modes import enable_grad, grad_mode, no_grad
from engine.dynamic.tensor import Number, Storage, Tensor

__all__ = [
    "Facade",
    "Number",
    "Primitive",
    "Storage",
    "Tensor",
    "apply",
    "backward",
    "enable_grad",
    "grad",
    "grad_mode",
    "no_grad",
]

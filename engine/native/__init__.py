"""The native API: what ``from engine import …`` gives.

* :mod:`~engine.native.tensors` — :class:`Tensor`, :func:`tensor`; :mod:`~engine.native.methods` adds operators and ops;
* :mod:`~engine.native.functions` — every op of the table as a function, for tensors and for nodes;
* :mod:`~engine.native.autograd` — :func:`grad`, :func:`backward`; :mod:`~engine.native.custom` — :class:`Function`;
* :mod:`~engine.native.graph` — :class:`Graph`, :class:`Session`, :func:`gradients` (loaded when first used).
"""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.dynamic.modes import enable_grad, inference_mode, no_grad
from engine.errors import BoundsError, DtypeError, FeedError, GraphError, ShapeError, StateError, StepgraphError
from engine.native import methods  # noqa: F401  (attaches operators and methods)
from engine.native.autograd import backward, grad, is_grad_enabled, is_inference_mode_enabled
from engine.native.custom import Function
from engine.native.functions import function, function_names
from engine.native.tensors import Tensor, tensor
from engine.ops.random import seed

if TYPE_CHECKING:
    from engine.native.graph import Graph, Node, Session, gradients

_STATIC = frozenset(["Graph", "Node", "Session", "gradients"])

__all__ = [
    "BoundsError",
    "DtypeError",
    "FeedError",
    "Function",
    "Graph",
    "GraphError",
    "Node",
    "Session",
    "ShapeError",
    "StateError",
    "StepgraphError",
    "Tensor",
    "backward",
    "enable_grad",
    "grad",
    "gradients",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "seed",
    "tensor",
]


def names() -> list[str]:
    """Every name of the native API: those above and the ops.

    >>> "matmul" in names(), "Graph" in names()
    (True, True)
    """
    return sorted({*__all__, *function_names()})


def find(name: str) -> Any:
    """What the native API calls ``name``.

    :raises AttributeError: nothing; the message lists the nearest names.
    """
    if name in _STATIC:
        return getattr(import_module("engine.native.graph"), name)
    if name in __all__:
        return globals()[name]
    found = function(name)
    if found is not None:
        return found
    close = difflib.get_close_matches(name, names(), n=3)
    nearest = f"; nearest: {', '.join(f'engine.{n}' for n in close)}" if close else ""
    raise AttributeError(f"module 'engine' has no attribute {name!r}{nearest}")


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'engine.native' has no attribute {name!r}")
    return find(name)

"""Order along an axis. Positions have no gradient; the values' gradient goes back to where they came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.gathering import gather_kernel
from engine.ops.promotion import DEFAULT_INTEGER
from engine.ops.registry import Array, op
from engine.ops.type_rules import normal_axis, shape_error, show
from engine.tensor_type import TensorType

_ORDER: dict[str, Any] = {"category": "shape", "symbol": "⇅"}


def argsort_kernel(a: Array, axis: int = -1, descending: bool = False) -> Array:
    """The positions of the elements in order; equal elements keep their order."""
    if descending:  # from the end, so that equal elements keep their order when everything is turned round
        turned = np.argsort(np.flip(a, axis), axis, kind="stable")
        return np.flip(a.shape[axis] - 1 - turned, axis)
    return np.argsort(a, axis, kind="stable")


def sort_kernel(a: Array, axis: int = -1, descending: bool = False) -> Array:
    """The elements in order."""
    result = np.sort(a, axis, kind="stable")
    return np.flip(result, axis) if descending else result


def _sort_type(a: TensorType, axis: int = -1, descending: bool = False) -> TensorType:
    if a.shape is not None:
        normal_axis("sort", axis, len(a.shape), a)
    return a


def _argsort_type(a: TensorType, axis: int = -1, descending: bool = False) -> TensorType:
    return TensorType(DEFAULT_INTEGER, _sort_type(a, axis, descending).shape)


def _sort_vjp(F: Any, g: Any, a: Any, a_shape: Any, axis: int, descending: bool) -> Any:
    return F.ungather(g, F.argsort(a, axis, descending), a_shape, axis)


op("argsort", "a", argsort_kernel, _argsort_type, None, formula=r"\pi : a_{\pi(1)} \le a_{\pi(2)} \le \ldots", **_ORDER)
op("sort", "a", sort_kernel, _sort_type, {"a": _sort_vjp}, formula=r"a_{\pi(i)}", **_ORDER)


def argtopk_kernel(a: Array, k: int, axis: int = -1, largest: bool = True) -> Array:
    """The positions of the ``k`` largest (or smallest) elements, the most extreme first."""
    order = argsort_kernel(a, axis, largest)
    return order[(*(slice(None),) * (axis % a.ndim), slice(k))]


def topk_kernel(a: Array, k: int, axis: int = -1, largest: bool = True) -> Array:
    """The ``k`` largest (or smallest) elements, the most extreme first."""
    return gather_kernel(a, argtopk_kernel(a, k, axis, largest), axis)


def _topk_type(a: TensorType, k: int, axis: int = -1, largest: bool = True) -> TensorType:
    if a.shape is None:
        return a
    place = normal_axis("topk", axis, len(a.shape), a)
    size = a.shape[place]
    if k < 0 or (size is not None and k > size):
        raise shape_error(
            "topk", f"k = {k}, but axis {axis} of shape {show(a.shape)} has size {size}; use 0 to {size}", a
        )
    return TensorType(a.dtype, (*a.shape[:place], k, *a.shape[place + 1 :]))


def _argtopk_type(a: TensorType, k: int, axis: int = -1, largest: bool = True) -> TensorType:
    return TensorType(DEFAULT_INTEGER, _topk_type(a, k, axis, largest).shape)


def _topk_vjp(F: Any, g: Any, a: Any, a_shape: Any, k: int, axis: int, largest: bool) -> Any:
    return F.ungather(g, F.argtopk(a, k, axis, largest), a_shape, axis)


op("argtopk", "a", argtopk_kernel, _argtopk_type, None, formula=r"\pi(1), \ldots, \pi(k)", **_ORDER)
op("topk", "a", topk_kernel, _topk_type, {"a": _topk_vjp}, formula=r"a_{\pi(1)}, \ldots, a_{\pi(k)}", **_ORDER)

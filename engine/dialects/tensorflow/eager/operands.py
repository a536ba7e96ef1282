"""Operands of an eager op: they agree on one dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import messages
from engine.dialects.tensorflow.eager.tensor import Valued, array_of, convert, wrap
from engine.dynamic.tensor import Number


def together(label: str, values: tuple[Any, ...], *, strict: bool = True) -> list[Any]:
    """Operands of one dtype: the first tensor among them decides what Python numbers become.

    ``strict``: a Python number that does not fit fails as an op does, else as a conversion does.

    :raises InvalidArgumentError: they have different dtypes.
    """
    if graphs._stack:
        from engine.dialects.tensorflow.build import convert as in_graph
        from engine.dialects.tensorflow.build import dtype_of

        kind = next((dtype_of(x) for x in values if dtype_of(x) is not None), None)
        return [in_graph(x, preferred=kind) for x in values]
    like = next((x._array.dtype for x in values if isinstance(x, Valued)), None)
    if like is None:
        like = next((x.dtype for x in values if isinstance(x, np.ndarray | np.generic)), None)
    if like is None and values and not isinstance(values[0], list | tuple):
        for x in values:
            if hasattr(type(x), "__tf_tensor__"):
                x.__tf_tensor__()
        like = array_of(values[0]).dtype
    result: list[Any] = []
    for place, x in enumerate(values):
        if isinstance(x, Valued):
            ready: Any = x
        elif isinstance(x, bool | int | float) and like is not None and len(values) > 1 and _fits(x, like):
            ready = Number(x)
        else:
            try:
                ready = convert(x, None if like is None else dtypes.from_numpy(like))
            except TypeError:
                if not strict or isinstance(x, list | tuple):
                    raise
                raise messages.mixed(label, place, like, array_of(x).dtype) from None
        if like is not None and not isinstance(ready, Number) and ready._array.dtype != like:
            raise messages.mixed(label, place, like, ready._array.dtype)
        result.append(ready)
    if all(isinstance(x, Number) for x in result):
        return [wrap(array_of(x._array, dtypes.from_numpy(like) if like is not None else None)) for x in result]
    return result


def _fits(number: Any, dtype: np.dtype[Any]) -> bool:
    if isinstance(number, bool):
        return dtype.kind == "b"
    return dtype.kind in "fc" or (dtype.kind in "iu" and isinstance(number, int))

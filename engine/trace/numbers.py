"""Numbers as JSON can hold them, no longer than they have to be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAFE = 2**53


def shortest(values: NDArray[Any]) -> NDArray[np.float64]:
    """The float64 numbers with the fewest digits that stand for the same float32 (or float16) numbers.

    >>> shortest(np.array([0.1, 2.5], dtype=np.float32)).tolist()
    [0.1, 2.5]
    """
    wide = values.astype(np.float64)
    if values.dtype.itemsize > 4 or values.dtype.kind != "f":
        return wide
    with np.errstate(all="ignore"):
        # 10 ** k with 0 <= k <= 22 is exact, so that dividing by it gives the very number that the digits mean.
        magnitude = np.floor(np.log10(np.abs(wide)))
        result = wide.copy()
        todo = np.isfinite(magnitude)
        for digits in (4, 5, 6, 7, 8, 9) if values.dtype.itemsize < 4 else (6, 7, 8, 9):
            places = digits - 1 - magnitude
            usable = todo & (places >= 0) & (places <= 22)
            scale = 10.0 ** np.where(usable, places, 0)
            short = np.rint(wide * scale) / scale
            fits = usable & (short.astype(values.dtype) == values)
            result[fits] = short[fits]
            todo &= ~fits
            if not todo.any():
                break
    return result


def as_json(value: Any) -> Any:
    """One Python number as JSON: non-finite, huge and complex ones as text.

    >>> [as_json(x) for x in (1.5, float("nan"), 2**60, 1 + 2j, True)]
    [1.5, 'nan', '1152921504606846976', '1+2j', True]
    """
    if type(value) is float:
        if math.isfinite(value):
            return value
        return "nan" if value != value else ("inf" if value > 0 else "-inf")
    if type(value) is bool:
        return value
    if type(value) is int:
        return value if -SAFE <= value <= SAFE else str(value)
    if type(value) is complex:
        return f"{value:g}".strip("()")
    return str(value)


def flat_json(values: NDArray[Any]) -> list[Any]:
    """The elements of an array, flat, as JSON."""
    flat = values.ravel()
    if flat.dtype.kind == "f" and flat.dtype.itemsize <= 8:
        numbers = shortest(flat)
        if np.isfinite(numbers).all():
            whole: list[Any] = numbers.tolist()
            if (np.rint(numbers) == numbers).all() and (np.abs(numbers) < 1e15).all():
                # 3 instead of 3.0; a negative zero stays what it is.
                return [int(x) if x or math.copysign(1.0, x) > 0 else x for x in whole]
            return whole
        return [as_json(x) for x in numbers.tolist()]
    if flat.dtype.kind == "b" or (flat.dtype.kind in "iu" and flat.dtype.itemsize < 8):
        plain: list[Any] = flat.tolist()
        return plain
    return [as_json(x) for x in flat.tolist()]

"""Gradients that are rows of a table, as the optimizers of Keras compute with them.

What keeps zeros zero is done on the rows alone, also where a row stands twice; sums with anything dense are dense.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.keras.both import array_ops, is_tensor, math_ops

_M = math_ops.FUNCTIONS


class Rows:
    """An :class:`IndexedSlices` with arithmetic."""

    def __init__(self, slices: Any) -> None:
        self.slices = slices

    def with_values(self, values: Any) -> Rows:
        return Rows(IndexedSlices(values, self.slices.indices, self.slices.dense_shape))

    def dense(self) -> Any:
        """The whole tensor: rows with the same number are added up."""
        return convert(self.slices)

    def _at(self, other: Any) -> Any:
        """What of ``other`` stands where the rows are."""
        if isinstance(other, Rows):
            return other.slices.values
        if is_tensor(other) and len(other.shape) > 0:
            return array_ops.gather(other, self.slices.indices)
        return other

    def __mul__(self, other: Any) -> Rows:
        return self.with_values(self.slices.values * self._at(other))

    def __rmul__(self, other: Any) -> Rows:
        return self.with_values(self._at(other) * self.slices.values)

    def __truediv__(self, other: Any) -> Rows:
        return self.with_values(self.slices.values / self._at(other))

    def __neg__(self) -> Rows:
        return self.with_values(-self.slices.values)

    def __add__(self, other: Any) -> Any:
        return self.dense() + other

    def __radd__(self, other: Any) -> Any:
        return other + self.dense()

    def __sub__(self, other: Any) -> Any:
        return self.dense() - other

    def __rsub__(self, other: Any) -> Any:
        return other - self.dense()


def given(gradient: Any) -> Any:
    """A gradient as the optimizers take it."""
    return Rows(gradient) if isinstance(gradient, IndexedSlices) else gradient


def dense(value: Any) -> Any:
    """The tensor that ``value`` is or stands for."""
    return value.dense() if isinstance(value, Rows) else value


def _row_by_row(name: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        return x.with_values(_M[name](x.slices.values)) if isinstance(x, Rows) else _M[name](x)

    function.__name__ = name
    return function


square, absolute = _row_by_row("square"), _row_by_row("abs")


def write(variable: Any, value: Rows, combine: str) -> None:
    """Change the rows of a variable: ``"update"`` puts them there (the last one that has a number), ``"add"`` and
    ``"sub"`` count every one."""
    getattr(variable, f"scatter_{combine}")(value.slices)

"""Layers that make one tensor of several."""

from __future__ import annotations

from functools import reduce
from typing import Any

from engine.dialects.tensorflow.keras.both import array_ops, math_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn

_M = math_ops.FUNCTIONS


class _Merge(BuiltIn):
    """The same sizes, up to those that are 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        if not isinstance(input_shape, list | tuple) or not input_shape or not isinstance(input_shape[0], list | tuple):
            raise ValueError(
                "A merge layer should be called on a list of inputs. Received: "
                f"input_shape={input_shape} (not a list of shapes)"
            )
        if len(input_shape) < 1:
            raise ValueError("A merge layer should be called on a list of at least 1 input.")
        self._check_sizes(input_shape)

    def _check_sizes(self, shapes: Any) -> None:
        for shape in shapes[1:]:
            for a, b in zip(reversed(shapes[0]), reversed(shape), strict=False):
                if a is not None and b is not None and 1 not in (a, b) and a != b:
                    raise ValueError(
                        f"Inputs have incompatible shapes. Received shapes {tuple(shapes[0][1:])} and "
                        f"{tuple(shape[1:])}"
                    )

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        if not isinstance(mask, list | tuple) or any(m is None for m in mask):
            return None
        return reduce(lambda a, b: _M["logical_and"](a, b), mask)

    def call(self, inputs: Any) -> Any:
        if not isinstance(inputs, list | tuple):
            raise ValueError(
                f"A merge layer should be called on a list of inputs. Received: inputs={inputs} (not a list of tensors)"
            )
        return self.merge(list(inputs))

    def merge(self, inputs: list[Any]) -> Any:
        raise NotImplementedError


class Add(_Merge):
    """The sum."""

    def merge(self, inputs: list[Any]) -> Any:
        return reduce(lambda a, b: _M["add"](a, b), inputs)


class Subtract(_Merge):
    """The first less the second."""

    def merge(self, inputs: list[Any]) -> Any:
        if len(inputs) != 2:
            raise ValueError(f"A `Subtract` layer should be called on exactly 2 inputs. Received: inputs={inputs}")
        return _M["subtract"](*inputs)


class Multiply(_Merge):
    """The product, element by element."""

    def merge(self, inputs: list[Any]) -> Any:
        return reduce(lambda a, b: _M["multiply"](a, b), inputs)


class Average(Add):
    """The mean."""

    def merge(self, inputs: list[Any]) -> Any:
        return _M["divide"](super().merge(inputs), float(len(inputs)))


class Maximum(_Merge):
    """The larger elements."""

    def merge(self, inputs: list[Any]) -> Any:
        return reduce(lambda a, b: _M["maximum"](a, b), inputs)


class Minimum(_Merge):
    """The smaller elements."""

    def merge(self, inputs: list[Any]) -> Any:
        return reduce(lambda a, b: _M["minimum"](a, b), inputs)


class Concatenate(_Merge):
    """One after the other along ``axis``."""

    def __init__(self, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def _check_sizes(self, shapes: Any) -> None:
        def rest(shape: Any) -> list[Any]:
            return [n for place, n in enumerate(shape) if place != self.axis % len(shape)]

        others = [rest(shape) for shape in shapes]
        for sizes in zip(*others, strict=False):
            if len({n for n in sizes if n is not None}) > 1 or len({len(o) for o in others}) > 1:
                raise ValueError(
                    "A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. "
                    f"Received: input_shape={[tuple(shape) for shape in shapes]}"
                )

    def merge(self, inputs: list[Any]) -> Any:
        return array_ops.concat(inputs, self.axis)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}


class Dot(_Merge):
    """Sums of products of two tensors along an axis of each."""

    def __init__(self, axes: Any, normalize: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.axes, self.normalize = axes, normalize

    def _check_sizes(self, shapes: Any) -> None:
        a, b = self._axes(len(shapes[0]), len(shapes[1]))
        if shapes[0][a] != shapes[1][b]:
            raise ValueError(
                f"Incompatible input shapes: axis values {shapes[0][a]} (at axis {a}) != {shapes[1][b]} (at axis {b}). "
                f"Full input shapes: {tuple(shapes[0])}, {tuple(shapes[1])}"
            )

    def _axes(self, first: int, second: int) -> tuple[int, int]:
        if isinstance(self.axes, int):
            return self.axes % first, self.axes % second
        return self.axes[0] % first, self.axes[1] % second

    def merge(self, inputs: list[Any]) -> Any:
        x, y = inputs
        a, b = self._axes(len(x.shape), len(y.shape))
        if self.normalize:
            x, y = (_M["divide"](t, _M["maximum"](_M["norm"](t, axis=i, keepdims=True), 1e-12))
                    for t, i in ((x, a), (y, b)))  # fmt: skip
        if len(x.shape) == 2 and len(y.shape) == 2:
            return _M["reduce_sum"](_M["multiply"](x, y), 1, True)
        rank_x, rank_y = len(x.shape), len(y.shape)
        x = array_ops.transpose(x, [*(i for i in range(rank_x) if i != a), a])
        y = array_ops.transpose(y, [0, b, *(i for i in range(1, rank_y) if i != b)])
        return math_ops.matmul(x, y)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}


_CLASSES = (Add, Subtract, Multiply, Average, Maximum, Minimum, Concatenate, Dot)


def _function(cls: Any) -> Any:
    def merge(inputs: Any, **options: Any) -> Any:
        return cls(**options)(inputs)

    merge.__name__ = cls.__name__.lower()
    return merge


def dot(inputs: Any, axes: Any = -1, **options: Any) -> Any:
    return Dot(axes=axes, **options)(inputs)


def concatenate(inputs: Any, axis: int = -1, **options: Any) -> Any:
    return Concatenate(axis=axis, **options)(inputs)


LAYERS = {
    **{cls.__name__: cls for cls in _CLASSES}, **{cls.__name__.lower(): _function(cls) for cls in _CLASSES},
    "dot": dot, "concatenate": concatenate,
}  # fmt: skip

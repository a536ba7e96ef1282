"""Layers that arrange numbers otherwise."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.tensorflow.eager.tensor import run
from engine.dialects.tensorflow.keras.both import array_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec


class Flatten(BuiltIn):
    """All sizes but the batch become one."""

    def __init__(self, data_format: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        shape = self.compute_output_shape(tuple(inputs.shape))
        return array_ops.reshape(inputs, [-1 if size is None else size for size in (None, *shape[1:])])

    def compute_output_shape(self, input_shape: Any) -> Any:
        rest = input_shape[1:]
        return (input_shape[0], None if None in rest else math.prod(rest))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "data_format": self.data_format}


class Reshape(BuiltIn):
    """Other sizes behind the batch; one may be -1."""

    def __init__(self, target_shape: Any, **options: Any) -> None:
        super().__init__(**options)
        shape = (target_shape,) if isinstance(target_shape, int) else tuple(target_shape)
        if shape.count(-1) > 1:
            raise ValueError(
                "The `target_shape` argument must not contain more than one `-1` value. Received: "
                f"target_shape={target_shape}"
            )
        self.target_shape = shape
        self.built = True

    def call(self, inputs: Any) -> Any:
        shape = self.compute_output_shape(tuple(inputs.shape))[1:]
        sizes = [-1 if size is None else size for size in shape]
        batch = inputs.shape[0]
        return array_ops.reshape(inputs, [-1 if batch is None and -1 not in sizes else batch or 0, *sizes])

    def compute_output_shape(self, input_shape: Any) -> Any:
        rest = tuple(input_shape[1:])
        known = math.prod(n for n in self.target_shape if n != -1)
        if None in rest:
            return (input_shape[0], *(None if n == -1 else n for n in self.target_shape))
        total = math.prod(rest)
        missing = total // known if known and -1 in self.target_shape else 1
        if known * missing != total:
            raise ValueError(
                "The total size of the tensor must be unchanged. Received: "
                f"input_shape={rest}, target_shape={self.target_shape}"
            )
        return (input_shape[0], *(missing if n == -1 else n for n in self.target_shape))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "target_shape": self.target_shape}


class RepeatVector(BuiltIn):
    """The same row ``n`` times."""

    def __init__(self, n: int, **options: Any) -> None:
        super().__init__(**options)
        if not isinstance(n, int):
            raise TypeError(f"Expected an integer value for `n`, got {type(n)}.")
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        return array_ops.tile(array_ops.expand_dims(inputs, 1), [1, self.n, 1])

    def compute_output_shape(self, input_shape: Any) -> Any:
        return (input_shape[0], self.n, input_shape[1])

    def get_config(self) -> dict[str, Any]:
        return {"n": self.n, **super().get_config()}


class Permute(BuiltIn):
    """The sizes behind the batch in another order (counted from 1)."""

    def __init__(self, dims: Any, **options: Any) -> None:
        super().__init__(**options)
        self.dims = tuple(dims)
        if sorted(dims) != list(range(1, len(dims) + 1)):
            raise ValueError(
                f"Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be "
                f"consecutive and start from 1. Received dims={dims}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        return array_ops.transpose(inputs, (0, *self.dims))

    def get_config(self) -> dict[str, Any]:
        return {"dims": self.dims, **super().get_config()}


def _pairs(value: Any, rank: int) -> tuple[tuple[int, int], ...]:
    if isinstance(value, int):
        return ((value, value),) * rank
    if rank == 1:
        return ((int(value[0]), int(value[1])),)
    return tuple((n, n) if isinstance(n, int) else (int(n[0]), int(n[1])) for n in value)


class _Bordering(BuiltIn):
    rank = 2
    argument = "padding"

    def __init__(self, amount: Any = 1, data_format: Any = None, **options: Any) -> None:
        if self.argument in options:
            amount = options.pop(self.argument)
        super().__init__(**options)
        self.data_format = data_format or "channels_last"
        setattr(self, self.argument, _pairs(amount, self.rank))
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def get_config(self) -> dict[str, Any]:
        amount = getattr(self, self.argument)
        found = {**super().get_config(), self.argument: amount[0] if self.rank == 1 else amount}
        return found | ({"data_format": self.data_format} if self.rank > 1 else {})


class ZeroPadding2D(_Bordering):
    """Zeros around images."""

    def call(self, inputs: Any) -> Any:
        return array_ops.pad(inputs, [(0, 0), *self.padding, (0, 0)])


class ZeroPadding1D(ZeroPadding2D):
    """Zeros before and after sequences."""

    rank = 1


class Cropping2D(_Bordering):
    """Images without their borders."""

    argument = "cropping"

    def __init__(self, cropping: Any = ((0, 0), (0, 0)), data_format: Any = None, **options: Any) -> None:
        super().__init__(cropping, data_format, **options)

    def call(self, inputs: Any) -> Any:
        slices = [slice(a, -b if b else None) for a, b in self.cropping]
        return inputs[(slice(None), *slices)]


class Cropping1D(Cropping2D):
    """Sequences without their ends."""

    rank = 1

    def __init__(self, cropping: Any = (1, 1), **options: Any) -> None:
        super().__init__(cropping, **options)


class UpSampling2D(BuiltIn):
    """Each row and column several times."""

    def __init__(
        self, size: Any = (2, 2), data_format: Any = None, interpolation: str = "nearest", **options: Any
    ) -> None:
        super().__init__(**options)
        if interpolation != "nearest":
            raise NotImplementedError(
                f"UpSampling2D(interpolation={interpolation!r}): this teaching engine has 'nearest' only"
            )
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.data_format, self.interpolation = data_format or "channels_last", interpolation
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs: Any) -> Any:
        for axis, count in zip((1, 2), self.size, strict=True):
            inputs = run("repeat", "Repeat", inputs, repeats=count, axis=axis)
        return inputs

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "size": self.size, "data_format": self.data_format,
            "interpolation": self.interpolation,
        }  # fmt: skip


class UpSampling1D(BuiltIn):
    """Each step several times."""

    def __init__(self, size: int = 2, **options: Any) -> None:
        super().__init__(**options)
        self.size = int(size)
        self.input_spec = InputSpec(ndim=3)

    def call(self, inputs: Any) -> Any:
        return run("repeat", "Repeat", inputs, repeats=self.size, axis=1)

    def get_config(self) -> dict[str, Any]:
        return {"size": self.size, **super().get_config()}


LAYERS = {
    cls.__name__: cls for cls in (
        Flatten, Reshape, RepeatVector, Permute, ZeroPadding2D, ZeroPadding1D, Cropping2D, Cropping1D, UpSampling2D,
        UpSampling1D,
    )
}  # fmt: skip

"""Initialisers under the names that ``tensorflow`` itself has: ``tf.zeros_initializer`` and its like."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager import array_ops, random_ops


class Initializer:
    """Gives the value of a new variable: called with its shape and dtype."""

    def __init__(self, **given: Any) -> None:
        self._given = given

    def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return dict(self._given)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)


class Zeros(Initializer):
    """Zeros."""

    def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
        return array_ops.zeros(shape, dtype)


class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
        return array_ops.ones(shape, dtype)


class Constant(Initializer):
    """One value, or an array that is given its shape."""

    def __init__(self, value: Any = 0) -> None:
        super().__init__(value=value)

    def __call__(self, shape: Any, dtype: Any = None, **_: Any) -> Any:
        value = self._given["value"]
        kind = None if dtype is None else dtypes.as_dtype(dtype)
        array = np.asarray(value, None if kind is None else kind._numpy)
        if kind is None:
            return array_ops.constant(value, None, shape)
        return array_ops.constant(array, kind, shape)


class RandomNormal(Initializer):
    """Normal numbers."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean=mean, stddev=stddev, seed=seed)

    def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
        return random_ops.normal(shape, dtype=dtype, **self._given)


class RandomUniform(Initializer):
    """Uniform numbers."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval=minval, maxval=maxval, seed=seed)

    def __call__(self, shape: Any, dtype: Any = "float32", **_: Any) -> Any:
        return random_ops.uniform(shape, dtype=dtype, **self._given)


CLASSES: dict[str, type[Initializer]] = {
    "zeros": Zeros, "ones": Ones, "constant": Constant, "random_normal": RandomNormal, "random_uniform": RandomUniform,
}  # fmt: skip

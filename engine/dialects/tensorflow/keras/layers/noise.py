"""Dropout and other layers that disturb while training."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.tensorflow.keras import random
from engine.dialects.tensorflow.keras.both import math_ops
from engine.dialects.tensorflow.keras.layers.base import BuiltIn
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec

_M = math_ops.FUNCTIONS


class Dropout(BuiltIn):
    """While training, each number becomes 0 with probability ``rate``; the others grow by 1 / (1 - rate)."""

    def __init__(self, rate: float, noise_shape: Any = None, seed: Any = None, **options: Any) -> None:
        super().__init__(**options)
        if not 0 <= rate <= 1:
            raise ValueError(
                f"Invalid value received for argument `rate`. Expected a float value between 0 and 1. "
                f"Received: rate={rate}"
            )
        self.rate, self.seed = rate, seed
        self.noise_shape = noise_shape
        self.supports_masking = True
        if rate > 0:
            self.seed_generator = random.SeedGenerator(seed)
        self.built = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        if not training or self.rate == 0:
            return inputs
        if self.rate == 1:
            return _M["multiply"](inputs, 0.0)
        shape = self._noise_shape(inputs)
        return random.dropout(inputs, self.rate, shape, self.seed_generator)

    def _noise_shape(self, inputs: Any) -> Any:
        return self.noise_shape

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate, "seed": self.seed, "noise_shape": self.noise_shape}


class SpatialDropout1D(Dropout):
    """Whole channels become 0."""

    rank = 3

    def __init__(self, rate: float, seed: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(rate, seed=seed, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=self.rank)

    def _noise_shape(self, inputs: Any) -> Any:
        sizes = tuple(inputs.shape)
        return (sizes[0], *[1] * (self.rank - 2), sizes[-1])

    def get_config(self) -> dict[str, Any]:
        return {"rate": self.rate, "seed": self.seed, "name": self.name, "dtype": self.dtype}


class SpatialDropout2D(SpatialDropout1D):
    """Whole channels of images become 0."""

    rank = 4


class GaussianNoise(BuiltIn):
    """While training, normal numbers are added."""

    def __init__(self, stddev: float, seed: Any = None, **options: Any) -> None:
        super().__init__(**options)
        if not 0 <= stddev <= 1:
            raise ValueError(
                f"Invalid value received for argument `stddev`. Expected a float value between 0 and 1. "
                f"Received: stddev={stddev}"
            )
        self.stddev, self.seed = stddev, seed
        if stddev > 0:
            self.seed_generator = random.SeedGenerator(seed)
        self.supports_masking = True
        self.built = True

    def call(self, inputs: Any, training: Any = False) -> Any:
        if not training or self.stddev == 0:
            return inputs
        noise = random.normal_like(inputs, 0.0, self.stddev, self.seed_generator)
        return _M["add"](inputs, noise)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "stddev": self.stddev, "seed": self.seed}


class GaussianDropout(Dropout):
    """While training, each number is multiplied by a normal number around 1."""

    def call(self, inputs: Any, training: Any = False) -> Any:
        if not training or self.rate == 0:
            return inputs
        spread = math.sqrt(self.rate / (1.0 - self.rate))
        noise = random.normal_like(inputs, 1.0, spread, self.seed_generator)
        return _M["multiply"](inputs, noise)


class ActivityRegularization(BuiltIn):
    """What comes in, at a price."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **options: Any) -> None:
        from engine.dialects.tensorflow.keras.penalties import L1L2

        super().__init__(activity_regularizer=L1L2(l1, l2), **options)
        self.l1, self.l2 = l1, l2
        self.supports_masking = True
        self.built = True

    def call(self, inputs: Any) -> Any:
        return inputs

    def get_config(self) -> dict[str, Any]:
        found = super().get_config()
        found.pop("activity_regularizer", None)
        return {**found, "l1": self.l1, "l2": self.l2}


LAYERS = {
    cls.__name__: cls for cls in (
        Dropout, SpatialDropout1D, SpatialDropout2D, GaussianNoise, GaussianDropout, ActivityRegularization,
    )
}  # fmt: skip

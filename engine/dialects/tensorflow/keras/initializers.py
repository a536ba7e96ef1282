"""Initializers: how a weight's first value is made. Those that draw give the numbers of Keras for a seed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.keras import random, state
from engine.dialects.tensorflow.keras.random import numpy_dtype
from engine.dialects.tensorflow.keras.serialization import family, serialize


class Initializer:
    """Called with a shape and a dtype it gives a tensor."""

    __module__ = "keras.src.initializers.initializer"

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")

    def get_config(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)

    def clone(self) -> Any:
        return self.__class__.from_config(self.get_config())


class Zeros(Initializer):
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return wrap(np.zeros(shape, numpy_dtype(dtype)), "zeros")


class Ones(Initializer):
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return wrap(np.ones(shape, numpy_dtype(dtype)), "ones")


class Constant(Initializer):
    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        value = self.value._array if isinstance(self.value, Valued) else np.asarray(self.value)
        return wrap(np.array(np.broadcast_to(value.astype(numpy_dtype(dtype)), shape)), "constant")

    def get_config(self) -> dict[str, Any]:
        return {"value": serialize(self.value)}


class Identity(Initializer):
    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        if len(shape) != 2:
            raise ValueError(
                "Identity matrix initializer can only be used for 2D matrices. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        return wrap(np.asarray(self.gain * np.eye(*shape), numpy_dtype(dtype)), "eye")

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain}


class RandomInitializer(Initializer):
    """Draws with a seed of its own, chosen by Python's ``random`` if none is given."""

    def __init__(self, seed: Any = None) -> None:
        self._given = seed
        self.seed = random.make_default_seed() if seed is None else seed
        if isinstance(self.seed, dict):
            raise ValueError(f"`seed` must be an integer or a SeedGenerator. Received: seed={seed}")
        if not isinstance(self.seed, int | random.SeedGenerator):
            raise ValueError(
                "`seed` argument should be an instance of `keras.random.SeedGenerator()` or an integer. Received: "
                f"seed={seed}"
            )

    def get_config(self) -> dict[str, Any]:
        return {"seed": serialize(self._given) if not isinstance(self._given, random.SeedGenerator) else None}


class RandomNormal(RandomInitializer):
    draw = staticmethod(random.normal)

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return self.draw(shape, self.mean, self.stddev, dtype=dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, **super().get_config()}


class TruncatedNormal(RandomNormal):
    draw = staticmethod(random.truncated_normal)


class RandomUniform(RandomInitializer):
    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        self.minval, self.maxval = minval, maxval
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return random.uniform(shape, self.minval, self.maxval, dtype=dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"minval": self.minval, "maxval": self.maxval, **super().get_config()}


def compute_fans(shape: Any) -> tuple[int, int]:
    """How many numbers come in and go out of a weight of this shape.

    >>> compute_fans((3, 3, 4, 8))
    (36, 72)
    """
    sizes = tuple(shape)
    if len(sizes) < 1:
        return 1, 1
    if len(sizes) == 1:
        return int(sizes[0]), int(sizes[0])
    window = math.prod(sizes[:-2])
    return int(sizes[-2] * window), int(sizes[-1] * window)


class VarianceScaling(RandomInitializer):
    """Numbers whose spread depends on how many come in and go out."""

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: Any = None,
        input_axes: Any = None, output_axes: Any = None,
    ) -> None:  # fmt: skip
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        allowed = {"fan_in", "fan_out", "fan_avg"}
        if mode not in allowed:
            raise ValueError(f"Invalid `mode` argument: {mode}. Please use one of {allowed}")
        distribution = distribution.lower()
        distribution = "truncated_normal" if distribution == "normal" else distribution
        known = {"uniform", "truncated_normal", "untruncated_normal"}
        if distribution not in known:
            raise ValueError(f"Invalid `distribution` argument: {distribution}.Please use one of {known}")
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.input_axes, self.output_axes = input_axes, output_axes
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        fan_in, fan_out = compute_fans(shape)
        if self.input_axes is not None and self.output_axes is not None:
            fan_in, fan_out = (math.prod(shape[a] for a in axes) for axes in (self.input_axes, self.output_axes))
        fans = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}
        scale = self.scale / max(1.0, fans[self.mode])
        if self.distribution == "truncated_normal":
            # The spread of what is left of a normal distribution after cutting it off at two deviations.
            return random.truncated_normal(shape, 0.0, math.sqrt(scale) / 0.87962566103423978, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random.normal(shape, 0.0, math.sqrt(scale), dtype, self.seed)
        limit = math.sqrt(3.0 * scale)
        return random.uniform(shape, -limit, limit, dtype, self.seed)

    def get_config(self) -> dict[str, Any]:
        return {
            "scale": self.scale, "mode": self.mode, "distribution": self.distribution, **super().get_config(),
            "input_axes": self.input_axes, "output_axes": self.output_axes,
        }  # fmt: skip


def _scaling(name: str, scale: float, mode: str, distribution: str) -> type[VarianceScaling]:
    def initialize(self: Any, seed: Any = None, input_axes: Any = None, output_axes: Any = None) -> None:
        VarianceScaling.__init__(self, scale, mode, distribution, seed, input_axes, output_axes)

    def get_config(self: Any) -> dict[str, Any]:
        return {**RandomInitializer.get_config(self), "input_axes": self.input_axes, "output_axes": self.output_axes}

    initialize.__qualname__ = f"{name}.__init__"
    body = {"__init__": initialize, "get_config": get_config, "__module__": VarianceScaling.__module__}
    return type(name, (VarianceScaling,), body)


GlorotUniform = _scaling("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaling("GlorotNormal", 1.0, "fan_avg", "truncated_normal")
HeUniform = _scaling("HeUniform", 2.0, "fan_in", "uniform")
HeNormal = _scaling("HeNormal", 2.0, "fan_in", "truncated_normal")
LecunUniform = _scaling("LecunUniform", 1.0, "fan_in", "uniform")
LecunNormal = _scaling("LecunNormal", 1.0, "fan_in", "truncated_normal")


class Orthogonal(RandomInitializer):
    """A matrix whose rows or columns are orthonormal."""

    def __init__(self, gain: float = 1.0, seed: Any = None) -> None:
        self.gain = gain
        super().__init__(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional. Received: "
                f"shape={shape} of rank {len(shape)}."
            )
        rows = math.prod(shape[:-1])
        flat = (max(shape[-1], rows), min(shape[-1], rows))
        q, r = np.linalg.qr(random.normal(flat, dtype=dtype, seed=self.seed)._array)
        q = q * np.sign(np.diag(r))
        q = q.T if rows < shape[-1] else q
        return wrap(np.asarray(self.gain * q.reshape(shape), numpy_dtype(dtype)), "orthogonal")

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, **super().get_config()}


_CLASSES = (
    Zeros, Ones, Constant, Identity, RandomNormal, TruncatedNormal, RandomUniform, VarianceScaling, GlorotUniform,
    GlorotNormal, HeUniform, HeNormal, LecunUniform, LecunNormal, Orthogonal,
)  # fmt: skip
OBJECTS = family("keras.initializers", {
    **{cls.__name__: cls for cls in _CLASSES},
    **{state.snake_case(cls.__name__): cls for cls in _CLASSES},
    "IdentityInitializer": Identity, "OrthogonalInitializer": Orthogonal, "Initializer": Initializer,
    "uniform": RandomUniform, "normal": RandomNormal, "one": Ones, "zero": Zeros,
})  # fmt: skip


def get(identifier: Any) -> Any:
    """An initializer by name, config or itself.

    :raises ValueError: it is none.
    """
    from engine.dialects.tensorflow.keras.serialization import getter

    if isinstance(identifier, np.ndarray | Valued):
        return lambda shape, dtype=None: wrap(np.asarray(np.asarray(identifier), numpy_dtype(dtype)))
    return getter("keras.initializers", "initializer")(identifier)

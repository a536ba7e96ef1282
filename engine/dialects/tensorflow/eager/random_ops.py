"""``tf.random``: the streams of TensorFlow's eager kernels.

``set_seed`` starts a Python generator that gives each op without a seed one of its own. An op with a seed keeps its
kernel, and with it its place in the stream, until the next ``set_seed``.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.array_ops import sizes_of
from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS
from engine.dialects.tensorflow.eager.tensor import run
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.random_ops import DEFAULT_SEED
from engine.dynamic import modes

_LARGEST = 2**31 - 1


class _Seeds:
    """The seed of the program, and the kernels that run with seeds."""

    def __init__(self) -> None:
        self.whole: int | None = None
        self.inner = random.Random()
        self.kernels: dict[Any, Philox] = {}
        self.epoch = 0


_seeds = _Seeds()


def begin() -> None:
    """A new program."""
    global _seeds
    _seeds = _Seeds()


def set_seed(seed: int) -> None:
    """Make every random op from here on repeatable."""
    _seeds.whole = int(seed)
    _seeds.inner = random.Random(int(seed))
    _seeds.kernels.clear()
    _seeds.epoch += 1


def whole_seed() -> int | None:
    """The seed of the program, if it has set one."""
    return _seeds.whole


def epoch() -> int:
    """How often the program has set its seed: the streams of functions begin again then."""
    return _seeds.epoch


def seeds_for(seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds of what draws without being an op: a dataset, a generator."""
    if seed is not None:
        return DEFAULT_SEED if _seeds.whole is None else _seeds.whole, seed
    return (None, None) if _seeds.whole is None else (_seeds.whole, _seeds.inner.randint(0, _LARGEST))


def _stream(seed: Any, *kernel: Any) -> Philox:
    """The stream of an op: a new one, or the one that its kernel is in."""
    if modes.tracer is not None:
        counts = modes.tracer.__dict__.setdefault("seeded_ops", [0])
        counts[0] += 1
        return _new(_seeds.whole, counts[0] - 1 if seed is None else int(seed))
    if seed is None:
        return _new(_seeds.whole, None if _seeds.whole is None else _seeds.inner.randint(0, _LARGEST))
    key = (_seeds.whole, int(seed), *kernel)
    found = _seeds.kernels.get(key)
    if found is None:
        found = _seeds.kernels[key] = _new(DEFAULT_SEED if _seeds.whole is None else _seeds.whole, int(seed))
    return found


def _new(first: int | None, second: int | None) -> Philox:
    if first is None or second is None:
        return Philox(int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(8), "little"))
    return Philox(first, _LARGEST if first == second == 0 else second)


def _drawn(op: str, label: str, shape: Any, kind: dtypes.DType, seed: Any, **more: Any) -> Any:
    stream = _stream(seed, op, kind.name, *more.values())
    return run(op, label, shape=sizes_of(shape), dtype=kind._numpy, generator=stream, **more)


def _scaled(drawn: Any, factor: Any, offset: Any) -> Any:
    return FUNCTIONS["add"](FUNCTIONS["multiply"](drawn, factor), offset)


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Any:
    return _scaled(_drawn("random_normal", "RandomStandardNormal", shape, dtypes.as_dtype(dtype), seed), stddev, mean)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Any:
    return _scaled(_drawn("tf_random_truncated", "TruncatedNormal", shape, dtypes.as_dtype(dtype), seed), stddev, mean)


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Any:
    kind = dtypes.as_dtype(dtype)
    if maxval is None:
        if kind.is_integer:
            raise ValueError("Must specify maxval for integer dtype " + repr(kind))
        maxval = 1
    if kind.is_integer:
        bounds = {"low": int(minval), "high": int(maxval)}
        return _drawn("tf_random_integers", "RandomUniformInt", shape, kind, seed, **bounds)
    low, high = np.asarray(minval, kind._numpy), np.asarray(maxval, kind._numpy)
    return _scaled(_drawn("random_uniform", "RandomUniform", shape, kind, seed), (high - low).item(), low.item())


FUNCTIONS_OF_RANDOM = {f.__name__: f for f in (set_seed, normal, truncated_normal, uniform)}

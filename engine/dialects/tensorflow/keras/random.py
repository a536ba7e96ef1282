"""Seeds and stateless draws: the numbers of ``keras.random``, of initializers and of dropout."""

from __future__ import annotations

import random as python_random
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.keras import state
from engine.dialects.tensorflow.keras.both import drawn, dtype_of, math_ops
from engine.dialects.tensorflow.keras.variables import Variable
from engine.dialects.tensorflow.philox import Philox

_SCRAMBLE = 0x3EC8F720 | 0x02461E29 << 32


class Stateless(Philox):
    """The stream that TensorFlow's stateless kernels draw from for a seed of two numbers.

    >>> import numpy as np
    >>> Stateless(5, 0).uniform((2,), np.dtype("float32")).tolist()
    [0.06185328960418701, 0.8316690921783447]
    """

    def __init__(self, first: int, second: int) -> None:
        mixer = Philox(_SCRAMBLE, second)
        mixer._low = first & (2**64 - 1)
        mix = [int(word) for word in mixer.blocks(1)[0]]
        super().__init__(mix[0] | mix[1] << 32, mix[2] | mix[3] << 32)


class SeedGenerator:
    """Gives a new seed each time: the number it began with, and how often it was asked."""

    __module__ = "keras.src.random.seed_generator"

    def __init__(self, seed: Any = None, name: str | None = None, **_: Any) -> None:
        if seed is None:
            seed = make_default_seed()
        if not isinstance(seed, int):
            raise ValueError(f"Argument `seed` must be an integer. Received: seed={seed}")
        self.name = name or state.unique_name("SeedGenerator")
        with state.name_scope(self.name, caller=self):
            self.state = Variable(np.array([seed, 0]), dtype="int64", trainable=False, name=f"{self.name}_state")

    def next(self, ordered: bool = True) -> tuple[int, int]:
        """The seed of the next draw."""
        first, count = (int(n) for n in self.state._array)
        self.state._array = np.array([first, count + 1])
        return first, count


def make_default_seed() -> int:
    return python_random.randint(1, int(1e9))


def draw_seed(seed: Any) -> tuple[int, int]:
    """The two numbers of a draw for an integer, a generator, or nothing.

    :raises ValueError: it is something else.
    """
    if isinstance(seed, SeedGenerator):
        return seed.next()
    if isinstance(seed, int | np.integer):
        return int(seed), 0
    if seed is None:
        if state.program.seed_generator is None:
            state.program.seed_generator = SeedGenerator(name="global_seed_generator")
        found: tuple[int, int] = state.program.seed_generator.next()
        return found
    raise ValueError(
        "Argument `seed` must be either an integer or an instance of `SeedGenerator`. Received: "
        f"seed={seed} (of type {type(seed)})"
    )


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in (shape._array if isinstance(shape, Valued) else shape))


def numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """NumPy's dtype for one of TensorFlow's or its name; ``None`` is the one that weights have."""
    found: np.dtype[Any] = dtypes.as_dtype(dtype or state.floatx())._numpy
    return found


def uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Numbers between two bounds."""
    kind = numpy_dtype(dtype)
    unit = Stateless(*draw_seed(seed)).uniform(_sizes(shape), kind)
    low, high = np.asarray(minval, kind), np.asarray(maxval, kind)
    return wrap(np.asarray(unit * (high - low) + low), "StatelessRandomUniformV2")


def normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Normal numbers."""
    kind = numpy_dtype(dtype)
    drawn = Stateless(*draw_seed(seed)).normal(_sizes(shape), kind)
    return wrap(np.asarray(drawn * kind.type(stddev) + kind.type(mean)), "StatelessRandomNormalV2")


def truncated_normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Normal numbers within two standard deviations."""
    kind = numpy_dtype(dtype)
    drawn = Stateless(*draw_seed(seed)).truncated(_sizes(shape), kind)
    return wrap(np.asarray(drawn * kind.type(stddev) + kind.type(mean)), "StatelessTruncatedNormalV2")


def randint(shape: Any, minval: int, maxval: int, dtype: Any = "int32", seed: Any = None) -> Any:
    """Integers from ``minval`` to before ``maxval``."""
    kind = numpy_dtype(dtype)
    return wrap(Stateless(*draw_seed(seed)).integers(_sizes(shape), int(minval), int(maxval), kind))


def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> Any:
    """Each element is dropped with probability ``rate``; the others grow by 1 / (1 - rate)."""
    if rate <= 0:
        return inputs
    kind = dtype_of(inputs)

    def keep(sizes: tuple[int, ...]) -> Any:
        if noise_shape is not None:
            sizes = tuple(n if m is None else m for n, m in zip(sizes, noise_shape, strict=True))
        noise = Stateless(*draw_seed(seed)).uniform(sizes, kind)
        return np.asarray(noise >= kind.type(rate), kind)

    scaled = math_ops.FUNCTIONS["multiply"](inputs, float(1.0 / (1.0 - rate)))
    return math_ops.FUNCTIONS["multiply"](scaled, drawn(keep, inputs, kind))


def normal_like(x: Any, mean: float, stddev: float, seed: Any) -> Any:
    """Normal numbers in the shape of ``x``."""
    kind = dtype_of(x)

    def draw(sizes: tuple[int, ...]) -> Any:
        numbers = Stateless(*draw_seed(seed)).normal(sizes, kind)
        return np.asarray(numbers * kind.type(stddev) + kind.type(mean))

    return drawn(draw, x, kind)


def shuffle(x: Any, axis: int = 0, seed: Any = None) -> Any:
    """The rows in another order."""
    from engine.dialects.tensorflow.keras.both import array_ops

    order = np.argsort(Stateless(*draw_seed(seed)).uniform((int(x.shape[axis]),), np.dtype(np.float32)))
    return array_ops.gather(x, order.astype(np.int32), axis=axis)


def set_random_seed(seed: int) -> None:
    """Make Python's, NumPy's, TensorFlow's and Keras's random numbers repeatable."""
    from engine.dialects.tensorflow.eager import random_ops

    if not isinstance(seed, int):
        raise ValueError(f"Expected `seed` argument to be an integer. Received: seed={seed} (of type {type(seed)})")
    python_random.seed(seed)
    np.random.seed(seed)
    random_ops.set_seed(seed)
    state.program.seed_generator = None


FUNCTIONS = {f.__name__: f for f in (uniform, normal, truncated_normal, randint, dropout, shuffle)} | {
    "SeedGenerator": SeedGenerator
}

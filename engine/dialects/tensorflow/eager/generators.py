"""``tf.random.Generator`` and the stateless functions: streams whose state is in sight."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager.array_ops import sizes_of
from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS, cast
from engine.dialects.tensorflow.eager.random_ops import _scaled, _stream
from engine.dialects.tensorflow.eager.tensor import Valued, convert, run, wrap
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.philox import Philox
from engine.ops.registry import op
from engine.tensor_type import TensorType

Array = np.ndarray[Any, Any]
_MASK = 2**64 - 1
_SCRAMBLE = 0x3EC8F720 | 0x02461E29 << 32


def stateless_stream(first: int, second: int) -> Philox:
    """The stream of a stateless function: its seeds are scrambled by the generator itself, as the real kernels do."""
    mixing = Philox(_SCRAMBLE, second & _MASK)
    mixing._low = first & _MASK
    words = [int(word) for word in mixing.blocks(1).reshape(-1)]
    return Philox(words[0] | words[1] << 32, words[2] | words[3] << 32)


def _drawn(stream: Philox, kind: str, shape: tuple[int, ...], dtype: Any, low: int = 0, high: int = 0) -> Array:
    if kind == "integers":
        return stream.integers(shape, low, high, dtype)
    if kind == "whole":
        size, wide = int(np.prod(shape)), np.dtype(dtype).itemsize == 8
        words = stream._words(size, 2 if wide else 1)
        if wide:
            words = words[0::2].astype(np.uint64) | words[1::2].astype(np.uint64) << np.uint64(32)
        return words[:size].view(np.int64 if wide else np.int32).astype(dtype, copy=False).reshape(shape)
    return getattr(stream, kind)(shape, dtype)  # type: ignore[no-any-return]


def _stateless(seed: Array, kind: str, shape: tuple[int, ...], dtype: Any, low: int, high: int) -> Array:
    first, second = (int(n) for n in np.asarray(seed).tolist())
    return _drawn(stateless_stream(first, second), kind, shape, dtype, low, high)


op(
    "tf_stateless", "seed", _stateless,
    lambda seed, kind, shape, dtype, low, high: TensorType(np.dtype(dtype), shape), None, category="input",
    symbol="rnd",
)  # fmt: skip
op(
    "tf_generator", "", lambda draw, shape, dtype: draw(),
    lambda draw, shape, dtype: TensorType(np.dtype(dtype), shape), None, stateful=True, category="input", symbol="rnd",
)  # fmt: skip


def _from_seed(label: str, seed: Any, kind: str, shape: Any, dtype: Any, low: int = 0, high: int = 0) -> Any:
    numpy = dtypes.as_dtype(dtype)._numpy
    return run(
        "tf_stateless", label, convert(seed), kind=kind, shape=sizes_of(shape), dtype=numpy, low=low, high=high
    )  # fmt: skip


def _bounds(dtype: Any, minval: Any, maxval: Any) -> tuple[Any, Any]:
    kind = dtypes.as_dtype(dtype)
    if maxval is None and kind.is_integer and minval is not None:
        raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
    return minval, 1 if maxval is None else maxval


def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", name: str | None = None,
    alg: Any = "auto_select",
) -> Any:  # fmt: skip
    """Uniform numbers that depend on ``seed`` (two integers) alone."""
    kind = dtypes.as_dtype(dtype)
    if kind.is_integer and minval is None and maxval is None:
        return _from_seed("StatelessRandomUniformFullIntV2", seed, "whole", shape, kind)
    low, high = _bounds(dtype, minval, maxval)
    if kind.is_integer:
        return _from_seed("StatelessRandomUniformIntV2", seed, "integers", shape, kind, int(low), int(high))
    drawn = _from_seed("StatelessRandomUniformV2", seed, "uniform", shape, kind)
    return _scaled(drawn, _difference(high, low, kind), low)


def _difference(high: Any, low: Any, kind: Any) -> Any:
    return (np.asarray(high, kind._numpy) - np.asarray(low, kind._numpy)).item()


def _normal(label: str, kind: str) -> Callable[..., Any]:
    def function(
        shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None,
        alg: Any = "auto_select",
    ) -> Any:  # fmt: skip
        return _scaled(_from_seed(label, seed, kind, shape, dtype), stddev, mean)

    return function


def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> Any:
    """``num`` seeds of one."""
    return stateless_uniform([num, 2], seed, None, None, _seed_dtype(seed))


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A seed of a seed and a number."""
    from engine.dialects.tensorflow.eager.array_ops import concat, reshape

    first = stateless_uniform([1], seed, None, None, _seed_dtype(seed))
    return concat([first, reshape(cast(data, _seed_dtype(seed)), [1])], 0)


def _seed_dtype(seed: Any) -> Any:
    return convert(seed).dtype


# -- with a state ----------------------------------------------------------------------------------------------------
class Generator:
    """A stream of random numbers. ``state`` holds where it is (two numbers) and its key."""

    __module__ = "tensorflow.python.ops.stateful_random_ops"

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        given = copy_from._variable._array if copy_from is not None else _plain(state)
        self._variable = ResourceVariable(np.asarray(given, np.int64), trainable=False, name="StateVar", dtype="int64")

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """Begins where ``seed`` says."""
        return cls(state=_state_of(seed))

    @classmethod
    def from_state(cls, state: Any, alg: Any = None) -> Generator:
        return cls(state=state)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any = None) -> Generator:
        return cls(state=[*np.asarray(_plain(counter)).reshape(-1).tolist(), int(_plain(key))])

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        return cls(state=np.frombuffer(os.urandom(24), np.int64))

    @property
    def state(self) -> ResourceVariable:
        return self._variable

    @property
    def key(self) -> Any:
        return self._variable.read_value()[2]

    @property
    def algorithm(self) -> int:
        return 1

    def reset(self, state: Any) -> None:
        self._variable.assign(convert(np.asarray(_plain(state), np.int64)))

    def reset_from_seed(self, seed: Any) -> None:
        """Begin again where ``seed`` says."""
        self.reset(_state_of(seed))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        self.reset([*np.asarray(_plain(counter)).reshape(-1).tolist(), int(_plain(key))])

    def skip(self, delta: Any) -> Any:
        """Leave out ``delta`` blocks."""
        state = self._variable._array.copy()
        state[0] += int(delta)
        self.reset(state)
        return self.state

    def _draw(self, kind: str, shape: tuple[int, ...], dtype: Any, low: int = 0, high: int = 0) -> Array:
        state = [int(n) & _MASK for n in self._variable._array.tolist()]
        stream = Philox(state[2], state[1])
        stream._low = state[0]
        found = _drawn(stream, kind, shape, dtype, low, high)
        after = self._variable._array.copy()
        after[0] += int(np.prod(shape)) * 256
        self._variable._array = after
        return found

    def _run(self, label: str, kind: str, shape: Any, dtype: Any, low: int = 0, high: int = 0) -> Any:
        sizes, numpy = sizes_of(shape), dtypes.as_dtype(dtype)._numpy

        def draw() -> Array:
            return self._draw(kind, sizes, numpy, low, high)

        if graphs._stack and graphs._stack[-1].building_function:
            with graphs._stack[-1].acting():  # type: ignore[attr-defined]
                return run("tf_generator", label, draw=draw, shape=sizes, dtype=numpy)
        return run("tf_generator", label, draw=draw, shape=sizes, dtype=numpy)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None
    ) -> Any:
        """Normal numbers."""
        return _scaled(self._run("StatelessRandomNormalV2", "normal", shape, dtype), stddev, mean)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None
    ) -> Any:
        """Normal numbers within two standard deviations."""
        return _scaled(self._run("StatelessTruncatedNormalV2", "truncated", shape, dtype), stddev, mean)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", name: str | None = None
    ) -> Any:
        """Uniform numbers in ``[minval, maxval)``."""
        kind = dtypes.as_dtype(dtype)
        low, high = _bounds(dtype, minval, maxval)
        if kind.is_integer:
            return self._run("StatelessRandomUniformIntV2", "integers", shape, kind, int(low), int(high))
        return _scaled(self._run("StatelessRandomUniformV2", "uniform", shape, kind), _difference(high, low, kind), low)

    def uniform_full_int(self, shape: Any, dtype: Any = "uint64", name: str | None = None) -> Any:
        """Integers of all sizes."""
        return self._run("StatelessRandomUniformFullIntV2", "whole", shape, dtype)

    def make_seeds(self, count: int = 1) -> Any:
        """Seeds for stateless functions, one a column."""
        keys = self.uniform_full_int([count], "int64")
        return FUNCTIONS["add"](convert(np.zeros((2, count), np.int64)), keys)

    def split(self, count: int = 1) -> list[Generator]:
        """Generators that do not depend on each other."""
        keys = self.uniform_full_int([count], "int64")
        return [Generator.from_key_counter(int(key), [0, 0]) for key in keys._array]


def _plain(value: Any) -> Any:
    return value._array if isinstance(value, Valued) else value


def _state_of(seed: Any) -> Array:
    given = np.asarray(_plain(seed)).reshape(-1).astype(np.int64)
    state = np.zeros(3, np.int64)
    state[: len(given)] = given[:3]
    return state


_global: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator of the program, made when it is first asked for."""
    if not _global:
        _global.append(Generator.from_non_deterministic_state())
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    _global[:] = [generator]


def begin() -> None:
    """A new program."""
    _global.clear()


# -- of the program's seed -------------------------------------------------------------------------------------------
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Any:
    """The rows in another order."""
    return run("tf_shuffle", "RandomShuffle", convert(value), generator=_stream(seed, "shuffle"))


def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: str | None = None) -> Any:
    """``num_samples`` classes for each row of unnormalised log-probabilities."""
    kind = dtypes.as_dtype("int64" if dtype is None else dtype)._numpy
    stream = _stream(seed, "categorical")
    return run("tf_multinomial", "Multinomial", convert(logits), count=int(num_samples), dtype=kind, generator=stream)


NAMES: dict[str, dict[str, Any]] = {
    "random": {
        "Generator": Generator, "get_global_generator": get_global_generator,
        "set_global_generator": set_global_generator, "stateless_uniform": stateless_uniform,
        "stateless_normal": _normal("StatelessRandomNormalV2", "normal"),
        "stateless_truncated_normal": _normal("StatelessTruncatedNormalV2", "truncated"),
        "split": split, "fold_in": fold_in,
    },
    "random.experimental": {
        "Generator": Generator, "get_global_generator": get_global_generator, "stateless_split": split,
        "stateless_fold_in": fold_in,
    },
}  # fmt: skip
__all__ = ["NAMES", "wrap"]

"""PyTorch's random numbers on the CPU: a Mersenne Twister and what is made of its draws.

Every function takes the next draws of a :class:`Generator`, so a program that calls ``manual_seed`` gets the numbers
of the
real framework (to the last place, where those come out of vectorised ``log`` and ``cos``).
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.dialects.torch.box_muller import box_muller
from engine.dialects.torch.ops.rounding import fused
from engine.dialects.torch.types import CPU, device

Array = Any


class _Plain(pickle.Unpickler):
    """Reads the state of a stream: numbers and arrays, and nothing that could run code."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == "numpy" and name in ("ndarray", "dtype", "_reconstruct", "_frombuffer"):
            return super().find_class(module, name)
        raise RuntimeError("Invalid RNG state: it was not made by get_state()")


_MASK24, _MASK53 = np.uint32((1 << 24) - 1), np.uint64((1 << 53) - 1)


class Generator:
    """A stream of random numbers; ``torch.Generator``."""

    __module__ = "torch"

    def __init__(self, device: Any = "cpu") -> None:
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Start again from ``seed``."""
        if not -(1 << 63) <= int(seed) < 1 << 64:
            raise RuntimeError("Overflow when unpacking long long")
        self._seed = int(seed) % (1 << 64)
        self._bits: Any = np.random.RandomState(self._seed & 0xFFFFFFFF)._bit_generator
        self._spare: float | None = None
        return self

    def seed(self) -> int:
        """Start again from a number of the operating system."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """The number that this stream was started from."""
        return self._seed

    def get_state(self) -> Any:
        """Where this stream stands, as bytes in a tensor."""
        from engine.dialects.torch.tensor import Tensor  # tensors stand on this module

        kept = pickle.dumps((self._seed, self._spare, self._bits.state))
        return Tensor(np.frombuffer(kept, np.uint8).copy())

    def set_state(self, new_state: Any) -> Generator:
        """Go on from where a stream stood."""
        kept = _Plain(io.BytesIO(new_state._array.tobytes())).load()
        self._seed, self._spare, state = kept
        self._bits.state = state
        return self

    @property
    def device(self) -> device:
        return CPU

    # -- draws --
    def raw(self, count: int) -> Array:
        """``count`` draws of 32 bits."""
        return self._bits.random_raw(count).astype(np.uint32)

    def raw64(self, count: int) -> Array:
        """``count`` numbers of 64 bits, each from two draws, the first one high."""
        draws = self._bits.random_raw(2 * count)
        return draws[0::2] << np.uint64(32) | draws[1::2]

    def uniform(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Numbers in [0, 1) with as many random bits as the dtype holds."""
        if dtype == np.float64:
            return (self.raw64(count) & _MASK53) * 2.0**-53
        values = (self.raw(count) & _MASK24).astype(np.float32) * np.float32(2.0**-24)
        return values if dtype == np.float32 else values.astype(dtype)

    def fraction(self) -> float:
        """One number in [0, 1) in double precision."""
        return float(self.uniform(1, np.dtype(np.float64))[0])

    def normal(self, count: int, dtype: np.dtype[Any], mean: float = 0.0, std: float = 1.0) -> Array:
        """Numbers of a normal distribution."""
        if count < 16:
            return self.normals_one_by_one(count, mean, std).astype(dtype)
        kind = np.dtype(np.float64) if dtype == np.float64 else np.dtype(np.float32)
        values = self.uniform(count, kind)
        whole = count - count % 16
        values[:whole] = box_muller(values[:whole].reshape(-1, 16)).reshape(-1)
        if count % 16:  # the last 16 are drawn afresh
            values[-16:] = box_muller(self.uniform(16, kind).reshape(1, 16)).reshape(-1)
        if mean != 0 or std != 1:
            values = fused(values, kind.type(std), kind.type(mean)) if kind == np.float32 else values * std + mean
        return values.astype(dtype, copy=False)

    def normals_one_by_one(self, count: int, mean: float, std: float) -> Array:
        """The same in float64, as the stream makes few of them: in pairs, of which the second one is kept."""
        return np.array([self._one_normal() * std + mean for _ in range(count)])

    def _one_normal(self) -> float:
        if self._spare is not None:
            value, self._spare = self._spare, None
            return value
        angle, radius = ((self.raw64(2) & _MASK53) * 2.0**-53).tolist()
        radius = float(np.sqrt(-2.0 * np.log1p(-radius)))
        self._spare = radius * float(np.sin(2.0 * np.pi * angle))
        return radius * float(np.cos(2.0 * np.pi * angle))

    def integers(self, low: int, high: int, count: int) -> Array:
        """Integers in [low, high)."""
        span = high - low
        if span >= 1 << 28:
            return (self.raw64(count) % np.uint64(span)).astype(np.int64) + low
        return (self.raw(count) % np.uint32(span)).astype(np.int64) + low

    def permutation(self, count: int) -> Array:
        """The numbers 0 to ``count - 1``, shuffled."""
        order = list(range(count))
        for i, draw in enumerate(self.raw(max(count - 1, 0)).tolist()):
            j = i + draw % (count - i)
            order[i], order[j] = order[j], order[i]
        return np.array(order, np.int64)

    def exponential(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Numbers of the exponential distribution with rate 1."""
        values = self.uniform(count, np.dtype(np.float64))
        return (-np.log1p(-values)).astype(dtype)


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    """Start the default stream again from ``seed``."""
    return default_generator.manual_seed(int(seed))


def get_rng_state() -> Any:
    """Where the default stream stands."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Let the default stream go on from where it stood."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(*_: Any, **__: Any) -> Iterator[None]:
    """What is drawn inside does not count: afterwards the default stream stands where it stood."""
    before = default_generator.get_state()
    try:
        yield
    finally:
        default_generator.set_state(before)

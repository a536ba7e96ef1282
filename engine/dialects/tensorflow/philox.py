"""The counter-based generator Philox 4x32-10, as TensorFlow's kernels use it on one thread."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ShapeError
from engine.ops.promotion import DEFAULT_FLOAT, DEFAULT_INTEGER
from engine.ops.registry import op
from engine.tensor_type import TensorType

Words = NDArray[np.uint32]
_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_MASK = np.uint64(0xFFFFFFFF)


class Philox:
    """A stream for the engine's random ops. ``first`` is the graph's seed (the key), ``second`` the op's own.

    >>> import numpy as np
    >>> a, b = Philox(42, 0), Philox(42, 0)
    >>> bool((a.uniform((3,), np.dtype("float32")) == b.uniform((3,), np.dtype("float32"))).all())
    True
    """

    def __init__(self, first: int, second: int) -> None:
        self._key = (first & 0xFFFFFFFF, (first >> 32) & 0xFFFFFFFF)
        self._high = (second & 0xFFFFFFFF, (second >> 32) & 0xFFFFFFFF)
        self._low = 0
        self.start = (first, second)

    def restart(self) -> Philox:
        """A new stream at the beginning: each session draws from its own."""
        return Philox(*self.start)

    def blocks(self, count: int, skip: int | None = None) -> Words:
        """``count`` blocks of four words; ``skip`` (default: ``count``) blocks are used up."""
        counters = np.arange(count, dtype=np.uint64) + np.uint64(self._low)
        self._low += count if skip is None else skip
        words = [
            counters & _MASK,
            counters >> np.uint64(32),
            np.full(count, self._high[0], np.uint64),
            np.full(count, self._high[1], np.uint64),
        ]
        key = list(self._key)
        for _ in range(10):
            left, right = words[0] * _MULTIPLIERS[0], words[2] * _MULTIPLIERS[1]
            words = [
                (right >> np.uint64(32)) ^ words[1] ^ np.uint64(key[0]),
                right & _MASK,
                (left >> np.uint64(32)) ^ words[3] ^ np.uint64(key[1]),
                left & _MASK,
            ]
            key = [(key[0] + _WEYL[0]) & 0xFFFFFFFF, (key[1] + _WEYL[1]) & 0xFFFFFFFF]
        return np.stack(words, 1).astype(np.uint32)

    def _words(self, size: int, each: int = 1) -> Words:
        """``size * each`` words. The kernels reserve 256 words for each element of the result, so that ops stay
        apart."""
        count = -(-size * each // 4)
        return self.blocks(count, skip=size * 256).reshape(-1)

    # -- the engine's Stream -----------------------------------------------------------------------------------------
    def uniform(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Numbers in [0, 1): the low 23 (52) bits are the mantissa of a number in [1, 2)."""
        size = int(np.prod(shape))
        return _unit(self._words(size, 2 if dtype == np.float64 else 1), dtype)[:size].reshape(shape)

    def normal(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Box-Muller on pairs."""
        size = int(np.prod(shape))
        words = self._words(size, 2 if dtype == np.float64 else 1)
        return _box_muller(words, dtype)[:size].reshape(shape)

    def truncated(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Normal numbers within two standard deviations: those outside are drawn again, group by group."""
        size, each = int(np.prod(shape)), 2 if dtype == np.float64 else 4
        groups = -(-size // each)
        # Each group of results has a stream of its own, 256 words long, from which it draws until it is full.
        draws, apart = 64, each * 64
        found = np.empty((groups, each), dtype)
        start = self._low
        for group in range(groups):
            self._low = start + group * apart
            values = _box_muller(self.blocks(draws, 0).reshape(-1), dtype)
            kept = values[np.abs(values) < 2]
            found[group] = kept[:each]
        self._low = start + size * 256
        return found.reshape(-1)[:size].reshape(shape)

    def integers(self, shape: tuple[int, ...], low: int, high: int, dtype: Any) -> NDArray[Any]:
        """Integers in ``[low, high)``."""
        size = int(np.prod(shape))
        if np.dtype(dtype).itemsize == 8:
            words = self._words(size, 2).astype(np.uint64)
            wide = words[0::2] | (words[1::2] << np.uint64(32))
            drawn = (wide % np.uint64(high - low)).astype(np.int64)
        else:
            drawn = (self._words(size) % np.uint32(high - low)).astype(np.int64)
        return (drawn[:size] + low).astype(dtype).reshape(shape)


def _unit(words: Words, dtype: Any) -> NDArray[Any]:
    if dtype == np.float64:
        high = words[0::2].astype(np.uint64) & np.uint64(0xFFFFF)
        bits = (np.uint64(1023) << np.uint64(52)) | (high << np.uint64(32)) | words[1::2].astype(np.uint64)
        return bits.view(np.float64) - 1.0
    bits32 = (words & np.uint32(0x7FFFFF)) | np.uint32(127 << 23)
    return (bits32.view(np.float32) - np.float32(1)).astype(dtype, copy=False)


def _box_muller(words: Words, dtype: Any) -> NDArray[Any]:
    unit = _unit(words, dtype)
    kind = np.dtype(dtype).type
    first = np.maximum(unit[0::2], kind(1e-7))
    angle = (2 * np.pi * unit[1::2].astype(np.float64)).astype(dtype)
    radius = np.sqrt(kind(-2) * _exactly(np.log, first))
    result = np.empty(len(first) * 2, dtype)
    result[0::2], result[1::2] = _exactly(np.sin, angle) * radius, _exactly(np.cos, angle) * radius
    return result


def _exactly(function: Any, x: NDArray[Any]) -> NDArray[Any]:
    """A function of the C library, rounded once: NumPy's own for float32 trade the last bits for speed."""
    return function(x.astype(np.float64)).astype(x.dtype)  # type: ignore[no-any-return]


def _drawn_type(shape: Any, dtype: Any = DEFAULT_FLOAT, generator: Any = None) -> TensorType:
    return TensorType(np.dtype(dtype), shape)


def _integers_type(
    shape: Any, low: int = 0, high: int = 1, dtype: Any = DEFAULT_INTEGER, generator: Any = None
) -> TensorType:
    if high <= low:
        raise ShapeError(f"random_integers: need low < high, got {low} and {high}", op="tf_random_integers")
    return TensorType(np.dtype(dtype), shape)


op(
    "tf_random_truncated",
    "",
    lambda shape, dtype, generator: generator.truncated(shape, dtype),
    _drawn_type,
    None,
    stateful=True,
    category="input",
    symbol="rnd",
)
op(
    "tf_random_integers",
    "",
    lambda shape, low, high, dtype, generator: generator.integers(shape, low, high, dtype),
    _integers_type,
    None,
    stateful=True,
    category="input",
    symbol="rnd",
)


def _drawn(
    sizes: Any, draw: str, dtype: Any, generator: Philox, low: int, high: int, known: Any = None
) -> NDArray[Any]:
    """A draw whose sizes are an operand."""
    shape = tuple(int(n) for n in np.atleast_1d(sizes))
    if draw == "tf_random_integers":
        return generator.integers(shape, low, high, dtype)
    draws = {"random_normal": generator.normal, "random_uniform": generator.uniform}
    return draws.get(draw, generator.truncated)(shape, dtype)


def _shuffled(a: NDArray[Any], generator: Philox) -> NDArray[Any]:
    """The rows in an order that TensorFlow's kernel would give: each place changes with itself or a later one."""
    rows = len(a)
    order = np.arange(rows)
    count = max(rows - 1, 0)
    words = generator.blocks(-(-count // 4)).reshape(-1)
    for place in range(rows - 1):
        other = place + int(words[place]) % (rows - place)
        order[[place, other]] = order[[other, place]]
    return np.asarray(a[order])


def _classes(logits: NDArray[Any], count: int, dtype: Any, generator: Philox) -> NDArray[Any]:
    """Draws from the cumulated probabilities of each row."""
    rows = len(logits)
    start = generator._low
    found = np.empty((rows, count), dtype)
    for row, scores in enumerate(np.asarray(logits, np.float64)):
        generator._low = start + row * (count + 3) // 4
        unit = generator.uniform((count,), np.dtype(np.float64))
        chances = np.cumsum(np.where(np.isfinite(scores), np.exp(scores - scores.max()), 0.0))
        found[row] = np.searchsorted(chances, unit * chances[-1], side="right")
    generator._low = start + rows * ((count + 3) // 4 * 4) * 2 * 256
    return found


op(
    "tf_draw",
    "sizes",
    _drawn,
    lambda sizes, draw, dtype, generator, low, high, known=None: TensorType(np.dtype(dtype), known),
    None,
    stateful=True,
    category="input",
    symbol="rnd",
)
op(
    "tf_shuffle",
    "a",
    _shuffled,
    lambda a, generator: a,
    None,
    stateful=True,
    category="input",
    symbol="rnd",
)
op(
    "tf_multinomial",
    "logits",
    _classes,
    lambda logits, count, dtype, generator: TensorType(
        np.dtype(dtype), (None if logits.shape is None else logits.shape[0], count)
    ),
    None,
    stateful=True,
    category="input",
    symbol="rnd",
)

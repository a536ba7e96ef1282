"""Making tensors at random, with PyTorch's own streams."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor, sizes_of
from engine.dialects.torch.creation import zeros_like
from engine.dialects.torch.from_data import made
from engine.dialects.torch.streams import Generator, default_generator
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT, as_array_dtype, check_device, word_of


def _random(name: str, draw: Any) -> Any:
    def make(
        *size: Any, generator: Generator | None = None, out: Any = None, dtype: Any = None, device: Any = None,
        requires_grad: bool = False, layout: Any = None, pin_memory: bool = False,
    ) -> Tensor:  # fmt: skip
        check_device(device)
        kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
        shape = sizes_of(size, name)
        if kind.kind != "f":
            kernel = "normal_kernel_cpu" if name == "randn" else "check_uniform_bounds"
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{word_of(kind)}'")
        stream = generator or default_generator
        return made(draw(stream, math.prod(shape), kind).reshape(shape), requires_grad, name)

    make.__name__ = name
    return make


rand = _random("rand", Generator.uniform)
randn = _random("randn", Generator.normal)


def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    need_tensor(input, "rand_like")
    return rand(input._array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)  # type: ignore[no-any-return]


def randn_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    need_tensor(input, "randn_like")
    return randn(input._array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)  # type: ignore[no-any-return]


def randint(
    low: int, high: Any = None, size: Any = None, *, generator: Generator | None = None, dtype: Any = None,
    device: Any = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    if size is None:
        low, high, size = 0, low, high
    if high is None:
        low, high = 0, low
    kind = np.dtype(np.int64) if dtype is None else as_array_dtype(dtype)
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    shape = sizes_of([size], "randint")
    values = (generator or default_generator).integers(int(low), int(high), math.prod(shape))
    return made(values.reshape(shape).astype(kind), requires_grad, "randint")


def randint_like(input: Tensor, low: int, high: int | None = None, *, dtype: Any = None) -> Tensor:
    if high is None:
        low, high = 0, low
    return randint(low, high, input._array.shape, dtype=dtype or input.dtype)


def randperm(n: int, *, generator: Generator | None = None, dtype: Any = None, device: Any = None) -> Tensor:
    kind = np.dtype(np.int64) if dtype is None else as_array_dtype(dtype)
    return made((generator or default_generator).permutation(n).astype(kind), False, "randperm")


def normal(
    mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None, dtype: Any = None,
    device: Any = None,
) -> Tensor:  # fmt: skip
    """Normal numbers; ``mean`` and ``std`` may be tensors, which then give the shape."""
    stream = generator or default_generator
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        m = mean._array if isinstance(mean, Tensor) else mean
        s = std._array if isinstance(std, Tensor) else std
        shape = np.broadcast_shapes(np.shape(m), np.shape(s))
        kind = m.dtype if isinstance(mean, Tensor) else s.dtype
    else:
        shape, m, s = sizes_of([size], "normal"), mean, std
        kind = DEFAULT.float.array if dtype is None else as_array_dtype(dtype)
    if np.any(np.less(s, 0)):
        raise RuntimeError(f"normal expects std >= 0.0, but found std {s:g}")
    if isinstance(m, np.ndarray) or isinstance(s, np.ndarray):
        values = stream.normal(math.prod(shape), kind).reshape(shape)
        return made(np.asarray(values * s + m, kind), False, "normal")
    return made(stream.normal(math.prod(shape), kind, m, s).reshape(shape), False, "normal")


def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Numbers of Poisson distributions, whose means are the elements of ``input``."""
    means = input._array
    if (means < 0).any():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    stream = generator or default_generator
    drawn = [_one_poisson(stream, mean) for mean in means.reshape(-1).tolist()]
    return made(np.array(drawn, means.dtype).reshape(means.shape), False, "poisson")


def _one_poisson(stream: Generator, mean: float) -> float:
    """A product of uniform numbers for small means, W. Hormann's transformed rejection for large ones."""
    draw = stream.fraction
    count = 0.0
    if mean == 0:
        return count
    if mean < 10:
        bound, product = math.exp(-mean), draw()
        while product > bound:
            count, product = count + 1, product * draw()
        return count
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    while True:
        u, v = draw() - 0.5, draw()
        room = 0.5 - abs(u)
        count = math.floor((2 * a / room + b) * u + mean + 0.43) if room else -1.0
        if room >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return count
        if count < 0 or (room < 0.013 and v > room):
            continue
        share = math.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (room * room) + b))
        if share <= count * math.log(mean) - mean - math.lgamma(count + 1):
            return count


def bernoulli(input: Tensor, p: float | None = None, *, generator: Generator | None = None) -> Tensor:
    """1 with the probability that each element says (or ``p``), else 0."""
    if p is not None:
        return zeros_like(input).bernoulli_(p, generator=generator)  # type: ignore[no-any-return]
    if (input._array < 0).any() or (input._array > 1).any():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)"
        )
    draws = (generator or default_generator).uniform(input._array.size, input._array.dtype).reshape(input._array.shape)
    return made((draws < input._array).astype(input._array.dtype), False, "bernoulli")


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> Tensor:
    """Indices drawn with the probabilities in the rows of ``input``."""
    p = input._array
    if p.dtype.kind != "f":
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {word_of(p.dtype)}")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > p.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if not np.all(np.isfinite(p)) or np.any(p < 0):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if np.any(p.sum(-1) == 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    stream = generator or default_generator
    if not replacement or num_samples == 1:
        q = p / stream.exponential(p.size, p.dtype).reshape(p.shape)
        if num_samples == 1:
            return made(np.argmax(q, -1, keepdims=True).astype(np.int64), False, "multinomial")
        order = np.argsort(-q, -1, kind="stable")[..., :num_samples]
        return made(order.astype(np.int64), False, "multinomial")
    rows = p.reshape(-1, p.shape[-1])
    cumulative = np.cumsum(rows, -1, dtype=p.dtype)
    cumulative /= cumulative[:, -1:]
    cumulative[:, -1] = 1
    draws = stream.uniform(len(rows) * num_samples, np.dtype(np.float64)).reshape(len(rows), num_samples)
    picked = np.stack([np.searchsorted(c, d) for c, d in zip(cumulative, draws, strict=True)])
    return made(picked.astype(np.int64).reshape(*p.shape[:-1], num_samples), False, "multinomial")

"""Tensors filled in place with random values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dynamic.inplace import write


def _random_fill(name: str, draw: Any) -> Any:
    form = 2 if name in ("bernoulli_", "random_") else 0  # which of its forms this is
    node = f"{name.title().replace('_', '')}Backward{form}"
    primitive = FACADE.primitive("overwrite", name, node)

    def fill(self: Tensor, *arguments: Any, generator: Any = None, **options: Any) -> Tensor:
        values = draw(generator or default_generator, self._array, *arguments, **options)
        source = Tensor(values.reshape(self._array.shape).astype(self._array.dtype))
        return write(primitive, (self, source))  # type: ignore[return-value]

    fill.__name__ = fill.__qualname__ = name
    return fill


def _uniform(g: Any, a: Any, from_: float = 0.0, to: float = 1.0, **options: float) -> Any:
    low = options.get("from", options.get("a", from_))
    kind = a.dtype.type
    return g.uniform(a.size, a.dtype) * kind(kind(to) - kind(low)) + kind(low)


def _normal(g: Any, a: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    return g.normal(a.size, a.dtype, mean, std)


def _log_normal(g: Any, a: Any, mean: float = 1.0, std: float = 2.0) -> Any:
    return np.exp(g.normals_one_by_one(a.size, mean, std))


def _random(g: Any, a: Any, from_: int = 0, to: int | None = None) -> Any:
    if to is None:
        if not from_:  # everything that the dtype holds exactly
            if a.dtype == np.int64:
                return (g.raw64(a.size) & np.uint64((1 << 63) - 1)).astype(np.int64)
            top = (
                (1 << 24) + 1
                if a.dtype == np.float32
                else (1 << 53) + 1
                if a.dtype.kind == "f"
                else 1 << min(31, a.itemsize * 8)
            )
            return g.raw(a.size) % np.uint64(top)
        from_, to = 0, from_
    return g.integers(from_, to, a.size)


def _bernoulli(g: Any, a: Any, p: Any = 0.5) -> Any:
    if isinstance(p, Tensor):  # drawn in the precision of the probabilities
        kind = p._array.dtype
        return g.uniform(a.size, kind) < np.broadcast_to(p._array, a.shape).reshape(-1)
    return g.uniform(a.size, np.dtype(np.float64)) < p


def _cauchy(g: Any, a: Any, median: float = 0.0, sigma: float = 1.0) -> Any:
    return median + sigma * np.tan(np.pi * (g.uniform(a.size, np.dtype(np.float64)) - 0.5))


def _geometric(g: Any, a: Any, p: float) -> Any:
    return np.ceil(np.log(g.uniform(a.size, np.dtype(np.float64))) / math.log1p(-p))


FILLS = {
    name: _random_fill(name, draw)
    for name, draw in (
        ("uniform_", _uniform), ("normal_", _normal), ("random_", _random), ("bernoulli_", _bernoulli),
        ("cauchy_", _cauchy), ("geometric_", _geometric),
        ("log_normal_", _log_normal),
        ("exponential_", lambda g, a, lambd=1.0: g.exponential(a.size, a.dtype) / lambd),
    )
}  # fmt: skip
"""The methods by name."""

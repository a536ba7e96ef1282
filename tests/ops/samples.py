"""One or more samples for every op: operands, attributes, and what NumPy says (written independently of the kernel)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RNG = np.random.default_rng(7)


def real(*shape: int) -> Any:
    """Values away from 0 and from each other, so that kinks and ties lie between no two finite differences."""
    size = int(np.prod(shape))
    values = RNG.permutation(np.linspace(-2, 2, size + 1 + size % 2)[: size + 1])
    values = values[np.abs(values) > 1e-9][:size] if size else values[:0]
    return (values + 0.013).reshape(shape)


def positive(*shape: int) -> Any:
    return np.abs(real(*shape)) + 0.3


def whole(high: int, *shape: int) -> Any:
    return RNG.integers(0, high, shape)


def boolean(*shape: int) -> Any:
    return RNG.integers(0, 2, shape).astype(bool)


@dataclass
class Sample:
    """``expected`` gets the operands and gives the result; ``None``: only other tests say what is right."""

    op: str
    operands: tuple[Any, ...]
    expected: Callable[..., Any]
    attributes: dict[str, Any] = field(default_factory=dict)
    second: bool = True
    """Whether the second derivative is compared with finite differences."""

    def __str__(self) -> str:
        shapes = "-".join("x".join(map(str, np.shape(x))) or "0d" for x in self.operands)
        return f"{self.op}[{shapes}]" + "".join(f" {k}={v}" for k, v in self.attributes.items())


SAMPLES: list[Sample] = []


def sample(op: str, *operands: Any, expected: Callable[..., Any], second: bool = True, **attributes: Any) -> None:
    SAMPLES.append(Sample(op, operands, expected, attributes, second))

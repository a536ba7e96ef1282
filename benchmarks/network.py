"""The training step that every system does: two layers, mean squared error, one step of gradient descent, float32."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
RATE = 0.01


@dataclass(frozen=True)
class Network:
    """``batch x inputs x hidden x outputs``, and the values that every system begins with (equal to the bit)."""

    batch: int
    inputs: int
    hidden: int
    outputs: int

    @classmethod
    def parse(cls, text: str) -> Network:
        """A network from its sizes.

        >>> Network.parse("32x16x32x4")
        Network(batch=32, inputs=16, hidden=32, outputs=4)
        """
        return cls(*map(int, text.split("x")))

    def __str__(self) -> str:
        return f"{self.batch}x{self.inputs}x{self.hidden}x{self.outputs}"

    def data(self) -> tuple[Array, Array]:
        """Inputs and targets."""
        rng = np.random.default_rng(1)
        return _normal(rng, self.batch, self.inputs), _normal(rng, self.batch, self.outputs)

    def parameters(self) -> list[Array]:
        """``w1, b1, w2, b2``, drawn anew at each call."""
        rng = np.random.default_rng(2)
        first = _normal(rng, self.inputs, self.hidden) / np.float32(np.sqrt(self.inputs))
        second = _normal(rng, self.hidden, self.outputs) / np.float32(np.sqrt(self.hidden))
        return [first, np.zeros(self.hidden, np.float32), second, np.zeros(self.outputs, np.float32)]


def _normal(rng: np.random.Generator, *shape: int) -> Array:
    return rng.standard_normal(shape, np.float32)

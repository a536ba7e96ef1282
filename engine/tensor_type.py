"""The type of a tensor: a dtype and a shape in which dimensions may be unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

Shape = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class TensorType:
    """``shape`` is a tuple of integers and ``None`` (unknown dimension), or ``None`` (unknown rank).

    >>> TensorType(np.dtype("float32"), (None, 2)).is_known
    False
    """

    dtype: np.dtype
    shape: Shape | None

    @property
    def is_known(self) -> bool:
        """Whether every dimension is known."""
        return self.shape is not None and None not in self.shape

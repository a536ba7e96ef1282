"""What dtypes hold and become: ``finfo``, ``iinfo``, promotion."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import BY_ARRAY, DEFAULT, dtype
from engine.ops.promotion import result_dtype
from engine.tensor_type import TensorType

_KINDS = "buifc"
"""From the narrowest kind of numbers to the widest."""


class finfo:
    """The limits of a floating-point dtype."""

    __module__ = "torch"

    def __init__(self, type: Any = None) -> None:
        self._of = type or DEFAULT.float
        if self._of.array.kind not in "fc":
            raise TypeError(
                f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.{self._of.name}'"
            )
        info = np.finfo(self._of.array)
        self.bits = int(info.bits)
        self.eps, self.max, self.min = float(info.eps), float(info.max), float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = float(f"1e-{info.precision}")
        self.dtype = self._of.name

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{n}={getattr(self, n):g}' for n in names)}, dtype={self.dtype})"


class iinfo:
    """The limits of a dtype of whole numbers."""

    __module__ = "torch"

    def __init__(self, type: Any) -> None:
        if type.array.kind not in "iu":
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type!r}'")
        info = np.iinfo(type.array)
        self.bits, self.max, self.min, self.dtype = int(info.bits), int(info.max), int(info.min), type.name

    def __repr__(self) -> str:
        return f"iinfo(min={float(self.min):g}, max={float(self.max):g}, dtype={self.dtype})"


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The dtype that an operation of these two has."""
    kinds = [TensorType(x._array.dtype, x._array.shape) if isinstance(x, Tensor) else x for x in (tensor1, tensor2)]
    return BY_ARRAY[result_dtype(*kinds)]


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest dtype that both become when they meet.

    >>> from engine.dialects.torch.types import BY_NAME
    >>> promote_types(BY_NAME["int32"], BY_NAME["float16"])
    torch.float16
    """
    return BY_ARRAY[result_dtype(*(TensorType(t.array, (1,)) for t in (type1, type2)))]


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether an in-place operation may write one dtype into the other: not to a narrower kind."""
    if from_.array.kind in "if" and to.array.kind == "u":
        return False
    return _KINDS.index(to.array.kind) >= _KINDS.index(from_.array.kind)

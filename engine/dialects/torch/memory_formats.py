"""Memory formats: in which order the elements of a tensor of images lie in memory.

NumPy's strides do the work: a tensor that is ``channels_last`` is an array in that order, seen from another side. Ops
on single elements keep the order of their operands, as PyTorch's do; convolutions and the like give the usual order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.types import Word

contiguous_format, channels_last, channels_last_3d, preserve_format = (
    Word(f"torch.{name}") for name in ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
)
_RANKS = {channels_last: 4, channels_last_3d: 5}


def _channels_to_the_end(array: Any) -> Any:
    return np.moveaxis(array, 1, -1)


def is_in(array: Any, wanted: Any) -> bool:
    """Whether an array lies in memory as ``wanted`` says.

    >>> a = np.zeros((2, 3, 4, 4))
    >>> is_in(a, contiguous_format), is_in(a, channels_last), is_in(ordered(a, channels_last), channels_last)
    (True, False, True)
    """
    if wanted in _RANKS:
        return array.ndim == _RANKS[wanted] and bool(_channels_to_the_end(array).flags.c_contiguous)
    return bool(array.flags.c_contiguous)


def ordered(array: Any, wanted: Any) -> Any:
    """The same values in the order that is wanted: a copy where they lie in another one.

    :raises RuntimeError: the format needs another number of dimensions.
    """
    if wanted is None or wanted is preserve_format:
        return array
    if wanted not in _RANKS:
        return np.ascontiguousarray(array)
    if array.ndim != _RANKS[wanted]:
        raise RuntimeError(f"required rank {_RANKS[wanted]} tensor to use {wanted.name.removeprefix('torch.')} format")
    return np.moveaxis(np.ascontiguousarray(_channels_to_the_end(array)), -1, 1)

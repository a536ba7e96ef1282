"""Arguments that functions refuse, in PyTorch's words: sizes, and what is no tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor


def sizes_of(arguments: Sequence[Any], name: str) -> tuple[int, ...]:
    """Sizes given one by one or as one sequence."""
    if len(arguments) == 1 and isinstance(arguments[0], tuple | list):
        arguments = arguments[0]
    if len(arguments) == 1 and isinstance(arguments[0], float | str):
        raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type_name(arguments[0])}")
    result = []
    for place, n in enumerate(arguments):
        if isinstance(n, bool) or not (
            isinstance(n, int | np.integer) or (isinstance(n, Tensor) and n._array.dtype.kind == "i")
        ):
            raise TypeError(
                f"{name}(): argument 'size' (position 1) must be tuple of ints, but found element of type "
                f"{type(n).__name__} at pos {place}"
            )
        result.append(int(n))
    for n in result:
        if n < 0:
            if name == "zeros":
                raise RuntimeError(f"{name}: Dimension size must be non-negative.")
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(result)}")
    return tuple(result)


def need_tensor(value: Any, name: str, argument: str = "input", position: int = 1) -> None:
    """Refuse what is no tensor, in PyTorch's words."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {type_name(value)}")


def type_name(value: Any) -> str:
    """The name of a value's type as C code writes it: with the module for NumPy's."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__

"""Arguments that functions refuse, in PyTorch's words: sizes, and what is no tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor
from engine.dynamic import modes


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
            raise not_sizes(name, n, place)
        result.append(int(n))
    for n in result:
        if n < 0:
            if name == "zeros":
                raise RuntimeError(f"{name}: Dimension size must be non-negative.")
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(result)}")
    return tuple(result)


def not_sizes(name: str, element: Any, place: int, argument: str = "size") -> TypeError:
    """The error for sizes of which one is no integer; PyTorch looks at the first before it unpacks the others.

    >>> print(not_sizes("zeros", 2.5, 1))
    zeros(): argument 'size' failed to unpack the object at pos 2 with error "type must be tuple of ints,but got float"
    """
    kind = type(element).__name__
    if place == 0:
        words = f"(position 1) must be tuple of ints, but found element of type {kind} at pos 0"
    else:
        words = f'failed to unpack the object at pos {place + 1} with error "type must be tuple of ints,but got {kind}"'
    return TypeError(f"{name}(): argument '{argument}' {words}")


def need_tensor(value: Any, name: str, argument: str = "input", position: int = 1) -> None:
    """Refuse what is no tensor, in PyTorch's words."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {type_name(value)}")


def type_name(value: Any) -> str:
    """The name of a value's type as C code writes it: with the module for NumPy's."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def no_gradient(tensor: Any, name: str) -> None:
    """Refuse to compute what has no gradient here, where one would be needed."""
    if modes.enabled and tensor.requires_grad:
        raise NotImplementedError(
            f"{name}: this teaching engine has no gradient of it; give it x.detach(), or call it inside torch.no_grad()"
        )


def no_form(name: str, values: Sequence[Any], forms: dict[str, int], wrong: Sequence[type] = (str,)) -> TypeError:
    """The error for arguments that fit none of a function's forms.

    :param forms: each form as it is written, with the number of its arguments.
    :param wrong: the types that do not fit.

    >>> print(no_form("fill_", ["a"], {"Tensor value": 1}))
    fill_() received an invalid combination of arguments - got (str), but expected one of:
     * (Tensor value)
          didn't match because some of the arguments have invalid types: (!str!)
    <BLANKLINE>
    """
    marked = [f"!{type_name(v)}!" if isinstance(v, tuple(wrong)) else type_name(v) for v in values]
    lines = []
    for form, count in forms.items():
        lines.append(f" * ({form})")
        if count == len(values):
            lines.append(f"      didn't match because some of the arguments have invalid types: ({', '.join(marked)})")
    kinds = ", ".join(map(type_name, values))
    head = f"{name}() received an invalid combination of arguments - got ({kinds}), but expected one of:"
    return TypeError("\n".join([head, *lines]) + "\n")

"""Einstein summation: products and sums told by letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.promotion import result_dtype
from engine.ops.registry import Array, op
from engine.ops.type_rules import shape_error, show
from engine.tensor_type import TensorType


@lru_cache(maxsize=1024)
def parse(equation: str, count: int) -> tuple[tuple[str, ...], str]:
    """The letters of each operand and of the result; without ``->`` it has the letters that occur once, in order.

    >>> parse("ij,jk", 2)
    (('ij', 'jk'), 'ik')

    :raises ShapeError: the equation does not fit ``count`` operands, or says something that is not supported.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    operands = tuple(left.split(","))
    letters = "".join(operands)
    if not arrow:
        right = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    problem = ""
    if len(operands) != count:
        problem = f"it names {len(operands)} operands, but there are {count}"
    elif "." in equation:
        problem = "an ellipsis is not supported here; give each dimension a letter"
    elif not (letters + right).isalpha() and letters + right:
        problem = "only letters, commas and -> belong there"
    elif any(len(set(part)) < len(part) for part in (*operands, right)):
        problem = "a letter stands twice in one operand; take the diagonal first"
    elif set(right) - set(letters):
        problem = f"the result has {sorted(set(right) - set(letters))}, which no operand has"
    if problem:
        raise ShapeError(f"einsum: {equation!r}: {problem}", op="einsum")
    return operands, right


def einsum_kernel(*operands: Array, equation: str) -> Array:
    """Products of elements with equal letters, summed over the letters that the result lacks."""
    return np.asarray(np.einsum(equation, *operands, optimize=len(operands) > 2))


def _einsum_type(*operands: TensorType, equation: str) -> TensorType:
    parts, result = parse(equation, len(operands))
    sizes: dict[str, int | None] = {}
    for part, operand in zip(parts, operands, strict=True):
        if operand.shape is None:
            continue
        if len(part) != len(operand.shape):
            raise shape_error(
                "einsum", f"{part!r} names {len(part)} dimensions, but the operand is {show(operand.shape)}", *operands
            )
        for letter, size in zip(part, operand.shape, strict=True):
            known = sizes.get(letter)
            if known is not None and size is not None and known != size:
                raise shape_error(
                    "einsum", f"{letter!r} is {known} in one operand of {equation!r} and {size} in another", *operands
                )
            sizes[letter] = size if known is None else known
    return TensorType(result_dtype(*operands), tuple(sizes.get(letter) for letter in result))


def _einsum_vjp(F: Any, g: Any, operands: tuple[Any, ...], operands_shapes: Any, equation: str, index: int) -> Any:
    parts, result = parse(equation, len(operands))
    own = parts[index]
    others = [(part, x) for i, (part, x) in enumerate(zip(parts, operands, strict=True)) if i != index]
    reachable = set(result).union(*(part for part, _ in others))
    kept = "".join(letter for letter in own if letter in reachable)
    letters = ",".join([result, *(part for part, _ in others)])
    sent = F.einsum(g, *(x for _, x in others), equation=f"{letters}->{kept}")
    if kept == own:
        return sent
    for place, letter in enumerate(own):  # letters that were only summed over: the gradient is the same along them
        if letter not in reachable:
            sent = F.expand_dims(sent, place)
    return F.broadcast_to(sent, operands_shapes[index])


def _einsum_flops(_out: Sequence[int], *shapes: Sequence[int], equation: str) -> int:
    parts, _ = parse(equation, len(shapes))
    sizes = {
        letter: size
        for part, shape in zip(parts, shapes, strict=True)
        for letter, size in zip(part, shape, strict=True)
    }
    return len(shapes) * prod(sizes.values())


op("einsum", "*operands", einsum_kernel, _einsum_type, {"operands": _einsum_vjp}, promotion="common", category="matmul",
   symbol="∑", formula=r"\sum_k a_{ik} b_{kj}", flops=_einsum_flops)  # fmt: skip

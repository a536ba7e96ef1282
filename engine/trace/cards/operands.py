"""What the operands of a failed op say by themselves, whatever the message is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

PRODUCTS = frozenset({"matmul", "addmm", "linear", "bmm", "mv", "dot"})
RESHAPING = frozenset({"reshape", "expand", "broadcast_to", "stack", "concat", "concatenate", "einsum", "tensordot"})
"""Ops that fail for nothing but the shapes they are given or asked for, where the kinds of numbers are alike."""
TAKING = frozenset({"take", "gather", "index", "getitem", "slice", "strided_slice", "embedding", "gather_nd"})
NO_NUMBERS = frozenset({"object", "str", "string", "bytes"})
Type = tuple[str, tuple[int, ...] | None]


def parsed(operands: Sequence[tuple[str, str]]) -> list[Type]:
    """Dtype and shape (None: not known) of each operand.

    >>> parsed([("w", "float32 [5, 8]"), ("", "int64 []"), ("", "float32 [?, 2]")])
    [('float32', (5, 8)), ('int64', ()), ('float32', None)]
    """
    return [_parsed(text) for _, text in operands]


def _parsed(text: str) -> Type:
    dtype, _, rest = text.partition(" ")
    sizes = [size.strip() for size in rest.strip("[]").split(",") if size.strip()]
    known = rest.startswith("[") and all(size.isdigit() for size in sizes)
    return dtype, tuple(map(int, sizes)) if known else None


def shapes_misfit(op: str, category: str, operands: Sequence[tuple[str, str]]) -> bool:
    """Whether the shapes alone are a reason why ``op`` failed (``category``: that of its definition).

    >>> shapes_misfit("add", "arith", [("", "float32 [2, 3]"), ("", "float32 [4]")])
    True
    >>> shapes_misfit("add", "arith", [("", "float32 [2, 3]"), ("", "float32 [3]")])
    False
    >>> shapes_misfit("addmm", "matmul", [("", "float32 [2]"), ("", "float32 [5, 8]"), ("", "float32 [9, 2]")])
    True
    """
    if op in RESHAPING:
        return True
    shapes = [shape for _, shape in parsed(operands) if shape is not None]
    if op in PRODUCTS and len(shapes) >= 2:
        return _no_product(shapes[:2] if op == "linear" else shapes[-2:], turned=op == "linear")
    return category == "arith" and not _broadcast(shapes)


def _no_product(shapes: Sequence[tuple[int, ...]], *, turned: bool) -> bool:
    left, right = shapes
    if not left or not right:
        return True
    inner = right[-1] if turned or len(right) == 1 else right[-2]
    return left[-1] != inner or not _broadcast([left[:-2], right[:-2]])


def _broadcast(shapes: Sequence[tuple[int, ...]]) -> bool:
    """Whether the shapes can be broadcast to one."""
    columns = zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1)
    return all(len({size for size in column if size != 1}) <= 1 for column in columns)


def without_numbers(operands: Sequence[tuple[str, str]]) -> bool:
    """Whether an operand holds no numbers at all."""
    return any(dtype in NO_NUMBERS for dtype, _ in parsed(operands))

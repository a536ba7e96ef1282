"""Comparisons, and logical and bitwise functions of two tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.pointwise import LOGICAL_NOT, Function, _p, binary
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import word_of
from engine.dynamic.apply import apply

EQ, NE, LT, LE, GT, GE = (
    _p(op, name, f"{name.title()}Backward0", default=True)
    for op, name in (
        ("equal", "eq"), ("not_equal", "ne"), ("less", "lt"), ("less_equal", "le"), ("greater", "gt"),
        ("greater_equal", "ge"),
    )
)  # fmt: skip


eq, eq_operator = binary(EQ, "eq", "__eq__")


ne, ne_operator = binary(NE, "ne", "__ne__")


lt, lt_operator = binary(LT, "lt", "__lt__")


le, le_operator = binary(LE, "le", "__le__")


gt, gt_operator = binary(GT, "gt", "__gt__")


ge, ge_operator = binary(GE, "ge", "__ge__")


logical_and, logical_or, logical_xor = (
    binary(_p(name, name, default=True), name, name)[0] for name in ("logical_and", "logical_or", "logical_xor")
)


def _bitwise(name: str, ufunc: Any) -> tuple[Function, Function]:
    """Bitwise functions work on integers and bools and have no gradient."""

    def function(input: Any, other: Any) -> Any:
        a, b = (x._array if isinstance(x, Tensor) else x for x in (input, other))
        for x in (a, b):
            if np.asarray(x).dtype.kind == "f":
                raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{word_of(np.asarray(x).dtype)}'")
        return FACADE.tensor(np.asarray(ufunc(a, b)))

    return function, function


bitwise_and, and_operator = _bitwise("bitwise_and", np.bitwise_and)


bitwise_or, or_operator = _bitwise("bitwise_or", np.bitwise_or)


bitwise_xor, xor_operator = _bitwise("bitwise_xor", np.bitwise_xor)


bitwise_left_shift, left_shift_operator = _bitwise("bitwise_left_shift", np.left_shift)


bitwise_right_shift, right_shift_operator = _bitwise("bitwise_right_shift", np.right_shift)


gcd, _unused = _bitwise("gcd", np.gcd)


lcm, _unused = _bitwise("lcm", np.lcm)


def bitwise_not(input: Tensor) -> Tensor:
    if input._array.dtype.kind == "b":
        return apply(LOGICAL_NOT, (input,))  # type: ignore[return-value]
    return Tensor(np.invert(input._array))

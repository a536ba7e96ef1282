"""Making operands agree on a dtype before a kernel runs, by the rule that the op declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dynamic.facade import Primitive
from engine.ops.promotion import operand_dtype
from engine.tensor_type import TensorType


def agree(primitive: Primitive, arrays: Sequence[Any]) -> Sequence[Any]:
    """``arrays`` (arrays and Python numbers) with the arrays cast to the op's operand dtype.

    :raises DtypeError: there is no such dtype.
    """
    first = arrays[0]
    if first.__class__ is np.ndarray and (not primitive.promotes & 1 or first.dtype.kind in "fc"):
        dtype = first.dtype
        for array in arrays:
            if array.__class__ is not np.ndarray or array.dtype is not dtype:
                break
        else:
            return arrays  # they agree already
    if len(arrays) == 2:  # an array with a Python number: NumPy agrees with us unless the number is of a higher kind
        first, second = arrays
        tensor, number = (second, first) if first.__class__ is not np.ndarray else (first, second)
        kind = tensor.dtype.kind
        if kind == "f" and number.__class__ is not complex and number.__class__ is not np.ndarray:
            return arrays
    op = primitive.op
    skip = op.unpromoted
    places = [i for i in range(len(arrays)) if op.variadic or op.inputs[i] not in skip]
    types = [
        TensorType(arrays[i].dtype, arrays[i].shape) if isinstance(arrays[i], np.ndarray) else arrays[i] for i in places
    ]
    dtype = operand_dtype(op.promotion, *types)
    result = list(arrays)
    for i in places:
        if isinstance(arrays[i], np.ndarray):
            if arrays[i].dtype != dtype:
                result[i] = arrays[i].astype(dtype)
        elif dtype is not None and dtype.kind in "iub" and isinstance(arrays[i], int):
            result[i] = np.asarray(arrays[i]).astype(dtype)  # wraps around, as in the frameworks
    return result

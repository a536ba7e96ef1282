"""Type promotion: which dtype an op computes in when its operands differ.

The rule is the one that learners meet in PyTorch. Dtypes fall into *categories*, ``bool < integer < floating``
(``< complex``), and operands into three *priorities*: tensors with dimensions, tensors without, Python scalars.

* Within one priority the usual promotion holds (``int32`` with ``int64`` gives ``int64``, ``float32`` with
  ``float64`` gives ``float64``), except that an integer never widens a float: ``int64`` with ``float32`` gives
  ``float32``, where NumPy says ``float64``.
* An operand of lower priority only counts when its category is higher than that of everything above it: ``float32[3]
  * 2.5`` stays ``float32``, ``int64[3] * 2.5`` becomes the default float, ``float32[3] * float64[]`` stays
  ``float32``.

Python scalars are *weak*: they have a category, no width. Modes cast operands to :func:`operand_dtype` before the
kernel runs, so kernels may assume that tensors already agree (scalars are passed on as they are).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import DtypeError
from engine.tensor_type import TensorType

DType = np.dtype[Any]
Scalar = bool | int | float | complex
Operand = TensorType | Scalar
"""What a type rule may get for an operand: a type, or a Python scalar (weak)."""

DEFAULT_FLOAT: DType = np.dtype(np.float32)
DEFAULT_INTEGER: DType = np.dtype(np.int64)
BOOL: DType = np.dtype(np.bool_)
DEFAULT_COMPLEX: DType = np.dtype(np.complex64)

_CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_DEFAULTS = (BOOL, DEFAULT_INTEGER, DEFAULT_FLOAT, DEFAULT_COMPLEX)


def category(dtype: DType) -> int:
    """0 for bool, 1 for integers, 2 for floats, 3 for complex numbers.

    :raises DtypeError: any other dtype (text, objects, dates): tensors hold numbers.
    """
    try:
        return _CATEGORY[dtype.kind]
    except KeyError:
        raise DtypeError(
            f"dtype {dtype} is not a number: tensors hold bool, integer, float or complex values"
        ) from None


def is_float(dtype: DType) -> bool:
    """Whether gradients can flow through this dtype."""
    return dtype.kind in "fc"


def scalar_dtype(value: Scalar) -> DType:
    """The dtype that a Python scalar gets when it has to become a tensor on its own."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return DEFAULT_INTEGER
    return DEFAULT_FLOAT if isinstance(value, float) else DEFAULT_COMPLEX


def promote(first: DType, second: DType) -> DType:
    """The common dtype of two operands of the same priority.

    >>> promote(np.dtype("int64"), np.dtype("float32"))
    dtype('float32')
    """
    if first == second:
        return first
    low, high = category(first), category(second)
    if low == high:
        return np.promote_types(first, second)
    return first if low > high else second


def result_dtype(*operands: Operand) -> DType:
    """The common dtype of operands: tensor types and Python scalars.

    >>> f, i = TensorType(np.dtype("float32"), (3,)), TensorType(np.dtype("int64"), (3,))
    >>> result_dtype(f, i), result_dtype(i, 2), result_dtype(i, 2.5)
    (dtype('float32'), dtype('int64'), dtype('float32'))
    """
    first = operands[0] if operands else None
    if isinstance(first, TensorType):
        for operand in operands:
            if not isinstance(operand, TensorType) or operand.dtype is not first.dtype:
                break
        else:
            category(first.dtype)  # refuses what is no number
            return first.dtype
    levels: list[DType | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, TensorType):
            level, dtype = (1 if operand.shape == () else 0), operand.dtype
        else:
            level, dtype = 2, scalar_dtype(operand)
        known = levels[level]
        levels[level] = dtype if known is None else promote(known, dtype)
    result: DType | None = None
    for dtype_or_none in levels:
        if dtype_or_none is not None and (result is None or category(dtype_or_none) > category(result)):
            result = dtype_or_none
    if result is None:
        raise DtypeError("there are no operands to find a dtype for")
    return result


def joined_dtype(*operands: Operand) -> DType:
    """The common dtype of operands that an op moves without computing with them: texts among each other stay texts."""
    first = operands[0] if operands else None
    if isinstance(first, TensorType) and all(isinstance(o, TensorType) and o.dtype == first.dtype for o in operands):
        return first.dtype
    return result_dtype(*operands)


def operand_dtype(promotion: str, *operands: Operand) -> DType | None:
    """The dtype that tensors among ``operands`` are cast to before the kernel of an op with this ``promotion`` runs.

    ``"common"``: the common dtype. ``"float"``: the same, but integers and bools become the default float (division,
    exp). ``"moved"``: the common dtype, of texts too. ``"bool"``: bool. ``""``: ``None``, operands stay as they are.
    """
    if not promotion:
        return None
    if promotion == "moved":
        return joined_dtype(*operands)
    if promotion == "bool":
        return BOOL
    dtype = result_dtype(*operands)
    if promotion == "float" and category(dtype) < 2:
        return DEFAULT_FLOAT
    return dtype

"""Ops of control flow. A plan runs the steps of their regions itself, so none of them has a kernel.

``cond``, ``while_loop`` and ``for_loop`` own regions (:mod:`engine.static.regions`) and have no value themselves: an
``output`` node picks one of their results. ``loop_variable`` stands in a region for what the loop hands to each
iteration, ``capture`` in the block of a plan for a value from outside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError, StateError
from engine.ops.registry import op
from engine.tensor_type import TensorType

CONTROL = frozenset({"cond", "while_loop", "for_loop"})
"""Ops that own regions."""

LOOPS = frozenset({"while_loop", "for_loop"})

UNTYPED = frozenset({"group", "no_op", "output", *CONTROL})
"""Ops whose node has the type that its maker gives, which may be none."""


def _in_a_plan(*_arrays: Any, **_attributes: Any) -> Any:
    raise StateError("control flow has no kernel: the plan of a session runs what is inside, step by step")


def _nothing(*_operands: TensorType) -> TensorType:
    return TensorType(np.dtype(np.bool_), (0,))


def _loop(*_operands: TensorType, carried: int, slices: int, results: int, reverse: bool = False) -> TensorType:
    return _nothing()


def _cond(*_operands: TensorType, results: int) -> TensorType:
    return _nothing()


def _while(*_operands: TensorType, carried: int, results: int, maximum: bool = False) -> TensorType:
    return _nothing()


def _output(control: TensorType, kind: str, index: int) -> TensorType:
    return _nothing()


def _loop_variable(kind: str, index: int) -> TensorType:
    return _nothing()


_CONTROL: dict[str, Any] = {"stateful": True, "category": "control"}
op("cond", "*operands", _in_a_plan, _cond, {}, symbol="if", formula=r"p\;?\;a : b", **_CONTROL)
op(
    "while_loop",
    "*operands",
    _in_a_plan,
    _while,
    {},
    symbol="↻",
    formula=r"\mathrm{while}\;p(x): x \leftarrow f(x)",
    **_CONTROL,
)
op("for_loop", "*operands", _in_a_plan, _loop, {}, symbol="↻", formula=r"x_{i+1} = f(x_i, s_i)", **_CONTROL)
op("output", "control", _in_a_plan, _output, {}, symbol="→", category="control")
op("loop_variable", "", _in_a_plan, _loop_variable, {}, symbol="↻", category="control")
op("capture", "", _in_a_plan, lambda: _nothing(), {}, symbol="→", category="control")


# -- what loops and decisions ask ------------------------------------------------------------------------------------
def rows_of_kernel(*arrays: Any) -> Any:
    """How many rows all of ``arrays`` have.

    :raises ShapeError: not all have equally many.
    """
    rows = {len(array) for array in arrays}
    if len(rows) > 1:
        shapes = tuple(np.shape(array) for array in arrays)
        raise ShapeError(
            f"all must have the same number of rows, but the shapes are {shapes}", op="rows_of", shapes=shapes
        )
    return np.int32(rows.pop())


def _rows_of(*_arrays: TensorType) -> TensorType:
    return TensorType(np.dtype("int32"), ())


def at_most_one_kernel(count: Any) -> Any:
    """``count``, if it is 0 or 1.

    :raises StateError: it is more.
    """
    if count > 1:
        raise StateError(f"{int(count)} predicates are true at once, but this decision is exclusive")
    return count


op("rows_of", "*arrays", rows_of_kernel, _rows_of, None, category="shape", symbol="#", formula="n")
op(
    "at_most_one",
    "count",
    at_most_one_kernel,
    lambda count: count,
    None,
    category="control",
    symbol="≤1",
    formula=r"n \le 1",
)

__all__ = ["CONTROL", "LOOPS", "UNTYPED"]

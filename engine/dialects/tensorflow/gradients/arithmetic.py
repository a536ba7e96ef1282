"""Gradients of arithmetic: one operand, two operands that broadcast, matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow import creation, math_ops
from engine.dialects.tensorflow.build import apply
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.gradients.parts import lowered, reduce_arguments, same_shape
from engine.dialects.tensorflow.gradients.registry import attribute, is_trainable, rule
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.losses import div_no_nan

Found = Sequence[Tensor | None]


def _reduced(x: Tensor, y: Tensor, gx: Tensor, gy: Tensor) -> Found:
    return (gx, gy) if same_shape(x, y) else reduce_arguments(x, y, gx, gy)


# -- two operands -----------------------------------------------------------------------------------------------------
@rule("AddV2", "Add")
def _add(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    return _reduced(x, y, g, g)


@rule("Sub")
def _sub(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    return _reduced(x, y, g, math_ops.negative(g))


@rule("Mul")
def _mul(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    alike = all(t.shape.is_fully_defined() and t.shape == g.shape for t in (x, y))  # nothing to reduce: the short way
    first = math_ops.multiply(g, y)
    second = math_ops.multiply(*((g, x) if alike and g.dtype.base_dtype.name in ("int32", "float32") else (x, g)))
    return _reduced(x, y, first, second)


@rule("RealDiv")
def _div(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    first = _ratio(g, y)
    second = g * _ratio(_ratio(math_ops.negative(x), y), y)
    return reduce_arguments(x, y, first, second)


def _ratio(x: Tensor, y: Tensor) -> Tensor:
    return apply("div", "RealDiv", None, [("x", x), ("y", y)])


@rule("DivNoNan")
def _div_no_nan(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    first = div_no_nan(g, y)
    second = g * div_no_nan(div_no_nan(math_ops.negative(x), y), y)
    return reduce_arguments(x, y, first, second)


@rule("Pow")
def _pow(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    first = g * y * math_ops.pow_(x, y - 1)
    above = math_ops.greater(x, 0)
    safe = _select(above, x, creation.ones_like(x))
    logs = _select(above, math_ops.log(safe), creation.zeros_like(x))
    return reduce_arguments(x, y, first, g * op.outputs[0] * logs)


def _select(condition: Tensor, x: Tensor, y: Tensor, tf_type: str = "Select") -> Tensor:
    return lowered("tf_select" if tf_type == "Select" else "where", tf_type, [condition, x, y])


def _extreme(compare: Any) -> Any:
    def gradient(op: Operation, g: Tensor) -> Found:
        x, y = op.inputs
        zeros = creation.zeros_like(g)
        mask = compare(x, y)
        return reduce_arguments(x, y, _select(mask, g, zeros, "SelectV2"), _select(mask, zeros, g, "SelectV2"))

    return gradient


rule("Maximum")(_extreme(math_ops.greater_equal))
rule("Minimum")(_extreme(math_ops.less_equal))


@rule("SquaredDifference")
def _squared_difference(op: Operation, g: Tensor) -> Found:
    x, y = op.inputs
    two = creation.constant(2.0, g.dtype.base_dtype, name="scalar")
    first = math_ops.multiply(two, g) * (x - y)
    return _reduced(x, y, first, math_ops.negative(first))


@rule("Select")
def _chosen(op: Operation, g: Tensor) -> Found:
    condition, x, _ = op.inputs
    zeros = creation.zeros_like(x)
    return None, _select(condition, g, zeros), _select(condition, zeros, g)


@rule("SelectV2")
def _chosen_broadcast(op: Operation, g: Tensor) -> Found:
    condition, x, y = op.inputs
    out = op.outputs[0]
    zeros = creation.zeros([], g.dtype.base_dtype)
    first, second = _select(condition, g, zeros, "SelectV2"), _select(condition, zeros, g, "SelectV2")
    return None, reduce_arguments(x, out, first, None)[0], reduce_arguments(y, out, second, None)[0]


@rule("AddN")
def _add_n(op: Operation, g: Tensor) -> Found:
    return [g] * len(op.inputs)


# -- one operand ------------------------------------------------------------------------------------------------------
@rule("Neg")
def _neg(op: Operation, g: Tensor) -> Found:
    return [math_ops.negative(g)]


@rule("Exp")
def _exp(op: Operation, g: Tensor) -> Found:
    return [g * op.outputs[0]]


@rule("Log")
def _log(op: Operation, g: Tensor) -> Found:
    return [g * math_ops.reciprocal(op.inputs[0])]


@rule("Log1p")
def _log1p(op: Operation, g: Tensor) -> Found:
    return [g * math_ops.reciprocal(1 + op.inputs[0])]


@rule("Square")
def _square(op: Operation, g: Tensor) -> Found:
    two = creation.constant(2.0, g.dtype.base_dtype)
    return [math_ops.multiply(g, math_ops.multiply(op.inputs[0], two))]


@rule("Abs")
def _abs(op: Operation, g: Tensor) -> Found:
    return [g * math_ops.sign(op.inputs[0])]


@rule("Sin")
def _sin(op: Operation, g: Tensor) -> Found:
    return [g * math_ops.cos(op.inputs[0])]


@rule("Cos")
def _cos(op: Operation, g: Tensor) -> Found:
    minus = math_ops.negative(g)
    return [minus * math_ops.sin(op.inputs[0])]


@rule("Cast")
def _cast(op: Operation, g: Tensor) -> Found:
    source = op.inputs[0]
    return [cast(g, source.dtype.base_dtype) if is_trainable(source) else None]


@rule("Identity", "PlaceholderWithDefault", "Snapshot")
def _identity(op: Operation, g: Tensor) -> Found:
    return [g]


# -- matrices ---------------------------------------------------------------------------------------------------------
@rule("MatMul")
def _matmul(op: Operation, g: Tensor) -> Found:
    a, b = op.inputs
    turned = bool(attribute(op, "transpose_a")), bool(attribute(op, "transpose_b"))
    if turned == (False, False):
        return math_ops.matmul(g, b, transpose_b=True), math_ops.matmul(a, g, transpose_a=True)
    if turned == (False, True):
        return math_ops.matmul(g, b), math_ops.matmul(g, a, transpose_a=True)
    if turned == (True, False):
        return math_ops.matmul(b, g, transpose_b=True), math_ops.matmul(a, g)
    return (
        math_ops.matmul(b, g, transpose_a=True, transpose_b=True),
        math_ops.matmul(g, a, transpose_a=True, transpose_b=True),
    )

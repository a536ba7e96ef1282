"""Gradients of activations and of the losses that are one op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow import array_ops, math_ops, nn_ops, reductions
from engine.dialects.tensorflow.gradients.parts import by_shape, lowered
from engine.dialects.tensorflow.gradients.registry import attribute, rule
from engine.dialects.tensorflow.handles import Operation, Tensor

Found = Sequence[Tensor | None]


def _slope(op_type: str, tf_type: str, engine: str, reads: str, *keys: str) -> None:
    """A gradient that is one op: of the op's input (``x``) or result (``y``), and of what arrives (``g``)."""

    def gradient(op: Operation, g: Tensor) -> Found:
        values = {"x": op.inputs[0], "y": op.outputs[0], "g": g}
        attributes = {key: attribute(op, key) for key in keys}
        return [lowered(engine, tf_type, [values[letter] for letter in reads], attributes)]

    rule(op_type)(gradient)


_slope("Tanh", "TanhGrad", "tf_tanh_grad", "yg")
_slope("Sigmoid", "SigmoidGrad", "tf_sigmoid_grad", "yg")
_slope("Sqrt", "SqrtGrad", "tf_sqrt_grad", "yg")
_slope("Rsqrt", "RsqrtGrad", "tf_rsqrt_grad", "yg")
_slope("Reciprocal", "ReciprocalGrad", "tf_reciprocal_grad", "yg")
_slope("Relu", "ReluGrad", "relu_grad", "gy")
_slope("Relu6", "Relu6Grad", "tf_relu6_grad", "gx")
_slope("LeakyRelu", "LeakyReluGrad", "tf_leaky_relu_grad", "gx", "slope")
_slope("Elu", "EluGrad", "tf_elu_grad", "gy")
_slope("Selu", "SeluGrad", "tf_selu_grad", "gy")
_slope("Softsign", "SoftsignGrad", "tf_softsign_grad", "gx")


@rule("Softplus")
def _softplus(op: Operation, g: Tensor) -> Found:
    return [g * math_ops.sigmoid(op.inputs[0])]


@rule("L2Loss")
def _l2_loss(op: Operation, g: Tensor) -> Found:
    return [op.inputs[0] * g]


@rule("BiasAdd")
def _bias_add(op: Operation, g: Tensor) -> Found:
    return g, by_shape("sum_to", "BiasAddGrad", g, op.inputs[1], [g])


@rule("Softmax")
def _softmax(op: Operation, g: Tensor) -> Found:
    out = op.outputs[0]
    total = reductions.reduce_sum(g * out, -1, keepdims=True)
    return [(g - total) * out]


@rule("LogSoftmax")
def _log_softmax(op: Operation, g: Tensor) -> Found:
    softmax = math_ops.exp(op.outputs[0])
    return [g - reductions.reduce_sum(g, -1, keepdims=True) * softmax]


@rule("SoftmaxCrossEntropyWithLogits")
def _cross_entropy(op: Operation, g: Tensor, curvature: Any) -> Found:
    logits = op.inputs[0]
    first = _times_rows(g, op.outputs[1])
    if curvature.op.type != "ZerosLike":
        first = _curved(first, curvature, logits)
    return first, _times_rows(g, math_ops.negative(nn_ops.log_softmax(logits)))


@rule("SparseSoftmaxCrossEntropyWithLogits")
def _sparse_cross_entropy(op: Operation, g: Tensor, curvature: Any) -> Found:
    first = _times_rows(g, op.outputs[1])
    if curvature.op.type != "ZerosLike":
        first = _curved(first, curvature, op.inputs[0])
    return first, None


def _times_rows(vector: Tensor, matrix: Tensor) -> Tensor:
    return array_ops.expand_dims(vector, -1) * matrix


def _curved(first: Tensor, curvature: Tensor, logits: Tensor) -> Tensor:
    """What a gradient of the gradient adds: the second output of the loss is softmax less labels."""
    softmax = nn_ops.softmax(logits)
    return first + (curvature - reductions.reduce_sum(curvature * softmax, -1, keepdims=True)) * softmax

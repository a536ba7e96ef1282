"""Ops that only stand in graphs of gradients: slopes as one op each, and what is done with shapes there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.ops.registry import op
from engine.ops.type_rules import elementwise, per_element
from engine.tensor_type import TensorType

Array = NDArray[Any]
_INTEGERS = np.dtype(np.int32)


# -- slopes -----------------------------------------------------------------------------------------------------------
def _slope(name: str, operands: str, kernel: Any, gradients: Any, flops: int = 3) -> None:
    op(name, operands, kernel, elementwise(name), gradients, elementwise=True, promotion="common",
       category="gradient", symbol="nabla", flops=per_element(flops))  # fmt: skip


_slope("tf_tanh_grad", "y dy", lambda y, dy: dy * (1 - y * y), {
    "y": lambda F, g, y, dy: F.mul(g, F.mul(F.mul(dy, y), -2)),
    "dy": lambda F, g, y: F.tf_tanh_grad(y, g),
})  # fmt: skip
_slope("tf_sigmoid_grad", "y dy", lambda y, dy: dy * y * (1 - y), {
    "y": lambda F, g, y, dy: F.mul(g, F.mul(dy, F.sub(1, F.mul(y, 2)))),
    "dy": lambda F, g, y: F.tf_sigmoid_grad(y, g),
})  # fmt: skip
_slope("tf_sqrt_grad", "y dy", lambda y, dy: dy * y.dtype.type(0.5) / y, {
    "y": lambda F, g, y, dy: F.neg(F.div(F.mul(g, F.mul(dy, 0.5)), F.mul(y, y))),
    "dy": lambda F, g, y: F.tf_sqrt_grad(y, g),
})  # fmt: skip
_slope("tf_rsqrt_grad", "y dy", lambda y, dy: dy * (y.dtype.type(-0.5) * y * y * y), {
    "y": lambda F, g, y, dy: F.mul(g, F.mul(F.mul(dy, -1.5), F.mul(y, y))),
    "dy": lambda F, g, y: F.tf_rsqrt_grad(y, g),
})  # fmt: skip
_slope("tf_reciprocal_grad", "y dy", lambda y, dy: -dy * y * y, {
    "y": lambda F, g, y, dy: F.mul(g, F.mul(F.mul(dy, -2), y)),
    "dy": lambda F, g, y: F.tf_reciprocal_grad(y, g),
})  # fmt: skip
_slope("tf_relu6_grad", "dy x", lambda dy, x: dy * ((x > 0) & (x < 6)), {
    "dy": lambda F, g, x: F.tf_relu6_grad(g, x),
})  # fmt: skip
_slope("tf_elu_grad", "dy y", lambda dy, y: np.where(y < 0, dy * (y + 1), dy), {
    "dy": lambda F, g, y: F.tf_elu_grad(g, y),
    "y": lambda F, g, dy, y: F.where(F.less(y, 0), F.mul(g, dy), 0),
})  # fmt: skip
_slope("tf_softsign_grad", "dy x", lambda dy, x: dy / np.square(1 + np.abs(x)), {
    "dy": lambda F, g, x: F.tf_softsign_grad(g, x),
    "x": lambda F, g, dy, x: F.div(
        F.mul(F.mul(g, dy), F.mul(F.sign(x), -2)), F.pow(F.add(1, F.abs(x)), 3)
    ),
})  # fmt: skip

SELU_SCALE = 1.0507009873554804934193349852946
SELU_STEEP = SELU_SCALE * 1.6732632423543772848170429916717
_slope("tf_selu_grad", "dy y",
       lambda dy, y: np.where(y < 0, dy * (y + y.dtype.type(SELU_STEEP)), dy * y.dtype.type(SELU_SCALE)), {
    "dy": lambda F, g, y: F.tf_selu_grad(g, y),
    "y": lambda F, g, dy, y: F.where(F.less(y, 0), F.mul(g, dy), 0),
})  # fmt: skip
op(
    "tf_leaky_relu_grad",
    "dy x",
    lambda dy, x, slope: np.where(x > 0, dy, dy * x.dtype.type(slope)),
    lambda dy, x, slope: elementwise("tf_leaky_relu_grad")(dy, x),
    {"dy": lambda F, g, x, slope: F.tf_leaky_relu_grad(g, x, slope)},
    elementwise=True,
    promotion="common",
    category="gradient",
    symbol="nabla",
    flops=per_element(2),
)


def _sparse_slope(logits: Array, classes: Array) -> Array:
    """softmax less the row of the identity matrix that the class says."""
    shifted = np.exp(logits - logits.max(-1, keepdims=True))
    found: Array = shifted / shifted.sum(-1, keepdims=True)
    rows = found.reshape(-1, found.shape[-1])
    rows[np.arange(len(rows)), np.reshape(classes, -1)] -= 1
    return found


op("tf_sparse_slope", "logits classes", _sparse_slope, lambda logits, classes: logits, None,
   unpromoted=frozenset({"classes"}), category="gradient", symbol="nabla")  # fmt: skip


# -- shapes -----------------------------------------------------------------------------------------------------------
def broadcast_axes(first: Array, second: Array, place: int) -> Array:
    """The axes over which the gradient of operand ``place`` is summed, for operands of these sizes."""
    rank = max(len(first), len(second))
    padded = [[1] * (rank - len(x)) + [int(n) for n in x] for x in (first, second)]
    own, other = padded[place], padded[1 - place]
    return np.array([i for i in range(rank) if own[i] == 1 and (other[i] != 1 or own[i] == other[i] == 1)], np.int32)


def stitched(*operands: Array) -> Array:
    """Values at the places that the indices say; where two meet the later one stays."""
    half = len(operands) // 2
    size = 1 + max(int(np.max(places, initial=-1)) for places in operands[:half])
    found = np.zeros(size, operands[half].dtype)
    for places, values in zip(operands[:half], operands[half:], strict=True):
        found[np.reshape(places, -1)] = np.reshape(values, -1)
    return found


def _offset(axis: Array, *sizes: Array, place: int) -> Array:
    found = np.zeros_like(sizes[0])
    found[int(axis)] = sum(int(one[int(axis)]) for one in sizes[:place])
    return found


def _vector(*_operands: TensorType, **_attributes: Any) -> TensorType:
    return TensorType(_INTEGERS, (None,))


_PLUMBING: dict[str, Any] = {"category": "shape", "symbol": "shape"}
op("tf_broadcast_axes", "first second", broadcast_axes, lambda first, second, place: _vector(), None, **_PLUMBING)
op("tf_stitch", "*operands", stitched, _vector, None, **_PLUMBING)
op("tf_invert_permutation", "a", lambda a: np.argsort(a).astype(a.dtype), lambda a: a, None, **_PLUMBING)
op("tf_concat_offset", "*operands", lambda *operands, place: _offset(*operands, place=place),
   lambda *operands, place: operands[1], None, **_PLUMBING)  # fmt: skip

"""``tf.nn.nce_loss`` and ``sampled_softmax_loss``: losses over a few classes drawn instead of all."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dialects.tensorflow import cross_entropies, math_ops, reductions
from engine.dialects.tensorflow.array_ops import concat, expand_dims, reshape, stop_gradient
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import ones_like
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.indexing_ops import gather
from engine.dialects.tensorflow.philox import Philox
from engine.dialects.tensorflow.random_ops import _stream
from engine.ops.registry import op
from engine.tensor_type import TensorType


def _drawn(labels: NDArray[Any], count: int, classes: int, generator: Philox) -> NDArray[Any]:
    """Different classes, small numbers more often: floor(exp(u * log(classes + 1))) - 1."""
    found: dict[int, None] = {}
    span = math.log1p(classes)
    while len(found) < count:
        unit = float(generator.uniform((1,), np.dtype(np.float64))[0])
        found.setdefault((int(math.exp(unit * span)) - 1) % classes)
    return np.array(list(found), np.int64)


op(
    "tf_log_uniform_sample",
    "labels",
    _drawn,
    lambda labels, count, classes, generator: TensorType(np.dtype(np.int64), (count,)),
    None,
    stateful=True,
    category="input",
    symbol="rnd",
)


def _expected(ids: Tensor, count: int, classes: int) -> Tensor:
    """How often a class is expected among the drawn ones: ``count`` times its probability."""
    number = cast(ids, "float32")
    above = math_ops.log(math_ops.truediv(math_ops.add(number, 2.0), math_ops.add(number, 1.0)))
    chance = math_ops.truediv(above, np.float32(math.log1p(classes)))
    return math_ops.multiply(chance, np.float32(count))


def _logits(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int, hits: bool,
    seed: Any,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """(logits, targets) over the true and the drawn classes."""
    if num_true != 1:
        raise NotImplementedError("sampled losses: this teaching engine has one true class for each example")
    if num_sampled > num_classes:
        raise ValueError(f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})")
    x = convert(inputs)
    true = reshape(cast(convert(labels), "int64"), [-1])
    attributes = {"count": int(num_sampled), "classes": int(num_classes), "generator": _stream(seed)}
    drawn = apply("tf_log_uniform_sample", "LogUniformCandidateSampler", None, [("true_classes", true)], attributes)
    drawn = stop_gradient(drawn)
    own = reductions.reduce_sum(math_ops.multiply(x, gather(weights, true)), 1)
    own = expand_dims(math_ops.add(own, gather(biases, true)), 1)
    others = math_ops.matmul(x, gather(weights, drawn), transpose_b=True)
    others = math_ops.add(others, gather(biases, drawn))
    if hits:
        same = math_ops.equal(expand_dims(true, 1), expand_dims(drawn, 0))
        others = math_ops.add(others, math_ops.multiply(cast(same, "float32"), np.float32(-3.4028235e38)))
    own = math_ops.subtract(own, math_ops.log(expand_dims(_expected(true, num_sampled, num_classes), 1)))
    others = math_ops.subtract(others, math_ops.log(_expected(drawn, num_sampled, num_classes)))
    zero = math_ops.multiply(others, 0.0) if not hits else math_ops.multiply(ones_like(others), 0.0)
    return concat([own, others], 1), concat([ones_like(own), zero], 1)


def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = False, partition_strategy: str = "mod",
    name: str = "nce_loss",
) -> Tensor:  # fmt: skip
    """Noise-contrastive estimation: true classes told from drawn ones, for each example."""
    with get_default_graph().name_scope(name):
        found, targets = _logits(
            weights, biases, labels, inputs, num_sampled, num_classes, num_true, remove_accidental_hits, None
        )
        return reductions.reduce_sum(cross_entropies.sigmoid_cross_entropy_with_logits(labels=targets, logits=found), 1)


def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int, num_true: int = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = True, partition_strategy: str = "mod",
    name: str = "sampled_softmax_loss", seed: Any = None,
) -> Tensor:  # fmt: skip
    """The cross entropy over the true and the drawn classes."""
    with get_default_graph().name_scope(name):
        found, targets = _logits(
            weights, biases, labels, inputs, num_sampled, num_classes, num_true, remove_accidental_hits, seed
        )
        return cross_entropies.softmax_cross_entropy_with_logits(labels=stop_gradient(targets), logits=found)

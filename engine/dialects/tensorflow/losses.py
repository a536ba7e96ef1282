"""``tf.losses``: losses that are averaged and noted in the graph's collection."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow import math_ops, nn_ops
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.reductions import reduce_mean


def _collected(loss: Tensor) -> Tensor:
    loss.graph.add_to_collection("losses", loss)
    return loss


def _unweighted(weights: Any, function: str) -> None:
    if weights != 1.0:
        raise NotImplementedError(f"tf.losses.{function}: weights other than 1.0 are not known in this teaching engine")


def mean_squared_error(labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None) -> Tensor:
    _unweighted(weights, "mean_squared_error")
    with get_default_graph().name_scope(scope or "mean_squared_error"):
        guess = convert(predictions, name="predictions")
        distance = math_ops.square(math_ops.subtract(guess, cast(labels, guess.dtype)), name="SquaredDifference")
        return _collected(reduce_mean(distance, name="value"))


def softmax_cross_entropy(onehot_labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None) -> Tensor:
    _unweighted(weights, "softmax_cross_entropy")
    with get_default_graph().name_scope(scope or "softmax_cross_entropy_loss"):
        each = nn_ops.softmax_cross_entropy_with_logits(labels=onehot_labels, logits=logits)
        return _collected(reduce_mean(each, name="value"))


def sparse_softmax_cross_entropy(labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None) -> Tensor:
    _unweighted(weights, "sparse_softmax_cross_entropy")
    with get_default_graph().name_scope(scope or "sparse_softmax_cross_entropy_loss"):
        each = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return _collected(reduce_mean(each, name="value"))

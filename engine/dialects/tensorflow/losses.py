"""``tf.losses``: losses that are weighted, averaged and noted in the graph's collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import cross_entropies, math_ops, nn_ops
from engine.dialects.tensorflow.array_ops import rank, shape, size
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.creation import constant, ones_like, zeros_like
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexing_ops import where
from engine.dialects.tensorflow.reductions import reduce_sum
from engine.dialects.tensorflow.variables import no_op


class Reduction:
    """How a loss goes from numbers for each example to one."""

    NONE = "none"
    SUM = "weighted_sum"
    MEAN = "weighted_mean"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        return cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = "losses",
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:  # fmt: skip
    """``losses`` times ``weights``, brought to one number, and noted in the collection."""
    if reduction not in Reduction.all():
        raise ValueError(f"Invalid Reduction Key {reduction}.")
    with get_default_graph().name_scope(scope or "weighted_loss"):
        found = _weighted(convert(losses), weights, reduction)
    if loss_collection is not None:
        found.graph.add_to_collection(loss_collection, found)
    return found


def _weighted(each: Tensor, weights: Any, reduction: str) -> Tensor:
    """``each`` times ``weights``, reduced. What checks that they go together stands in the graph as in the real one."""
    kind = each.dtype.base_dtype
    check = _assert_broadcastable(each, weights)
    with each.graph.control_dependencies([check]):
        if isinstance(weights, Tensor):
            factor = cast(weights, kind)
        else:
            with each.graph.name_scope("Cast"):
                factor = cast(convert(weights, kind, name="x"), kind)
        scaled = math_ops.multiply(each, factor)
        if reduction == Reduction.NONE:
            return scaled
        total = reduce_sum(scaled)
        if reduction == Reduction.SUM:
            return total
        if reduction == Reduction.MEAN:
            count = reduce_sum(math_ops.multiply(ones_like(each), factor))
        elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
            with each.graph.name_scope("num_elements") as scope:
                count = cast(size(each), kind, scope)
        else:
            count = _present(each, factor)
        return div_no_nan(reduce_sum(total), count, name="value")


def _assert_broadcastable(each: Tensor, weights: Any) -> Operation:
    """The op that waits for the check; shapes that are known are checked now.

    :raises ValueError: the weights cannot go with the losses.
    """
    graph = each.graph
    with graph.name_scope("assert_broadcastable"):
        factor = convert(weights, each.dtype.base_dtype if not isinstance(weights, Tensor) else None, name="weights")
        for tensor, name in ((factor, "weights"), (each, "values")):
            shape(tensor, name=f"{name}/shape")
            rank(tensor, name=f"{name}/rank")
        _check_weights(each, factor)
        return no_op("static_scalar_check_success" if factor.shape.ndims == 0 else "static_dims_check_success")


def _present(each: Tensor, factor: Tensor) -> Tensor:
    """How many of the losses have a weight."""
    graph = each.graph
    with graph.name_scope("num_present") as scope:
        there = where(math_ops.equal(factor, 0.0), zeros_like(factor), ones_like(factor))
        if not (factor.shape.is_fully_defined() and factor.shape.as_list() == each.shape.as_list()):
            with graph.name_scope("broadcast_weights") as inner:
                check = _assert_broadcastable(each, there)
                with graph.control_dependencies([check]):
                    there = math_ops.multiply(there, ones_like(each), name=inner)
        return reduce_sum(there, name=scope)


def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y``, zero where ``y`` is zero."""
    return apply("tf_div_no_nan", "DivNoNan", name, [("x", x), ("y", y)], default_name="div_no_nan")


def _check_weights(each: Tensor, factor: Tensor) -> None:
    rank, sizes = factor.shape.ndims, each.shape._dims
    if rank in (None, 0) or sizes is None:
        return
    own = factor.shape._dims or ()
    fits = len(own) == len(sizes) and all(
        a in (1, None) or b is None or a == b for a, b in zip(own, sizes, strict=True)
    )
    if not fits:
        raise ValueError(
            f"weights can not be broadcast to values. values.rank={len(sizes)}. weights.rank={rank}. "
            f"values.shape={each.shape}. weights.shape={factor.shape}."
        )


def _pairwise(function: Callable[..., Tensor], default: str, second: str = "predictions") -> Callable[..., Tensor]:
    """A loss of labels and predictions of one shape, from what it is for each element."""

    def loss(
        labels: Any = None, predictions: Any = None, weights: Any = 1.0, *more: Any, scope: Any = None,
        loss_collection: Any = "losses", reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS, **options: Any,
    ) -> Tensor:  # fmt: skip
        if second != "predictions":
            predictions = options.pop(second, predictions)
        if labels is None:
            raise ValueError("Argument `labels` must not be None.")
        if predictions is None:
            raise ValueError(f"Argument `{second}` must not be None.")
        with get_default_graph().name_scope(scope or default):
            guess = convert(predictions, name=second)
            guess = guess if guess.dtype.base_dtype.is_floating else cast(guess, "float32")
            truth = cast(convert(labels, name="labels"), guess.dtype.base_dtype)
            _same_shape(guess, truth)
            each = function(truth, guess, *more, **options)
            found = _weighted(each, weights, reduction)
        if loss_collection is not None:
            found.graph.add_to_collection(loss_collection, found)
        return found

    loss.__name__ = loss.__qualname__ = default
    loss.__module__ = __name__
    return loss


def _same_shape(guess: Tensor, truth: Tensor) -> None:
    if not guess.shape.is_compatible_with(truth.shape):
        raise ValueError(f"Shapes {guess.shape} and {truth.shape} are incompatible")


def _squared(truth: Tensor, guess: Tensor) -> Tensor:
    return math_ops.squared_difference(guess, truth)


def _log(truth: Tensor, guess: Tensor, epsilon: float = 1e-7) -> Tensor:
    tiny = np.float32(epsilon)
    hit = math_ops.multiply(truth, math_ops.log(math_ops.add(guess, tiny)))
    miss = math_ops.multiply(
        math_ops.subtract(1.0, truth), math_ops.log(math_ops.add(math_ops.subtract(1.0, guess), tiny))
    )
    return math_ops.subtract(math_ops.negative(hit), miss)


def _huber(truth: Tensor, guess: Tensor, delta: float = 1.0) -> Tensor:
    error = math_ops.abs_(math_ops.subtract(guess, truth))
    near = math_ops.minimum(error, np.float32(delta))
    far = math_ops.subtract(error, near)
    return math_ops.add(
        math_ops.multiply(np.float32(0.5), math_ops.multiply(near, near)), math_ops.multiply(np.float32(delta), far)
    )


def _hinge(truth: Tensor, guess: Tensor) -> Tensor:
    signs = math_ops.subtract(math_ops.multiply(2.0, truth), 1.0)
    return nn_ops.relu(math_ops.subtract(1.0, math_ops.multiply(signs, guess)))


mean_squared_error = _pairwise(_squared, "mean_squared_error")
absolute_difference = _pairwise(
    lambda truth, guess: math_ops.abs_(math_ops.subtract(guess, truth)), "absolute_difference"
)
log_loss = _pairwise(_log, "log_loss")
huber_loss = _pairwise(_huber, "huber_loss")
hinge_loss = _pairwise(_hinge, "hinge_loss", "logits")


def cosine_distance(
    labels: Any, predictions: Any, axis: Any = None, weights: Any = 1.0, scope: Any = None,
    loss_collection: Any = "losses", reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS, dim: Any = None,
) -> Tensor:  # fmt: skip
    """``1 - labels . predictions`` for vectors of length 1 along ``axis``."""
    place = dim if axis is None else axis
    if place is None:
        raise ValueError("You must specify argument `axis`.")
    with get_default_graph().name_scope(scope or "cosine_distance_loss"):
        guess = cast(convert(predictions), "float32")
        alike = reduce_sum(math_ops.multiply(guess, cast(labels, "float32")), place, keepdims=True)
        found = _weighted(math_ops.subtract(1.0, alike), weights, reduction)
    found.graph.add_to_collection(loss_collection, found)
    return found


def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: Any = None,
    loss_collection: Any = "losses", reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:  # fmt: skip
    """The cross entropy of independent classes."""
    with get_default_graph().name_scope(scope or "sigmoid_cross_entropy_loss"):
        scores = convert(logits)
        truth = cast(convert(multi_class_labels), scores.dtype.base_dtype)
        _same_shape(scores, truth)
        if label_smoothing > 0:
            truth = math_ops.add(math_ops.multiply(truth, 1 - label_smoothing), 0.5 * label_smoothing)
        found = _weighted(
            cross_entropies.sigmoid_cross_entropy_with_logits(labels=truth, logits=scores, name="xentropy"),
            weights,
            reduction,
        )
    found.graph.add_to_collection(loss_collection, found)
    return found


def softmax_cross_entropy(
    onehot_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: Any = None,
    loss_collection: Any = "losses", reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:  # fmt: skip
    """The cross entropy of classes of which one holds."""
    with get_default_graph().name_scope(scope or "softmax_cross_entropy_loss"):
        scores = convert(logits)
        truth = cast(convert(onehot_labels), scores.dtype.base_dtype)
        _same_shape(scores, truth)
        if label_smoothing > 0:
            classes = scores.shape.as_list()[1] or 1
            truth = math_ops.add(math_ops.multiply(truth, 1 - label_smoothing), label_smoothing / classes)
        each = cross_entropies.softmax_cross_entropy_with_logits(labels=truth, logits=scores, name="xentropy")
        found = _weighted(each, weights, reduction)
    found.graph.add_to_collection(loss_collection, found)
    return found


def sparse_softmax_cross_entropy(
    labels: Any, logits: Any, weights: Any = 1.0, scope: Any = None, loss_collection: Any = "losses",
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:  # fmt: skip
    """The same with class numbers for labels."""
    with get_default_graph().name_scope(scope or "sparse_softmax_cross_entropy_loss"):
        truth, scores = convert(labels), convert(logits)
        rank = truth.shape.ndims
        if rank is not None and rank == scores.shape.ndims and truth.shape.as_list()[-1] == 1:
            from engine.dialects.tensorflow.array_ops import squeeze

            truth = squeeze(truth, [-1])
        weights = convert(weights)
        each = cross_entropies.sparse_softmax_cross_entropy_with_logits(labels=truth, logits=scores, name="xentropy")
        found = _weighted(each, weights, reduction)
    found.graph.add_to_collection(loss_collection, found)
    return found


def add_loss(loss: Any, loss_collection: Any = "losses") -> None:
    """Note a loss of one's own."""
    if loss_collection:
        get_default_graph().add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = "losses") -> list[Any]:
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection("regularization_losses", scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of what regularisers added."""
    found = get_regularization_losses(scope)
    return math_ops.add_n(found, name=name) if found else constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """The sum of all losses noted so far."""
    found = get_losses(scope)
    if add_regularization_losses:
        found = found + get_regularization_losses(scope)
    return math_ops.add_n(found, name=name)

"""``tf.layers.batch_normalization``."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops, nn_norms, nn_ops
from engine.dialects.tensorflow.array_ops import identity, size
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.control_plumbing import renamed
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.initializers import Ones, Zeros
from engine.dialects.tensorflow.layers import Layer, smart_cond
from engine.dialects.tensorflow.variables import assign_sub


class BatchNormalization(Layer):
    """Scaled to mean 0 and variance 1: by the batch's own numbers while training, else by their moving averages."""

    _default = "batch_normalization"

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        name: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(options.pop("trainable", True), name, **options)
        if axis not in (-1,):
            raise NotImplementedError("batch_normalization: this teaching engine normalises the last axis only")
        self._momentum, self._epsilon, self._center, self._scale = momentum, epsilon, center, scale
        self._gamma: Any = None
        self._beta: Any = None
        self.updates: list[Any] = []

    def build(self, inputs: Tensor) -> None:
        known = inputs.shape.as_list()[-1]
        if known is None:
            raise ValueError(
                f"Input has undefined `axis` dimension. Received input with shape {tuple(inputs.shape)} and "
                f"axis=({len(inputs.shape) - 1},)"
            )
        size = [int(known)]
        if self._scale:
            self._gamma = self.add_weight("gamma", size, Ones())
        if self._center:
            self._beta = self.add_weight("beta", size, Zeros())
        self._mean = self.add_weight("moving_mean", size, Zeros(), trainable=False)
        self._variance = self.add_weight("moving_variance", size, Ones(), trainable=False)

    def call(self, inputs: Tensor, training: Any = False, **options: Any) -> Tensor:
        axes = list(range((inputs.shape.ndims or 1) - 1))

        def fresh() -> tuple[Any, Any]:
            return nn_ops.moments(inputs, axes)  # type: ignore[no-any-return]

        def kept() -> tuple[Any, Any]:
            return identity(self._mean), identity(self._variance)

        if len(axes) == 3:
            return self._of_images(inputs, training, fresh, kept)
        mean, variance = smart_cond(training, fresh, kept)
        self._update(training, mean, variance)
        return self._scaled(inputs, mean, variance)

    def _of_images(self, inputs: Tensor, training: Any, fresh: Any, kept: Any) -> Tensor:
        """The real framework has one kernel for all of it. Its moving variance is that of the population of which the
        batch is a sample."""

        def of_batch() -> tuple[Any, Any, Any]:
            mean, variance = fresh()
            count = cast(size(inputs), "float32") / float(inputs.shape.as_list()[-1] or 1)
            rest = math_ops.maximum(count - 1.0, 1.0)
            return self._fused(inputs, mean, variance), mean, variance * (count / rest)

        def of_moving() -> tuple[Any, Any, Any]:
            mean, variance = kept()
            return self._fused(inputs, mean, variance), mean, variance

        found, mean, variance = smart_cond(training, of_batch, of_moving)
        self._update(training, mean, variance)
        return found  # type: ignore[no-any-return]

    def _fused(self, inputs: Tensor, mean: Any, variance: Any) -> Tensor:
        found = self._scaled(inputs, mean, variance)._node
        name = inputs.graph.core.names.unique("FusedBatchNormV3")
        return renamed(inputs.graph, found, name, "FusedBatchNormV3")

    def _scaled(self, inputs: Tensor, mean: Any, variance: Any) -> Tensor:
        return nn_norms.batch_normalization(inputs, mean, variance, self._beta, self._gamma, self._epsilon)

    def _update(self, training: Any, mean: Any, variance: Any) -> None:
        """Let the moving averages follow, whenever the program runs the updates."""
        if training is False:
            return
        for moving, now in ((self._mean, mean), (self._variance, variance)):
            rest = math_ops.multiply(math_ops.subtract(moving, now), np.float32(1 - self._momentum))
            update = assign_sub(moving, rest, name="AssignMovingAvg").op
            self.updates.append(update)
            get_default_graph().add_to_collection("update_ops", update)


def batch_normalization(inputs: Any, axis: int = -1, momentum: float = 0.99, **options: Any) -> Tensor:
    """Batch normalisation; its updates are in the collection ``tf.GraphKeys.UPDATE_OPS``."""
    training, reuse = options.pop("training", False), options.pop("reuse", None)
    return BatchNormalization(axis, momentum, **options)(inputs, training=training, _reuse=reuse)


EXPORTED = {"BatchNormalization": BatchNormalization, "batch_normalization": batch_normalization}

"""Learning rates that change with the step: ``tf.train.*_decay``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.casting import cast
from engine.dialects.tensorflow.control_flow import case
from engine.dialects.tensorflow.creation import constant
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor


def _passed(step: Any, per: Tensor, whole: bool = False) -> Tensor:
    """``step / per``, perhaps rounded down."""
    found = math_ops.truediv(_as(step, per.dtype.base_dtype), per)
    return math_ops.floor(found) if whole else found


def _as(value: Any, kind: Any) -> Tensor:
    """``value`` in another dtype; the ops stand under the name ``Cast`` even where nothing is to be done."""
    if isinstance(value, Tensor) or hasattr(type(value), "_as_tensor"):
        return cast(convert(value), kind)
    graph = get_default_graph()
    with graph.name_scope("Cast") as scope:
        return cast(convert(value, name="x"), kind, scope)


def exponential_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``rate * decay_rate ** (step / decay_steps)``; in steps if ``staircase``."""
    with get_default_graph().name_scope(name or "ExponentialDecay") as scope:
        rate = convert(learning_rate, name="initial_learning_rate")
        per, base = _as(decay_steps, rate.dtype.base_dtype), _as(decay_rate, rate.dtype.base_dtype)
        return math_ops.multiply(rate, math_ops.pow_(base, _passed(global_step, per, staircase)), name=scope)


def natural_exp_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``rate * exp(-decay_rate * step / decay_steps)``."""
    factor = math_ops.exp(math_ops.negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, factor, staircase, name)


def inverse_time_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``rate / (1 + decay_rate * step / decay_steps)``."""
    with get_default_graph().name_scope(name or "InverseTimeDecay") as scope:
        rate = convert(learning_rate, name="initial_learning_rate")
        kind = rate.dtype.base_dtype
        per, factor = _as(decay_steps, kind), _as(decay_rate, kind)
        passed = _passed(global_step, per, staircase)
        one = cast(constant(1), kind)
        return math_ops.truediv(rate, math_ops.add(one, math_ops.multiply(factor, passed)), name=scope)


def polynomial_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = 0.0001, power: Any = 1.0,
    cycle: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """From one rate to another along a power of the part that is left."""
    if cycle:
        raise NotImplementedError("polynomial_decay: cycle=True is not known in this teaching engine")
    with get_default_graph().name_scope(name or "PolynomialDecay") as scope:
        rate = convert(learning_rate, name="initial_learning_rate")
        kind = rate.dtype.base_dtype
        end, steep = _as(end_learning_rate, kind), _as(power, kind)
        step, last = _as(global_step, kind), _as(decay_steps, kind)
        done = math_ops.truediv(math_ops.minimum(step, last), last)
        span = rate - end
        left = math_ops.pow_(1 - done, steep)
        return math_ops.add(math_ops.multiply(span, left), end, name=scope)


def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None
) -> Tensor:
    """Half a cosine down to ``alpha`` of the rate."""
    with get_default_graph().name_scope(name or "CosineDecay"):
        rate = convert(learning_rate, name="learning_rate")
        kind = rate.dtype.base_dtype
        last = cast(convert(decay_steps), kind)
        done = math_ops.truediv(math_ops.minimum(cast(convert(global_step), kind), last), last)
        wave = math_ops.multiply(
            0.5, math_ops.add(1.0, math_ops.cos(math_ops.multiply(constant(np.float32(math.pi)), done)))
        )
        part = math_ops.add(math_ops.multiply(np.float32(1 - alpha), wave), np.float32(alpha))
        return math_ops.multiply(rate, part)


def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """``values[i]`` up to and with ``boundaries[i]``, the last value beyond all."""
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    with get_default_graph().name_scope(name or "PiecewiseConstant"):
        step = convert(x)
        edges = [cast(convert(edge), step.dtype.base_dtype) for edge in boundaries]
        rates = [convert(value) for value in values]
        pairs: list[Any] = [(math_ops.less_equal(step, edges[0]), lambda: rates[0])]
        pairs.append((math_ops.greater(step, edges[-1]), lambda: rates[-1]))
        for low, high, rate in zip(edges[:-1], edges[1:], rates[1:-1], strict=True):
            between = math_ops.logical_and(math_ops.greater(step, low), math_ops.less_equal(step, high))
            pairs.append((between, lambda rate=rate: rate))
        return case(pairs, default=lambda: rates[0], exclusive=True)


piecewise_constant_decay = piecewise_constant

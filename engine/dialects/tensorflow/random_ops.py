"""Random ops: the streams of TensorFlow's Philox generator, so that seeded programs print the real numbers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.creation import constant_value, partial_shape, static_shape
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.philox import Philox

DEFAULT_SEED = 87654321


def set_random_seed(seed: int | None) -> None:
    """Make every random op of the default graph repeatable."""
    get_default_graph().seed = None if seed is None else int(seed)


def get_seed(op_seed: int | None, graph: Graph | None = None) -> tuple[int | None, int | None]:
    """The two seeds of a new random op: the graph's and its own."""
    chosen = graph or get_default_graph()
    if chosen.seed is not None:
        if op_seed is None:
            op_seed = chosen.seeded_ops
            chosen.seeded_ops += 1
        return chosen.seed, int(op_seed)
    return (None, None) if op_seed is None else (DEFAULT_SEED, int(op_seed))


def _stream(seed: Any) -> Philox:
    first, second = get_seed(seed)
    if first is None or second is None:
        first, second = int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(8), "little")
    elif first == second == 0:
        second = 2**31 - 1
    return Philox(first, second)


def random_shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """The rows of ``value`` in another order at every run."""
    attributes = {"generator": _stream(seed)}
    return apply("tf_shuffle", "RandomShuffle", name, [("value", value)], attributes)


def multinomial(
    logits: Any, num_samples: Any, seed: Any = None, name: str | None = None, output_dtype: Any = None
) -> Tensor:
    """``num_samples`` classes for each row of unnormalised log-probabilities."""
    count = int(constant_value(num_samples) if isinstance(num_samples, Tensor) else num_samples)
    kind = dtypes.as_dtype(output_dtype or "int64")
    attributes = {"count": count, "dtype": kind._numpy, "generator": _stream(seed)}
    return apply(
        "tf_multinomial",
        "Multinomial",
        name,
        [("logits", logits)],
        attributes,
        default_name="multinomial/Multinomial",
        constants=[("num_samples", np.int32(count))],
    )


def categorical(logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: str | None = None) -> Tensor:
    return multinomial(logits, num_samples, seed, name or "categorical/Multinomial", dtype)


def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    from engine.dialects.tensorflow import math_ops

    graph = get_default_graph()
    kind = dtypes.as_dtype(dtype).base_dtype
    with graph.name_scope(name or "random_normal") as scope:
        draw = _draw("random_normal", "RandomStandardNormal", "RandomStandardNormal", shape, kind, seed)
        scaled = math_ops.multiply(
            draw, np.asarray(stddev, kind._numpy) if not isinstance(stddev, Tensor) else stddev, name="mul"
        )
        return math_ops.add(scaled, np.asarray(mean, kind._numpy) if not isinstance(mean, Tensor) else mean, name=scope)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    from engine.dialects.tensorflow import math_ops

    graph = get_default_graph()
    kind = dtypes.as_dtype(dtype).base_dtype
    with graph.name_scope(name or "truncated_normal") as scope:
        draw = _draw("tf_random_truncated", "TruncatedNormal", "TruncatedNormal", shape, kind, seed)
        scaled = math_ops.multiply(draw, np.asarray(stddev, kind._numpy), name="mul")
        return math_ops.add(scaled, np.asarray(mean, kind._numpy), name=scope)


def random_uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    from engine.dialects.tensorflow import math_ops

    graph = get_default_graph()
    kind = dtypes.as_dtype(dtype).base_dtype
    if maxval is None:
        if kind.is_integer:
            raise ValueError("Must specify maxval for integer dtype " + repr(kind))
        maxval = 1
    with graph.name_scope(name or "random_uniform") as scope:
        if kind.is_integer:
            return _draw(
                "tf_random_integers", "RandomUniformInt", scope, shape, kind, seed, low=int(minval), high=int(maxval)
            )
        draw = _draw("random_uniform", "RandomUniform", "RandomUniform", shape, kind, seed)
        low, high = np.asarray(minval, kind._numpy), np.asarray(maxval, kind._numpy)
        scaled = math_ops.multiply(draw, high - low, name="mul")
        return math_ops.add(scaled, low, name=scope)


def _draw(op: str, tf_type: str, name: str, shape: Any, kind: dtypes.DType, seed: Any, **more: Any) -> Tensor:
    sizes = static_shape(shape)
    if sizes is None:
        return _draw_by(op, tf_type, name, shape, kind, seed, more)
    attributes: dict[str, Any] = {"shape": sizes, "dtype": kind._numpy, "generator": _stream(seed), **more}
    if op == "random_normal":
        attributes.update(mean=0.0, std=1.0)
    elif op == "random_uniform":
        attributes.update(low=0.0, high=1.0)
    return apply(op, tf_type, name, [], attributes, constants=[("shape", np.array(sizes, np.int32))])


def _draw_by(op: str, tf_type: str, name: str, shape: Any, kind: dtypes.DType, seed: Any, more: Any) -> Tensor:
    """A draw of sizes that are only known while the graph runs."""
    tensor = convert(shape, name="shape")
    attributes = {"draw": op, "dtype": kind._numpy, "generator": _stream(seed), "known": partial_shape(tensor)}
    attributes.update(low=more.get("low", 0), high=more.get("high", 1))
    return apply("tf_draw", tf_type, name, [("shape", tensor)], attributes)

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
    graph = get_default_graph()
    kind = dtypes.as_dtype(dtype).base_dtype
    with graph.name_scope(name or "random_normal") as scope:
        return _moved("random_normal", "RandomStandardNormal", shape, mean, stddev, kind, seed, scope)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    graph = get_default_graph()
    kind = dtypes.as_dtype(dtype).base_dtype
    with graph.name_scope(name or "truncated_normal") as scope:
        return _moved("tf_random_truncated", "TruncatedNormal", shape, mean, stddev, kind, seed, scope)


def _moved(
    op: str, tf_type: str, shape: Any, mean: Any, stddev: Any, kind: dtypes.DType, seed: Any, scope: str
) -> Tensor:
    """Draws around zero, stretched and moved."""
    from engine.dialects.tensorflow import math_ops

    sizes = _sizes(shape)
    around, width = convert(mean, kind, name="mean"), convert(stddev, kind, name="stddev")
    found = math_ops.add(
        math_ops.multiply(_draw(op, tf_type, tf_type, sizes, kind, seed), width, name="mul"), around, name=scope
    )
    _serve(found, sizes, around, width)
    return found


def _sizes(shape: Any) -> Tensor:
    known = static_shape(shape)
    if isinstance(shape, Tensor) or known is None:
        return convert(shape, name="shape")
    return convert(np.array(known, np.int32), name="shape")


def _serve(found: Tensor, *given: Tensor) -> None:
    for tensor in given:
        if tensor._node.op == "constant" and tensor._node.serves is None:
            found.graph.core.set_serves(tensor._node, found._node)


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
        sizes = _sizes(shape)
        zero, one = _is_number(minval, 0), _is_number(maxval, 1)
        if not kind.is_integer and zero and one:
            found = _draw("random_uniform", "RandomUniform", "RandomUniform", sizes, kind, seed)
            _serve(found, sizes)
            return found
        low, high = convert(minval, kind, name="min"), convert(maxval, kind, name="max")
        if kind.is_integer:
            ends = {"low": int(constant_value(low)), "high": int(constant_value(high))}
            found = _draw("tf_random_integers", "RandomUniformInt", scope, sizes, kind, seed, **ends)
            found.op._inputs = [sizes, low, high]
        else:
            draw = _draw("random_uniform", "RandomUniform", "RandomUniform", sizes, kind, seed)
            if zero:
                found = math_ops.multiply(draw, high)
            else:
                span = math_ops.subtract(high, low, name="sub")
                found = math_ops.add(math_ops.multiply(draw, span, name="mul"), low, name=scope)
                found.graph.core.set_serves(span._node, found._node)
        _serve(found, sizes, low, high)
        return found


def _is_number(value: Any, wanted: int) -> bool:
    return isinstance(value, int | float | np.number) and value == wanted


def _draw(op: str, tf_type: str, name: str, shape: Any, kind: dtypes.DType, seed: Any, **more: Any) -> Tensor:
    sizes = static_shape(shape)
    if sizes is None:
        return _draw_by(op, tf_type, name, shape, kind, seed, more)
    attributes: dict[str, Any] = {"shape": sizes, "dtype": kind._numpy, "generator": _stream(seed), **more}
    if op == "random_normal":
        attributes.update(mean=0.0, std=1.0)
    elif op == "random_uniform":
        attributes.update(low=0.0, high=1.0)
    if isinstance(shape, Tensor):
        return apply(op, tf_type, name, [], attributes, constants=[("shape", shape)])
    return apply(op, tf_type, name, [], attributes, constants=[("shape", np.array(sizes, np.int32))])


def _draw_by(op: str, tf_type: str, name: str, shape: Any, kind: dtypes.DType, seed: Any, more: Any) -> Tensor:
    """A draw of sizes that are only known while the graph runs."""
    tensor = convert(shape, name="shape")
    attributes = {"draw": op, "dtype": kind._numpy, "generator": _stream(seed), "known": partial_shape(tensor)}
    attributes.update(low=more.get("low", 0), high=more.get("high", 1))
    return apply("tf_draw", tf_type, name, [("shape", tensor)], attributes)

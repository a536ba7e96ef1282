"""Attention: which rows of ``value`` matter to each row of ``query``."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.tensorflow.eager.tensor import wrap
from engine.dialects.tensorflow.keras import activations, initializers, random
from engine.dialects.tensorflow.keras.both import array_ops, is_tensor, math_ops
from engine.dialects.tensorflow.keras.layers.base import Layer
from engine.dialects.tensorflow.keras.serialization import serialize
from engine.dialects.tensorflow.keras.symbolic import KerasTensor

_M = math_ops.FUNCTIONS
_LOW = -1e9


class Attention(Layer):
    """Scores by the product of query and key."""

    def __init__(
        self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0, seed: Any = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.use_scale, self.score_mode, self.dropout, self.seed = use_scale, score_mode, dropout, seed
        if dropout > 0:
            self.seed_generator = random.SeedGenerator(seed)
        if score_mode not in ("dot", "concat"):
            raise ValueError(
                f"Invalid value for argument score_mode. Expected one of {{'dot', 'concat'}}. Received: "
                f"score_mode={score_mode}"
            )
        if score_mode == "concat":
            raise NotImplementedError("Attention(score_mode='concat'): this teaching engine has 'dot' only")

    def build(self, input_shape: Any) -> None:
        self.scale = self.add_weight(name="scale", shape=(), initializer="ones") if self.use_scale else None

    def _scores(self, query: Any, key: Any) -> Any:
        scores = math_ops.matmul(query, array_ops.transpose(key, [0, 2, 1]))
        return scores if self.scale is None else _M["multiply"](scores, self.scale)

    def call(
        self, inputs: Any, mask: Any = None, training: Any = False, return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        scores = self._scores(query, key)
        value_mask = mask[1] if isinstance(mask, list | tuple) and len(mask) > 1 else None
        if value_mask is not None:
            hidden = _M["logical_not"](array_ops.expand_dims(value_mask, 1))
            scores = _M["subtract"](scores, _M["multiply"](math_ops.cast(hidden, "float32"), -_LOW))
        if use_causal_mask:
            scores = _M["add"](scores, _later(scores.shape[-2], scores.shape[-1]))
        weights = activations.softmax(scores)
        if training and self.dropout > 0:
            weights = random.dropout(weights, self.dropout, None, self.seed_generator)
        result = math_ops.matmul(weights, value)
        return (result, weights) if return_attention_scores else result

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return mask[0] if isinstance(mask, list | tuple) and mask else None

    def compute_output_spec(
        self,
        inputs: Any,
        mask: Any = None,
        training: Any = False,
        return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:
        query, value = inputs[0].shape, inputs[1].shape
        result = KerasTensor((*query[:-1], value[-1]), self.compute_dtype)
        scores = KerasTensor((query[0], query[1], value[1]), self.compute_dtype)
        return (result, scores) if return_attention_scores else result

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "use_scale": self.use_scale, "score_mode": self.score_mode,
            "dropout": self.dropout, "seed": self.seed,
        }  # fmt: skip


class AdditiveAttention(Attention):
    """Scores by ``tanh(query + key)``."""

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **options: Any) -> None:
        super().__init__(use_scale, dropout=dropout, **options)

    def build(self, input_shape: Any) -> None:
        size = input_shape[0][-1]
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=[size], initializer="glorot_uniform")

    def _scores(self, query: Any, key: Any) -> Any:
        both = _M["tanh"](_M["add"](array_ops.expand_dims(query, 2), array_ops.expand_dims(key, 1)))
        return _M["reduce_sum"](both if self.scale is None else _M["multiply"](both, self.scale), -1)


def _later(rows: int, columns: int) -> Any:
    """What keeps each step from looking at later ones."""
    import numpy as np

    return wrap(np.triu(np.full((rows, columns), _LOW, np.float32), 1), "causal mask")


class MultiHeadAttention(Layer):
    """Attention in several parts, each with projections of its own."""

    def __init__(
        self, num_heads: int, key_dim: int, value_dim: Any = None, dropout: float = 0.0, use_bias: bool = True,
        output_shape: Any = None, kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        seed: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.num_heads, self.key_dim, self.value_dim = num_heads, key_dim, value_dim or key_dim
        self.dropout, self.use_bias, self.seed = dropout, use_bias, seed
        self._output_shape = output_shape
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.seed_generator = random.SeedGenerator(seed) if dropout > 0 else None
        self.supports_masking = True

    def build(self, query_shape: Any, value_shape: Any, key_shape: Any = None) -> None:
        key_shape = key_shape or value_shape
        self._projections = {}
        for name, size, width in (
            ("query", query_shape[-1], self.key_dim), ("key", key_shape[-1], self.key_dim),
            ("value", value_shape[-1], self.value_dim),
        ):  # fmt: skip
            self._projections[name] = self._weights(name, (size, self.num_heads, width), (self.num_heads, width))
        out = self._output_shape or query_shape[-1]
        out = out if isinstance(out, int) else out[-1]
        self._projections["out"] = self._weights("attention_output", (self.num_heads, self.value_dim, out), (out,))
        self._width = out

    def _weights(self, name: str, shape: Any, bias: Any) -> tuple[Any, Any]:
        from engine.dialects.tensorflow.keras import state

        inner = 2 if name == "attention_output" else 1  # how many sizes come in

        def cloned(initializer: Any) -> Any:
            made = initializer.clone() if hasattr(initializer, "clone") else initializer
            if hasattr(made, "input_axes"):
                made.input_axes, made.output_axes = range(inner), range(inner, len(shape))
            return made

        with state.name_scope(name):
            kernel = self.add_weight(name="kernel", shape=shape, initializer=cloned(self.kernel_initializer))
            offset = self.add_weight(name="bias", shape=bias, initializer=cloned(self.bias_initializer)) if (
                self.use_bias) else None  # fmt: skip
        return kernel, offset

    def _project(self, name: str, x: Any) -> Any:
        kernel, bias = self._projections[name]
        equation = "bthd,hdo->bto" if name == "out" else "btc,chd->bthd"
        found = math_ops.einsum(equation, x, kernel)
        return found if bias is None else _M["add"](found, bias)

    def call(
        self, query: Any, value: Any, key: Any = None, query_mask: Any = None, value_mask: Any = None,
        key_mask: Any = None, attention_mask: Any = None, return_attention_scores: bool = False, training: Any = None,
        use_causal_mask: bool = False,
    ) -> Any:  # fmt: skip
        key = value if key is None else key
        q, k, v = self._project("query", query), self._project("key", key), self._project("value", value)
        q = _M["multiply"](q, 1.0 / math.sqrt(float(self.key_dim)))
        scores = math_ops.einsum("bqhd,bkhd->bhqk", q, k)
        if use_causal_mask:
            scores = _M["add"](scores, _later(scores.shape[-2], scores.shape[-1]))
        masks = []
        if attention_mask is not None:
            mask = attention_mask if is_tensor(attention_mask) else wrap(attention_mask)
            masks.append(array_ops.expand_dims(mask, 1) if len(mask.shape) == 3 else mask)
        if value_mask is not None:
            masks.append(array_ops.expand_dims(array_ops.expand_dims(value_mask, 1), 1))
        for mask in masks:
            hidden = _M["subtract"](1.0, math_ops.cast(mask, "float32"))
            scores = _M["add"](scores, _M["multiply"](hidden, _LOW))
        weights = activations.softmax(scores)
        final = weights
        if training and self.seed_generator is not None:
            final = random.dropout(weights, self.dropout, None, self.seed_generator)
        found = self._project("out", math_ops.einsum("bhqk,bkhd->bqhd", final, v))
        return (found, weights) if return_attention_scores else found

    def compute_mask(self, query: Any, previous_mask: Any = None) -> Any:
        return previous_mask

    def compute_output_spec(
        self, query: Any, value: Any, key: Any = None, return_attention_scores: bool = False, **_: Any
    ) -> Any:
        result = KerasTensor((*query.shape[:-1], self._width), self.compute_dtype)
        shape = (query.shape[0], self.num_heads, query.shape[1], value.shape[1])
        return (result, KerasTensor(shape, self.compute_dtype)) if return_attention_scores else result

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "num_heads": self.num_heads, "key_dim": self.key_dim, "value_dim": self.value_dim,
            "dropout": self.dropout, "use_bias": self.use_bias, "output_shape": self._output_shape,
            "kernel_initializer": serialize(self.kernel_initializer),
            "bias_initializer": serialize(self.bias_initializer), "seed": self.seed,
        }  # fmt: skip


LAYERS = {cls.__name__: cls for cls in (Attention, AdditiveAttention, MultiHeadAttention)}

"""Attention: weighted means of values, by how well queries meet keys."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.linear_algebra import linear, matmul
from engine.dialects.torch.nn import dropouts, init
from engine.dialects.torch.nn import functional as F
from engine.dialects.torch.nn.layers import Linear
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import blank
from engine.dialects.torch.tensor import Tensor


def _additive(mask: Any, like: Any) -> Any:
    """A mask as numbers to add: minus infinity where nothing may be seen (a boolean mask says True there)."""
    if mask is None or mask._array.dtype.kind == "f":
        return mask
    return Tensor(np.where(mask._array, -np.inf, 0.0).astype(like._array.dtype))


def _future(rows: int, columns: int) -> Any:
    """True where a column is later than its row."""
    return Tensor(np.triu(np.ones((rows, columns), np.bool_), 1))


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: float | None = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """``softmax(query @ key.T * scale) @ value``: (…, L, E), (…, S, E), (…, S, V) -> (…, L, V).

    A boolean ``attn_mask`` is True where something may be seen.
    """
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
        attn_mask = _additive(_future(query.shape[-2], key.shape[-2]), query)
    elif attn_mask is not None and attn_mask._array.dtype.kind == "b":
        attn_mask = _additive(Tensor(~attn_mask._array), query)
    scores = matmul(query, key.transpose(-2, -1)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = F.softmax(scores, -1)
    if dropout_p > 0:
        weights = dropouts.dropout(weights, dropout_p)
    return matmul(weights, value)


class NonDynamicallyQuantizableLinear(Linear):
    """The last layer of attention, under PyTorch's name."""


class MultiheadAttention(Module):
    """Attention of several heads, each with a part of the features."""

    __module__ = "torch.nn.modules.activation"

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        if add_bias_kv or add_zero_attn:
            raise NotImplementedError("the teaching engine's MultiheadAttention has no add_bias_kv and add_zero_attn")
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        if self._qkv_same_embed_dim:
            self.in_proj_weight = blank(3 * embed_dim, embed_dim, dtype=dtype)
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = blank(embed_dim, embed_dim, dtype=dtype)
            self.k_proj_weight = blank(embed_dim, self.kdim, dtype=dtype)
            self.v_proj_weight = blank(embed_dim, self.vdim, dtype=dtype)
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = blank(3 * embed_dim, dtype=dtype)
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def _projected(self, query: Any, key: Any, value: Any) -> list[Any]:
        E = self.embed_dim
        if self._qkv_same_embed_dim and query is key and key is value:
            joint = linear(query, self.in_proj_weight, self.in_proj_bias).unflatten(-1, (3, E))
            joint = joint.unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
            return [joint[0], joint[1], joint[2]]
        if self._qkv_same_embed_dim:
            weights = list(self.in_proj_weight.split(E))
        else:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        biases = [None] * 3 if self.in_proj_bias is None else list(self.in_proj_bias.chunk(3))
        return [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)]

    def forward(
        self, query: Any, key: Any, value: Any, key_padding_mask: Any = None, need_weights: bool = True,
        attn_mask: Any = None, average_attn_weights: bool = True, is_causal: bool = False,
    ) -> Any:  # fmt: skip
        """(result, weights or None); a boolean mask is True where nothing may be seen."""
        if query.ndim not in (2, 3):
            raise AssertionError(
                f"query should be unbatched 2D or batched 3D tensor but received {query.ndim}-D query tensor"
            )
        if query.shape[-1] != self.embed_dim:
            raise AssertionError(f"was expecting embedding dimension of {self.embed_dim}, but got {query.shape[-1]}")
        if key.shape != value.shape and self.kdim == self.vdim:
            pair = [x.transpose(0, 1).shape if self.batch_first and x.ndim == 3 else x.shape for x in (key, value)]
            raise AssertionError(f"key shape {pair[0]} does not match value shape {pair[1]}")
        batched = query.ndim == 3
        same = query is key, key is value
        if self.batch_first and batched:
            query = query.transpose(1, 0)
            key = query if same[0] else key.transpose(1, 0)
            value = key if same[1] else value.transpose(1, 0)
        elif not batched:
            query = query.unsqueeze(1)
            key = query if same[0] else key.unsqueeze(1)
            value = key if same[1] else value.unsqueeze(1)
        result, weights = self._attend(query, key, value, key_padding_mask, need_weights, attn_mask, is_causal)
        if weights is not None and average_attn_weights:
            weights = weights.mean(1)
        if not batched:
            return result.squeeze(1), None if weights is None else weights.squeeze(0)
        return (result.transpose(1, 0) if self.batch_first else result), weights

    def _attend(
        self, query: Any, key: Any, value: Any, padding: Any, need_weights: bool, mask: Any, is_causal: bool
    ) -> tuple[Any, Any]:
        length, batch, E = query.shape
        source, heads, size = key.shape[0], self.num_heads, self.head_dim
        if is_causal and mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        q, k, v = (
            x.view(n, batch * heads, size).transpose(0, 1)
            for x, n in zip(self._projected(query, key, value), (length, source, source), strict=True)
        )
        mask = _additive(mask, query)
        if mask is not None and mask.ndim == 2:
            mask = mask.unsqueeze(0)
        if padding is not None:
            hidden = _additive(padding, query).view(-1, 1, 1, source).expand(batch, heads, 1, source)
            hidden = hidden.reshape(batch * heads, 1, source)
            mask = hidden if mask is None else mask + hidden
        rate = self.dropout if self.training else 0.0
        if not need_weights:
            q, k, v = (x.view(batch, heads, n, size) for x, n in ((q, length), (k, source), (v, source)))
            if mask is not None:
                mask = mask.view(batch, heads, -1, source) if mask.shape[0] == batch * heads else mask.unsqueeze(0)
            mixed = scaled_dot_product_attention(q, k, v, mask, rate)
            mixed = mixed.permute(2, 0, 1, 3).contiguous().view(batch * length, E)
            return linear(mixed, self.out_proj.weight, self.out_proj.bias).view(length, batch, E), None
        scores = (q * math.sqrt(1.0 / size)).bmm(k.transpose(-2, -1))
        weights = F.softmax(scores if mask is None else mask + scores, -1)
        if rate > 0:
            weights = dropouts.dropout(weights, rate)
        mixed = weights.bmm(v).transpose(0, 1).contiguous().view(length * batch, E)
        result = linear(mixed, self.out_proj.weight, self.out_proj.bias).view(length, batch, E)
        return result, weights.view(batch, heads, length, source)

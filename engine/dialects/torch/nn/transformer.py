"""Transformers: layers of attention and of small networks, each with a way around it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.torch.nn import functional as F
from engine.dialects.torch.nn import init
from engine.dialects.torch.nn.attention import MultiheadAttention
from engine.dialects.torch.nn.containers import ModuleList
from engine.dialects.torch.nn.layers import Dropout, Linear
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.normalisation import LayerNorm
from engine.dialects.torch.tensor import Tensor


def _activation(name: Any) -> Callable[..., Any]:
    if callable(name):
        return name  # type: ignore[no-any-return]
    if name not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {name}")
    return getattr(F, name)  # type: ignore[no-any-return]


class TransformerEncoderLayer(Module):
    """Self-attention, then a network of two linear layers."""

    __module__ = "torch.nn.modules.transformer"
    _attentions = 1

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1, activation: Any = F.relu,
        layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        attention: dict[str, Any] = {"dropout": dropout, "bias": bias, "batch_first": batch_first, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        if self._attentions > 1:
            self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        parts = range(1, self._attentions + 2)
        for number in parts:
            setattr(self, f"norm{number}", LayerNorm(d_model, eps=layer_norm_eps, bias=bias))
        for number in parts:
            setattr(self, f"dropout{number}", Dropout(dropout))
        self.activation = _activation(activation)

    def _around(self, x: Any, number: int, block: Callable[[Any], Any]) -> Any:
        """``x`` plus what ``block`` makes of it; normalised before or after."""
        norm, dropout = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        if self.norm_first:
            return x + dropout(block(norm(x)))
        return norm(x + dropout(block(x)))

    def _network(self, x: Any) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def forward(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None, is_causal: bool = False) -> Any:
        x = self._around(
            src, 1, lambda x: self.self_attn(x, x, x, src_key_padding_mask, need_weights=False, attn_mask=src_mask)[0]
        )
        return self._around(x, 2, self._network)


class TransformerDecoderLayer(TransformerEncoderLayer):
    """Self-attention, attention to what an encoder made, then a network of two linear layers."""

    __module__ = "torch.nn.modules.transformer"
    _attentions = 2

    def forward(  # type: ignore[override]
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None, tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        x = self._around(
            tgt, 1, lambda x: self.self_attn(x, x, x, tgt_key_padding_mask, need_weights=False, attn_mask=tgt_mask)[0]
        )
        x = self._around(
            x, 2,
            lambda x: self.multihead_attn(
                x, memory, memory, memory_key_padding_mask, need_weights=False, attn_mask=memory_mask
            )[0],
        )  # fmt: skip
        return self._around(x, 3, self._network)


class _Stack(Module):
    """Copies of a layer, one after the other."""

    def __init__(self, layer: Module, num_layers: int, norm: Module | None) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm


class TransformerEncoder(_Stack):
    """A stack of encoder layers."""

    __module__ = "torch.nn.modules.transformer"

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(encoder_layer, num_layers, norm)

    def forward(self, src: Any, mask: Any = None, src_key_padding_mask: Any = None, is_causal: Any = None) -> Any:
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(_Stack):
    """A stack of decoder layers."""

    __module__ = "torch.nn.modules.transformer"

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None, tgt_is_causal: Any = None, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder of the source, and a decoder that reads it."""

    __module__ = "torch.nn.modules.transformer"

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: Any = F.relu, custom_encoder: Any = None,
        custom_decoder: Any = None, layer_norm_eps: float = 1e-5, batch_first: bool = False, norm_first: bool = False,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            layer = TransformerEncoderLayer(*options)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            reader = TransformerDecoderLayer(*options)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias)
            self.decoder = TransformerDecoder(reader, num_decoder_layers, norm)
        for p in self.parameters():
            if p.ndim > 1:
                init.xavier_uniform_(p)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None,
        src_key_padding_mask: Any = None, tgt_key_padding_mask: Any = None, memory_key_padding_mask: Any = None,
        src_is_causal: Any = None, tgt_is_causal: Any = None, memory_is_causal: bool = False,
    ) -> Any:  # fmt: skip
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """A mask that hides what comes later: minus infinity above the diagonal, else 0."""
        return Tensor(np.triu(np.full((sz, sz), -np.inf, np.float32), 1))

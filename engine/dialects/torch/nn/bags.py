"""Embeddings of whole bags of indices at once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from engine.dialects.torch import joining
from engine.dialects.torch.nn import functional as F
from engine.dialects.torch.nn import init
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import blank
from engine.dialects.torch.tensor import FACADE
from engine.dynamic.apply import apply


def embedding_bag(
    input: Any, weight: Any, offsets: Any = None, max_norm: Any = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights: Any = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> Any:  # fmt: skip
    """Sums, means or maxima of the rows of ``weight`` in each bag: a row of ``input``, or a stretch of it between
    ``offsets``."""
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                "sequences. However, found offsets of type <class 'torch.Tensor'>"
            )
        ends = [(n * input.shape[1], (n + 1) * input.shape[1]) for n in range(input.shape[0])]
    elif input.ndim == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        starts = offsets.tolist()
        bounds = starts if include_last_offset else [*starts, input.shape[0]]
        if starts and starts[0] != 0:
            raise RuntimeError(f"offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
                               f"position 0. However, got {starts[0]}")  # fmt: skip
        ends = list(pairwise(bounds))
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}'). Please open a feature request on GitHub."
        )
    flat = input.reshape(-1)
    shares = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    rows = [_bag(flat[a:b], weight, mode, None if shares is None else shares[a:b], padding_idx) for a, b in ends]
    return apply(BAGS, rows, {"axis": 0}) if rows else joining.stack(rows)


BAGS = FACADE.primitive("stack", "embedding_bag", "EmbeddingBagBackward0")


def _bag(index: Any, weight: Any, mode: str, shares: Any, padding_idx: int | None) -> Any:
    if padding_idx is not None:
        kept = index != padding_idx
        index, shares = index[kept], None if shares is None else shares[kept]
    rows = F.embedding(index, weight)
    if not index.shape[0]:
        return rows.sum(0)
    if shares is not None:
        rows = rows * shares.unsqueeze(1)
    return rows.amax(0) if mode == "max" else getattr(rows, mode)(0)


class EmbeddingBag(Module):
    """A table of vectors; gives the sum, mean or maximum of those of each bag."""

    __module__ = "torch.nn.modules.sparse"

    def __init__(
        self, num_embeddings: int, embedding_dim: int, max_norm: Any = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, _weight: Any = None,
        include_last_offset: bool = False, padding_idx: int | None = None, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.include_last_offset = include_last_offset
        self.padding_idx = padding_idx
        self.weight = blank(num_embeddings, embedding_dim, dtype=dtype)
        init.normal_(self.weight)
        if padding_idx is not None:
            self.weight._array[padding_idx] = np.float32(0)

    def forward(self, input: Any, offsets: Any = None, per_sample_weights: Any = None) -> Any:
        return embedding_bag(
            input, self.weight, offsets, mode=self.mode, per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset, padding_idx=self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}"
        return text if self.padding_idx is None else f"{text}, padding_idx={self.padding_idx}"

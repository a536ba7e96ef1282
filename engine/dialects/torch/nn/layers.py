"""Layers with and without parameters."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch.einsum import bilinear
from engine.dialects.torch.linear_algebra import linear
from engine.dialects.torch.nn import dropouts, init, margins
from engine.dialects.torch.nn import functional as F
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter, blank
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import Tensor


class Identity(Module):
    """Gives back its input."""

    __module__ = "torch.nn.modules.linear"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """``y = x @ weight.T + bias``."""

    __module__ = "torch.nn.modules.linear"

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = blank(out_features, in_features, dtype=dtype)
        if bias:
            self.bias = blank(out_features, dtype=dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new start values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        return linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Bilinear(Module):
    """``y_k = x1 @ weight_k @ x2 + bias_k``."""

    __module__ = "torch.nn.modules.linear"

    def __init__(self, in1_features: int, in2_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = blank(out_features, in1_features, in2_features)
        self.register_parameter("bias", blank(out_features) if bias else None)
        bound = 1 / math.sqrt(in1_features)
        init.uniform_(self.weight, -bound, bound)
        if bias:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Any, input2: Any) -> Any:
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Embedding(Module):
    """A table of vectors, looked up by index."""

    __module__ = "torch.nn.modules.sparse"

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: Any = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings
        self.padding_idx = padding_idx
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        if scale_grad_by_freq:
            raise NotImplementedError("Embedding: this teaching engine has no scale_grad_by_freq")
        self.weight = blank(num_embeddings, embedding_dim)
        init.normal_(self.weight)
        if padding_idx is not None:
            self.weight._array[padding_idx] = 0

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, max_norm: Any = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Any:  # fmt: skip
        """A table that starts from given vectors."""
        rows, columns = embeddings.shape
        state = default_generator.get_state()  # a given table draws no start values
        table = cls(rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        default_generator.set_state(state)
        table.weight = Parameter(embeddings, requires_grad=not freeze)
        return table

    def forward(self, input: Any) -> Any:
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type)

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        text += "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        text += "" if self.max_norm is None else f", max_norm={self.max_norm}"
        text += "" if self.norm_type == 2 else f", norm_type={self.norm_type}"
        return text + (", sparse=True" if self.sparse else "")


class Flatten(Module):
    """Puts dimensions together."""

    __module__ = "torch.nn.modules.flatten"

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Any:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Takes a dimension apart."""

    __module__ = "torch.nn.modules.flatten"

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Any) -> Any:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class _Dropout(Module):
    """Zeros elements at random while training."""

    __module__ = "torch.nn.modules.dropout"
    _function: Any

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Any) -> Any:
        return type(self)._function(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


def _dropout(name: str, function: Any, doc: str) -> type[Module]:
    content = {"__module__": "torch.nn.modules.dropout", "__doc__": doc, "_function": staticmethod(function)}
    return type(name, (_Dropout,), content)


Dropout = _dropout("Dropout", dropouts.dropout, "Zeros elements at random while training.")
Dropout1d = _dropout("Dropout1d", dropouts.dropout1d, "Zeros whole channels of sequences.")
Dropout2d = _dropout("Dropout2d", dropouts.dropout2d, "Zeros whole channels of images.")
Dropout3d = _dropout("Dropout3d", dropouts.dropout3d, "Zeros whole channels of volumes.")
AlphaDropout = _dropout(
    "AlphaDropout", dropouts.alpha_dropout, "Dropout that keeps mean and variance of SELU networks."
)


class CosineSimilarity(Module):
    """The cosine of the angle between vectors."""

    __module__ = "torch.nn.modules.distance"

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Any, x2: Any) -> Any:
        return margins.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The length of the difference of vectors."""

    __module__ = "torch.nn.modules.distance"

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Any, x2: Any) -> Any:
        return margins.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)

"""``nn.functional``: activations, losses and layers as functions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.dialects.torch import creation, linear_algebra, pointwise
from engine.dialects.torch.creation import need_tensor
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import FACADE, Tensor, check_dim
from engine.dialects.torch.types import as_array_dtype, word_of
from engine.dynamic.apply import apply

_p = FACADE.primitive
linear = linear_algebra.linear
tanh, sigmoid = pointwise.tanh, pointwise.sigmoid
RELU = pointwise.PRIMITIVES["relu"]
LEAKY = _p("leaky_relu", "leaky_relu", "LeakyReluBackward0", default=True)
ELU = _p("elu", "elu", "EluBackward0", default=True)
GELU = _p("gelu", "gelu", "GeluBackward0", default=True)
SOFTPLUS = _p("softplus", "softplus", "SoftplusBackward0", default=True)
SOFTMAX = _p("softmax", "softmax", "SoftmaxBackward0", default=True)
LOG_SOFTMAX = _p("log_softmax", "log_softmax", "LogSoftmaxBackward0", default=True)
EMBEDDING = _p("take", "embedding", "EmbeddingBackward0")


def relu(input: Tensor, inplace: bool = False) -> Any:
    need_tensor(input, "relu")
    return input.relu_() if inplace else RELU.run(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    need_tensor(input, "leaky_relu")
    return apply(LEAKY, (input,), {"slope": negative_slope})


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    need_tensor(input, "elu")
    return apply(ELU, (input,), {"alpha": alpha})


SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
SELU_SCALED = _p("mul", "selu", "EluBackward0")


def selu(input: Tensor, inplace: bool = False) -> Any:
    from engine.dynamic.tensor import Number

    return apply(SELU_SCALED, (elu(input, SELU_ALPHA), Number(SELU_SCALE)))


def gelu(input: Tensor, approximate: str = "none") -> Any:
    need_tensor(input, "gelu")
    return apply(GELU, (input,), {"approximate": approximate})


def silu(input: Tensor, inplace: bool = False) -> Any:
    return input * pointwise.sigmoid(input)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Any:
    if beta == 1.0:
        return apply(SOFTPLUS, (input,))
    x: Any = input
    return softplus(x * beta) / beta


def logsigmoid(input: Tensor) -> Any:
    return -softplus(-input)  # type: ignore[operator]


def relu6(input: Tensor, inplace: bool = False) -> Any:
    return pointwise.clamp(input, 0, 6)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    return pointwise.clamp(input, min_val, max_val)


def prelu(input: Tensor, weight: Tensor) -> Any:
    from engine.dialects.torch.shaping import reshape

    w: Any = weight
    if weight._array.size > 1 and input._array.ndim > 1:
        w = reshape(weight, 1, -1, *(1,) * (input._array.ndim - 2))
    x: Any = input
    return pointwise.where(x > 0, x, w * x)


def _implicit_dim(name: str, rank: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        UserWarning,
        stacklevel=4,
    )
    return 0 if rank in (0, 1, 3) else 1


def _along(name: str, primitive: Any, kernel: str) -> Any:
    def function(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
        need_tensor(input, name)
        axis = _implicit_dim(name, input._array.ndim) if dim is None else check_dim(dim, input._array.ndim)
        x: Any = input if dtype is None else pointwise.cast(input, as_own_dtype(dtype))
        if x._array.dtype.kind != "f":
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{word_of(x._array.dtype)}'")
        if x._array.ndim == 0:
            return apply(primitive, (x.reshape(1),), {"axis": 0}).reshape(())  # type: ignore[attr-defined]
        return apply(primitive, (x,), {"axis": axis})

    function.__name__ = name
    return function


def as_own_dtype(value: Any) -> Any:
    as_array_dtype(value)
    return value


softmax = _along("softmax", SOFTMAX, "softmax_lastdim_kernel_impl")
log_softmax = _along("log_softmax", LOG_SOFTMAX, "log_softmax_lastdim_kernel_impl")


def softmin(input: Tensor, dim: int | None = None) -> Any:
    return softmax(-input, dim)  # type: ignore[operator]


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Zeros elements with probability ``p`` and scales up the rest."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0  # type: ignore[operator]
    array = input._array
    draws = default_generator.uniform(array.size, np.dtype(np.float64)).reshape(array.shape) < 1 - p
    mask = draws.astype(array.dtype) / array.dtype.type(1 - p)
    return apply(DROPOUT, (input, Tensor(mask)))


DROPOUT = _p("mul", "dropout", "MulBackward0")


def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: Any = None, norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Any:  # fmt: skip
    """Rows of ``weight`` by index."""
    need_tensor(input, "embedding", "indices", 2)
    index = input._array
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{word_of(index.dtype)}Tensor instead (while checking arguments for embedding)"
        )
    if index.size and (index.max() >= weight._array.shape[0] or index.min() < 0):
        raise IndexError("index out of range in self")
    result: Any = apply(EMBEDDING, (weight, input), {"axis": 0})
    if padding_idx is not None and result.requires_grad:
        keep = Tensor((index != padding_idx)[..., None].astype(weight._array.dtype))
        result = pointwise.where(Tensor(keep._array > 0), result, result.detach())
    return result


def one_hot(tensor: Tensor, num_classes: int = -1) -> Any:
    if tensor._array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    classes = int(tensor._array.max()) + 1 if num_classes < 0 else num_classes
    if tensor._array.size and int(tensor._array.max()) >= classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return creation.made(np.eye(classes, dtype=np.int64)[tensor._array], False, "one_hot")


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    length: Any = input.norm(p, dim, True).clamp_min(eps)
    return input / length.expand_as(input)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Any:
    a: Any = x1
    b: Any = x2
    return (a * b).sum(dim) / (a.norm(2, dim).clamp_min(eps) * b.norm(2, dim).clamp_min(eps))


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """Add elements at the edges; ``pad`` lists (before, after) from the last dimension on."""
    rank = input._array.ndim
    widths = [(0, 0)] * rank
    for place in range(len(pad) // 2):
        widths[rank - 1 - place] = (int(pad[2 * place]), int(pad[2 * place + 1]))
    if mode != "constant":
        raise NotImplementedError(f"the teaching engine pads with a constant only, not mode {mode!r}")
    return apply(PAD, (input,), {"widths": tuple(widths), "value": value or 0})


PAD = _p("pad", "pad", "ConstantPadNdBackward0", default=True)


def layer_norm(input: Tensor, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    x: Any = input
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    dims = tuple(range(-len(shape), 0))
    centred = x - x.mean(dims, True)
    result = centred / (x.var(dims, False, True) + eps).sqrt()
    if weight is not None:
        result = result * weight
    return result if bias is None else result + bias


def batch_norm(
    input: Tensor, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    x: Any = input
    dims = (0, *range(2, input._array.ndim))
    shape = (1, -1, *(1,) * (input._array.ndim - 2))
    if training or running_mean is None:
        if input._array.size // input._array.shape[1] <= 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape!r}")
        mean, var = x.mean(dims), x.var(dims, False)
        if running_mean is not None:
            count = input._array.size // input._array.shape[1]
            unbiased = var._array * (count / max(count - 1, 1))
            running_mean._array[...] = (1 - momentum) * running_mean._array + momentum * mean._array
            running_var._array[...] = (1 - momentum) * running_var._array + momentum * unbiased
    else:
        mean, var = running_mean, running_var
    result = (x - mean.reshape(shape)) / (var.reshape(shape) + eps).sqrt()
    if weight is not None:
        result = result * weight.reshape(shape)
    return result if bias is None else result + bias.reshape(shape)

"""``nn.functional``: activations, losses and layers as functions."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np

from engine.dialects.torch import from_data, linear_algebra, pointwise, selection
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import as_array_dtype, word_of
from engine.dynamic import modes
from engine.dynamic.apply import apply
from engine.dynamic.inplace import write

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


_SECOND = ("LeakyRelu", "Elu", "Celu", "Threshold")
"""Activations whose in-place form has a node class of its own."""


@cache
def _written(primitive: Any) -> Any:
    """The op that writes its result into its operand."""
    name = primitive.node_class.label
    stem = name.removesuffix("Backward0")
    return _p(primitive.name, f"{primitive.label}_", f"{stem}Backward1" if stem in _SECOND else name)


def _run(primitive: Any, input: Tensor, attributes: dict[str, Any], inplace: bool) -> Any:
    """An activation, in place if wanted."""
    return write(_written(primitive), (input,), attributes) if inplace else apply(primitive, (input,), attributes)


def relu(input: Tensor, inplace: bool = False) -> Any:
    need_tensor(input, "relu")
    return input.relu_() if inplace else RELU.run(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    need_tensor(input, "leaky_relu")
    return _run(LEAKY, input, {"slope": negative_slope}, inplace)


def relu_(input: Tensor) -> Any:
    return relu(input, True)


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Any:
    return leaky_relu(input, negative_slope, True)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    need_tensor(input, "elu")
    return _run(ELU, input, {"alpha": alpha}, inplace)


def gelu(input: Tensor, approximate: str = "none") -> Any:
    need_tensor(input, "gelu")
    return apply(GELU, (input,), {"approximate": approximate})


def _named(op: str, name: str, gradient: str, *options: str) -> Any:
    """An activation that is one op; ``options`` name its attributes in the order of PyTorch's arguments."""
    primitive = _p(op, name, gradient)

    def function(input: Tensor, *arguments: Any, inplace: bool = False, **named: Any) -> Any:
        need_tensor(input, name)
        values = dict(zip(options, arguments, strict=False))
        for word, value in named.items():
            values[_RENAMED.get(word, word)] = value
        return _run(primitive, input, values, inplace)

    function.__name__ = function.__qualname__ = name
    return function


_RENAMED = {"min_val": "low", "max_val": "high", "threshold": "limit"}
selu = _named("selu", "selu", "EluBackward0")
silu = _named("silu", "silu", "SiluBackward0")
mish = _named("mish", "mish", "MishBackward0")
celu = _named("celu", "celu", "CeluBackward0", "alpha")
logsigmoid = _named("log_sigmoid", "logsigmoid", "LogSigmoidBackward0")
hardtanh = _named("hardtanh", "hardtanh", "HardtanhBackward0", "low", "high")
threshold = _named("threshold", "threshold", "ThresholdBackward0", "limit", "value")
hardshrink = _named("hardshrink", "hardshrink", "HardshrinkBackward0", "lambd")
softshrink = _named("softshrink", "softshrink", "SoftshrinkBackward0", "lambd")
hardsigmoid = _named("hardsigmoid", "hardsigmoid", "HardsigmoidBackward0")
hardswish = _named("hardswish", "hardswish", "HardswishBackward0")
SCALED_SOFTPLUS = _p("scaled_softplus", "softplus", "SoftplusBackward0")


def relu6(input: Tensor, inplace: bool = False) -> Any:
    return hardtanh(input, 0.0, 6.0, inplace=inplace)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Any:
    need_tensor(input, "softplus")
    if beta == 1.0 and threshold == 20.0:
        return apply(SOFTPLUS, (input,))
    return apply(SCALED_SOFTPLUS, (input,), {"beta": beta, "threshold": threshold})


def softsign(input: Any) -> Any:
    return input / (pointwise.abs(input) + 1)


def tanhshrink(input: Any) -> Any:
    return input - pointwise.tanh(input)


PRELU = _p("prelu", "prelu", "PreluKernelBackward0")


def prelu(input: Tensor, weight: Any) -> Any:
    need_tensor(input, "prelu")
    if weight._array.size > 1:
        channels = input._array.shape[1] if input._array.ndim > 1 else 1
        if weight._array.size != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight._array.size} and channel size = {channels}."
            )
    if weight._array.size > 1 and input._array.ndim > 2:
        weight = weight.reshape(1, -1, *(1,) * (input._array.ndim - 2))
    return apply(PRELU, (input, weight))


def glu(input: Any, dim: int = -1) -> Any:
    """The first half of a dimension times the sigmoid of the second."""
    axis = check_dim(dim, input._array.ndim)
    size = input._array.shape[axis]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {size}")
    first, second = input.narrow(axis, 0, size // 2), input.narrow(axis, size // 2, size // 2)
    return apply(GLU, (first, pointwise.sigmoid(second)))


GLU = _p("mul", "glu", "GluBackward0")


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
    if max_norm is not None:
        _shorten(weight, index, max_norm, norm_type)
    if padding_idx is not None and weight.requires_grad and modes.enabled:
        learns = np.arange(weight._array.shape[0])[:, None] != padding_idx % weight._array.shape[0]
        weight = selection.where(Tensor(learns), weight, weight.detach())
    return apply(EMBEDDING, (weight, input), {"axis": 0})


def _shorten(weight: Any, index: Any, max_norm: float, norm_type: float) -> None:
    """Shorten those rows that are looked up and longer than ``max_norm``, in place."""
    rows = np.unique(index)
    lengths = np.linalg.norm(weight._array[rows], norm_type, axis=1)
    long = lengths > max_norm
    if long.any():
        scale = (max_norm / (lengths[long] + 1e-7)).astype(weight._array.dtype)
        with modes.grad_mode(False):
            weight[Tensor(rows[long])] = Tensor(weight._array[rows[long]] * scale[:, None])


def one_hot(tensor: Tensor, num_classes: int = -1) -> Any:
    if tensor._array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor._array.size and int(tensor._array.min()) < 0:
        raise RuntimeError("Class values must be non-negative.")
    classes = int(tensor._array.max()) + 1 if num_classes < 0 else num_classes
    if tensor._array.size and int(tensor._array.max()) >= classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return from_data.made(np.eye(classes, dtype=np.int64)[tensor._array], False, "one_hot")


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    length: Any = input.norm(p, dim, True).clamp_min(eps)
    return input / length.expand_as(input)


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """Add elements at the edges; ``pad`` lists (before, after) from the last dimension on."""
    rank = input._array.ndim
    widths = [(0, 0)] * rank
    for place in range(len(pad) // 2):
        widths[rank - 1 - place] = (int(pad[2 * place]), int(pad[2 * place + 1]))
    if mode != "constant":
        return _pad_with_itself(input, widths, mode)
    return apply(PAD, (input,), {"widths": tuple(widths), "value": value or 0})


_PAD_MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def _pad_with_itself(input: Tensor, widths: Any, mode: str) -> Any:
    """Add elements that are taken from the tensor: mirrored, its edge, or its other end."""
    if mode not in _PAD_MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    name = {"reflect": "ReflectionPad", "replicate": "ReplicationPad"}.get(mode)
    padded = [axis for axis, width in enumerate(widths) if width != (0, 0)]
    result: Any = input
    for axis in padded:
        size = input._array.shape[axis]
        if mode == "reflect" and max(widths[axis]) >= size:
            raise RuntimeError(
                "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({widths[axis][0]}, {widths[axis][1]}) at dimension {axis} of input {list(input._array.shape)}"
            )
        places = np.pad(np.arange(size), widths[axis], mode=_PAD_MODES[mode])  # type: ignore[call-overload]
        label = f"{name}{len(padded)}DBackward0" if name else "CopySlices"
        result = apply(_p("take", f"{mode}_pad", label), (result, Tensor(places)), {"axis": axis})
    return result


PAD = _p("pad", "pad", "ConstantPadNdBackward0", default=True)

"""Normalisation: as functions and as layers. Each is one op, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import creation
from engine.dialects.torch.arguments import need_tensor
from engine.dialects.torch.messages import sizes
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.overrides import is_watched
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import Size
from engine.dynamic.apply import apply
from engine.dynamic.tensor import Number

_p = FACADE.primitive
LAYER = _p("normalise", "layer_norm", "NativeLayerNormBackward0")
BATCH = _p("normalise", "batch_norm", "NativeBatchNormBackward0")
BATCH_FIXED = _p("normalise_fixed", "batch_norm", "NativeBatchNormBackward0")
GROUP = _p("normalise", "group_norm", "NativeGroupNormBackward0")


def layer_norm(input: Tensor, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Mean 0 and variance 1 over the last dimensions, then ``weight`` and ``bias``."""
    need_tensor(input, "layer_norm")
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if input._array.shape[-len(shape) :] != shape:
        wanted = ", ".join(["*", *map(str, shape)])
        raise RuntimeError(
            f"Given normalized_shape={sizes(shape)}, expected input with shape [{wanted}], but got input of "
            f"size{sizes(input._array.shape)}"
        )
    axes = tuple(range(input._array.ndim - len(shape), input._array.ndim))
    return apply(LAYER, (input, _or(weight, 1), _or(bias, 0)), {"axes": axes, "eps": eps, "shape": None})


def _or(value: Any, usual: float) -> Any:
    """A parameter, or the number that changes nothing."""
    return Number(usual) if value is None else value


def _check_channels(name: str, value: Any, channels: int) -> None:
    if value is not None and value._array.size != channels:
        raise RuntimeError(f"{name} should contain {channels} elements not {value._array.size}")


def batch_norm(
    input: Tensor, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Mean 0 and variance 1 of each channel over the batch; in evaluation with the running statistics."""
    need_tensor(input, "batch_norm")
    array = input._array
    channels = array.shape[1]
    by_statistics = training or running_mean is None
    count = array.size // channels if channels else 0
    if training and count <= 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {Size(array.shape)!r}")
    for name, value in (
        ("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias),
    ):  # fmt: skip
        _check_channels(name, value, channels)
    shape = (1, channels, *(1,) * (array.ndim - 2))
    scale, shift = _or(weight, 1), _or(bias, 0)
    axes = (0, *range(2, array.ndim))
    if not by_statistics:
        means = [Tensor(value._array.reshape(shape)) for value in (running_mean, running_var)]
        return apply(BATCH_FIXED, (input, scale, shift, *means), {"eps": eps, "shape": shape})
    if training and running_mean is not None:
        unbiased = array.var(axes) * array.dtype.type(count / max(count - 1, 1))
        for running, now in ((running_mean, array.mean(axes)), (running_var, unbiased)):
            running._array[...] = (1 - momentum) * running._array + momentum * now
            running._storage.version += 1
    return apply(BATCH, (input, scale, shift), {"axes": axes, "eps": eps, "shape": shape})


def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Mean 0 and variance 1 of each group of channels in each example."""
    shape = input._array.shape
    if shape[1] % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{sizes(shape)} and num_groups={num_groups}"
        )
    grouped = input.reshape(shape[0], num_groups, -1, *shape[2:])
    per_channel = (1, num_groups, shape[1] // num_groups, *(1,) * (len(shape) - 2))
    axes = tuple(range(2, grouped._array.ndim))
    out: Any = apply(GROUP, (grouped, _or(weight, 1), _or(bias, 0)), {"axes": axes, "eps": eps, "shape": per_channel})
    return apply(UNGROUP, (out,), {"shape": shape})


UNGROUP = _p("reshape", "group_norm", "NativeGroupNormBackward0")


def instance_norm(
    input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Mean 0 and variance 1 of each channel in each example."""
    shape = input._array.shape
    per_channel = (1, shape[1], *(1,) * (len(shape) - 2))
    attributes = {"axes": tuple(range(2, len(shape))), "eps": eps, "shape": per_channel}
    out: Any = apply(BATCH, (input, _or(weight, 1), _or(bias, 0)), attributes)
    return out.view(shape)


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """Divided by the root of the mean square over the last dimensions."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    small = float(np.finfo(input._array.dtype).eps) if eps is None else eps
    result = input * (input.pow(2).mean(tuple(range(-len(shape), 0)), True) + small).rsqrt()
    return result if weight is None else result * weight


class LayerNorm(Module):
    """Normalises over the last dimensions."""

    __module__ = "torch.nn.modules.normalization"

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        _affine(self, self.normalized_shape, elementwise_affine, elementwise_affine and bias)

    def forward(self, input: Any) -> Any:
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"


def _affine(module: Any, shape: Any, weight: bool, bias: bool) -> None:
    """The scale and the shift that are learned."""
    module.register_parameter("weight", Parameter(creation.ones(shape)) if weight else None)
    module.register_parameter("bias", Parameter(creation.zeros(shape)) if bias else None)


class RMSNorm(Module):
    """Divides by the root of the mean square."""

    __module__ = "torch.nn.modules.normalization"

    def __init__(self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True) -> None:
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        weight = Parameter(creation.ones(self.normalized_shape)) if elementwise_affine else None
        self.register_parameter("weight", weight)

    def forward(self, input: Any) -> Any:
        return rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Normalises groups of channels."""

    __module__ = "torch.nn.modules.normalization"

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, bias: bool = True
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        _affine(self, num_channels, affine, affine and bias)

    def forward(self, input: Any) -> Any:
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class _Statistics(Module):
    """What batch and instance norm have in common: parameters and running statistics."""

    _ranks: tuple[int, ...] = (2, 3)

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        _affine(self, num_features, affine, affine and bias)
        self.register_buffer("running_mean", creation.zeros(num_features) if track_running_stats else None)
        self.register_buffer("running_var", creation.ones(num_features) if track_running_stats else None)
        count = Tensor(np.asarray(0)) if track_running_stats else None
        self.register_buffer("num_batches_tracked", count)

    def _check(self, input: Any) -> None:
        if input.dim() not in self._ranks:
            ranks = " or ".join(f"{n}D" for n in self._ranks)
            raise ValueError(f"expected {ranks} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_Statistics):
    """Normalises each feature over the batch."""

    __module__ = "torch.nn.modules.batchnorm"

    def forward(self, input: Any) -> Any:
        self._check(input)
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.num_batches_tracked is not None:
            if is_watched():  # a captured graph counts as well
                self.num_batches_tracked.add_(1)
            else:
                self.num_batches_tracked._array += 1
                self.num_batches_tracked._storage.version += 1
            if self.momentum is None:  # the plain mean over all batches
                share = 1.0 / float(self.num_batches_tracked._array)
        training = self.training or self.running_mean is None
        return batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, training, share, self.eps)


class BatchNorm2d(BatchNorm1d):
    """Normalises each channel over the batch and the image."""

    __module__ = "torch.nn.modules.batchnorm"
    _ranks = (4,)


class BatchNorm3d(BatchNorm1d):
    """Normalises each channel over the batch and the volume."""

    __module__ = "torch.nn.modules.batchnorm"
    _ranks = (5,)


class InstanceNorm1d(_Statistics):
    """Normalises each feature in each example."""

    __module__ = "torch.nn.modules.instancenorm"

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        if track_running_stats:
            raise NotImplementedError("the teaching engine's instance norm keeps no running statistics")
        super().__init__(num_features, eps, momentum, affine, track_running_stats, **options)

    def forward(self, input: Any) -> Any:
        self._check(input)
        return instance_norm(input, weight=self.weight, bias=self.bias, eps=self.eps)


class InstanceNorm2d(InstanceNorm1d):
    """Normalises each channel in each image."""

    __module__ = "torch.nn.modules.instancenorm"
    _ranks = (3, 4)
